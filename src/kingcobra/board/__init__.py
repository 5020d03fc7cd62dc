# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of chess, standard and Chess960 by the same code.

Compiled:   basics, bitboards, magics, attacks, zobrist, position, movegen, legality, exchange,
            draws, perft, and entries, which Python calls
Plain:      layout (the records), fen, moves (UCI text), san, board (the handle on a position),
            diagram
"""
