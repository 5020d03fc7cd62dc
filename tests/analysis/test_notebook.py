# SPDX-License-Identifier: GPL-3.0-or-later
"""The example notebook runs, and what ends its cells shows itself."""

import ast
import json

import pytest

import kingcobra
from tests.paths import REPOSITORY

NOTEBOOK = REPOSITORY / "docs" / "notebook.ipynb"


def code_cells():
    notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    assert notebook["nbformat"] == 4
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    # What a run leaves behind would only grow the file.
    assert all(cell["outputs"] == [] for cell in cells)
    return ["".join(cell["source"]) for cell in cells]


def value_of(source, names):
    """Runs a cell as a notebook does; its last expression, None if it ends otherwise."""
    *statements, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        exec(source, names)
        return None
    exec(compile(ast.Module(statements, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


@pytest.mark.usefixtures("core")
def test_the_notebook_runs(capsys):
    names = {}
    shown = [value_of(source, names) for source in code_cells()]
    boards = [value for value in shown if isinstance(value, kingcobra.Board)]
    assert boards[0]._repr_svg_().startswith("<svg")
    assert any(isinstance(value, list) and hasattr(value, "_repr_html_") for value in shown)
    games = [value for value in shown if isinstance(value, kingcobra.AnnotatedGame)]
    assert len(games) == 1
    html = games[0]._repr_html_()
    assert html.startswith("<div")
    assert "<iframe sandbox" in html
    assert "<img " in html
    assert "[%eval" in capsys.readouterr().out
