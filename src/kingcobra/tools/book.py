# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra book`: Polyglot books made, merged, grown and looked into."""

import argparse
import json
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from kingcobra.board.fen import START_FEN, FenError
from kingcobra.books.writing import write_book
from kingcobra.engine.opening_book import BookError, BookFile, open_book
from kingcobra.engine.own_book import DEFAULT_BOOK
from kingcobra.exit_codes import EXIT_OK
from kingcobra.tools.book_growth import add_grow_options, grow_book
from kingcobra.tools.messages import print_message, run_action
from kingcobra.tools.subcommands import Subcommands

PERCENT = 100.0
# Games between two lines of progress.
REPORTED_GAMES = 1000
# Faulty games that are named one by one.
NAMED_FAULTS = 10

_say = partial(print_message, "book")


def main(arguments: list[str]) -> int:
    """Does what the arguments ask for; what is in the way is said in one line."""
    options = _parser().parse_args(arguments)
    return run_action("book", options, (BookError, FenError))


def _parser() -> argparse.ArgumentParser:
    from kingcobra.books.making import DEFAULT_MAX_PLY, DEFAULT_MIN_GAMES
    from kingcobra.books.merging import Priority

    parser = argparse.ArgumentParser(prog="kingcobra book", description=__doc__)
    commands = Subcommands(parser)

    make = commands.add("make", _make)
    make.add_argument("games", nargs="+", type=Path, metavar="GAMES.pgn")
    make.add_argument("-o", "--output", type=Path, required=True, metavar="BOOK.bin")
    make.add_argument("--max-ply", type=int, default=DEFAULT_MAX_PLY, metavar="N")
    make.add_argument("--min-game", type=int, default=DEFAULT_MIN_GAMES, metavar="N")
    make.add_argument(
        "--min-score", type=float, default=0.0, metavar="PERCENT", help="least share of points"
    )
    side = make.add_mutually_exclusive_group()
    side.add_argument("--only-white", action="store_true", help="moves for White only")
    side.add_argument("--only-black", action="store_true", help="moves for Black only")
    make.add_argument("--uniform", action="store_true", help="give all moves the same weight")

    merge = commands.add("merge", _merge)
    merge.add_argument("books", nargs="+", type=Path, metavar="BOOK.bin")
    merge.add_argument("-o", "--output", type=Path, required=True, metavar="MERGED.bin")
    merge.add_argument(
        "--priority",
        choices=[priority.value for priority in Priority],
        default=Priority.FIRST.value,
        help="a position in several books: the first book's moves, or all with added weights",
    )

    add_grow_options(commands.add("grow", grow_book))

    info = commands.add("info", _info)
    info.add_argument("book", nargs="?", default=DEFAULT_BOOK, metavar="BOOK.bin")
    info.add_argument("--json", action="store_true")

    show = commands.add("show", _show)
    show.add_argument("book", nargs="?", default=DEFAULT_BOOK, metavar="BOOK.bin")
    show.add_argument("fen", nargs="?", default=START_FEN, metavar="FEN")
    show.add_argument("--chess960", action="store_true")
    show.add_argument("--json", action="store_true")
    return parser


# --- commands ---------------------------------------------------------------------------------


def _make(options: argparse.Namespace) -> int:
    """Makes a book from games, as Polyglot's make-book does."""
    from kingcobra.books.games import PlayedMove, Tally, read_games
    from kingcobra.books.making import BookRules, book_from_moves

    faults = 0

    def fault(text: str) -> None:
        nonlocal faults
        faults += 1
        if faults <= NAMED_FAULTS:
            _say(text)
        elif faults == NAMED_FAULTS + 1:
            _say("further faulty games are only counted")

    def moves() -> Iterable[PlayedMove]:
        for path in options.games:
            size = max(path.stat().st_size, 1)

            def report(tally: Tally, path: Path = path, size: int = size) -> None:
                if tally.games % REPORTED_GAMES == 0:
                    share = tally.bytes_read / size
                    _say(f"{path}: {tally.games} games, {share:.0%}, {tally.faulty_games} faulty")

            yield from read_games(path, options.max_ply, report, fault)

    rules = BookRules(
        min_games=options.min_game,
        min_score=options.min_score / PERCENT,
        for_white=not options.only_black,
        for_black=not options.only_white,
        uniform=options.uniform,
    )
    count = write_book(options.output, book_from_moves(moves(), rules))
    _say(f"{options.output}: {count} entries" + (f", {faults} faulty games" if faults else ""))
    return EXIT_OK


def _merge(options: argparse.Namespace) -> int:
    """Makes one book from several, or sorts one."""
    from kingcobra.books.merging import Priority, merged

    books = [BookFile(path) for path in options.books]
    count = write_book(options.output, merged(books, Priority(options.priority)))
    _say(f"{options.output}: {count} entries")
    return EXIT_OK


def _info(options: argparse.Namespace) -> int:
    """Tells how large a book is and how deep it goes."""
    from kingcobra.books.contents import summary

    found = summary(open_book(options.book))
    if options.json:
        print(json.dumps(found._asdict() | {"walk": found.walk._asdict()}))
        return EXIT_OK
    more = "" if found.walk.is_complete else " or more"
    print(f"entries            {found.entries}")
    print(f"positions          {found.positions}")
    print(f"most moves         {found.most_moves}")
    print(f"heaviest weight    {found.heaviest}")
    print(f"with learn values  {found.learned}")
    print(f"from the start     {found.walk.reached}{more} positions")
    print(f"deepest            ply {found.walk.deepest_ply}{more}")
    return EXIT_OK


def _show(options: argparse.Namespace) -> int:
    """Shows the moves that a book has for a position."""
    from kingcobra.api.board import Board
    from kingcobra.books.contents import shown_moves

    moves = shown_moves(open_book(options.book), Board(options.fen, chess960=options.chess960))
    if options.json:
        print(json.dumps([move._asdict() for move in moves]))
        return EXIT_OK
    if not moves:
        print("no moves for this position")
    for move in moves:
        print(f"{move.san:8} {move.uci:6} {move.weight:6} {move.share:7.1%}")
    return EXIT_OK
