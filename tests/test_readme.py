# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation keeps its word: code in it runs, links in it lead somewhere, and what it says
of commands, options and environment variables is what the engine has."""

import doctest
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kingcobra.core.rules.layout import MAX_PERFT_DEPTH
from kingcobra.engine.options import BUTTON, Option
from kingcobra.kernel.host import CACHE_VARIABLE
from kingcobra.kernel.levels import LEVEL_VARIABLE, LEVELS
from kingcobra.kernel.mode import EMIT, MODE_VARIABLE, MODES
from kingcobra.uci.commands.table import COMMANDS
from kingcobra.uci.options import OPTIONS
from kingcobra.version import ABOUT

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
PICTURE = ROOT / "docs" / "images" / "kingcobra.svg"
PICTURED_SOURCE = ROOT / "src" / "kingcobra" / "core" / "rules" / "perft.py"
EMPTY_VALUE = "<empty>"
OPTIONS_PAGE = ROOT / "docs" / "7-options.md"
FOLDERS = ("", "docs/", "benchmarks/", "tests/", "tests/data/")
PAGES = sorted(page for folder in FOLDERS for page in ROOT.glob(f"{folder}*.md"))

PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
# What a heading's text loses in its anchor, as GitHub makes it.
NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"`([^`\n]+)`")
# A path as pages write it: folders, then a file or another folder.
SOURCE_PATH = re.compile(r"(?:[\w.-]+/)+(?:[\w-]+\.(?:py|md|toml|tsv|ya?ml|svg|png))?")
MODULE_PATH = re.compile(r"(?:[a-z_]+/)+[a-z_]+")
PACKAGE_ROOT = ROOT / "src" / "kingcobra"
ROOMS = {path.name for path in PACKAGE_ROOT.iterdir() if path.is_dir()}
# Old entries of the ledger name files as they were called then.
LEDGER = ROOT / "docs" / "measurements.md"
# Places on a user's machine or in the data folder.
NOT_OURS = ("~", "$", "%", "http:", "https:", "objects/", "nnue/")
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


def anchors_of(page: Path) -> set[str]:
    """The anchors of a page's headings; a heading that occurs again gets a number."""
    anchors: list[str] = []
    for heading in HEADING.findall(FENCED.sub("", page.read_text("utf-8"))):
        anchor = NOT_IN_ANCHORS.sub("", heading.lower()).replace(" ", "-")
        again = anchors.count(anchor)
        anchors += [anchor, f"{anchor}-{again}"] if again else [anchor]
    return set(anchors)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_to_files_and_headings(page: Path) -> None:
    broken = []
    for target, anchor in LINK.findall(FENCED.sub("", page.read_text("utf-8"))):
        if target.startswith(("http:", "https:")):
            continue
        path = (page.parent / target) if target else page
        if not path.exists() or (anchor and anchor not in anchors_of(path)):
            broken.append(f"{target}#{anchor}" if anchor else target)
    assert broken == []


def is_there(path: str, page: Path) -> bool:
    """Whether a page that names this path names something: from the repository's root, from the
    package's, or from its own folder; a module's name may lack its ending."""
    places = [root / path for root in (ROOT, PACKAGE_ROOT, page.parent)]
    return any(place.exists() or place.with_suffix(".py").exists() for place in places)


@pytest.mark.parametrize("page", [page for page in PAGES if page != LEDGER], ids=name_of)
def test_source_paths_exist(page: Path) -> None:
    missing = []
    for span in CODE_SPAN.findall(FENCED.sub("", page.read_text("utf-8"))):
        is_module = MODULE_PATH.fullmatch(span) and span.split("/")[0] in ROOMS
        if not (SOURCE_PATH.fullmatch(span) or is_module) or span.startswith(NOT_OURS):
            continue
        if not is_there(span, page):
            missing.append(span)
    assert missing == []


def test_a_wrong_path_and_a_wrong_anchor_are_noticed() -> None:
    page = ROOT / "docs" / "1-architecture.md"
    assert not is_there("core/search/no_such_module.py", page)
    assert is_there("core/search/node", page)
    assert "the-object-cache" in anchors_of(page)
    assert "no-such-heading" not in anchors_of(page)


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


def test_search_page_has_the_steps_of_a_node() -> None:
    node = (PACKAGE_ROOT / "core" / "search" / "node.py").read_text("utf-8")
    page = (ROOT / "docs" / "3-search.md").read_text("utf-8")
    in_code = re.findall(r"^ +# Step (\d+b?)\. ", node, re.MULTILINE)
    on_page = re.findall(r"^\| (\d+b?) \| ", page, re.MULTILINE)
    assert in_code
    assert on_page == in_code
