# SPDX-License-Identifier: GPL-3.0-or-later
"""Work on many texts or positions in one call. Each function goes on from `next`, and returns when
all is done or the room is used up."""

import numpy as np

from kingcobra.core.notation.characters import put
from kingcobra.core.notation.fen_reading import error, read_fen
from kingcobra.core.notation.games.game_text import NEWLINE, read_game
from kingcobra.core.notation.games.layout import NOT_A_POSITION, PACKED_BYTES, SAN
from kingcobra.core.notation.games.packing import pack, pack_nothing, unpack
from kingcobra.core.notation.games.san_writing import write_san_moves
from kingcobra.core.notation.layout import FEN_IS_FINE, MOVES_BYTES, OPPONENT_IN_CHECK
from kingcobra.core.notation.uci_moves import write_uci_moves
from kingcobra.core.rules.layout import MAX_MOVES
from kingcobra.core.rules.movegen import generate_all
from kingcobra.core.rules.setup import set_up
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import load_u64, store_u16, store_u64

ROOM_FOR_A_LIST = MOVES_BYTES + 1


@compiled
def text_of(batch, item):
    """Where a text begins."""
    return batch.texts + np.int64(load_u64(batch.starts, item))


@compiled
def length_of(batch, item):
    """How long a text is."""
    return np.int64(load_u64(batch.lengths, item))


@compiled
def read_fens(batch):
    """Packs the positions of all texts; a text that is none is packed to zeros."""
    for item in range(batch.next, batch.count):
        fault = read_fen(batch.setup, text_of(batch, item), length_of(batch, item), batch.chess960)
        if fault == FEN_IS_FINE and not set_up(batch.position, batch.setup):
            fault = error(OPPONENT_IN_CHECK, 0)
        store_u64(batch.faults, item, np.uint64(fault))
        address = batch.packed + item * PACKED_BYTES
        if fault == FEN_IS_FINE:
            pack(batch.position, address)
        else:
            pack_nothing(address)
    batch.next = batch.count


@compiled
def set_up_item(batch, item):
    """Sets up a packed position and notes its error, if any. Whether it can be played."""
    is_fine = unpack(batch.position, batch.setup, batch.packed + item * batch.packed_step)
    fault = error(FEN_IS_FINE if is_fine else NOT_A_POSITION, 0)
    store_u64(batch.faults, item, np.uint64(fault))
    return is_fine


@compiled
def list_moves(batch):
    """Legal moves of packed positions, one behind the other."""
    for item in range(batch.next, batch.count):
        if batch.room - batch.used < MAX_MOVES:
            return
        if set_up_item(batch, item):
            generate_all(batch.position, batch.list)
            for index in range(batch.list.count):
                move = np.int64(batch.list.moves[index])
                store_u16(batch.results, batch.used + index, np.uint64(move))
            batch.used += batch.list.count
        store_u64(batch.ends, item, np.uint64(batch.used))
        batch.next = item + 1


@compiled
def write_moves(batch):
    """Legal moves of packed positions as text, blanks between them and a line for each."""
    for item in range(batch.next, batch.count):
        if batch.room - batch.used < ROOM_FOR_A_LIST:
            return
        if set_up_item(batch, item):
            generate_all(batch.position, batch.list)
            text = batch.results + batch.used
            if batch.notation == SAN:
                batch.used += write_san_moves(batch.position, batch.list, text, np.int64(0))
            else:
                batch.used += write_uci_moves(batch.position, batch.list, text)
        batch.used = put(batch.results, batch.used, NEWLINE)
        batch.next = item + 1


@compiled
def play_games(batch):
    """The moves of many games, one behind the other, each from its packed position on. Of a game
    with an error no move is kept. There must be room for all."""
    for item in range(batch.next, batch.count):
        if set_up_item(batch, item):
            played = read_game(
                batch.position,
                text_of(batch, item),
                length_of(batch, item),
                batch.results,
                batch.used,
                batch.room,
                True,
            )
            if played < 0:
                store_u64(batch.faults, item, np.uint64(-played))
            else:
                batch.used += played
        store_u64(batch.ends, item, np.uint64(batch.used))
    batch.next = batch.count
