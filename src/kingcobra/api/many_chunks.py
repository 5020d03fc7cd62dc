# SPDX-License-Identifier: GPL-3.0-or-later
"""A few positions at a time: what is given to a worker, and what comes back, as plain values."""

from typing import Any, NamedTuple

from chess.engine import InfoDict, Limit

from kingcobra.api.core import loaded_core
from kingcobra.api.engine import Engine
from kingcobra.api.errors import EngineError
from kingcobra.board.fen import FenError
from kingcobra.board.position_handle import PositionHandle
from kingcobra.networks.carried_network import CarriedNetwork
from kingcobra.workers.tasks import Serve

NO_SCORE = "the limit ended the search before its first depth was done"


class ManySettings(NamedTuple):
    """How each position is analysed."""

    limit: Limit
    network: str | None
    hash_mb: int
    options: dict[str, Any]


class PositionText(NamedTuple):
    """A position that any process can read; an error where it is none."""

    fen: str
    chess960: bool = False
    error: str = ""


class Chunk(NamedTuple):
    """Positions that follow one another, and the index of the first."""

    first: int
    positions: list[PositionText]


class Row(NamedTuple):
    """What was found in one position, for the side to move."""

    cp: int | None = None
    mate: int | None = None
    win: int = 0
    draw: int = 0
    loss: int = 0
    best: str = ""
    pv: str = ""
    depth: int = 0
    seldepth: int = 0
    nodes: int = 0
    time: float = 0.0
    is_black: bool = False
    error: str = ""


class ChunkAnalyser:
    """An engine that analyses positions one after another, each as if it were the first."""

    def __init__(self, settings: ManySettings) -> None:
        self._limit = settings.limit
        self._engine = Engine(hash_mb=settings.hash_mb, network=settings.network)
        self._engine.configure(settings.options)

    def analyse(self, chunk: Chunk) -> list[Row]:
        """A row for each position, in their order."""
        return [self._row(position) for position in chunk.positions]

    def _row(self, text: PositionText) -> Row:
        if text.error:
            return Row(error=text.error)
        try:
            position = PositionHandle(loaded_core(), text.fen, text.chess960)
            info = self._engine.analyse(position, self._limit, game=object())
        except (FenError, EngineError) as error:
            return Row(error=str(error))
        return row_of(info, is_black=bool(position.record.side))

    def close(self) -> None:
        """Returns the engine's memory."""
        self._engine.close()


def analysing(settings: ManySettings) -> Serve[Chunk, list[Row]]:
    """What a worker of this machine does. EngineError if it cannot."""
    return ChunkAnalyser(settings).analyse


class CarriedSettings(NamedTuple):
    """Settings for another machine, with the network that they name."""

    settings: ManySettings
    network: CarriedNetwork | None


def analysing_elsewhere(carried: CarriedSettings) -> Serve[Chunk, list[Row]]:
    """The same on another machine."""
    if carried.network is None:
        return analysing(carried.settings)
    with carried.network.file() as name:
        return analysing(carried.settings._replace(network=name))


def row_of(info: InfoDict, is_black: bool) -> Row:
    """The values that a table can hold."""
    if "score" not in info:
        return Row(nodes=info.get("nodes", 0), is_black=is_black, error=NO_SCORE)
    score = info["score"].relative
    wins, draws, losses = info["wdl"].relative if "wdl" in info else (0, 0, 0)
    moves = [move.uci() for move in info.get("pv", [])]
    return Row(
        cp=score.score(),
        mate=score.mate(),
        win=wins,
        draw=draws,
        loss=losses,
        best=moves[0] if moves else "",
        pv=" ".join(moves),
        depth=info.get("depth", 0),
        seldepth=info.get("seldepth", 0),
        nodes=info.get("nodes", 0),
        time=info.get("time", 0.0),
        is_black=is_black,
    )
