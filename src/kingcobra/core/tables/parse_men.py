# SPDX-License-Identifier: GPL-3.0-or-later
"""The first part of a file: which men each part has, and how their groups are numbered."""

import numpy as np

from kingcobra.core.rules.basics import (
    BLACK,
    COLOURS,
    KING,
    PAWN,
    SQUARES,
    WHITE,
    colour_of,
    piece_of,
    type_of,
)
from kingcobra.core.tables.counting import (
    BINOMIAL,
    KING_PAIRS,
    LEADING_PAWN_SIZE,
    PAWN_SQUARES,
    TRIPLES,
)
from kingcobra.core.tables.cursor import align, has_room, here
from kingcobra.core.tables.file_layout import MAX_LEADING, SOUND, TOO_SHORT, WRONG_MEN, WRONG_ORDER
from kingcobra.core.tables.material import count_in, mirrored
from kingcobra.core.tables.views import PART_BYTES, part_at
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import load_u8

WORD_ALIGNMENT = 2
HALF_BYTE = 4
NIBBLE = 15
NO_PLACE = 15


@compiled
def describe_material(table):
    """What follows from the key."""
    key = table.key
    table.symmetric = np.int64(key == mirrored(key))
    white_pawns = count_in(key, WHITE, PAWN)
    black_pawns = count_in(key, BLACK, PAWN)
    # The side with fewer pawns leads, if it has any.
    table.leading_colour = WHITE
    if black_pawns != 0 and (white_pawns == 0 or black_pawns < white_pawns):
        table.leading_colour = BLACK
    table.leading_pawns = count_in(key, table.leading_colour, PAWN)
    table.other_pawns = count_in(key, table.leading_colour ^ 1, PAWN)
    table.men = COLOURS
    unique = False
    for colour in range(COLOURS):
        for piece_type in range(PAWN, KING):
            count = count_in(key, colour, piece_type)
            table.men += count
            unique |= count == 1
    table.leading = MAX_LEADING if unique else MAX_LEADING - 1
    if table.leading_pawns != 0:
        table.leading = table.leading_pawns


@compiled
def read_men(table, part, side, first):
    """The men of one part, in the low or the high halves of the bytes from `first` on."""
    shift = HALF_BYTE * side
    order_bytes = 2 if table.other_pawns != 0 else 1
    part.leading_place = np.int64(load_u8(first, 0)) >> shift & NIBBLE
    part.second_place = NO_PLACE
    if table.other_pawns != 0:
        part.second_place = np.int64(load_u8(first, 1)) >> shift & NIBBLE
    for number in range(table.men):
        man = np.int64(load_u8(first, order_bytes + number)) >> shift & NIBBLE
        part.men[number] = man
    return group_men(table, part)


@compiled
def group_men(table, part):
    """Finds the groups; WRONG_MEN unless the men are those of the table, each kind together and
    the leading ones as the format wants them."""
    part.leading = table.leading
    part.groups = 0
    number = 0
    while number < table.men:
        man = np.int64(part.men[number])
        colour = colour_of(man)
        piece_type = type_of(man)
        if piece_type < PAWN or piece_type > KING:
            return WRONG_MEN
        count = count_in(table.key, colour, piece_type)
        if count == 0 or number + count > table.men:
            return WRONG_MEN
        for other in range(table.men):
            if (part.men[other] == man) != (number <= other < number + count):
                return WRONG_MEN
        if number >= table.leading:
            part.group_man[part.groups] = man
            part.groups += 1
        elif table.leading_pawns == 0 and count != 1:
            return WRONG_MEN
        number += count
    return SOUND if pawns_come_first(table, part) else WRONG_MEN


@compiled
def pawns_come_first(table, part):
    """Whether the leading side's pawns come first and the other side's next."""
    if table.leading_pawns == 0:
        return True
    if part.men[0] != piece_of(table.leading_colour, PAWN):
        return False
    other = piece_of(table.leading_colour ^ 1, PAWN)
    return table.other_pawns == 0 or part.men[table.leading_pawns] == other


@compiled
def set_factors(table, part, file):
    """What each group's number is multiplied by: the ways to place the groups before it in the
    file's own order. WRONG_ORDER where that order is none."""
    second = table.other_pawns != 0
    count = part.groups + 1
    if part.leading_place >= count:
        return WRONG_ORDER
    if second and (part.second_place >= count or part.second_place == part.leading_place):
        return WRONG_ORDER
    factor = np.int64(1)
    group = 1 if second else 0
    free = SQUARES - part.leading - (table.other_pawns if second else 0)
    for place in range(count):
        if place == part.leading_place:
            part.leading_factor = factor
            factor *= leading_ways(table, part, file)
        elif second and place == part.second_place:
            part.group_factor[0] = factor
            factor *= BINOMIAL[table.other_pawns, PAWN_SQUARES - table.leading_pawns]
        else:
            man = np.int64(part.group_man[group])
            size = count_in(table.key, colour_of(man), type_of(man))
            part.group_factor[group] = factor
            factor *= BINOMIAL[size, free]
            free -= size
            group += 1
    part.positions = factor
    return SOUND


@compiled
def leading_ways(table, part, file):
    """In how many ways the leading group can stand."""
    if table.leading_pawns != 0:
        return LEADING_PAWN_SIZE[table.leading_pawns, file]
    return TRIPLES if part.leading == MAX_LEADING else KING_PAIRS


@compiled
def read_all_men(table):
    """The men of all parts."""
    order_bytes = 2 if table.other_pawns != 0 else 1
    for file in range(table.files):
        if not has_room(table, order_bytes + table.men):
            return TOO_SHORT
        for side in range(table.sides):
            part = part_at(table.memory + (file * table.sides + side) * PART_BYTES)
            problem = read_men(table, part, side, here(table))
            if problem == SOUND:
                problem = set_factors(table, part, file)
            if problem != SOUND:
                return problem
        table.read += order_bytes + table.men
    align(table, WORD_ALIGNMENT)
    return SOUND
