# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine behind the options: each changes what it says it changes."""

import threading
from types import SimpleNamespace

import chess
import pytest

from kingcobra.core.network.architectures import UNSQUARED
from kingcobra.core.rules.basics import WHITE
from kingcobra.core.search.tunables import TUNABLES
from kingcobra.engine.limits import GoLimits
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.networks.network_files import IDENTIFIED_BY_CONTENT, IDENTIFIED_BY_HEADER
from kingcobra.uci.options import OPTIONS, option_named
from kingcobra.uci.protocol import UciError
from tests.core.search.searches import search
from tests.engine_process import PATIENCE_S

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.fixture
def engine(core):
    return SearchEngine(core)


def set_option(engine, name, text=""):
    option = option_named(name)
    option.apply(engine, option.parse(text))


def soft_ns(engine):
    """The time that the engine would give itself."""
    engine.prepare(engine.board, GoLimits(clock_ms={WHITE: 60_000}), 0)
    return engine.pool.main.record.limits.soft_ns


def test_threads(engine):
    set_option(engine, "Threads", "3")
    search(engine, KIWIPETE, nodes=300_000)
    assert len(engine.pool.workers) == 3
    assert engine.pool.nodes >= 300_000
    # The others have counted too.
    assert engine.pool.main.record.nodes < 300_000
    set_option(engine, "Threads", "1")
    assert search(engine, KIWIPETE, nodes=1000).nodes == 1000


def test_clear_hash(engine):
    first = search(engine, KIWIPETE, depth=8).nodes
    assert search(engine, KIWIPETE, depth=8).nodes != first
    set_option(engine, "Clear Hash")
    assert search(engine, KIWIPETE, depth=8).nodes == first


def test_hash(engine):
    set_option(engine, "Hash", "1")
    search(engine, KIWIPETE, nodes=200_000)
    small = engine.pool.fullness_permille()
    set_option(engine, "Hash", "64")
    search(engine, KIWIPETE, nodes=200_000)
    assert engine.pool.fullness_permille() < small


def test_multipv(engine):
    set_option(engine, "MultiPV", "4")
    assert [told.line for told in search(engine, KIWIPETE, depth=1).told] == [1, 2, 3, 4]


def test_overhead_and_ponder_change_the_time(engine):
    plain = soft_ns(engine)
    set_option(engine, "Move Overhead", "500")
    assert soft_ns(engine) < plain
    set_option(engine, "Move Overhead", "10")
    assert soft_ns(engine) == plain
    set_option(engine, "Ponder", "true")
    assert soft_ns(engine) > plain


@pytest.mark.parametrize("identified_by", [IDENTIFIED_BY_HEADER, IDENTIFIED_BY_CONTENT])
def test_an_architecture_that_the_content_decided_is_told(engine, monkeypatch, identified_by):
    network = SimpleNamespace(name="nn-1.nnue", architecture=UNSQUARED, identified_by=identified_by)
    monkeypatch.setattr(engine.evaluator, "load", lambda _name, _report: network)
    monkeypatch.setattr(engine.evaluator, "change", lambda _pool, **_changes: None)
    reported, noted = [], []
    engine.report, engine.note = reported.append, noted.append
    engine.set_network("nn-1.nnue")
    is_reported = identified_by == IDENTIFIED_BY_CONTENT
    shown, empty = (reported, noted) if is_reported else (noted, reported)
    (line,) = shown
    assert "nn-1.nnue read as" in line
    assert "Stockfish 15" in line
    assert empty == []


def test_tunables_reach_workers_of_now_and_later(engine):
    tunable = TUNABLES[0]
    set_option(engine, tunable.name, str(tunable.high))
    set_option(engine, "Threads", "2")
    values = [getattr(worker.record.params, tunable.name) for worker in engine.pool.workers]
    assert values == [tunable.high, tunable.high]
    for text in (str(tunable.high + 1), str(tunable.low - 1), "x", ""):
        with pytest.raises(UciError, match=tunable.name):
            option_named(tunable.name).parse(text)


def test_tunables_are_not_listed():
    assert not {option.name for option in OPTIONS} & {tunable.name for tunable in TUNABLES}


# --- work in the background -------------------------------------------------------------------


class Answers:
    """Collects what a search says, and lets the test wait for its end."""

    def __init__(self):
        self.findings = []
        self.done = threading.Event()

    def go(self, engine, **limits):
        engine.go(
            GoLimits(**limits), lambda _report, _nodes: None, self.findings.append, self.done.set
        )


def test_busy_ends_before_the_last_word(engine):
    """Whoever is woken by `done` must find the engine idle, or would wait for ever; whoever hears
    the answer may set options, which wait while the engine is busy."""
    seen = []
    done = threading.Event()

    def note(*_finding):
        seen.append(engine.busy)

    def end():
        note()
        done.set()

    engine.go(GoLimits(depth=2), lambda _report, _nodes: None, note, end)
    assert done.wait(PATIENCE_S)
    assert seen == [False, False]


def test_an_endless_search_awaits_stop(engine):
    answers = Answers()
    assert not engine.awaits_stop
    answers.go(engine, infinite=True)
    assert engine.awaits_stop
    engine.stop()
    assert answers.done.wait(PATIENCE_S)
    assert not engine.awaits_stop
    limited = Answers()
    limited.go(engine, depth=3)
    assert not engine.awaits_stop
    assert limited.done.wait(PATIENCE_S)
    assert [len(said.findings) for said in (answers, limited)] == [1, 1]


def test_stop_before_the_first_node_still_finds_a_move(engine):
    for _ in range(20):
        answers = Answers()
        answers.go(engine, infinite=True)
        engine.stop()
        (finding,) = answers.findings
        legal = {move.uci() for move in chess.Board().legal_moves}
        assert engine.board.legal_moves()
        assert finding.line[0] in engine.board.moves()
        assert set(engine.board.legal_moves()) == legal


# --- the same of a perft ----------------------------------------------------------------------


def busy_when_done(engine, say):
    """What `busy` says to whoever is told that a perft is done."""
    answers = []
    told = threading.Event()

    def when_done():
        answers.append(engine.busy)
        told.set()

    engine.start_perft(2, say, when_done)
    assert told.wait(PATIENCE_S)
    (answer,) = answers
    return answer


def test_work_that_is_done_is_no_longer_under_way(core):
    """A loop that asks at that moment, and would otherwise wait for an event, must not wait."""
    said = []
    assert not busy_when_done(SearchEngine(core), said.append)
    assert said[-1] == "\nNodes searched: 400\n"


def test_work_that_fails_is_no_longer_under_way(core, monkeypatch):
    monkeypatch.setattr(threading, "excepthook", lambda _failure: None)

    def fail(_text):
        raise RuntimeError("nobody can hear this")

    assert not busy_when_done(SearchEngine(core), fail)


def test_work_is_under_way_until_it_is_stopped(core):
    engine = SearchEngine(core)
    assert not engine.busy
    engine.start_perft(20, lambda _text: None, lambda: None)
    assert engine.busy
    engine.stop()
    assert not engine.busy


@pytest.mark.parametrize("limits", [{"depth": 3}, {"infinite": True}])
def test_a_search_that_breaks_down_still_answers(engine, monkeypatch, limits):
    set_option(engine, "Threads", "2")
    main, helper = engine.pool.workers
    heard, failed = [], threading.Event()
    engine.report = heard.append

    def fail():
        failed.set()
        raise RuntimeError("out of order")

    monkeypatch.setattr(main, "think", fail)
    answers = Answers()
    answers.go(engine, **limits)
    assert failed.wait(PATIENCE_S)
    if "infinite" in limits:
        assert engine.awaits_stop
        engine.stop()
    assert answers.done.wait(PATIENCE_S)
    (finding,) = answers.findings
    assert finding.line[0] in engine.board.moves()
    assert heard == ["error: internal, at work: RuntimeError: out of order"]
    assert not any(thread.name.startswith("worker ") for thread in threading.enumerate())
    assert helper.record.stop


@pytest.mark.parametrize("fault_in", ["tell", "tick", "helper"])
def test_a_search_survives_what_breaks_down_beside_it(engine, monkeypatch, capfd, fault_in):
    """What tells its results, once more in the thread that ends it, and who helps."""
    monkeypatch.setattr("kingcobra.engine.search_threads.TICK_NS", 0)
    set_option(engine, "Threads", "2")
    failed, heard = threading.Event(), []
    engine.report = heard.append

    def fail(*_arguments):
        failed.set()
        raise RuntimeError("out of order")

    calls = {"tell": lambda _report, _nodes: None, "tick": lambda: None}
    if fault_in in calls:
        calls[fault_in] = fail
    else:
        monkeypatch.setattr(engine.pool.workers[1], "think", fail)
    findings, done = [], threading.Event()
    engine.go(GoLimits(infinite=True), calls["tell"], findings.append, done.set, calls["tick"])
    assert failed.wait(PATIENCE_S)
    assert engine.busy
    engine.stop()
    assert done.wait(PATIENCE_S)
    (finding,) = findings
    assert finding.line[0] in engine.board.moves()
    assert heard == ["error: internal, at work: RuntimeError: out of order"]
    assert capfd.readouterr().err == ""


def test_a_search_that_breaks_down_where_no_move_is_legal(engine, monkeypatch):
    engine.report = lambda _text: None
    engine.set_position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    monkeypatch.setattr(engine.pool, "think", lambda _tell, _tick: 1 // 0)
    answers = Answers()
    answers.go(engine, depth=1)
    assert answers.done.wait(PATIENCE_S)
    assert [finding.line for finding in answers.findings] == [[]]


def test_a_fault_at_work_is_one_line_and_the_engine_goes_on(engine):
    def work():
        raise RuntimeError("out of order")

    heard, done = [], threading.Event()
    engine.report = heard.append
    engine.work.start(work, lambda: None, done.set)
    assert done.wait(PATIENCE_S)
    assert heard == ["error: internal, at work: RuntimeError: out of order"]
    assert not engine.busy
    assert search(engine, KIWIPETE, nodes=1000).nodes == 1000
