# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation page of the tunables, made from their table.

python -m kingcobra.tools.tunables_page > docs/8-tunables.md
"""

import sys

from kingcobra.core.search.tunables import TUNABLES

HEAD = """\
# 8 · Tunables

*For whoever tunes the search.* Made from `core/search/tunables.py` by
`python -m kingcobra.tools.tunables_page`; not for editing by hand.

Each is a number of the search. `uci` does not list them, but
`setoption name <name> value <number>` sets them, for all threads, from the next search on. *Step*
is a change that makes a noticeable difference. `kingcobra tune` lets games choose their values.

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
