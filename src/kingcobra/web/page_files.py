# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of the page, read once: nothing else is ever served."""

import re
from pathlib import Path
from typing import NamedTuple

import chess.svg

FOLDER = Path(__file__).with_name("page")
INDEX = "index.html"
MEDIA_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
PIECES_MARK = "<!-- pieces -->"
_STYLE = re.compile(r' style="([^"]*)"')


class PageFile(NamedTuple):
    """What is sent for a path."""

    content: bytes
    media_type: str


def page_files() -> dict[str, PageFile]:
    """All files by their paths."""
    files = {}
    for path in sorted(FOLDER.iterdir()):
        media_type = MEDIA_TYPES.get(path.suffix)
        if media_type is None:
            continue
        text = path.read_text("utf-8").replace(PIECES_MARK, pieces_svg())
        name = "/" if path.name == INDEX else f"/{path.name}"
        files[name] = PageFile(text.encode(), media_type)
    return files


def pieces_svg() -> str:
    """python-chess's pieces as symbols such as `white-king`, without style attributes, which the
    page's policy forbids."""
    return "".join(_STYLE.sub(_attributes, piece) for piece in chess.svg.PIECES.values())


def _attributes(style: "re.Match[str]") -> str:
    """`style="fill:#000; stroke:#fff"` as attributes of their own."""
    pairs = [entry.split(":") for entry in style[1].split(";") if entry.strip()]
    return "".join(f' {name.strip()}="{value.strip()}"' for name, value in pairs)
