# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra book grow`: a book made by searching."""

import argparse
import os
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kingcobra.exit_codes import EXIT_INTERRUPTED, EXIT_OK
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.tools.messages import print_message

if TYPE_CHECKING:
    from kingcobra.books.growing import GrowingTree
    from kingcobra.books.growth_file import GrowthFile
    from kingcobra.books.searching import Searchers, SearchSettings

DEFAULT_POSITIONS = 2000
DEFAULT_NODES = 100_000
DEFAULT_LINES = 4
# Positions that each searcher is given before the tree is looked at again.
POSITIONS_PER_ROUND = 4
REPORT_S = 10.0

_say = partial(print_message, "book")


def add_grow_options(parser: argparse.ArgumentParser) -> None:
    """What `book grow` can be told."""
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="BOOK.bin")
    parser.add_argument(
        "--state", type=Path, metavar="FILE", help="resumed from; default: BOOK.bin.growth"
    )
    parser.add_argument("--positions", type=int, default=DEFAULT_POSITIONS, metavar="N")
    parser.add_argument("--nodes", type=int, default=DEFAULT_NODES, metavar="N")
    parser.add_argument("--lines", type=int, default=DEFAULT_LINES, metavar="N")
    parser.add_argument(
        "--network",
        default=DEFAULT_NETWORK,
        metavar="FILE.nnue",
        help="that evaluates; '' for the classical evaluation",
    )
    parser.add_argument(
        "--from", dest="start", default="", metavar="FEN|GAMES.pgn", help="where lines begin"
    )
    parser.add_argument("--max-ply", type=int, metavar="N")
    parser.add_argument("--margin", type=int, metavar="CP", help="moves so much worse are left out")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--cluster", metavar="ADDRESS", help="a Ray cluster, or auto")


def grow_book(options: argparse.Namespace) -> int:
    """Grows a book by searching, line by line as far as lines are good; Ctrl-C may end it, and the
    same command goes on."""
    from kingcobra.books.growing import GrowingTree, GrowthRules
    from kingcobra.books.growth_file import GrowthFile
    from kingcobra.books.searching import SearchSettings
    from kingcobra.books.starts import start_positions
    from kingcobra.books.writing import write_book

    settings = SearchSettings(options.nodes, options.lines, options.network)
    given = {"max_ply": options.max_ply, "margin_cp": options.margin}
    rules = GrowthRules(**{name: value for name, value in given.items() if value is not None})
    roots = start_positions(options.start)
    state = options.state or options.output.with_name(f"{options.output.name}.growth")
    file = GrowthFile(state, {**settings._asdict(), "roots": roots})
    tree = GrowingTree(rules, roots)
    for expansion in file.expansions:
        tree.add(expansion)
    tree.back_up()
    if len(tree):
        _say(f"{state}: {len(tree)} positions are there already")
    try:
        if len(tree) < options.positions:
            with _searchers(settings, options) as searchers:
                _grow(tree, file, searchers, options.positions)
        code = EXIT_OK
    except KeyboardInterrupt:
        _say("interrupted; the same command goes on")
        code = EXIT_INTERRUPTED
    finally:
        file.close()
    tree.back_up()
    count = write_book(options.output, tree.entries())
    _say(f"{options.output}: {count} entries for {len(tree)} positions")
    return code


def _searchers(settings: "SearchSettings", options: argparse.Namespace) -> "Searchers":
    from kingcobra.books.searching import Searchers

    return Searchers(settings, options.workers, options.cluster)


def _grow(tree: "GrowingTree", file: "GrowthFile", searchers: "Searchers", wanted: int) -> None:
    """Searches until the tree has so many positions, or nothing is left to search."""
    started, begun_with = time.monotonic(), len(tree)
    told = started
    while len(tree) < wanted:
        batch = tree.next_positions(min(searchers.size * POSITIONS_PER_ROUND, wanted - len(tree)))
        if not batch:
            _say("nothing is left to search")
            return
        for expansion in searchers.expand(batch):
            tree.add(expansion)
            file.append(expansion)
        tree.back_up()
        now = time.monotonic()
        if now - told >= REPORT_S:
            told = now
            rate = (len(tree) - begun_with) / (now - started)
            _say(f"{len(tree)} of {wanted} positions, {rate:.1f} a second")
