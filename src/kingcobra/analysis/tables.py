# SPDX-License-Identifier: GPL-3.0-or-later
"""A table with a row for each move: CSV, or Parquet where pyarrow is installed."""

import csv
from pathlib import Path
from typing import Any

from kingcobra.analysis.ordered_run import FinishedGame
from kingcobra.analysis.outputs import TextFile, encodable, part_of
from kingcobra.analysis.records import AnnotatedGame, AnnotatedMove
from kingcobra.analysis.settings import AnnotationError
from kingcobra.errors import not_installed

CSV_SUFFIX, PARQUET_SUFFIX = ".csv", ".parquet"
ROWS_PER_GROUP = 50_000
# Spreadsheets take text that begins so for a formula, and would compute what a name says.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

# Each column and its type.
COLUMNS: dict[str, type] = {
    "game": int,
    "white": str,
    "black": str,
    "result": str,
    "date": str,
    "eco": str,
    "opening": str,
    "ply": int,
    "move_number": int,
    "colour": str,
    "player": str,
    "san": str,
    "uci": str,
    "fen": str,
    "cp": int,
    "mate": int,
    "depth": int,
    "win_percent": float,
    "white_wins": int,
    "draws": int,
    "black_wins": int,
    "accuracy": float,
    "centipawn_loss": int,
    "judgement": str,
    "best": str,
    "line": str,
    "clock_s": float,
}


def move_row(number: int, record: AnnotatedGame, move: AnnotatedMove) -> dict[str, Any]:
    """The values of a move, None where there is none. Scores and win % are White's."""
    side = record.white if move.is_white else record.black
    opening = record.opening
    values = (
        number,
        record.white.name,
        record.black.name,
        record.result,
        record.tags.get("Date", ""),
        opening.eco if opening else None,
        opening.name if opening else None,
        move.ply,
        move.number,
        "white" if move.is_white else "black",
        side.name,
        move.san,
        move.uci,
        move.fen,
        move.score.white_cp,
        move.score.white_mate,
        move.depth,
        move.win_percent,
        *move.wdl,
        move.accuracy,
        move.centipawn_loss,
        move.judgement.value if move.judgement else None,
        move.best or None,
        " ".join(move.line) or None,
        move.clock_s,
    )
    return dict(zip(COLUMNS, values, strict=True))


def _rows(number: int, record: AnnotatedGame | None) -> list[dict[str, Any]]:
    return [] if record is None else [move_row(number, record, move) for move in record.moves]


def table_output(path: Path) -> "CsvOutput | ParquetOutput":
    """By the ending of the name. AnnotationError for another one, and where Parquet cannot be
    written."""
    suffix = path.suffix.lower()
    if suffix not in (CSV_SUFFIX, PARQUET_SUFFIX):
        raise AnnotationError(f"{path}: expected a name with {CSV_SUFFIX} or {PARQUET_SUFFIX}")
    return ParquetOutput(path) if suffix == PARQUET_SUFFIX else CsvOutput(path)


class CsvOutput:
    """Comma-separated values under a line of names."""

    def __init__(self, path: Path) -> None:
        self._text = TextFile(path)
        self._writer = csv.DictWriter(self._text.file, list(COLUMNS), lineterminator="\n")
        self._writer.writeheader()

    def add(self, number: int, _finished: FinishedGame, record: AnnotatedGame | None) -> None:
        for row in _rows(number, record):
            self._writer.writerow({name: _harmless(value) for name, value in row.items()})

    def finish(self) -> None:
        self._text.finish()

    def abandon(self) -> None:
        self._text.abandon()


def _harmless(value: Any) -> Any:
    """Text that no spreadsheet computes."""
    if not isinstance(value, str):
        return value
    text = encodable(value)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


class ParquetOutput:
    """The same as a Parquet file, which pandas and polars read as it is."""

    def __init__(self, path: Path) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise AnnotationError(f"{path}: {not_installed('pyarrow', 'parquet')}") from None
        self._arrow = pyarrow
        types = {int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string()}
        self._schema = pyarrow.schema([(name, types[kind]) for name, kind in COLUMNS.items()])
        self._path = path
        self._writer = pyarrow.parquet.ParquetWriter(part_of(path), self._schema)
        self._rows: list[dict[str, Any]] = []

    def add(self, number: int, _finished: FinishedGame, record: AnnotatedGame | None) -> None:
        for row in _rows(number, record):
            self._rows.append(
                {name: encodable(v) if isinstance(v, str) else v for name, v in row.items()}
            )
        if len(self._rows) >= ROWS_PER_GROUP:
            self._write()

    def _write(self) -> None:
        self._writer.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
        self._rows = []

    def finish(self) -> None:
        self._write()
        self._writer.close()
        part_of(self._path).replace(self._path)

    def abandon(self) -> None:
        self._writer.close()
        part_of(self._path).unlink(missing_ok=True)
