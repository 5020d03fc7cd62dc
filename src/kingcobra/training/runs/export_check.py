# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an exported network is what was trained: PyTorch's integers, the NumPy twin and the
engine must agree to the unit."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from torch import Tensor

from kingcobra.board.fen import FenError
from kingcobra.networks import plain
from kingcobra.networks.file import read_network
from kingcobra.networks.loading import load
from kingcobra.networks.network import Network
from kingcobra.networks.raw_evaluations import RawEvaluator, compiled_evaluator
from kingcobra.training.data.games import fen_of
from kingcobra.training.data.packed import RECORD, men_of
from kingcobra.training.model.integers import IntegerNetwork

# Positions that are compared.
CHECKED_POSITIONS = 200


class CheckError(Exception):
    """An exported network that is not what was trained; the message says where they differ."""


def check_export(path: Path, validation: Tensor, report: Callable[[str], None]) -> int:
    """How many positions a network's file was checked on. CheckError where two of the three differ.
    Raises what loading and compiling may raise."""
    loaded = load(path, report)
    network = read_network(path, squared=loaded.architecture.squared or None)
    words = validation[:CHECKED_POSITIONS].cpu()
    values = IntegerNetwork(network).evaluate(words).total.tolist()
    answer = compiled_evaluator(loaded, report)
    records: NDArray[Any] = words.numpy().view(RECORD).reshape(-1)
    for value, men, record in zip(values, men_of(words.numpy()), records, strict=True):
        fen = fen_of(record)
        _compare(fen, value, _twin(network, men), "NumPy")
        _compare(fen, value, _engine(answer, fen), "the engine")
    return len(records)


def _twin(network: Network, men: tuple[tuple[int, ...], int]) -> int:
    return plain.evaluate(network, plain.Men(*men)).raw


def _engine(answer: RawEvaluator, fen: str) -> int | None:
    """None for a position that cannot be on a board: some data has them."""
    try:
        found = answer(fen)
    except FenError:
        return None
    return found.psqt + found.positional


def _compare(fen: str, value: int, other: int | None, name: str) -> None:
    if other is not None and value != other:
        raise CheckError(f"the export evaluates {fen} as {value} in PyTorch, {other} in {name}")
