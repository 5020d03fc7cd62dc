# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine behind the options: each changes what it says it changes."""

import threading

import chess
import pytest

from kingcobra.core.search.layout import EXACT
from kingcobra.core.search.tunables import TUNABLES
from kingcobra.engine.background import Job
from kingcobra.engine.evaluator import EvaluationChoice
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.options import OptionError
from kingcobra.engine.reports import SearchListener
from kingcobra.uci.options import OPTIONS, option_named
from tests.core.search.searches import search
from tests.engine.engine_options import KIWIPETE, set_option
from tests.engine_process import PATIENCE_S
from tests.processes import wait_until


def soft_ns(engine):
    """The time that the engine would give itself."""
    engine.search(engine.board, SearchLimits(clock_ms=60_000), SearchListener())
    return engine._threads.main.record.limits.soft_ns


def test_threads(engine):
    set_option(engine, "Threads", "3")
    members = engine._threads.members
    assert len(members) == 3
    SearchInBackground(engine, infinite=True)
    wait_until(lambda: all(thread.record.nodes > 0 for thread in members))
    engine.stop()
    assert engine._threads.nodes == sum(thread.record.nodes for thread in members)
    # The limit is for all together.
    search(engine, KIWIPETE, nodes=100_000)
    assert engine._threads.nodes >= 100_000
    set_option(engine, "Threads", "1")
    assert search(engine, KIWIPETE, nodes=1000).nodes == 1000


def test_multipv(engine):
    set_option(engine, "MultiPV", "4")
    assert [line.number for line in search(engine, KIWIPETE, depth=1).lines] == [1, 2, 3, 4]


def test_overhead_and_ponder_change_the_time(engine):
    plain = soft_ns(engine)
    set_option(engine, "Move Overhead", "500")
    assert soft_ns(engine) < plain
    set_option(engine, "Move Overhead", "10")
    assert soft_ns(engine) == plain
    set_option(engine, "Ponder", "true")
    assert soft_ns(engine) > plain


def test_a_network_is_announced_and_used(engine, listener, monkeypatch):
    network, used = object(), []
    monkeypatch.setattr(engine.evaluator, "load", lambda _name, _on_progress: network)
    monkeypatch.setattr(engine.evaluator, "use", lambda choice, _threads: used.append(choice))
    engine.set_network("nn-1.nnue")
    assert listener.networks == [network]
    assert used == [EvaluationChoice(network=network)]


def test_tunables_reach_present_and_later_threads(engine):
    tunable = TUNABLES[0]
    set_option(engine, tunable.name, str(tunable.high))
    set_option(engine, "Threads", "2")
    values = [getattr(thread.record.params, tunable.name) for thread in engine._threads.members]
    assert values == [tunable.high, tunable.high]
    for text in (str(tunable.high + 1), str(tunable.low - 1), "x", ""):
        with pytest.raises(OptionError, match=tunable.name):
            option_named(tunable.name).parse(text)


def test_tunables_are_not_listed():
    assert not {option.name for option in OPTIONS} & {tunable.name for tunable in TUNABLES}


# --- work in the background -------------------------------------------------------------------


class SearchInBackground(Job):
    """A search as a job; lets the test wait for its end."""

    def __init__(self, engine, search_listener=None, **limits):
        self.results = []
        self.done = threading.Event()
        engine.stop()
        engine._listener.when_idle = self.done.set
        self._search = engine.search(
            engine.board.copy(), SearchLimits(**limits), search_listener or SearchListener()
        )
        engine.start(self)

    def run(self):
        result = self._search.run()
        return lambda: self.results.append(result)

    def stop(self):
        self._search.stop()

    @property
    def awaits_stop(self):
        return self._search.awaits_stop


class OtherJob(Job):
    """Whatever a test wants to be done, and said at the end."""

    def __init__(self, run, close=lambda: None):
        self._run = run
        self._close = close
        self.stopped = threading.Event()

    def run(self):
        self._run()
        return self._close

    def stop(self):
        self.stopped.set()


def test_a_job_is_done_before_its_closing_action(engine, listener):
    """Whoever is woken by `on_idle` must find the engine idle, or would wait for ever; whoever
    reads the last line may set options, which wait while the engine is busy."""
    seen = []
    done = threading.Event()

    def end():
        seen.append(engine.busy)
        done.set()

    listener.when_idle = end
    engine.start(OtherJob(lambda: None, close=lambda: seen.append(engine.busy)))
    assert done.wait(PATIENCE_S)
    assert seen == [False, False]


def test_a_job_that_fails_is_no_longer_running(engine, listener):
    """A loop that asks at that moment, and would otherwise wait for an event, must not wait."""
    seen = []
    done = threading.Event()

    def fail():
        raise RuntimeError("out of order")

    def end():
        seen.append(engine.busy)
        done.set()

    listener.when_idle = end
    engine.start(OtherJob(fail))
    assert done.wait(PATIENCE_S)
    assert seen == [False]
    assert listener.faults == ["RuntimeError('out of order')"]
    assert search(engine, KIWIPETE, nodes=1000).nodes == 1000


def test_a_job_runs_until_it_is_stopped(engine):
    assert not engine.busy
    job = OtherJob(lambda: job.stopped.wait(PATIENCE_S))
    engine.start(job)
    assert engine.busy
    engine.stop()
    assert not engine.busy


def test_a_job_stops_the_one_before(engine):
    first = OtherJob(lambda: first.stopped.wait(PATIENCE_S))
    engine.start(first)
    engine.start(OtherJob(lambda: None))
    assert first.stopped.is_set()


def test_an_infinite_search_awaits_stop(engine):
    assert not engine.awaits_stop
    infinite = SearchInBackground(engine, infinite=True)
    assert engine.awaits_stop
    engine.stop()
    assert infinite.done.wait(PATIENCE_S)
    assert not engine.awaits_stop
    limited = SearchInBackground(engine, depth=3)
    assert not engine.awaits_stop
    assert limited.done.wait(PATIENCE_S)
    assert [len(job.results) for job in (infinite, limited)] == [1, 1]


def test_stop_before_the_first_node_still_finds_a_move(engine):
    for _ in range(20):
        job = SearchInBackground(engine, infinite=True)
        engine.stop()
        (result,) = job.results
        legal = {move.uci() for move in chess.Board().legal_moves}
        assert engine.board.legal_moves()
        assert result.moves[0] in engine.board.moves()
        assert set(engine.board.legal_moves()) == legal


def test_a_search_that_was_stopped_before_it_ran_returns_at_once(engine):
    search = engine.search(engine.board, SearchLimits(infinite=True), SearchListener())
    search.stop()
    assert search.run().moves[0] in engine.board.moves()


@pytest.mark.parametrize("limits", [{"depth": 3}, {"infinite": True}])
def test_a_search_that_fails_still_returns_a_move(engine, listener, monkeypatch, limits):
    set_option(engine, "Threads", "2")
    main, helper = engine._threads.members
    failed = threading.Event()

    def fail():
        failed.set()
        raise RuntimeError("out of order")

    monkeypatch.setattr(main, "think", fail)
    job = SearchInBackground(engine, **limits)
    assert failed.wait(PATIENCE_S)
    if "infinite" in limits:
        assert engine.awaits_stop
        engine.stop()
    assert job.done.wait(PATIENCE_S)
    (result,) = job.results
    assert result.moves[0] in engine.board.moves()
    assert listener.faults == ["RuntimeError('out of order')"]
    assert not any(thread.name.startswith("search ") for thread in threading.enumerate())
    assert helper.record.stop


@pytest.mark.parametrize("fault_in", ["on_line", "on_progress", "helper"])
def test_a_search_survives_what_fails_beside_it(engine, listener, monkeypatch, capfd, fault_in):
    """Its listener, once more in the thread that ends it, and a helper thread."""
    monkeypatch.setattr("kingcobra.engine.search.PROGRESS_INTERVAL_NS", 0)
    set_option(engine, "Threads", "2")
    failed = threading.Event()

    def fail(*_arguments):
        failed.set()
        raise RuntimeError("out of order")

    search_listener = SearchListener()
    if fault_in == "helper":
        monkeypatch.setattr(engine._threads.members[1], "think", fail)
    else:
        monkeypatch.setattr(search_listener, fault_in, fail)
    job = SearchInBackground(engine, search_listener, infinite=True)
    assert failed.wait(PATIENCE_S)
    assert engine.busy
    engine.stop()
    assert job.done.wait(PATIENCE_S)
    (result,) = job.results
    assert result.moves[0] in engine.board.moves()
    assert listener.faults == ["RuntimeError('out of order')"]
    assert capfd.readouterr().err == ""


def test_a_system_without_more_threads_costs_helpers_only(engine, listener, monkeypatch):
    set_option(engine, "Threads", "4")
    start = threading.Thread.start

    def start_two(thread):
        if thread.name in ("search 2", "search 3"):
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_two)
    for _ in range(2):
        found = search(engine, KIWIPETE, nodes=20_000)
        assert found.lines[-1].depth > 3
        assert found.lines[-1].moves[0] == found.best[0]
        assert [thread.record.nodes > 0 for thread in engine._threads.members][2:] == [False, False]
    assert listener.faults == ['RuntimeError("can\'t start new thread")'] * 2


def test_when_the_main_thread_fails_a_helper_answers(engine, listener, monkeypatch):
    set_option(engine, "Threads", "2")
    main, helper = engine._threads.members

    def fail_late():
        wait_until(lambda: helper.record.completed_depth > 3)
        raise RuntimeError("out of order")

    monkeypatch.setattr(main, "think", fail_late)
    job = SearchInBackground(engine, infinite=True)
    wait_until(lambda: listener.faults)
    engine.stop()
    (result,) = job.results
    best = helper.record.finished_best
    assert result.moves == list(best.pv[: best.pv_length])
    assert result.score == best.score


def test_a_search_that_fails_where_no_move_is_legal(engine, monkeypatch):
    engine.set_position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    monkeypatch.setattr("kingcobra.engine.search.Search._searched", lambda _search: 1 // 0)
    job = SearchInBackground(engine, depth=1)
    assert job.done.wait(PATIENCE_S)
    assert [result.moves for result in job.results] == [[]]


# --- what a listener receives -----------------------------------------------------------------


class Collector(SearchListener):
    """Keeps all that a search reports."""

    def __init__(self):
        self.lines, self.progress = [], []
        self.has_progress = threading.Event()

    def on_line(self, report):
        self.lines.append(report)

    def on_progress(self, progress):
        self.progress.append(progress)
        self.has_progress.set()


def test_lines_are_values_that_stay(engine):
    collector = Collector()
    result = engine.search(engine.board, SearchLimits(depth=4), collector).run()
    exact = [line for line in collector.lines if line.bound == EXACT]
    assert [line.depth for line in exact] == [1, 2, 3, 4]
    assert result.moves == exact[-1].moves
    assert 0 < exact[-1].nodes <= result.nodes
    assert 0 < result.quiescence_nodes < result.nodes


def test_progress_has_the_lines_of_the_threads_only_if_asked_for(engine, monkeypatch):
    monkeypatch.setattr("kingcobra.engine.search.PROGRESS_INTERVAL_NS", 0)
    set_option(engine, "Threads", "2")
    for asked in (False, True):
        engine.settings.shows_current_lines = asked
        collector = Collector()
        SearchInBackground(engine, collector, infinite=True)
        assert collector.has_progress.wait(PATIENCE_S)
        engine.stop()
        assert len(collector.progress[0].current_lines) == 2 * asked


def test_ponderhit_comes_in_time_however_early(engine):
    """`ponderhit` may come before a search runs."""
    search = engine.search(engine.board, SearchLimits(depth=2, ponder=True), SearchListener())
    assert search.awaits_stop
    search.ponderhit()
    assert not search.awaits_stop
    assert search.run().moves
