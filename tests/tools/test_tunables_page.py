# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of the tunables is the one that their table makes."""

from kingcobra.core.search.tunables import TUNABLES
from kingcobra.tools.tunables_page import page
from tests.paths import REPOSITORY


def test_the_page_is_current():
    text = (REPOSITORY / "docs" / "8-tunables.md").read_text("utf-8")
    assert text == page(), "python -m kingcobra.tools.tunables_page > docs/8-tunables.md"
    assert all(f"| `{tunable.name}` |" in text for tunable in TUNABLES)
