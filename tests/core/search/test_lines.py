# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines over many searches: legal, and a mate's line as long as the mate and ending in it."""

import random

import pytest

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.search.layout import EXACT
from kingcobra.core.search.scores import MATE_BAND
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.reports import SearchListener
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.kernel.host import monotonic_ns
from kingcobra.uci.bench_positions import STANDARD
from tests.core.search.mates import FULL_COLLECTION, MATES, read_mates
from tests.core.search.searches import require_sound, search


class LastLines(SearchListener):
    """Keeps the last report of each line, and whether the first of some depth came before that
    depth was finished: then it comes once more."""

    def __init__(self):
        self.shown = {}
        self.has_early = False

    def on_line(self, report):
        before = self.shown.get(report.number)
        self.shown[report.number] = report
        if report.number == 1 and before is not None and report.depth == before.depth:
            self.has_early = True


A_WHILE_NS = 60 * 10**9
SEED = 5
NODES = (2000, 20_000, 60_000)
FAST, SLOW = 60, 1500


def positions(count, collection=MATES):
    """Positions of a collection of mates, in random order."""
    fens = [position.fen for position in read_mates(collection)]
    random.Random(SEED).shuffle(fens)
    assert len(fens) >= count
    return fens[:count]


def require_sound_lines(engine, fens):
    """Searches short and long, with an empty table and with an old one, with several lines."""
    mates = 0
    for number, fen in enumerate(fens):
        engine.settings.lines = 3 if number % 4 == 3 else 1
        if number % 5 == 0:
            engine.new_game()
        found = search(engine, fen, nodes=NODES[number % len(NODES)])
        require_sound(fen, found)
        firsts = [line for line in found.lines if line.number == 1]
        assert not firsts or firsts[-1].moves[0] == found.best[0], fen
        mates += sum(line.bound == EXACT and abs(line.score) >= MATE_BAND for line in found.lines)
    assert mates > len(fens) // 2


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_lines(core, threads):
    engine = SearchEngine(core)
    engine.set_threads(threads)
    require_sound_lines(engine, positions(FAST))


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_many_lines(core, data_folder, threads):
    engine = SearchEngine(core)
    engine.set_threads(threads)
    require_sound_lines(engine, positions(SLOW, data_folder / FULL_COLLECTION))


def test_what_is_found_in_an_unfinished_iteration_is_reported(core):
    """The last line begins with the move that is played, wherever the search was stopped."""
    engine = SearchEngine(core)
    for number, fen in enumerate(positions(FAST)):
        engine.new_game()
        found = search(engine, fen, nodes=700 + 37 * number)
        assert found.lines[-1].moves[0] == found.best[0]


@pytest.mark.parametrize("shows_early", [False, True])
def test_a_search_that_is_stopped_leaves_as_many_lines_as_were_asked_for(core, shows_early):
    """What stands last in each place: all different, the first one played."""
    engine = SearchEngine(core)
    engine.settings.lines = 3
    for number, fen in enumerate(STANDARD[1:30:3]):
        engine.new_game()
        board = PositionHandle(core, fen)
        limits = SearchLimits(nodes=3000 + 777 * number)
        # A search that began long ago takes a while, one that has not begun yet does not.
        started_ns = monotonic_ns() + (-A_WHILE_NS if shows_early else A_WHILE_NS)
        listener = LastLines()
        result = engine.search(board, limits, listener, started_ns).run()
        firsts = [listener.shown[place].moves[0] for place in (1, 2, 3)]
        assert len(set(firsts)) == 3
        assert firsts[0] == result.moves[0]
        depths = [listener.shown[place].depth for place in (1, 2, 3)]
        assert max(depths) - min(depths) <= 1
        assert listener.has_early == shows_early


@pytest.mark.parametrize("threads", [2, 3])
def test_several_lines_of_several_threads(core, threads):
    """They are those of one worker: in order, all different, the first one played."""
    engine = SearchEngine(core)
    engine.set_threads(threads)
    engine.settings.lines = 4
    for fen in STANDARD[1:30:6]:
        found = search(engine, fen, depth=8)
        require_sound(fen, found)
        last = found.lines[-4:]
        assert [line.number for line in last] == [1, 2, 3, 4]
        assert [line.score for line in last] == sorted((line.score for line in last), reverse=True)
        assert len({line.moves[0] for line in last}) == 4
        assert last[0].moves[0] == found.best[0]
