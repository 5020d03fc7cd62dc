# SPDX-License-Identifier: GPL-3.0-or-later
"""Growing a book on a Ray cluster of this machine."""

import chess
import pytest

from kingcobra.books.growing import position_text
from kingcobra.books.searching import PositionSearcher, Searchers, SearchSettings
from kingcobra.engine.opening_book import BookError

pytest.importorskip("ray", reason="Ray is not installed")

SETTINGS = SearchSettings(nodes=300, lines=2)


def positions():
    found = []
    for move in ("e2e4", "d2d4", "g1f3"):
        board = chess.Board()
        board.push_uci(move)
        found.append(position_text(board))
    return found


@pytest.mark.usefixtures("core")
def test_a_cluster_finds_what_this_process_finds():
    with Searchers(SETTINGS, size=1, cluster="local") as searchers:
        found = {answer.position: answer for answer in searchers.expand(positions())}
    searcher = PositionSearcher(SETTINGS)
    assert found == {position: searcher.expand(position) for position in positions()}


def test_a_cluster_that_is_not_there_is_one_clear_line():
    with pytest.raises(BookError, match="--cluster"):
        Searchers(SETTINGS, size=1, cluster="127.0.0.1:1")
