# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of positions with five to seven men against python-chess's."""

import ctypes
from pathlib import Path

import chess.syzygy
import pytest

from kingcobra.board.fen import parse_fen
from kingcobra.core.objects import RULES, TABLES
from kingcobra.core.rules.layout import Position
from kingcobra.engine.tablebases.files import TablebaseFiles
from kingcobra.kernel.build import Builder
from kingcobra.kernel.objects import LoadedObject, ObjectSpec, modules_of
from tests.core.tables.reference import random_boards
from tests.core.tables.writer import wdl_file

INDICES = ObjectSpec(
    name="table-indices",
    entry_modules=("tests.core.tables.index_entries",),
    sources=modules_of(RULES, TABLES),
    on_load="prepare_indices",
)
NAMES = [
    *("KQRvKB", "KBBvKN", "KQQvKQ", "KNNNvK", "KRRvKR", "KRPvKR", "KPPvKP", "KPPPvK", "KQPvKP"),
    *("KQRBvKN", "KRRvKRR", "KBBvKNN", "KQQQQvK", "KRPvKRP", "KPPvKPP", "KRPPvKP", "KQNvKPP"),
    *(
        "KQRBNvKR",
        "KRRBvKRR",
        "KQQQvKQQ",
        "KQRRvKBB",
        "KRPPvKRP",
        "KPPPvKPP",
        "KPPPPvKP",
        "KPPPPPvK",
        "KNNNNNvK",
        "KRBNvKPP",
        "KBPPvKPP",
    ),
]
POSITIONS = 40


@pytest.fixture(scope="module")
def indices() -> LoadedObject:
    return Builder(INDICES, report=lambda _text: None).obtain()


@pytest.mark.parametrize("name", NAMES)
def test_numbers_of_positions(
    name: str,
    indices: LoadedObject,
    tables_core: LoadedObject,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both read the same file; python-chess is asked where it would look."""
    (tmp_path / f"{name}.rtbw").write_bytes(wdl_file(name, seed=1))
    problems: list[str] = []
    files = TablebaseFiles(tables_core, str(tmp_path), problems.append)
    assert files.open(0)
    assert not problems
    looked_at = []

    def note(_self, _pairs, index):
        looked_at.append(index)
        return 2

    monkeypatch.setattr(chess.syzygy.Table, "decompress_pairs", note)
    reference = chess.syzygy.WdlTable(str(tmp_path / f"{name}.rtbw"))
    position, part = Position(), ctypes.c_int64()
    numbers = []
    for board in random_boards(name, POSITIONS, seed=2):
        reference.probe_wdl_table(board)
        setup = parse_fen(board.fen(), chess960=False)
        records = (files.record(0), position, setup, part)
        numbers.append(indices.index_of(*map(ctypes.addressof, records)))
    assert numbers == looked_at
    assert len(set(numbers)) > POSITIONS // 2
    reference.close()
