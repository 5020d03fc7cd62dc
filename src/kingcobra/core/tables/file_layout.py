# SPDX-License-Identifier: GPL-3.0-or-later
"""The records of files. Python owns the memory; compiled code reads it while it probes."""

import ctypes
from ctypes import c_int64, c_uint8, c_uint64

from kingcobra.core.tables.layout import MAX_MEN

# A power of two. All sets of up to seven men, each with either side as White, fill it to a third.
SLOTS = 8192
SLOT_BITS = 13

KINDS_OF_FILES = 2

# What TableFile.parts holds where it is no address.
UNOPENED, UNUSABLE = 0, -1

# Features of a part, bit by bit.
OTHER_SIDE_FLAG, MAPPED_FLAG, WIN_PLIES_FLAG, LOSS_PLIES_FLAG, WIDE_FLAG = 1, 2, 4, 8, 16
SINGLE_VALUE_FLAG = 128

MAX_SIDES = 2
MAX_FILES = 4
MAX_PARTS = MAX_SIDES * MAX_FILES
# Men that are numbered together because the board's symmetries act on them.
MAX_LEADING = 3
MAX_CODE_BITS = 32
MAX_SYMBOLS = 4096
# One sequence of distances for each kind of result.
MAPS = 4

# What is wrong with a file: the answers of `parse`.
(
    SOUND,
    WRONG_SIZE,
    WRONG_MAGIC,
    WRONG_SIDES,
    WRONG_MEN,
    WRONG_ORDER,
    WRONG_CODES,
    WRONG_SYMBOLS,
    TOO_SHORT,
) = range(9)


class Part(ctypes.Structure):
    """One compressed sequence of values: of one side to move, and, where there are pawns, of one
    file that the leading pawn stands on."""

    _fields_ = (
        ("features", c_int64),
        # The value of all positions, where the features say that there is only one.
        ("value", c_int64),
        # Numbering: how many positions, and the men in the order in which they are numbered. The
        # leading group is made of `leading` men of different kinds or of pawns; each later group
        # has all men of its kind.
        ("positions", c_uint64),
        ("men", c_uint8 * (MAX_MEN + 1)),
        ("leading", c_int64),
        ("leading_factor", c_int64),
        ("groups", c_int64),
        ("group_man", c_uint8 * (MAX_MEN + 1)),
        ("group_factor", c_int64 * (MAX_MEN + 1)),
        # Where each group stands in the order of factors.
        ("leading_place", c_int64),
        ("second_place", c_int64),
        # Compression. Addresses point into the file, but for that of `sizes`.
        ("block_bits", c_int64),
        ("span_bits", c_int64),
        ("blocks", c_int64),
        ("block_lengths", c_int64),
        ("block_lengths_at", c_int64),
        ("spans", c_int64),
        ("spans_at", c_int64),
        ("data_at", c_int64),
        ("end_at", c_int64),
        ("shortest_code", c_int64),
        ("code_lengths", c_int64),
        ("first_symbols_at", c_int64),
        ("lowest_code", c_uint64 * MAX_CODE_BITS),
        ("symbols", c_int64),
        ("tree_at", c_int64),
        # One byte for each symbol: how many values it stands for, less one.
        ("sizes_at", c_int64),
        # DTZ: the sequences of distances that values are numbers in.
        ("map_at", c_int64 * MAPS),
        ("map_length", c_int64 * MAPS),
    )


class TableFile(ctypes.Structure):
    """One file. What depends on its name is there from the start; `parse` fills in the rest, and
    the store of `parts` publishes it."""

    _fields_ = (
        # UNOPENED, UNUSABLE, or the address of the first Part. Comes first: the record's address
        # is this word's.
        ("parts", c_int64),
        ("number", c_int64),
        ("kind", c_int64),
        # With the side named first as White.
        ("key", c_int64),
        ("bytes_at", c_int64),
        ("file_bytes", c_int64),
        # While it is parsed: the memory for the parts, and how far it is read.
        ("memory", c_int64),
        ("read", c_int64),
        ("men", c_int64),
        ("symmetric", c_int64),
        ("leading_colour", c_int64),
        ("leading_pawns", c_int64),
        ("other_pawns", c_int64),
        ("leading", c_int64),
        ("sides", c_int64),
        ("files", c_int64),
        # Set where a block turns out to be damaged while it is read.
        ("damaged", c_int64),
    )


class Slot(ctypes.Structure):
    """The files of one material key, as addresses; a key of zero is an empty slot."""

    _fields_ = (("key", c_int64), ("files", c_int64 * KINDS_OF_FILES))


class Tables(ctypes.Structure):
    """All files that were found, by material key, each under both ways to colour its men."""

    _fields_ = (
        ("largest", c_int64),
        # The address of a function that opens the file whose record's address it is given.
        ("open", c_int64),
        ("slots", Slot * SLOTS),
    )


CHECKSUM_LANES = 5


class Checksum(ctypes.Structure):
    """What a checksum has made of the bytes so far, see core.tables.checksum."""

    _fields_ = (
        ("mixed", c_uint64 * CHECKSUM_LANES),
        # What the first lane was one step ago.
        ("earlier", c_uint64),
        ("sums", c_uint64 * CHECKSUM_LANES),
    )
