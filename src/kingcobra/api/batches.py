# SPDX-License-Identifier: GPL-3.0-or-later
"""Many positions or games in one call: `kingcobra.batches`.

A packed position is 40 bytes of a NumPy array: what a FEN says, with counters up to 255 plies
without a capture or pawn move and 65535 plies of the game.

>>> from kingcobra import batches
>>> packed = batches.pack(["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "8/8/8/8/8/2k5/8/K1q5 w - - 0 1"])
>>> [len(moves) for moves in batches.legal_move_texts(packed)], batches.unpack(packed)[1]
([15, 1], Board('8/8/8/8/8/2k5/8/K1q5 w - - 0 1'))
"""

import ctypes
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kingcobra.api.arguments import (
    MANY_EXPECTED,
    STANDARD_VARIANT,
    require_bool,
    require_many,
    require_text,
    wrong_type,
)
from kingcobra.api.board import Board, game_error
from kingcobra.api.core import loaded_board
from kingcobra.board.fen import FenError, fen_error
from kingcobra.board.quick_calls import ascii_bytes
from kingcobra.core.notation.games.layout import (
    GAME_IS_FINE,
    NOT_A_POSITION,
    PACKED_BYTES,
    SAN,
    UCI,
    Batch,
)
from kingcobra.core.notation.layout import ERROR_MASK, OFFSET_SHIFT
from kingcobra.text_values import quoted

if TYPE_CHECKING:
    import chess

PACKED = np.dtype(
    [
        ("occupancy", "<u8"),
        ("men", "<u8", (2,)),
        ("score", "<i4"),
        ("flags", "u1"),
        ("fifty_plies", "u1"),
        ("game_ply", "<u2"),
        ("castling_rooks", "u1", (4,)),
        ("en_passant", "u1"),
        ("chess960", "u1"),
        ("unused", "<u2"),
    ]
)
# What is wrong with an item: 0 where nothing is, and the character that it is about.
ERRORS = np.dtype([("number", "u1"), ("offset", "<u4")])
NOTATIONS = {"uci": UCI, "san": SAN}
CHUNK = 1 << 20
POSITION_EXPECTED = "FEN text or a board"

Packed: TypeAlias = NDArray[Any]
Texts: TypeAlias = "Iterable[str] | NDArray[Any]"


class Games(NamedTuple):
    """Games as moves: `moves[ends[i - 1]:ends[i]]` are those of game i, none where its error says
    why."""

    moves: NDArray[np.uint16]
    ends: NDArray[np.int64]
    errors: NDArray[Any]


class _Texts:
    """Texts in one run of bytes. The batch refers to it, so it must be kept."""

    def __init__(self, texts: Texts, name: str, expected: str = "text") -> None:
        require_many(texts, name, f"several: each {expected}")
        if isinstance(texts, np.ndarray) and texts.ndim != 1:
            raise ValueError(f"{name} has {texts.ndim} dimensions, expected 1")
        if isinstance(texts, np.ndarray) and texts.dtype.kind == "S":
            self.given: Any = texts
            data = np.ascontiguousarray(texts)
            self.lengths = np.char.str_len(data).astype(np.int64)
            self.starts = np.arange(len(data), dtype=np.int64) * data.dtype.itemsize
            self._bytes = data.view(np.uint8)
            return
        self.given = [str(text) for text in texts] if _is_text_array(texts) else list(texts)
        try:
            self.lengths = np.fromiter(map(len, self.given), np.int64, len(self.given))
            data_bytes = "".join(self.given).encode("ascii")
        except UnicodeEncodeError:
            data_bytes = b"".join(map(ascii_bytes, self.given))
        except TypeError:
            index = next(at for at, text in enumerate(self.given) if not isinstance(text, str))
            raise wrong_type(self.given[index], f"{name}[{index}]", expected) from None
        self.starts = np.cumsum(self.lengths) - self.lengths
        self._bytes = np.frombuffer(data_bytes, np.uint8)

    def __len__(self) -> int:
        return len(self.lengths)

    def text(self, index: int) -> str:
        """One of them as it was given."""
        text = self.given[index]
        return text.decode("latin-1") if isinstance(text, bytes) else text

    def hand_over(self, batch: Batch) -> None:
        """Tells a batch where the texts are."""
        batch.count = len(self)
        batch.texts = self._bytes.ctypes.data
        batch.starts = self.starts.ctypes.data
        batch.lengths = self.lengths.ctypes.data


def _is_text_array(texts: object) -> bool:
    return isinstance(texts, np.ndarray) and texts.dtype.kind == "U"


def _errors(faults: NDArray[np.int64]) -> NDArray[Any]:
    errors = np.empty(len(faults), ERRORS)
    errors["number"] = faults & ERROR_MASK
    errors["offset"] = faults >> OFFSET_SHIFT
    return errors


# --- positions --------------------------------------------------------------------------------


def parse_fens(fens: Texts, *, chess960: bool = False) -> tuple[Packed, NDArray[Any]]:
    """FENs, given as text or as a NumPy array of it, as packed positions, and an error for each:
    number 0 where there is none. A text that is not a position is packed to zeros."""
    texts = _Texts(fens, "fens")
    packed, faults = _read(texts, chess960)
    return packed, _errors(faults)


def _read(texts: _Texts, chess960: bool) -> tuple[Packed, NDArray[np.int64]]:
    require_bool(chess960, "chess960")
    packed = np.zeros(len(texts), PACKED)
    faults = np.zeros(len(texts), np.int64)
    batch = Batch()
    texts.hand_over(batch)
    batch.chess960 = chess960
    batch.packed = packed.ctypes.data
    batch.faults = faults.ctypes.data
    loaded_board().read_fens(ctypes.addressof(batch))
    return packed, faults


def pack(
    positions: "Iterable[str | Board | chess.Board] | NDArray[Any]", *, chess960: bool = False
) -> Packed:
    """FENs and boards of both kinds as packed positions. FenError, ValueError or TypeError names
    the first that is not one, and which it is. An array that is packed already is returned as it
    is."""
    if isinstance(positions, np.ndarray) and positions.dtype == PACKED:
        return positions
    if isinstance(positions, np.ndarray) and positions.dtype.kind in "SU":
        return _packed_texts(positions, chess960)
    items = own_boards(positions)
    texts = [index for index, item in enumerate(items) if not isinstance(item, Board)]
    if len(texts) == len(items):
        return _packed_texts(items, chess960)
    for index in texts:
        require_text(items[index], f"positions[{index}]", POSITION_EXPECTED)
    packed = np.zeros(len(items), PACKED)
    packed[texts] = _packed_texts([items[index] for index in texts], chess960, texts)
    for index, item in enumerate(items):
        if isinstance(item, Board):
            packed[index] = packed_board(item)
    return packed


def own_boards(positions: Iterable[Any]) -> list[Any]:
    """The positions as a list, with our boards in the place of python-chess's, which is not
    imported for this. FenError or ValueError names one that cannot be played."""
    require_many(positions, "positions", MANY_EXPECTED)
    if isinstance(positions, np.ndarray) and positions.ndim != 1:
        raise ValueError(f"positions has {positions.ndim} dimensions, expected 1")
    items = list(positions)
    library: Any = sys.modules.get("chess")
    if library is not None:
        for index, item in enumerate(items):
            if isinstance(item, library.Board):
                items[index] = _own_board(index, item)
    return items


def _own_board(index: int, board: "chess.Board") -> Board:
    """The position of a chess.Board, without its past."""
    if board.uci_variant != STANDARD_VARIANT:
        raise ValueError(
            f"position {index}: variant {board.uci_variant!r}, only chess is supported"
        )
    try:
        return Board(board.fen(shredder=board.chess960), chess960=board.chess960)
    except FenError as error:
        raise FenError(f"position {index}: {error}") from None


def _packed_texts(fens: Texts, chess960: bool, places: Sequence[int] | None = None) -> Packed:
    """The places are what messages call the texts; by default they count from 0."""
    texts = _Texts(fens, "positions", POSITION_EXPECTED)
    packed, faults = _read(texts, chess960)
    for index in np.flatnonzero(faults)[:1]:
        error = fen_error(texts.text(index), int(faults[index]), chess960)
        raise FenError(f"position {index if places is None else places[index]}: {error}")
    return packed


def packed_board(board: Board) -> Any:
    """One record of PACKED."""
    record = np.zeros(1, PACKED)
    loaded_board().pack_position(board.address, record.ctypes.data)
    return record[0]


def unpack(packed: Packed) -> list[Board]:
    """The boards of packed positions. ValueError names the first record that is none."""
    records = _records(packed)
    boards = []
    for index in range(len(records)):
        board = Board()
        if not board.set_packed(records[index : index + 1].tobytes()):
            raise _not_a_position(index)
        boards.append(board)
    return boards


def _records(packed: object) -> Packed:
    if not isinstance(packed, np.ndarray) or packed.dtype != PACKED:
        raise wrong_type(packed, "packed", "an array of packed positions")
    return np.ascontiguousarray(packed).reshape(-1)


def _not_a_position(index: int) -> ValueError:
    return ValueError(f"packed position {index} is not one that can be played")


# --- moves ------------------------------------------------------------------------------------


def _batch_of(records: Packed, faults: NDArray[np.int64]) -> Batch:
    batch = Batch()
    batch.count = len(records)
    batch.packed = records.ctypes.data
    batch.packed_step = PACKED_BYTES
    batch.faults = faults.ctypes.data
    return batch


def legal_moves(packed: Packed) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """Legal moves of packed positions as 16-bit numbers: `moves[ends[i - 1]:ends[i]]` are those of
    position i."""
    records = _records(packed)
    faults, ends = np.zeros(len(records), np.int64), np.zeros(len(records), np.int64)
    batch = _batch_of(records, faults)
    batch.ends = ends.ctypes.data
    room = np.empty(CHUNK, np.uint16)
    batch.results, batch.room = room.ctypes.data, len(room)
    parts: list[NDArray[np.uint16]] = []
    while batch.next < batch.count:
        first, before = batch.next, sum(map(len, parts))
        batch.used = 0
        loaded_board().list_moves(ctypes.addressof(batch))
        ends[first : batch.next] += before
        parts.append(room[: batch.used].copy())
    _require_positions(faults)
    return np.concatenate(parts) if parts else np.empty(0, np.uint16), ends


def legal_move_texts(packed: Packed, notation: str = "uci") -> list[list[str]]:
    """Legal moves of packed positions as text, 'uci' or 'san'."""
    if notation not in NOTATIONS:
        raise ValueError(f"notation {quoted(str(notation))}, expected one of {list(NOTATIONS)}")
    records = _records(packed)
    faults = np.zeros(len(records), np.int64)
    batch = _batch_of(records, faults)
    batch.notation = NOTATIONS[notation]
    room = ctypes.create_string_buffer(CHUNK)
    batch.results, batch.room = ctypes.addressof(room), CHUNK
    lists: list[list[str]] = []
    while batch.next < batch.count:
        batch.used = 0
        loaded_board().write_moves(ctypes.addressof(batch))
        lines = ctypes.string_at(room, batch.used).decode("ascii").split("\n")
        lists += [line.split() for line in lines[:-1]]
    _require_positions(faults)
    return lists


def _require_positions(faults: NDArray[np.int64]) -> None:
    for index in np.flatnonzero(faults)[:1]:
        raise _not_a_position(index)


# --- games ------------------------------------------------------------------------------------


def play_games(texts: Texts, start: "str | Board | Packed | None" = None) -> Games:
    """The moves of games given as text, as Board.push_game reads it, all from the start position,
    from a given one, or each from its own packed one.

    >>> from kingcobra import batches
    >>> games = batches.play_games(["1. e4 e5 2. Nf3", "d4 d5 Ke2"])
    >>> games.ends.tolist(), games.errors.tolist()
    ([3, 3], [(0, 0), (1, 6)])
    """
    lines = _Texts(texts, "texts")
    first = Board() if start is None else start
    records = _records(first) if isinstance(first, np.ndarray) else pack([first])
    if len(records) not in (1, len(lines)):
        raise ValueError(f"{len(records)} start positions for {len(lines)} games")
    faults, ends = np.zeros(len(lines), np.int64), np.zeros(len(lines), np.int64)
    batch = _batch_of(records, faults)
    lines.hand_over(batch)
    batch.packed_step = PACKED_BYTES if len(records) > 1 else 0
    batch.ends = ends.ctypes.data
    # A move has two characters at least, and a blank behind it.
    moves = np.empty(int((lines.lengths // 3 + 1).sum()), np.uint16)
    batch.results, batch.room = moves.ctypes.data, len(moves)
    loaded_board().play_games(ctypes.addressof(batch))
    for index in np.flatnonzero(faults == NOT_A_POSITION)[:1]:
        raise _not_a_position(index if len(records) > 1 else 0)
    return Games(moves[: batch.used].copy(), ends, _errors(faults))


def error_text(text: str, error: Any, *, chess960: bool = False, is_game: bool = False) -> str:
    """An error of `parse_fens`, or of `play_games`, in words; empty where there is none."""
    fault = int(error["number"]) | int(error["offset"]) << OFFSET_SHIFT
    if fault == GAME_IS_FINE:
        return ""
    return str(game_error(text, fault) if is_game else fen_error(text, fault, chess960))
