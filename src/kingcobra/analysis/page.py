# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages that carry everything they need and load nothing. Their own script and styles are allowed
by their digests; whatever else a file smuggled in would not run."""

import hashlib
import json
from base64 import b64encode
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from kingcobra.analysis.outputs import encodable

_FOLDER = Path(__file__).parent
# What could end a script element, or a line of a script, as JSON writes it otherwise.
_IN_SCRIPTS = str.maketrans(
    {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
)


@cache
def styles() -> str:
    """The style sheet of all pages."""
    return (_FOLDER / "report.css").read_text("utf-8")


@cache
def script() -> str:
    """The script of all pages."""
    return (_FOLDER / "report.js").read_text("utf-8")


def policy() -> str:
    """What a browser may do with a page: run its script, use its styles and nothing else."""
    return (
        f"default-src 'none'; script-src '{_digest(script())}'; style-src '{_digest(styles())}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def page_head(title: str) -> str:
    """A page up to its body."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy())}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{text_html(title)}</title>\n<style>{styles()}</style></head>\n<body>\n"
    )


def page_foot() -> str:
    """The end of a page, with its script."""
    return f"<script>{script()}</script>\n</body></html>\n"


def text_html(text: str) -> str:
    """Untrusted text, inside elements or attributes."""
    return escape(encodable(text).replace("\0", "\ufffd"))


def data_script(value: Any) -> str:
    """Values for the script; no text inside can end the element."""
    text = encodable(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    return f'<script type="application/json" class="data">{text.translate(_IN_SCRIPTS)}</script>'
