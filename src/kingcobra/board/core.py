# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules of this room that are compiled."""

BOARD_MODULES = tuple(
    f"kingcobra.board.{name}"
    for name in (
        "attacks",
        "basics",
        "bitboards",
        "checks",
        "counting",
        "cycles",
        "draws",
        "exchange",
        "layout",
        "legality",
        "magics",
        "movegen",
        "pawn_steps",
        "perft",
        "position",
        "setup",
        "zobrist",
    )
)
