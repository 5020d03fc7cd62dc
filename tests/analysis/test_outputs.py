# SPDX-License-Identifier: GPL-3.0-or-later
"""PGN, lines of JSON and tables."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from kingcobra.analysis.game_files import GameText
from kingcobra.analysis.ordered_run import FinishedGame
from kingcobra.analysis.outputs import JsonOutput, PgnOutput
from kingcobra.analysis.records import AnnotatedGame
from kingcobra.analysis.settings import AnnotationError
from kingcobra.analysis.tables import COLUMNS, table_output
from kingcobra.analysis.totals import RunTotals
from kingcobra.analysis.work_item import GameOutcome

BROKEN = FinishedGame(GameText(Path("in.pgn"), 2, 9, "x"), GameOutcome(None, error="illegal"))


def finished(record):
    return FinishedGame(GameText(Path("in.pgn"), 1, 1, "*"), GameOutcome(record.as_json()))


def written(output, record):
    output.add(1, finished(record), record)
    output.add(2, BROKEN, None)
    output.finish()


def test_pgn_goes_to_a_file_or_to_a_stream(opera, tmp_path):
    stream = io.StringIO()
    written(PgnOutput(None, stream), opera)
    written(PgnOutput(tmp_path / "o.pgn", stream), opera)
    assert stream.getvalue() == opera.pgn + "\n"
    assert (tmp_path / "o.pgn").read_text("utf-8") == opera.pgn + "\n"


def test_lines_of_json_hold_the_games_and_the_errors(opera, tmp_path):
    written(JsonOutput(tmp_path / "o.json"), opera)
    first, second = map(json.loads, (tmp_path / "o.json").read_text("utf-8").splitlines())
    assert AnnotatedGame.from_json(first) == opera
    assert (first["game"], first["file"], first["line"]) == (1, "in.pgn", 1)
    assert second == {"game": 2, "file": "in.pgn", "line": 9, "error": "illegal"}


def test_a_table_has_a_row_for_each_move(opera, tmp_path):
    written(table_output(tmp_path / "o.csv"), opera)
    with (tmp_path / "o.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(COLUMNS)
    assert [row["san"] for row in rows] == [move.san for move in opera.moves]
    assert rows[0]["player"] == "Morphy, Paul"
    assert rows[-1]["mate"] == "0"
    assert rows[5]["clock_s"] == "62.0"


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx"])
def test_no_name_is_a_formula(opera, tmp_path, name):
    record = replace(opera, white=replace(opera.white, name=name))
    written(table_output(tmp_path / "o.csv"), record)
    with (tmp_path / "o.csv").open(encoding="utf-8", newline="") as file:
        assert next(csv.DictReader(file))["white"] == f"'{name}"


def test_parquet_has_the_same_rows(opera, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    written(table_output(tmp_path / "o.parquet"), opera)
    rows = parquet.read_table(tmp_path / "o.parquet").to_pylist()
    assert [row["uci"] for row in rows] == [move.uci for move in opera.moves]
    assert list(rows[0]) == list(COLUMNS)


def test_a_table_of_an_unknown_kind_is_named(tmp_path):
    with pytest.raises(AnnotationError, match=r"o\.xls: expected a name with \.csv or \.parquet"):
        table_output(tmp_path / "o.xls")
    assert list(tmp_path.iterdir()) == []


def test_parquet_without_pyarrow_is_one_clear_line(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(AnnotationError, match="pyarrow"):
        table_output(tmp_path / "o.parquet")


@pytest.mark.parametrize("kind", [JsonOutput, table_output, lambda path: PgnOutput(path, None)])
def test_what_is_abandoned_leaves_nothing(tmp_path, kind):
    kind(tmp_path / "o.csv").abandon()
    assert list(tmp_path.iterdir()) == []


def test_characters_that_are_none_are_written_somehow(opera, tmp_path):
    record = replace(opera, pgn="\ud800", tags={"White": "\ud800"})
    written(PgnOutput(tmp_path / "o.pgn", io.StringIO()), record)
    written(JsonOutput(tmp_path / "o.json"), record)
    assert (tmp_path / "o.pgn").read_text("utf-8") == "?\n"


def test_totals_add_up(opera):
    totals = RunTotals()
    totals.add(opera)
    totals.add(opera)
    white = totals.players["Morphy, Paul"]
    assert (white.games, white.moves) == (2, 2 * opera.white.moves)
    assert white.accuracy == pytest.approx(opera.white.accuracy)
    assert white.centipawn_loss == pytest.approx(opera.white.centipawn_loss)
    assert totals.lines()[0] == "2 games annotated"


def test_totals_leave_out_who_was_not_judged(opera):
    totals = RunTotals()
    unjudged = replace(opera.black, inaccuracies=None, mistakes=None, blunders=None)
    totals.add(replace(opera, black=unjudged))
    assert list(totals.players) == ["Morphy, Paul"]
    assert totals.lines()[0] == "1 game annotated"


def test_names_do_not_command_the_terminal(opera):
    totals = RunTotals()
    totals.add(replace(opera, white=replace(opera.white, name="\x1b[2Jevil")))
    assert "\x1b" not in "".join(totals.lines())
