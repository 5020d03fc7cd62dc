# SPDX-License-Identifier: GPL-3.0-or-later
"""New defaults of the tunables, as a diff of the file that declares them."""

import ast
import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

TABLE_CALL = "Tunable"
PACKAGE = "kingcobra"
SOURCE_FOLDER = "src"
PROJECT_FILE = "pyproject.toml"
CONTEXT_LINES = 3


class DefaultsError(ValueError):
    """A default that cannot be replaced in the file."""


class DefaultSpan(NamedTuple):
    """Where the default of a tunable begins and ends in the bytes of the file."""

    name: str
    start: int
    end: int


def root_of(source: Path) -> Path:
    """The folder in which the diff of a file of the package applies: the root of the checkout, or
    the parent of an installed package."""
    path = source.resolve()
    packages = next(folder.parent for folder in path.parents if folder.name == PACKAGE)
    is_checkout = packages.name == SOURCE_FOLDER and (packages.parent / PROJECT_FILE).exists()
    return packages.parent if is_checkout else packages


def defaults_diff(source: Path, defaults: Mapping[str, int]) -> str:
    """A unified diff that respans the defaults of the tunables named, and nothing else; empty if
    none of them changes. DefaultsError for a name that the file does not declare."""
    before = source.read_bytes()
    spans = {span.name: span for span in _default_spans(before)}
    missing = sorted(defaults.keys() - spans.keys())
    if missing:
        raise DefaultsError(f"{source} declares no tunable {', '.join(missing)}")
    after = before
    for span in sorted((spans[name] for name in defaults), key=lambda span: -span.start):
        after = after[: span.start] + str(defaults[span.name]).encode() + after[span.end :]
    label = source.resolve().relative_to(root_of(source)).as_posix()
    return "".join(
        difflib.unified_diff(
            before.decode().splitlines(keepends=True),
            after.decode().splitlines(keepends=True),
            f"a/{label}",
            f"b/{label}",
            n=CONTEXT_LINES,
        )
    )


def _default_spans(source: bytes) -> Iterator[DefaultSpan]:
    """One for each row of the table."""
    line_starts = [0]
    for line in source.splitlines(keepends=True):
        line_starts.append(line_starts[-1] + len(line))
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id != TABLE_CALL:
            continue
        values = dict(zip(("name", "default"), node.args, strict=False))
        values |= {word.arg: word.value for word in node.keywords if word.arg}
        name, default = values["name"], values["default"]
        assert isinstance(name, ast.Constant)
        assert default.end_lineno is not None
        assert default.end_col_offset is not None
        yield DefaultSpan(
            str(name.value),
            line_starts[default.lineno - 1] + default.col_offset,
            line_starts[default.end_lineno - 1] + default.end_col_offset,
        )
