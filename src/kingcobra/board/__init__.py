# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of chess, standard and Chess960 by the same code.

Compiled:   basics, bitboards, magics, attacks, zobrist, position, setup, pawn_steps, movegen,
            counting, legality, checks, exchange, draws, cycles, perft, and entries, which
            Python calls
Plain:      layout (the records), core (which modules are compiled), fen, moves (UCI text), san,
            board (the handle on a position), leaves (perft root move by root move), diagram,
            plain_sliders (attacks for compiled functions that run as plain Python)
"""
