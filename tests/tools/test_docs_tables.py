# SPDX-License-Identifier: GPL-3.0-or-later
"""The module tables of the documentation are those that the folders make."""

from pathlib import Path

import pytest

from kingcobra.tools.docs_tables import (
    DocsError,
    first_sentence,
    folders,
    main,
    modules,
    named_folders,
    rest_tables,
    updated,
)
from tests.paths import REPOSITORY

PAGES = sorted([REPOSITORY / "README.md", *REPOSITORY.glob("docs/*.md")])
NAMED = [folder for page in PAGES for folder in named_folders(page.read_text("utf-8"))]
REMEDY = "make docs"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with one module and one sub-package, which has a module of its own."""
    files = {
        "__init__.py": '"""The top."""',
        "small.py": '"""Small | and\nuseful. More of it."""',
        "inner/__init__.py": '"""The inner one."""',
        "inner/deep.py": '"""Deep"""',
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_page_is_current(page: Path) -> None:
    text = page.read_text("utf-8")
    assert text == updated(text, NAMED), REMEDY


def test_every_folder_with_modules_is_listed_once() -> None:
    text = "".join(page.read_text("utf-8") for page in PAGES)
    headings = [f"| in `{folder}/` |" for folder in folders() if modules(folder) and folder != "."]
    assert [heading for heading in headings if text.count(heading) != 1] == [], REMEDY


def test_tables_follow_from_folders(package: Path) -> None:
    page = "a\n<!-- modules . -->\nold\n<!-- end of modules -->\nb\n"
    assert updated(page, [], package) == (
        "a\n<!-- modules . -->\n\n| in `src/kingcobra/` | what it is for |\n|---|---|\n"
        "| `small.py` | Small \\| and useful |\n\n<!-- end of modules -->\nb\n"
    )
    packages = updated("<!-- packages -->\n<!-- end of packages -->", [], package)
    assert "| `inner/` | The inner one |" in packages
    assert updated(packages, [], package) == packages
    (package / "inner" / "other.py").write_text('"""Another."""')
    page = "<!-- modules inner -->\n<!-- end of modules -->"
    assert "| `deep.py` | Deep |\n| `other.py` | Another |" in updated(page, [], package)


def test_the_rest_is_what_no_marker_names(package: Path) -> None:
    assert rest_tables(["."], package) == (
        "| in `inner/` | what it is for |\n|---|---|\n| `deep.py` | Deep |"
    )
    page = (
        "<!-- modules . -->\n<!-- end of modules -->\n<!-- modules * -->\n<!-- end of modules -->"
    )
    assert named_folders(page) == ["."]
    assert updated(page, ["."], package).count("| in `inner/` |") == 1


@pytest.mark.parametrize(
    "page",
    [
        "<!-- modules inner -->\n",
        "<!-- modules inner -->\n<!-- modules . -->\n<!-- end of modules -->\n",
        "<!-- modules nowhere -->\n<!-- end of modules -->\n",
        "<!-- modules -->\n<!-- end of modules -->\n",
    ],
    ids=["no end", "one end for two", "no such folder", "no folder"],
)
def test_a_wrong_marker_is_an_error(page: str, package: Path) -> None:
    with pytest.raises(DocsError):
        updated(page, [], package)


def test_a_module_without_a_docstring_is_an_error(package: Path) -> None:
    (package / "silent.py").write_text("X = 1\n")
    with pytest.raises(DocsError, match=r"silent\.py: no docstring"):
        first_sentence(package / "silent.py")


def test_main_writes_pages_and_names_a_bad_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.md", tmp_path / "bad.md"
    good.write_text("<!-- packages -->\n<!-- end of packages -->\n")
    bad.write_text("<!-- packages -->\n")
    assert main([str(good)]) == 0
    assert "| `core/` |" in good.read_text("utf-8")
    assert main([str(bad)]) == 2
    assert "no end marker" in capsys.readouterr().err
    assert main([]) == 2
