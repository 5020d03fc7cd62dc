# SPDX-License-Identifier: GPL-3.0-or-later
"""The file of opening names, made from the tables of https://github.com/lichess-org/chess-openings
(`make openings ECO=FOLDER`)."""

import gzip
import sys
from pathlib import Path

from kingcobra.analysis.openings import DATA_FILE, format_table, table_from_moves
from kingcobra.errors import line_of
from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK, EXIT_USAGE

COLUMNS = ["eco", "name", "pgn"]
BEST_COMPRESSION = 9


def read_rows(folder: Path) -> list[list[str]]:
    """The rows of all tables in a folder. ValueError names what is not such a table."""
    tables = sorted(folder.glob("*.tsv"))
    if not tables:
        raise ValueError(f"{folder}: no .tsv files")
    rows = []
    for table in tables:
        heading, *lines = table.read_text("utf-8").splitlines()
        if heading.split("\t") != COLUMNS:
            raise ValueError(f"{table}: columns {heading!r}, expected {', '.join(COLUMNS)}")
        rows += [line.split("\t") for line in lines]
    return rows


def main(arguments: list[str]) -> int:
    """Writes the file anew from the tables in a folder; returns the exit code."""
    if len(arguments) != 1:
        print("usage: python -m kingcobra.tools.opening_names FOLDER", file=sys.stderr)
        return EXIT_USAGE
    try:
        table = table_from_moves(read_rows(Path(arguments[0])))
        text = format_table(table).encode("utf-8")
        # No time inside: the same tables give the same bytes.
        DATA_FILE.write_bytes(gzip.compress(text, BEST_COMPRESSION, mtime=0))
    except ValueError as error:
        print(f"opening names: {error}", file=sys.stderr)
        return EXIT_FAILED
    except OSError as error:
        print(f"opening names: {line_of(error)}", file=sys.stderr)
        return EXIT_FAILED
    print(f"{DATA_FILE.name}: {len(table)} positions")
    return EXIT_OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
