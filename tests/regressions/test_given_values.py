# SPDX-License-Identifier: GPL-3.0-or-later
"""`eval` and the root of a search once ignored the values that UCI_SetPositionValue gives."""

import pytest

from kingcobra.core.network.architectures import SQUARED
from kingcobra.networks.file import write_network
from tests.core.network.random_networks import random_network

FENS = (
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3",
    # In check.
    "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
)


# Values pass through the units of the evaluation.
ROUNDING_CP = 1


def final(lines):
    (line,) = [line for line in lines if line.startswith("Final evaluation: ")]
    return line


@pytest.fixture(params=["classical", "network"])
def evaluating_engine(engine, request, tmp_path):
    if request.param == "network":
        path = tmp_path / "small.nnue"
        write_network(random_network(SQUARED.at_width(64)), path)
        engine.ask(f"setoption name EvalFile value {path}")
    return engine


@pytest.mark.parametrize("fen", FENS)
def test_eval_shows_the_value_that_was_given(evaluating_engine, fen):
    engine = evaluating_engine
    before = final(engine.ask(f"position fen {fen}", "eval"))
    assert "given" not in before
    engine.ask(f"setoption name UCI_SetPositionValue value -123 {fen}")
    given = "Final evaluation: -1.23 (White's view), given by UCI_SetPositionValue"
    assert final(engine.ask("eval")) == given
    engine.send("bench 1 1 _ current eval")
    engine.wait_for_error("Nodes/second")
    assert engine.wait_for("Final evaluation")[-1] == given
    engine.ask("setoption name UCI_SetPositionValue value clearall")
    assert final(engine.ask("eval")) == before


@pytest.mark.parametrize("fen", FENS)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_of_the_position_tells_its_value(evaluating_engine, fen, threads):
    """The root was ignored, too. The moves are still ranked by the search."""
    engine = evaluating_engine
    engine.send(f"setoption name Threads value {threads}", f"position fen {fen}", "go nodes 3000")
    engine.wait_for("bestmove")
    engine.send(f"setoption name UCI_SetPositionValue value -123 {fen}", "go nodes 3000")
    mover_cp = -123 if " w " in fen else 123
    lines = [line.split() for line in engine.wait_for("bestmove") if " pv " in line]
    scores = [int(words[words.index("cp") + 1]) for words in lines]
    assert scores
    assert all(abs(score - mover_cp) <= ROUNDING_CP for score in scores)


@pytest.mark.parametrize("given_cp", [-500, 0, 500])
def test_no_line_is_worth_more_than_the_position(engine, given_cp):
    """Only the first line had the value that was given, so the second had a better score."""
    engine.send(
        f"setoption name UCI_SetPositionValue value {given_cp} {FENS[0]}",
        "setoption name MultiPV value 4",
        f"position fen {FENS[0]}",
        "go depth 6",
    )
    # A slow machine reports bounds, too.
    shown = [line for line in engine.wait_for("bestmove") if " multipv " in line]
    lines = [line.split() for line in shown if "bound " not in line]
    numbers = [int(words[words.index("multipv") + 1]) for words in lines]
    scores = [int(words[words.index("cp") + 1]) for words in lines]
    assert numbers[-4:] == [1, 2, 3, 4]
    assert abs(scores[-4] - given_cp) <= ROUNDING_CP
    for start in (at for at, number in enumerate(numbers) if number == 1):
        iteration = scores[start : start + 4]
        assert iteration == sorted(iteration, reverse=True)
