# SPDX-License-Identifier: GPL-3.0-or-later
"""The arena from Python; page 6 has the examples."""

import asyncio
import sys

import pytest

from kingcobra.arena import api
from kingcobra.arena.api import StateError, play_match, read_match, standing_of
from tests.arena.mock_engines import MISBEHAVING_ENGINE


def engine(name, manner="well"):
    return f"cmd='{sys.executable}' '{MISBEHAVING_ENGINE}' {manner},name={name}"


def test_every_public_name_is_there():
    assert [name for name in api.__all__ if not hasattr(api, name)] == []


def test_a_match_is_played_without_a_word_and_can_be_read_and_resumed(tmp_path, capfd):
    pgn = tmp_path / "out.pgn"
    settings = {"tc": "nodes=5", "max_moves": 3, "pgn": str(pgn)}
    standing = play_match(engine("A"), engine("B"), games=2, **settings)
    assert standing.meetings == {("A", "B"): [0, 2, 0]}
    assert capfd.readouterr() == ("", "")
    assert standing_of(read_match(pgn)).lines() == standing.lines()
    longer = play_match(engine("A"), engine("B"), games=4, resume=True, **settings)
    assert longer.games == 4
    assert [record.number for record in read_match(str(pgn)).records] == [0, 1, 2, 3]


def test_faults_are_counted_as_one_likes(tmp_path):
    pgn = tmp_path / "out.pgn"
    play_match(engine("A"), engine("B", "crash"), tc="nodes=5", games=2, pgn=pgn)
    saved = read_match(pgn)
    assert standing_of(saved).meetings == {("A", "B"): [0, 0, 2]}
    apart = standing_of(saved, faults_apart=True)
    assert (apart.games_apart, apart.meetings) == (2, {})


def test_engines_stand_in_the_order_in_which_they_were_given(tmp_path):
    """Also where the second has the first word in the file."""
    pgn = tmp_path / "out.pgn"
    play_match(engine("Z"), engine("A"), tc="nodes=5", games=2, max_moves=1, pgn=pgn)
    assert standing_of(read_match(pgn)).names == ["Z", "A"]


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (TypeError, {"tempo": 1}),
        (ValueError, {"tc": "fast"}),
        (ValueError, {"games": 0}),
        (TypeError, {"resum": True}),
        (ValueError, {"games": 2.5}),
        (ValueError, {"sprt": "2,0"}),
        (ValueError, {"faults": "none"}),
        (ValueError, {"order": "sorted"}),
        (ValueError, {"max_moves": True}),
        (ValueError, {"resume": True, "overwrite": True}),
        (ValueError, {"concurrency": 0}),
        (OSError, {"book": "missing.epd"}),
    ],
)
def test_what_cannot_be_played_is_an_error_not_an_exit(capsys, kind, options):
    with pytest.raises(kind, match=str(next(iter(options.values()))) if kind is OSError else None):
        play_match(engine("A"), engine("B"), **{"tc": "nodes=5", "games": 2, **options})
    assert capsys.readouterr() == ("", "")


def test_a_match_can_be_played_where_an_event_loop_is_at_work():
    """As in a notebook."""

    async def cell():
        return play_match(engine("A"), engine("B"), tc="nodes=5", games=2, max_moves=1)

    assert asyncio.run(cell()).games == 2


def test_a_test_ends_a_match_early():
    engines = engine("A"), engine("B", "crash")
    assert play_match(*engines, tc="nodes=5", games=40, sprt="0,200").games < 40


def test_files_that_cannot_be_had_are_let_go(tmp_path):
    """Or the next try would find them in use by this very process."""
    pgn = tmp_path / "out.pgn"
    settings = {"tc": "nodes=5", "games": 2, "max_moves": 1, "pgn": pgn}
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing" / "out.pgn")
    pgn.symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError) as kept:
        play_match(engine("A"), engine("B"), **settings)
    pgn.unlink()
    assert play_match(engine("A"), engine("B"), overwrite=True, **settings).games == 2
    assert kept.value.filename == str(pgn)


def test_files_that_hold_no_match(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_match(tmp_path / "missing.pgn")
    (tmp_path / "out.pgn.state").write_text("{}\nnonsense\n")
    with pytest.raises(StateError, match="line 2"):
        read_match(tmp_path / "out.pgn")
