# SPDX-License-Identifier: GPL-3.0-or-later
"""New defaults of the tunables as a diff of the file that declares them, to review and apply."""

import ast
import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path

TABLE_CALL = "Tunable"
PACKAGE = "kingcobra"
SOURCE_FOLDER = "src"
PROJECT_FILE = "pyproject.toml"
CONTEXT_LINES = 3


class DefaultsError(ValueError):
    """A table in which a default cannot be replaced."""


def root_of(source: Path) -> Path:
    """Where the diff of a file of the package applies: the root of its checkout, or the folder
    that an installed package lies in."""
    path = source.resolve()
    packages = next(folder.parent for folder in path.parents if folder.name == PACKAGE)
    is_checkout = packages.name == SOURCE_FOLDER and (packages.parent / PROJECT_FILE).exists()
    return packages.parent if is_checkout else packages


def defaults_diff(source: Path, defaults: Mapping[str, int]) -> str:
    """A unified diff that replaces the defaults of the tunables named, and nothing else; empty if
    none of them changes. DefaultsError for a name that the file does not declare."""
    before = source.read_bytes()
    places = dict(_default_places(before))
    missing = sorted(defaults.keys() - places.keys())
    if missing:
        raise DefaultsError(f"{source} declares no tunable {', '.join(missing)}")
    after = before
    for name in sorted(defaults, key=lambda name: -places[name][0]):
        start, end = places[name]
        after = after[:start] + str(defaults[name]).encode() + after[end:]
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


def _default_places(source: bytes) -> Iterator[tuple[str, tuple[int, int]]]:
    """Of each row of the table: its name, and where its default begins and ends in the bytes."""
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
        yield (
            str(name.value),
            (
                line_starts[default.lineno - 1] + default.col_offset,
                line_starts[default.end_lineno - 1] + default.end_col_offset,
            ),
        )
