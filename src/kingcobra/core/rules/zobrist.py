# SPDX-License-Identifier: GPL-3.0-or-later
"""Random words whose exclusive or identifies a position, or a part of one."""

import numpy as np

from kingcobra.core.rules.basics import PIECES, SQUARES

SEED = 0x4B696E67636F6272

_WORD = (1 << 64) - 1


def _random_words(count, stream):
    """SplitMix64: the same words on every machine and in every version of NumPy."""
    state = SEED + stream * 0x632BE59BD9B4E019 & _WORD
    words = []
    for _ in range(count):
        state = state + 0x9E3779B97F4A7C15 & _WORD
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
        words.append(mixed ^ mixed >> 31)
    return np.array(words, np.uint64)


PIECE_KEYS = _random_words(PIECES * SQUARES, 0).reshape(PIECES, SQUARES)
# One for each square of a rook that may still castle.
CASTLING_ROOK_KEYS = _random_words(SQUARES, 1)
# One for each en-passant square; NO_SQUARE has none.
EN_PASSANT_KEYS = np.concatenate([_random_words(SQUARES, 2), np.zeros(1, np.uint64)])
# Present when Black is to move.
SIDE_KEY = _random_words(1, 3)[0]
