# SPDX-License-Identifier: GPL-3.0-or-later
"""The module tables of the documentation, made from the folders and their docstrings.

python -m kingcobra.tools.docs_tables README.md docs/*.md

A page marks the place of a table by two comments. The first names what is listed: `packages` for
the tree of packages, `modules FOLDER` for the modules of one folder under src/kingcobra, and
`modules *` for all folders that no other marker names.

    <!-- modules core/search -->
    <!-- end of modules -->
"""

import ast
import re
import sys
from collections.abc import Collection
from pathlib import Path

PACKAGE_ROOT = Path(__file__).resolve().parent.parent
PACKAGE_MODULE = "__init__.py"
# The folder of the package itself, as a marker names it.
TOP_FOLDER = "."
# All folders that no marker names.
REST = "*"
USAGE_ERROR = 2

_MARKED = re.compile(
    r"^<!-- (?P<kind>packages|modules)(?: (?P<folder>\S+))? -->\n"
    r"(?P<table>(?:(?!<!--).*\n)*?)"
    r"^<!-- end of (?P=kind) -->$",
    re.MULTILINE,
)
_OPENING = re.compile(r"^<!-- (?:packages|modules)\b.*-->$", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=\.)\s")


class DocsError(ValueError):
    """A marker that cannot be obeyed, or a module without a docstring."""


def first_sentence(path: Path) -> str:
    """The first sentence of a module's docstring, on one line and safe inside a table cell."""
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8")))
    if not docstring:
        raise DocsError(f"{path}: no docstring")
    paragraph = " ".join(docstring.split("\n\n")[0].split())
    return _SENTENCE_END.split(paragraph, maxsplit=1)[0].removesuffix(".").replace("|", r"\|")


def folders(root: Path = PACKAGE_ROOT) -> list[str]:
    """Every package under the root, as a marker names it; parents before children."""
    found = [path.parent.relative_to(root) for path in root.rglob(PACKAGE_MODULE)]
    return sorted(path.as_posix() for path in found)


def modules(folder: str, root: Path = PACKAGE_ROOT) -> list[Path]:
    """The modules in one folder, without those of its sub-folders."""
    if folder not in folders(root):
        raise DocsError(f"no package {folder!r} under {root.name}")
    return sorted(path for path in (root / folder).glob("*.py") if path.name != PACKAGE_MODULE)


def packages_table(root: Path = PACKAGE_ROOT) -> str:
    """All packages with what each is for."""
    rows = [
        f"| `{folder}/` | {first_sentence(root / folder / PACKAGE_MODULE)} |"
        for folder in folders(root)
        if folder != TOP_FOLDER
    ]
    return "\n".join(["| package | what it is for |", "|---|---|", *rows])


def modules_table(folder: str, root: Path = PACKAGE_ROOT) -> str:
    """The modules of one folder with what each is for."""
    rows = [f"| `{path.name}` | {first_sentence(path)} |" for path in modules(folder, root)]
    place = "src/kingcobra" if folder == TOP_FOLDER else folder
    return "\n".join([f"| in `{place}/` | what it is for |", "|---|---|", *rows])


def rest_tables(named: Collection[str], root: Path = PACKAGE_ROOT) -> str:
    """A table for each folder with modules that no marker names."""
    rest = [folder for folder in folders(root) if folder not in named and modules(folder, root)]
    return "\n\n".join(modules_table(folder, root) for folder in rest)


def named_folders(text: str) -> list[str]:
    """The folders that a page's markers name."""
    found = [match["folder"] for match in _MARKED.finditer(text) if match["kind"] == "modules"]
    return [folder for folder in found if folder != REST]


def updated(text: str, named: Collection[str], root: Path = PACKAGE_ROOT) -> str:
    """The page with all its tables made anew; `named` are the folders that markers name on any
    page. DocsError for a marker without its end."""

    def table(match: re.Match[str]) -> str:
        kind, folder = match["kind"], match["folder"]
        if kind == "packages":
            body = packages_table(root)
        elif folder == REST:
            body = rest_tables(named, root)
        else:
            body = modules_table(folder or "", root)
        opening = match[0].partition("\n")[0]
        return f"{opening}\n\n{body}\n\n<!-- end of {kind} -->"

    complete = {match[0].partition("\n")[0] for match in _MARKED.finditer(text)}
    alone = [opening for opening in _OPENING.findall(text) if opening not in complete]
    if alone:
        raise DocsError(f"{alone[0]}: no end marker behind it")
    return _MARKED.sub(table, text)


def main(arguments: list[str]) -> int:
    """Writes the given pages, which must be all, anew where their tables have changed; returns the
    exit code."""
    if not arguments:
        print("usage: python -m kingcobra.tools.docs_tables PAGE ...", file=sys.stderr)
        return USAGE_ERROR
    pages = {Path(name): Path(name).read_text("utf-8") for name in arguments}
    named = [folder for text in pages.values() for folder in named_folders(text)]
    for page, before in pages.items():
        try:
            after = updated(before, named)
        except DocsError as error:
            print(f"{page}: {error}", file=sys.stderr)
            return USAGE_ERROR
        if after != before:
            page.write_text(after, "utf-8")
            print(f"{page}: updated")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
