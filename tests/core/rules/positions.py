# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions in which rules are easily got wrong, and those with published leaf counts."""

from dataclasses import dataclass
from pathlib import Path

from tests.paths import DATA

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

STANDARD = (
    START,
    # Castling both ways, pins, promotions and captures en passant close together.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/p6p/8/1q4b1/1B4Q1/8/P6P/R3K2R b KQkq - 3 20",
    # A capture en passant would uncover the king along the rank, along a diagonal, not at all.
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/8/2k5/3Pp3/8/8/3RK3 b - d3 0 1",
    "8/8/1k6/8/3Pp3/8/5B2/4K3 b - d3 0 1",
    "8/8/8/K2pP2r/8/8/8/7k w - d6 0 2",
    "8/8/8/K1pP3r/8/8/8/7k w - c6 0 2",
    "8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1",
    # Only a capture en passant answers the check; the pushed pawn gives it.
    "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
    "8/6bb/8/8/R1pP2k1/4P3/P7/K7 b - d3 0 1",
    # Double check, a checked king with many defenders, stalemate near, few men.
    "4k3/8/4r3/8/8/5n2/3PPP2/3QKB2 w - - 0 1",
    "3rk3/8/8/b7/8/2n5/3P4/3K4 w - - 0 1",
    "5k2/8/8/2b5/8/1N1Q1N2/5n2/R3K2R w KQ - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 12 80",
    "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/8/8/8/8/1b6/3k4/K5B1 w - - 5 60",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    # Sliders behind each other: exchanges and pins in rows.
    "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
    "3r2k1/3r1p2/3q2p1/3p4/3P4/2NB2P1/3RQP2/3R2K1 w - - 0 1",
    "4r1k1/4r3/8/2b1p3/8/2B1N3/3QR3/1K2R3 b - - 0 1",
)

CHESS960 = (
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w EAea - 0 1",
    "r1k2r1q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K2R1Q w FAfa - 0 1",
    "8/8/8/4B2b/6nN/8/5P2/2R1K2k w C - 0 1",
    "2r5/8/8/8/8/8/6PP/k2KR3 w E - 0 1",
    "4r3/3k4/8/8/8/8/6PP/qR1K1R2 w FB - 0 1",
    "r2r3k/p7/3p4/8/8/P6P/8/R3K2R b KQq - 0 1",
    # The castling rook shields its king from a slider on the edge of the board.
    "4k3/8/8/8/8/8/8/qR2K3 w B - 0 1",
    "4k3/8/8/8/8/8/8/rR1K4 w B - 0 1",
    # King or rook already where castling leaves it.
    "2kr3r/8/8/8/8/8/8/1R3RK1 w Bh - 0 1",
    "5k1r/8/8/8/8/8/8/RK6 w Ah - 0 1",
    "1r2k1r1/p6p/8/8/8/8/P6P/RRK2R1R w HAgb - 0 1",
    "nrkbr1qb/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/NRKBR1QB w EBeb - 2 3",
)


# The positions with published leaf counts; `tricky.epd` and `chess960.epd` are for Chess960.
PERFT_FOLDER = DATA / "perft"
PERFT_FILES = {"standard.epd": 128, "chess960.epd": 240, "tricky.epd": 19}


@dataclass(frozen=True)
class PerftPosition:
    """A position with published leaf counts: `counts[depth]`."""

    fen: str
    chess960: bool
    counts: dict[int, int]


def perft_positions(name: str, folder: Path = PERFT_FOLDER) -> list[PerftPosition]:
    """The positions of a file."""
    text = (folder / name).read_text(encoding="ascii")
    return [_perft_position(line, name != "standard.epd") for line in text.splitlines()]


def _perft_position(line: str, chess960: bool) -> PerftPosition:
    """From `FEN ;D1 20 ;D2 400 …`."""
    fen, *operations = line.split(";")
    counts = {int(depth[1:]): int(count) for depth, count in map(str.split, operations)}
    return PerftPosition(fen.strip(), chess960, counts)
