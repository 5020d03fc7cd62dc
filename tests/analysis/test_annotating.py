# SPDX-License-Identifier: GPL-3.0-or-later
"""One game annotated: evaluations, judgements, best lines, openings, and what files say already."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path

import chess
import chess.pgn
import pytest

import kingcobra
from kingcobra.analysis.annotating import Abandoned, annotate_text
from kingcobra.analysis.judgement import Standing, judge
from kingcobra.analysis.player_names import is_player
from kingcobra.analysis.records import AnnotatedGame
from kingcobra.analysis.score import Score
from kingcobra.analysis.searching import GameSearcher
from tests.analysis.games import NODES, SETTINGS, game_texts, record_of
from tests.processes import PATIENCE_S

FOOLS_MATE = "1. f3 e5 2. g4 Qh4# 0-1"
MORE = replace(SETTINGS, nodes=10 * NODES)


class CountingSearcher:
    """Counts the searches of another one."""

    def __init__(self, searcher):
        self._searcher = searcher
        self.searches = 0

    def __getattr__(self, name):
        return getattr(self._searcher, name)

    def evaluate(self, position):
        self.searches += 1
        return self._searcher.evaluate(position)


def test_every_move_is_evaluated(opera):
    game = chess.pgn.read_game(StringIO(opera.pgn))
    nodes = list(game.mainline())
    assert len(nodes) == len(opera.moves) == 33
    for node, move in zip(nodes, opera.moves, strict=True):
        assert node.san() == move.san
        if move.score.is_checkmate:
            assert node.eval() is None
        else:
            assert node.eval_depth() == move.depth
            white = node.eval().white()
            assert (white.score(), white.mate()) == (move.score.white_cp, move.score.white_mate)
    assert opera.moves[-1].score == Score.checkmate(white_wins=True)
    assert opera.opening.name == "Philidor Defense"
    assert game.headers["ECO"] == "C41"
    assert float(game.headers["BlackAccuracy"]) == pytest.approx(opera.black.accuracy, abs=0.05)


def test_what_people_wrote_stays(opera):
    assert "a pin [%clk 0:01:02]" in opera.pgn
    assert "( 9... Qb4 $1 { is safer } )" in " ".join(opera.pgn.split())
    assert opera.moves[5].clock_s == 62
    assert opera.moves[5].remark == "a pin"


def test_judged_moves_have_the_lichess_comment_and_a_variation(opera):
    judged = [move for move in opera.moves if move.judgement]
    assert judged
    game = chess.pgn.read_game(StringIO(opera.pgn))
    for move in judged:
        node = list(game.mainline())[move.ply - 1]
        before = opera.moves[move.ply - 2].score if move.ply > 1 else opera.start_score
        assert node.comment.startswith(f"({before.words()} → {move.score.words()}) ")
        assert f" {move.best} was best." in node.comment
        assert move.judgement.nag in node.nags
        line = node.parent.variation(chess.Move.from_uci(move.best_uci))
        assert [line.san(), *(child.san() for child in line.mainline())] == list(move.line)
        assert 1 <= len(move.line) <= 20
        assert move.uci != move.best_uci


def test_annotating_twice_changes_nothing(opera, searcher):
    again = record_of(opera.pgn, searcher)
    assert again.pgn == opera.pgn
    assert again.moves == opera.moves


@pytest.mark.usefixtures("core")
def test_a_deeper_annotation_replaces_the_lines_of_the_first(opera):
    searcher = GameSearcher(MORE)
    first, again = (
        [[child.san() for child in node.variations] for node in tree.mainline()]
        for tree in (
            chess.pgn.read_game(StringIO(record_of(text, searcher, MORE).pgn))
            for text in (game_texts()[0], opera.pgn)
        )
    )
    assert again == first


def test_comments_whose_lines_other_programs_broke_are_replaced_too(opera, searcher):
    broken = opera.pgn.replace(" → ", "\n→ ").replace(" was best.", "\nwas best.")
    assert broken != opera.pgn
    assert record_of(broken, searcher).pgn == opera.pgn


def test_a_line_that_people_wrote_into_stays(searcher):
    verdict = "(0.10 → -9.00) Blunder. Nf3 was best."
    text = f"1. e4 e5 2. Nc3 $4 {{ {verdict} }} ( 2. Nf3 Nc6 {{ well known }} ) ( 2. d4 exd4 ) *"
    written = " ".join(record_of(text, searcher).pgn.split())
    assert "( 2. Nf3 Nc6 { well known } )" in written
    assert "( 2. d4 exd4 )" in written
    assert verdict not in written


def test_marks_of_people_stay_where_the_engine_has_none(searcher):
    only_move = '[FEN "k7/8/8/8/8/8/6q1/7K w - - 0 1"]\n\n1. Kxg2 $4 *'
    record = record_of(only_move, searcher)
    assert "1. Kxg2 $4 {" in " ".join(record.pgn.split())
    assert record_of(record.pgn, searcher).pgn == record.pgn


def test_a_game_does_not_depend_on_those_before(opera, searcher):
    record_of(game_texts()[1], searcher)
    assert record_of(game_texts()[0], searcher) == opera
    assert record_of(game_texts()[0], GameSearcher(SETTINGS)) == opera


def test_a_record_survives_json(opera, searcher):
    record = record_of(game_texts()[0], searcher, replace(SETTINGS, heat=True))
    for one in (opera, record):
        assert AnnotatedGame.from_json(json.loads(json.dumps(one.as_json()))) == one


def test_chess960_castles_and_is_annotated(searcher):
    record = record_of(game_texts()[3], searcher)
    assert [move.san for move in record.moves[2:]] == ["O-O", "O-O-O"]
    assert record.moves[2].uci == "c1h1"
    assert record.start_score.white_cp != 15


def test_stalemate_is_a_draw(searcher):
    record = record_of(game_texts()[4], searcher)
    assert record.moves[-1].score == Score.in_cp(0)


def test_the_start_is_worth_what_lichess_says(opera, searcher):
    assert opera.start_score == Score.in_cp(15)
    assert record_of('[Event "Not played"]\n\n*', searcher).moves == ()


def test_tags_are_kept_unless_they_say_nothing(searcher):
    named = '[ECO "A00"]\n[Opening "?"]\n\n1. e4 c5 *'
    record = record_of(named, searcher, replace(SETTINGS, annotator="Kingcobra"))
    tags = chess.pgn.read_game(StringIO(record.pgn)).headers
    assert (tags["ECO"], tags["Opening"]) == ("A00", "Sicilian Defense")
    assert tags["Annotator"] == "Kingcobra"


def test_mates_are_judged(searcher):
    record = record_of(FOOLS_MATE, searcher)
    move = record.moves[2]
    assert move.text == "g4??"
    assert move.comment.endswith(f"Checkmate is now unavoidable. {move.best} was best.")
    assert record.moves[3].score == Score.checkmate(white_wins=False)
    assert record.moves[3].accuracy == 100


def test_only_the_players_moves_are_judged(opera, searcher):
    record = record_of(game_texts()[0], searcher, replace(SETTINGS, player="paul morphy"))
    assert not any(move.judgement for move in record.moves if not move.is_white)
    assert (record.black.blunders, record.black.is_judged) == (None, False)
    assert record.white == opera.white
    whites = [move.judgement for move in opera.moves if move.is_white]
    assert [move.judgement for move in record.moves if move.is_white] == whites
    other = annotate_text(game_texts()[0], searcher, replace(SETTINGS, player="Carlsen"))
    assert (other.record, other.error) == (None, "")


@pytest.mark.parametrize(
    ("wanted", "name", "expected"),
    [
        ("carlsen", "Carlsen, Magnus", True),
        ("magnus carlsen", "Carlsen, Magnus", True),
        ("Li", "Caroline", False),
        ("", "Anybody", False),
    ],
)
def test_names_are_compared_by_words(wanted, name, expected):
    assert is_player(wanted, name) is expected


def test_evaluations_in_the_file_are_believed(opera, searcher):
    counting = CountingSearcher(searcher)
    record = record_of(opera.pgn, counting, replace(SETTINGS, reuses_evals=True))
    assert [move.score for move in record.moves] == [move.score for move in opera.moves]
    assert [move.depth for move in record.moves] == [move.depth for move in opera.moves]
    # The engine's own choices are the only moves that look bad and have no line in the file.
    standings = [Standing(opera.start_score, opera.start_percent)]
    standings += [Standing(move.score, move.win_percent) for move in opera.moves]
    bad = {
        move.ply
        for before, after, move in zip(standings, standings[1:], opera.moves, strict=False)
        if judge(before, after, move.is_white) and not move.judgement
    }
    checkmates = 1
    assert counting.searches == len(bad) + checkmates
    assert [move for move in record.moves if move.ply not in bad] == [
        move for move in opera.moves if move.ply not in bad
    ]


def test_missing_evaluations_are_searched(searcher):
    text = "1. e4 { [%eval 0.3] } 1... e5 2. Ke2 { [%eval #-3] } *"
    counting = CountingSearcher(searcher)
    record = record_of(text, counting, replace(SETTINGS, reuses_evals=True))
    assert record.moves[0].score == Score.in_cp(30)
    assert record.moves[1].depth is not None
    assert record.moves[2].score == Score.in_moves(-3)
    assert record.moves[2].comment.startswith(f"({record.moves[1].score.words()} → Mate in 3)")


def test_chances_by_the_engines_own_scale(opera, searcher):
    record = record_of(game_texts()[0], searcher, replace(SETTINGS, chances="wdl"))
    for move in record.moves:
        assert sum(move.wdl) == 1000
        assert move.win_percent == pytest.approx((move.wdl[0] + move.wdl[1] / 2) / 10)
    assert [move.score for move in record.moves] == [move.score for move in opera.moves]
    assert record.moves[-1].win_percent == 100


def test_the_values_of_men(searcher):
    record = record_of("1. e4 d5 *", searcher, replace(SETTINGS, heat=True))
    heat = record.moves[1].heat
    assert set(heat) == set(record.start_heat) - {"e2", "d7"} | {"e4", "d5"}
    assert heat["d1"] > 500
    assert heat["d8"] < -500


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (game_texts()[2], "illegal san: 'Ke3'"),
        ("1. e4 -- 2. d4 *", "a null move at ply 2"),
        ('[Variant "Crazyhouse"]\n\n1. e4 *', "only chess is supported"),
        ('[Variant "Calvinball"]\n\n1. e4 *', "Calvinball"),
        ('[FEN "nonsense"]\n\n1. e4 *', "nonsense"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*', "king"),
        ("", "neither tags nor moves"),
        ("games.pgn", "neither tags nor moves"),
        ("1. e4 *".encode("utf-16").decode("latin-1"), "neither tags nor moves"),
    ],
)
def test_broken_games_have_a_reason(searcher, text, error):
    found = annotate_text(text, searcher, SETTINGS)
    assert found.record is None
    assert error in found.error
    assert "\n" not in found.error


def test_a_broken_variation_is_named_and_the_game_goes_on(searcher):
    found = annotate_text("1. e4 ( 1. Ke2 ) 1... e5 *", searcher, SETTINGS)
    assert len(found.record.moves) == 2
    assert "Ke2" in found.warnings[0]


def test_nobody_waits_any_more(searcher):
    with pytest.raises(Abandoned):
        annotate_text(FOOLS_MATE, searcher, SETTINGS, goes_on=lambda: False)


def test_the_function_for_scripts(opera):
    game = kingcobra.annotate(game_texts()[0], nodes=NODES, hash_mb=1, heat=False)
    assert isinstance(game, kingcobra.AnnotatedGame)
    assert game == opera
    tree = chess.pgn.read_game(StringIO(game_texts()[0]))
    assert kingcobra.annotate(tree, nodes=NODES, hash_mb=1, heat=False).moves == opera.moves
    assert str(game) == opera.pgn


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nodes": 0}, "nodes 0"),
        ({"hash_mb": 0}, "hash_mb 0"),
        ({"chances": "dice"}, "'dice'"),
        ({"player": "Carlsen"}, "'Carlsen' is not a player"),
    ],
)
@pytest.mark.usefixtures("core")
def test_bad_values_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        kingcobra.annotate(FOOLS_MATE, **({"nodes": 100} | options))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((Path("games.pgn"),), r"game .*games.pgn.*expected PGN text or a chess.pgn.Game"),
        ((None,), "game None"),
        ((FOOLS_MATE, "many"), "nodes 'many'"),
    ],
)
def test_values_of_the_wrong_type_are_named(arguments, message):
    game, *nodes = arguments
    with pytest.raises(TypeError, match=message):
        kingcobra.annotate(game, nodes=nodes[0] if nodes else NODES)


CTRL_C = """
import kingcobra
from kingcobra.analysis import searching
search = searching.GameSearcher.evaluate
def told(self, position):
    print("searching", flush=True)
    return search(self, position)
searching.GameSearcher.evaluate = told
try:
    kingcobra.annotate("1. e4 e5", nodes=10**15, hash_mb=1)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.usefixtures("core")
def test_ctrl_c_ends_the_search_at_once():
    process = subprocess.Popen([sys.executable, "-c", CTRL_C], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "searching\n"
    process.send_signal(signal.SIGINT)
    output, _errors = process.communicate(timeout=PATIENCE_S)
    assert (output, process.returncode) == ("interrupted\n", 0)
