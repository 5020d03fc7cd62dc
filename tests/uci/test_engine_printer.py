# SPDX-License-Identifier: GPL-3.0-or-later
"""What the engine says outside its searches, as text; networks are stand-ins."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from kingcobra.core.network.architectures import UNSQUARED
from kingcobra.engine.clock import NS_PER_MS, Budget
from kingcobra.engine.evaluator import CLASSICAL, HYBRID, NNUE
from kingcobra.networks.default_network import DEFAULT_PATH
from kingcobra.networks.network_files import IDENTIFIED_BY_CONTENT, IDENTIFIED_BY_HEADER
from kingcobra.uci.engine_printer import EnginePrinter, evaluation_lines


class Printed:
    """A printer, and what it prints."""

    def __init__(self):
        self.announced, self.answers, self.noted, self.compiling, self.idle = [], [], [], [], []
        self.printer = EnginePrinter(
            self.announced.append,
            self.answers.append,
            self.noted.append,
            self.compiling.append,
            lambda: self.idle.append(True),
        )


def test_tables_answer_the_command_that_sets_their_path():
    printed = Printed()
    printed.printer.on_tables("Found 5 files")
    assert printed.answers == ["Found 5 files"]
    assert printed.announced == printed.noted == []


def read_network_stub(path, identified_by):
    return SimpleNamespace(
        name=path.name, path=path, architecture=UNSQUARED, identified_by=identified_by
    )


def test_the_default_network_is_not_announced():
    printed = Printed()
    printed.printer.on_network(read_network_stub(DEFAULT_PATH, IDENTIFIED_BY_CONTENT))
    assert printed.announced == []


def test_an_empty_name_says_what_is_used():
    printed = Printed()
    printed.printer.on_no_network()
    assert printed.answers == ["EvalFile is empty: using the classical evaluation"]


@pytest.mark.parametrize("identified_by", [IDENTIFIED_BY_HEADER, IDENTIFIED_BY_CONTENT])
def test_an_architecture_that_the_content_decides_is_announced(identified_by):
    printed = Printed()
    printed.printer.on_network(read_network_stub(Path("nn-1.nnue"), identified_by))
    is_announced = identified_by == IDENTIFIED_BY_CONTENT
    lines, empty = (printed.announced, printed.noted)[:: 1 if is_announced else -1]
    (line,) = lines
    assert "nn-1.nnue read as" in line
    assert "Stockfish 15" in line
    assert empty == []


def test_what_helps_debugging_is_noted():
    printed = Printed()
    printed.printer.on_threads(3)
    printed.printer.on_hash(64)
    printed.printer.on_budget(Budget(soft_ns=5 * NS_PER_MS))
    printed.printer.on_thread_bound(1, frozenset({0, 1, 2, 8}), None)
    printed.printer.on_thread_bound(2, frozenset({4}), OSError(22, "Invalid argument"))
    assert printed.noted == [
        "searching with 3 threads",
        "hash table of 64 MiB",
        "time: soft limit 5 ms, hard limit none",
        "thread 1 runs on CPUs 0-2,8",
        "cannot bind thread 2 to CPUs 4: [Errno 22] Invalid argument",
    ]
    assert printed.announced == []


def test_an_internal_error_is_announced():
    printed = Printed()
    printed.printer.on_fault(RuntimeError("out of order"))
    assert printed.announced == ["error: internal, at work: RuntimeError: out of order"]


def test_the_rest_is_passed_on():
    printed = Printed()
    printed.printer.on_compiling("compiling")
    printed.printer.on_idle()
    assert (printed.compiling, printed.idle) == (["compiling"], [True])


BIG, SMALL = SimpleNamespace(name="big"), SimpleNamespace(name="small")


@pytest.mark.parametrize(
    ("mode", "network", "small", "expected"),
    [
        (NNUE, None, None, ["classical evaluation enabled"]),
        (CLASSICAL, BIG, None, ["classical evaluation enabled"]),
        (NNUE, BIG, None, ["NNUE evaluation using big enabled"]),
        (
            NNUE,
            BIG,
            SMALL,
            ["NNUE evaluation using big enabled", "NNUE evaluation using small enabled"],
        ),
        (
            HYBRID,
            BIG,
            None,
            [
                "NNUE evaluation using big enabled",
                "classical evaluation enabled for lopsided positions",
            ],
        ),
        (
            NNUE,
            None,
            SMALL,
            [
                "classical evaluation enabled",
                "small (EvalFileSmall) is not used without EvalFile",
            ],
        ),
    ],
)
def test_the_evaluation_in_use(mode, network, small, expected):
    uses_network = network is not None and mode != CLASSICAL
    evaluator = SimpleNamespace(mode=mode, network=network, small=small, uses_network=uses_network)
    assert evaluation_lines(evaluator) == expected
