# SPDX-License-Identifier: GPL-3.0-or-later
"""Syzygy endgame tables, up to seven men.

material   the key of a set of men
layout     records: all tables, one file, one part of a file
views      these records from their addresses
counting   binomials and the numbering of squares that the format uses
indexing   the number of a position in its table
parts      values out of a part's compressed blocks
cursor     reading a file from its start, inside its bounds
parse_men  which men the parts of a file have
parse      the rest of a file's structure
lookup     the table of a position, and its value there
results    WDL
distances  DTZ
checking   whether all of a file can be decoded
entries    what Python calls
"""
