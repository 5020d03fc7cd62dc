# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation keeps its word: code in it runs, links in it lead somewhere, and what it says
of commands, options and environment variables is what the engine has."""

import doctest
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kingcobra.core.rules.layout import MAX_PERFT_DEPTH
from kingcobra.kernel.host import CACHE_VARIABLE
from kingcobra.kernel.levels import LEVEL_VARIABLE, LEVELS
from kingcobra.kernel.mode import EMIT, MODE_VARIABLE, MODES
from kingcobra.uci.commands.table import COMMANDS
from kingcobra.uci.options import BUTTON, OPTIONS, Option
from kingcobra.version import ABOUT

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
PICTURE = ROOT / "docs" / "images" / "kingcobra.svg"
PICTURED_SOURCE = ROOT / "src" / "kingcobra" / "core" / "rules" / "perft.py"
EMPTY_VALUE = "<empty>"
OPTIONS_PAGE = ROOT / "docs" / "7-options.md"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md")])

PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
MAKE_TARGET = re.compile(r"\bmake ([a-z][a-z-]*)")
PROMPT = ">>>"


def name_of(page: Path) -> str:
    """The page's path as a reader knows it."""
    return page.relative_to(ROOT).as_posix()


def examples_in(page: Path) -> str:
    """All lines of the page's Python blocks, each block ended by a blank line."""
    return "\n".join(PYTHON_BLOCK.findall(page.read_text("utf-8")))


def pages_with_examples() -> list[Path]:
    """Pages that show a Python prompt."""
    return [page for page in PAGES if PROMPT in page.read_text("utf-8")]


def test_the_readme_shows_python() -> None:
    assert README in pages_with_examples()


@pytest.mark.parametrize("page", pages_with_examples(), ids=name_of)
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # what they write is nobody's
    test = doctest.DocTestParser().get_doctest(examples_in(page), {}, name_of(page), str(page), 0)
    results = doctest.DocTestRunner().run(test)
    assert results.attempted > 0
    assert results.failed == 0


def test_the_picture_shows_the_source_as_it_stands() -> None:
    """Line by line and in order, docstrings apart."""
    texts = ElementTree.parse(PICTURE).iter("{http://www.w3.org/2000/svg}text")
    code = ["".join(text.itertext()) for text in texts if text.get("class") == "code"]
    shown = code[: next(at for at, line in enumerate(code) if line.startswith("$"))]
    lines = iter(PICTURED_SOURCE.read_text("utf-8").splitlines())
    assert shown[0] == "@compiled"
    assert [line for line in shown if line not in (source.strip() for source in lines)] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_to_files(page: Path) -> None:
    targets = LINK.findall(page.read_text("utf-8"))
    local = [target for target in targets if not target.startswith(("http:", "https:"))]
    missing = [target for target in local if not (page.parent / target).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_make_has_every_target_that_is_named(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    known = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    code = re.findall(
        r"`[^`\n]*`|^```\n.*?^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    named = {target for text in code for target in MAKE_TARGET.findall(text)}
    assert named <= known


def test_readme_has_the_environment_as_it_is() -> None:
    text = README.read_text("utf-8")
    words = [CACHE_VARIABLE, LEVEL_VARIABLE, MODE_VARIABLE]
    words += [level.name for level in LEVELS]
    words += [mode for mode in MODES if mode != EMIT]
    assert [word for word in words if f"`{word}`" not in text] == []


def default_on_the_page(option: Option) -> str:
    """As `uci` shows it; only the sentence about the engine would be too long."""
    if option.default == ABOUT:
        return "Kingcobra …"
    if option.kind == BUTTON:
        return "–"
    shown = (
        option.declaration().partition(" default")[2].split(" min ")[0].split(" var ")[0].strip()
    )
    # A bare <empty> would be taken for a mark of the page's language.
    return f"`{shown}`" if shown == EMPTY_VALUE else shown


def test_options_page_has_every_option_with_its_range() -> None:
    text = OPTIONS_PAGE.read_text("utf-8")
    rows = [
        f"| `{option.name}` | {option.kind} | {default_on_the_page(option)} |" for option in OPTIONS
    ]
    assert [row for row in rows if row not in text] == []
    ends = [f"{end:,}" for option in OPTIONS if option.high for end in (option.low, option.high)]
    assert [end for end in ends if end not in text] == []


def test_options_page_has_every_command() -> None:
    text = OPTIONS_PAGE.read_text("utf-8")
    assert [name for name in COMMANDS if f"| `{name}" not in text] == []
    assert f"to {MAX_PERFT_DEPTH}: a line for each root move" in text
