# SPDX-License-Identifier: GPL-3.0-or-later
"""Games as labelled positions: each searched position with the search's score and the game's
result."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kingcobra.board.fen import FenError
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.evaluation.layout import PAWN_UNITS
from kingcobra.core.network.architectures import OUTPUT_SCALE
from kingcobra.core.rules.basics import PROMOTION, move_kind
from kingcobra.core.rules.layout import NOISY
from kingcobra.kernel.objects import LoadedObject
from kingcobra.training.data.blocks import GAMES, POSITIONS, Block, read_data
from kingcobra.training.data.games import NO_SCORE, REVERSED, StoredGame, games_in
from kingcobra.training.data.packed import (
    MAX_FIFTY_PLIES,
    MAX_GAME_PLY,
    RECORD,
    RESULT_MASK,
    RESULT_SHIFT,
    packed_boards,
)

# Labels of games that do not say what a pawn is worth, in the unit of a typical network.
USUAL_RAW_PER_PAWN = 225 * OUTPUT_SCALE

Fault = Callable[[str], None]


@dataclass(frozen=True)
class GameFilter:
    """Which positions of a game are kept. Those without a search never are.

    `quiet`      only where the mover is not in check and the move played takes nothing and promotes
                 nothing: a static evaluation cannot know what the exchange comes to
    `max_score`  in hundredths of the search's pawn: beyond are mates and won endings
    """

    quiet: bool = True
    max_score: int = 10_000


def positions_of(
    game: StoredGame, raw_per_pawn: int, kept: GameFilter, core: LoadedObject
) -> NDArray[Any]:
    """The positions of a game that are kept. ValueError for moves that are not legal."""
    try:
        board = PositionHandle(core, game.start_fen, chess960=True)
    except FenError as error:
        raise ValueError(str(error)) from error
    result = int(game.start["flags"]) >> RESULT_SHIFT & RESULT_MASK
    boards: list[bytes] = []
    labels: list[tuple[int, int, int, int]] = []
    first_ply = int(game.start["game_ply"])
    for index, ply in enumerate(game.plies):
        move, score = int(ply["move"]), int(ply["score"])
        if not board.is_legal(move):
            raise ValueError(f"ply {index} of a game is not a legal move")
        if score != NO_SCORE and abs(score) <= kept.max_score:
            if not kept.quiet or _is_quiet(board, move):
                boards.append(bytes(board.record.board))
                side = int(board.record.side)
                raw = round(score * raw_per_pawn / PAWN_UNITS)
                fifty = min(int(board.state.fifty_plies), MAX_FIFTY_PLIES)
                labels.append((raw, side | result << RESULT_SHIFT, fifty, first_ply + index))
        board.play_move(move)
        result = REVERSED[result]
    return _records(boards, labels)


def _is_quiet(board: PositionHandle, move: int) -> bool:
    is_noisy = move_kind(move) == PROMOTION or move in board.moves(NOISY)
    return not board.is_check() and not is_noisy


def _records(boards: list[bytes], labels: list[tuple[int, int, int, int]]) -> NDArray[Any]:
    if not boards:
        return np.zeros(0, RECORD)
    records = packed_boards(np.frombuffer(b"".join(boards), np.uint8).reshape(len(boards), -1))
    values = np.array(labels)
    records["score"], records["flags"], records["fifty_plies"] = values[:, :3].T
    records["game_ply"] = np.minimum(values[:, 3], MAX_GAME_PLY)
    return records


def read_positions(
    path: Path, kept: GameFilter, obtain_core: Callable[[], LoadedObject], fault: Fault
) -> Iterator[Block]:
    """All labelled positions of a file: blocks of positions as they are, blocks of games converted.
    The core is obtained where there are games. `fault` hears of what is skipped. May raise
    OSError."""
    for kind, origin, data in read_data(path, fault):
        if kind == POSITIONS:
            yield Block(origin, np.frombuffer(data, RECORD))
        elif kind == GAMES:
            yield Block(origin, _converted(path, origin, data, kept, obtain_core(), fault))


def _converted(
    path: Path,
    origin: dict[str, Any],
    data: bytes,
    kept: GameFilter,
    core: LoadedObject,
    fault: Fault,
) -> NDArray[Any]:
    raw_per_pawn = int(origin.get("raw_per_pawn", USUAL_RAW_PER_PAWN))
    parts = [np.zeros(0, RECORD)]
    try:
        for game in games_in(data):
            try:
                parts.append(positions_of(game, raw_per_pawn, kept, core))
            except ValueError as error:
                fault(f"{path}: {error}, skipped")
    except ValueError as error:
        fault(f"{path}: {error}, skipped")
    return np.concatenate(parts)
