# SPDX-License-Identifier: GPL-3.0-or-later
"""WDL and DTZ against python-chess."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import chess
import pytest

from kingcobra.core.tables.layout import DTZ, WDL
from tests.core.tables.reference import BothProbers, all_boards, random_boards
from tests.paths import DATA

BOTH = (WDL, DTZ)
CARRIED = sorted({path.stem for path in (DATA / "syzygy").glob("*.rtbz")})
THREE_MEN = [name for name in CARRIED if len(name) == len("KQvK")]
EN_PASSANT = [
    "8/8/8/k2Pp3/8/8/8/4K3 w - e6 0 1",
    "8/8/8/8/2pP4/8/8/k1K5 b - d3 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "8/8/8/KPp4r/8/8/8/4k3 w - c6 0 1",
    # The only moves are captures en passant.
    "8/8/8/8/1pP5/k7/2K5/8 b - c3 0 1",
    "7k/8/8/8/pP6/8/8/K7 b - b3 0 1",
]
BATCH = 20_000


def batches(boards: Iterator[chess.Board]) -> Iterator[list[chess.Board]]:
    while batch := list(islice(boards, BATCH)):
        yield batch


def may_promote(board: chess.Board) -> bool:
    white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    return bool(board.pawns & (white & chess.BB_RANK_7 | black & chess.BB_RANK_2))


@pytest.mark.parametrize("name", CARRIED)
def test_random_positions(few_tables: BothProbers, name: str) -> None:
    boards = list(random_boards(name, 300, seed=1))
    if name.count("P") > 1:  # what a pawn becomes is not among the tables
        boards = [board for board in boards if not may_promote(board)]
    few_tables.require_agreement(boards, BOTH)


def test_captures_en_passant(few_tables: BothProbers) -> None:
    """Every way for two pawns to stand beside each other after a double step, with kings of a
    small choice."""
    boards = [chess.Board(fen) for fen in EN_PASSANT if chess.Board(fen).occupied.bit_count() == 4]
    for file in range(8):
        for beside in (file - 1, file + 1):
            if not 0 <= beside < 8:
                continue
            for white_king, black_king in ((4, 60), (16, 40), (57, 23), (35, 1), (6, 33), (40, 24)):
                board = chess.Board(None)
                board.set_piece_at(24 + file, chess.Piece.from_symbol("P"))
                board.set_piece_at(24 + beside, chess.Piece.from_symbol("p"))
                board.set_piece_at(white_king, chess.Piece.from_symbol("K"))
                board.set_piece_at(black_king, chess.Piece.from_symbol("k"))
                board.turn = chess.BLACK
                board.ep_square = 16 + file
                if len(board.piece_map()) == 4 and board.is_valid():
                    boards += [board, board.mirror()]
    assert len(boards) > 100
    assert sum(board.has_legal_en_passant() for board in boards) > 100
    few_tables.require_agreement(boards, BOTH)


def test_no_answer_is_said(few_tables: BothProbers) -> None:
    """Castling rights, men without a table, too many men; bare kings are drawn."""
    fens = [
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "k6r/8/8/8/8/8/8/K5R1 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    ]
    assert few_tables.probe(fens, WDL) == [None, None, None, 0]
    assert few_tables.probe(fens, DTZ) == [None, None, None, 0]


def test_a_probe_leaves_the_position_as_it_was(few_tables: BothProbers) -> None:
    fens = ["8/8/8/k2Pp3/8/8/8/4K3 w - e6 0 1", "8/2P5/8/8/8/3k4/2p5/K7 w - - 12 60"]
    before = few_tables.probe(fens * 3, DTZ)
    assert before == few_tables.probe(fens, DTZ) * 3


@pytest.mark.slow
@pytest.mark.parametrize("name", THREE_MEN)
def test_wdl_of_all_three_men(few_tables: BothProbers, name: str) -> None:
    for batch in batches(all_boards(name)):
        few_tables.require_agreement(batch, [WDL])


@pytest.mark.slow
@pytest.mark.parametrize("name", THREE_MEN)
def test_dtz_of_all_three_men(few_tables: BothProbers, name: str) -> None:
    for batch in batches(all_boards(name, up_to_symmetry=True)):
        few_tables.require_agreement(batch, [DTZ])


@pytest.mark.slow
def test_wdl_of_many_positions(all_tables: BothProbers) -> None:
    """Two hundred thousand and more, cursed and blessed results among them."""
    names = [path.stem for path in all_tables.files.paths() if path.suffix == ".rtbw"]
    for name in names:
        if name == "KBNvKN":  # captures lead to tables that are not there
            continue
        for batch in batches(random_boards(name, 210_000 // len(names), seed=2)):
            all_tables.require_agreement(batch, [WDL])


@pytest.mark.slow
def test_dtz_of_cursed_wins(all_tables: BothProbers) -> None:
    boards = list(random_boards("KBBvKN", 3_000, seed=3))
    all_tables.require_agreement(boards, BOTH)
    found = set(all_tables.probe([board.fen() for board in boards], WDL))
    assert found == {-2, -1, 0, 1, 2}


def read_epd(path: Path) -> Iterator[tuple[str, int, int]]:
    for line in path.read_text().splitlines():
        fields = line.split()
        operations = dict(zip(fields[4::2], fields[5::2], strict=True))
        yield " ".join(fields[:4]), *(int(operations[k].rstrip(";")) for k in ("wdl", "dtz"))


@pytest.mark.slow
def test_published_answers(all_tables: BothProbers, data_folder: Path) -> None:
    rows = list(read_epd(data_folder / "endgame" / "syzygy_wdl_dtz.epd"))
    assert len(rows) == 200
    fens, wdl, dtz = zip(*rows, strict=True)
    assert all_tables.probe(fens, WDL) == list(wdl)
    assert all_tables.probe(fens, DTZ) == list(dtz)
