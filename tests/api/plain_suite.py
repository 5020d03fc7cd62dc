# SPDX-License-Identifier: GPL-3.0-or-later
"""Boards and batches beside python-chess, in whatever mode this process runs; then one line."""

import chess
import numpy as np
import pytest

from kingcobra import Board, MoveError, batches
from kingcobra.kernel.mode import current_mode

POSITIONS = (
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", False),
    ("4k3/P7/8/3pP3/8/8/8/4K2R w K d6 0 2", False),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", True),
)
GAME = "1. e4 e5 {a comment} 2. Qh5 (2. Nf3) Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0"


def main() -> None:
    for fen, chess960 in POSITIONS:
        reference = chess.Board(fen, chess960=chess960)
        board = Board(fen, chess960=chess960)
        expected = {reference.uci(move): reference.san(move) for move in reference.legal_moves}
        assert dict(zip(board.legal_moves(), board.san_moves(), strict=True)) == expected
        for text in expected.values():
            assert board.push(text).pop() in expected
        packed = batches.pack([board])
        assert batches.unpack(packed) == [board]
        assert batches.legal_move_texts(packed, "san") == [board.san_moves()]
        assert batches.legal_moves(packed)[0].tolist() == board.moves()
    mated = Board().push_game(GAME)
    assert mated.is_checkmate()
    assert batches.play_games([GAME, "e5"]).ends.tolist() == [7, 7]
    with pytest.raises(MoveError, match="illegal move 'Ke3' at character 7"):
        Board().push_game("e4 e5 Ke3")
    assert not mated.set_packed(np.zeros(1, batches.PACKED).tobytes())
    print(f"{current_mode()}: {len(POSITIONS)} positions")


if __name__ == "__main__":
    main()
