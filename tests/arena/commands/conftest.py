# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of commands that hand over to `kingcobra match` share."""

import shutil

import pytest

from kingcobra.arena.commands import match as match_tool


@pytest.fixture
def match_calls(monkeypatch):
    """Every program is installed but one; what `kingcobra match` is given is kept in a list."""

    def begin(missing):
        calls = []
        monkeypatch.setattr(match_tool, "main", lambda arguments: calls.append(arguments) or 0)
        monkeypatch.setattr(
            shutil, "which", lambda name, **_: None if name == missing else f"/g/{name}"
        )
        return calls

    return begin
