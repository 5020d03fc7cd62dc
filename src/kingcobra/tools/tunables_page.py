# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation page of the tunables, made from their table.

python -m kingcobra.tools.tunables_page > docs/8-tunables.md
"""

import sys

from kingcobra.core.search.tunables import TUNABLES

HEAD = """\
# 8 · Tunables

*For anyone who tunes the search.* `python -m kingcobra.tools.tunables_page` makes this page from
`core/search/tunables.py`; do not edit it by hand.

Each tunable is a number of the search. `uci` does not list them, but
`setoption name <name> value <number>` sets one for all threads, from the next search on. *Step* is
a change that makes a noticeable difference. `kingcobra tune` finds values by games.

| name | default | range | step | meaning |
|---|---|---|---|---|
"""


def page() -> str:
    """The whole page."""
    rows = [
        f"| `{tunable.name}` | {tunable.default} | {tunable.low} to {tunable.high}"
        f" | {tunable.step} | {tunable.meaning} |\n"
        for tunable in TUNABLES
    ]
    return HEAD + "".join(rows)


if __name__ == "__main__":
    sys.stdout.write(page())
