# SPDX-License-Identifier: GPL-3.0-or-later
"""What the four tools say about themselves."""

import shlex

import pytest

from kingcobra.arena.commands import match as match_tool
from kingcobra.arena.commands import sprt as sprt_tool
from kingcobra.arena.commands import suite as suite_tool
from kingcobra.arena.commands import tune as tune_tool
from kingcobra.arena.engines.engine_spec import ENGINE_WORDS
from tests.paths import REPOSITORY

TOOLS = {"match": match_tool, "sprt": sprt_tool, "suite": suite_tool, "tune": tune_tool}
EXAMPLE = "\nexample:\n"


@pytest.fixture(params=TOOLS)
def shown(request, capsys, monkeypatch):
    """The tool's name, its module and its help on a usual terminal."""
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit) as left:
        TOOLS[request.param].main(["--help"])
    assert left.value.code == 0
    return request.param, TOOLS[request.param], capsys.readouterr().out


def test_help_begins_with_what_must_be_given_and_ends_with_an_example(shown):
    name, _, text = shown
    assert text.startswith(f"usage: kingcobra {name} ")
    assert max(map(len, text.splitlines())) <= 100
    assert text.rindex(EXAMPLE) > text.rindex("\n  --")


def test_help_and_page_tell_how_an_engine_is_written(shown):
    _, _, text = shown
    page = REPOSITORY / "docs" / "6-measuring-strength.md"
    for shown_text in (text, page.read_text(encoding="utf-8")):
        assert "".join("".join(ENGINE_WORDS).split()) in "".join(shown_text.split())


def test_every_option_is_explained(shown):
    _, tool, _ = shown
    for action in tool._parser()._actions:
        assert action.help, action.option_strings


def test_the_examples_can_be_read_by_the_tool(shown):
    name, tool, text = shown
    examples = text.partition(EXAMPLE)[2].partition("\n\n")[0].split(f"kingcobra {name} ")[1:]
    assert examples
    for example in examples:
        options = tool._parser().parse_intermixed_args(shlex.split(example))
        assert any(vars(options).values())
