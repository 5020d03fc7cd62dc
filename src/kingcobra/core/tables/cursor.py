# SPDX-License-Identifier: GPL-3.0-or-later
"""Where parsing stands in a file. Nothing is read before it is known to be inside."""

from kingcobra.kernel.compiled import compiled

CHECKSUM_BYTES = 16


@compiled
def has_room(table, count):
    """Whether so many bytes lie before the checksum."""
    return 0 <= count <= table.file_bytes - CHECKSUM_BYTES - table.read


@compiled
def here(table):
    """The address of the next byte."""
    return table.bytes_at + table.read


@compiled
def align(table, alignment):
    """Goes on to the next multiple of the alignment, counted from the file's start."""
    table.read = (table.read + alignment - 1) // alignment * alignment
