# SPDX-License-Identifier: GPL-3.0-or-later
"""The arena from Python; page 6 has the examples."""

import asyncio
import inspect
import shlex
import sys
from dataclasses import fields

import pytest

from kingcobra.arena import api
from kingcobra.arena.api import (
    Anchor,
    MatchSettings,
    SettingError,
    Sprt,
    StateError,
    TimeControl,
    TuningSettings,
    engine,
    play_match,
    play_tuning,
    read_match,
    select_tunables,
    standing_of,
)
from tests.arena.mock_engines import MISBEHAVING_ENGINE


def mock(name, manner="well"):
    return f"cmd='{sys.executable}' '{MISBEHAVING_ENGINE}' {manner},name={name}"


def test_every_public_name_is_there():
    assert [name for name in api.__all__ if not hasattr(api, name)] == []


def test_a_match_is_played_without_a_word_and_can_be_read_and_resumed(tmp_path, capfd):
    pgn = tmp_path / "out.pgn"
    settings = {"tc": "nodes=5", "max_moves": 3, "pgn": str(pgn)}
    standing = play_match(mock("A"), mock("B"), games=2, **settings)
    assert standing.meetings == {("A", "B"): [0, 2, 0]}
    assert capfd.readouterr() == ("", "")
    assert standing_of(read_match(pgn)).lines() == standing.lines()
    longer = play_match(mock("A"), mock("B"), games=4, resume=True, **settings)
    assert longer.games == 4
    assert [record.number for record in read_match(str(pgn)).records] == [0, 1, 2, 3]


def test_faults_are_counted_as_one_likes(tmp_path):
    pgn = tmp_path / "out.pgn"
    play_match(mock("A"), mock("B", "crash"), tc="nodes=5", games=2, pgn=pgn)
    saved = read_match(pgn)
    assert standing_of(saved).meetings == {("A", "B"): [0, 0, 2]}
    apart = standing_of(saved, faults_apart=True)
    assert (apart.games_apart, apart.meetings) == (2, {})


def test_engines_stand_in_the_order_in_which_they_were_given(tmp_path):
    """Also where the second has the first word in the file."""
    pgn = tmp_path / "out.pgn"
    play_match(mock("Z"), mock("A"), tc="nodes=5", games=2, max_moves=1, pgn=pgn)
    assert standing_of(read_match(pgn)).names == ["Z", "A"]


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (TypeError, {"tempo": 1}),
        (ValueError, {"tc": "fast"}),
        (SettingError, {"tc": 8}),
        (SettingError, {"tc": None}),
        (SettingError, {"book_start": -1}),
        (SettingError, {"games": 0}),
        (TypeError, {"resum": True}),
        (SettingError, {"games": 2.5}),
        (SettingError, {"sprt": "0,2"}),
        (SettingError, {"resign": "3,600"}),
        (SettingError, {"anchor": Anchor("C")}),
        (SettingError, {"order": "sorted"}),
        (SettingError, {"max_moves": True}),
        (SettingError, {"margin_ms": -1}),
        (SettingError, {"resume": True, "overwrite": True}),
        (SettingError, {"concurrency": 0}),
        (OSError, {"book": "missing.epd"}),
    ],
)
def test_what_cannot_be_played_is_an_error_not_an_exit(capsys, kind, options):
    name, value = next(iter(options.items()))
    messages = {SettingError: f"^{name} ", OSError: value, TypeError: name, ValueError: repr(value)}
    with pytest.raises(kind, match=messages[kind]):
        play_match(mock("A"), mock("B"), **{"tc": "nodes=5", "games": 2, **options})
    assert capsys.readouterr() == ("", "")


def test_a_notebook_sees_every_keyword():
    match = inspect.signature(play_match).parameters
    assert list(match)[:3] == ["engines", "tc", "games"]
    assert match["max_moves"].default is None
    assert {field.name for field in fields(MatchSettings)} == match.keys()
    assert {field.name for field in fields(TuningSettings)} == (
        inspect.signature(play_tuning).parameters.keys()
    )


def test_settings_show_what_is_not_the_default():
    settings = MatchSettings(engines=("self", "x"), tc="8+0.08", games=2, max_moves=40)
    shown = "MatchSettings(tc='8+0.08', max_moves=40, engines=('self', 'x'), games=2)"
    assert repr(settings) == shown
    assert eval(shown) == settings


@pytest.mark.parametrize("engines", [(), ("self",)])
def test_one_engine_plays_no_match(engines):
    with pytest.raises(SettingError, match="engines must be two or more"):
        play_match(*engines, tc="nodes=5", games=2)


def test_an_engine_is_text_or_a_description():
    with pytest.raises(SettingError, match=r"engines must be given as text, or engine\("):
        play_match("self", ["self"], tc="nodes=5", games=2)


def test_engines_and_time_controls_are_values_too(tmp_path):
    command = (sys.executable, str(MISBEHAVING_ENGINE), "well")
    players = [
        engine(command, "A", options={"OwnBook": False, "Hash": 2}),
        engine(" ".join(map(shlex.quote, command)), name="B", tc=TimeControl(base_s=600)),
    ]
    assert players[0].options == {"OwnBook": "false", "Hash": "2"}
    pgn = tmp_path / "out.pgn"
    standing = play_match(*players, tc=TimeControl(nodes=5), games=2, max_moves=1, pgn=pgn)
    assert (standing.names, standing.games) == (["A", "B"], 2)
    saved = read_match(pgn).settings
    assert [player["time_control"] is not None for player in saved["engines"]] == [False, True]


@pytest.mark.parametrize(
    "wrong", [{"command": ""}, {"command": []}, {"name": '"'}, {"protocol": "ics"}, {"tc": "fast"}]
)
def test_an_engine_that_cannot_be_described(wrong):
    with pytest.raises(ValueError, match=r"expected|a name has letters"):
        engine(**{"command": "x", **wrong})


def test_what_is_returned_shows_itself_in_a_line(tmp_path):
    pgn = tmp_path / "out.pgn"
    standing = play_match(mock("A"), mock("B"), tc="nodes=5", games=2, max_moves=1, pgn=pgn)
    assert repr(standing).startswith("<Standing of A, B: A vs B: 2 games, ")
    assert str(standing).splitlines() == standing.lines()
    assert repr(read_match(pgn)) == "<SavedMatch of 2 games: A, B>"


def test_a_tuning_returns_the_values_at_its_end(tmp_path):
    settings = {"tc": "nodes=5", "max_moves": 2, "pgn": tmp_path / "tune.pgn"}
    (tunable,) = tunables = select_tunables("razor_base")
    values = play_tuning(iterations=2, engine=mock("K"), tunables=tunables, **settings)
    assert values.keys() == {"razor_base"}
    assert tunable.low <= values["razor_base"] <= tunable.high
    assert len((tmp_path / "tune.csv").read_text().splitlines()) == 3
    with pytest.raises(StateError, match=r"tune\.csv exists"):
        play_tuning(iterations=2, engine=mock("K"), tunables=tunables, **settings)
    with pytest.raises(SettingError, match=r"pgn .*\.csv is for another"):
        play_tuning(iterations=2, tc="nodes=5", pgn="x.csv")


def test_a_match_can_be_played_where_an_event_loop_is_at_work():
    """As in a notebook."""

    async def cell():
        return play_match(mock("A"), mock("B"), tc="nodes=5", games=2, max_moves=1)

    assert asyncio.run(cell()).games == 2


def test_a_test_ends_a_match_early():
    engines = mock("A"), mock("B", "crash")
    assert play_match(*engines, tc="nodes=5", games=40, sprt=Sprt(0, 200)).games < 40


def test_files_that_cannot_be_had_are_let_go(tmp_path):
    """Or the next try would find them in use by this very process."""
    pgn = tmp_path / "out.pgn"
    settings = {"tc": "nodes=5", "games": 2, "max_moves": 1, "pgn": pgn}
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing" / "out.pgn")
    pgn.symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError) as kept:
        play_match(mock("A"), mock("B"), **settings)
    pgn.unlink()
    assert play_match(mock("A"), mock("B"), overwrite=True, **settings).games == 2
    assert kept.value.filename == str(pgn)


def test_files_that_hold_no_match(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_match(tmp_path / "missing.pgn")
    (tmp_path / "out.pgn.state").write_text("{}\nnonsense\n")
    with pytest.raises(StateError, match="line 2"):
        read_match(tmp_path / "out.pgn")
