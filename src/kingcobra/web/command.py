# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra web`: a board in the browser, on this machine."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kingcobra.engine.own_book import DEFAULT_BOOK
from kingcobra.errors import line_of, not_installed
from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK, EXIT_USAGE
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.web.errors import WebError

if TYPE_CHECKING:
    from kingcobra.web.game_list import GameList

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8064
MOST_PORT = 65535
DEFAULT_HASH_MB, MOST_HASH_MB = 64, 16384

WARNING = (
    "the server answers the whole network at {host}, without encryption: whoever sees the link or"
    " the traffic can use this engine and change the game"
)
REFUSAL = (
    "--host {host} lets other machines reach the server, without encryption; --i-know says that"
    " this is what you want"
)


def main(arguments: list[str]) -> int:
    """Serves until Ctrl-C; returns the exit code. What is in the way is said in one line."""
    options = _parser().parse_args(arguments)
    try:
        from kingcobra.web.access import is_loopback
        from kingcobra.web.serving import listening_socket
    except ImportError as error:
        return _fail(not_installed(str(error.name), "web"), EXIT_FAILED)
    if not is_loopback(options.host):
        if not options.i_know:
            return _fail(REFUSAL.format(host=options.host), EXIT_USAGE)
        _say(WARNING.format(host=options.host))
    try:
        games = _games_in(options.game)
        listener = listening_socket(options.host, options.port)
    except WebError as error:
        return _fail(str(error), EXIT_FAILED)
    with listener:
        return _serve(options, games, listener)


def _serve(options: argparse.Namespace, games: "GameList | None", listener: object) -> int:
    from kingcobra.web.engine_desk import EngineDesk, EngineOptions
    from kingcobra.web.room import Room
    from kingcobra.web.serving import serve

    engine = EngineOptions(
        options.threads, options.hash, options.network, options.syzygy, options.book
    )
    desk = EngineDesk(engine)
    serve(Room(desk, games), options.host, listener, options.open)  # type: ignore[arg-type]
    if desk.is_loading:
        # The compiler cannot be interrupted, and Python would wait for it.
        sys.stdout.flush()
        os._exit(EXIT_OK)
    return EXIT_OK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kingcobra web", description=__doc__)
    add = parser.add_argument
    add("--port", type=_number(0, MOST_PORT), default=DEFAULT_PORT, metavar="N",
        help=f"where to listen ({DEFAULT_PORT}); 0 for any free port")  # fmt: skip
    add("--open", action="store_true", help="open the page in a browser")
    add("--game", type=Path, metavar="FILE.pgn", help="games to begin with")
    add("--threads", type=_number(1, os.cpu_count() or 1), default=1, metavar="N",
        help="threads of the engine (1)")  # fmt: skip
    add("--hash", type=_number(1, MOST_HASH_MB), default=DEFAULT_HASH_MB, metavar="MIB",
        help=f"memory of the engine's hash table ({DEFAULT_HASH_MB})")  # fmt: skip
    add(
        "--network",
        default=DEFAULT_NETWORK,
        metavar="FILE",
        help="that evaluates; '' for the classical evaluation",
    )
    add("--syzygy", default="", metavar="PATH", help="folders with endgame tables")
    add("--book", nargs="?", const=DEFAULT_BOOK, default="", metavar="FILE.bin",
        help="play from a Polyglot book; Kingcobra's own one without a name")  # fmt: skip
    add("--host", default=DEFAULT_HOST, help=f"another address to listen at ({DEFAULT_HOST})")
    add("--i-know", action="store_true", help="needed for a --host that other machines can reach")
    return parser


def _number(low: int, high: int):  # type: ignore[no-untyped-def]
    def number(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r}, expected a number from {low} to {high}")
        return int(text)

    return number


def _games_in(path: Path | None) -> "GameList | None":
    from kingcobra.analysis.game_files import read_game_texts
    from kingcobra.web.game_list import GameList

    if path is None:
        return None
    try:
        games = GameList(game.text for game in read_game_texts(path))
        games.load_first()
    except OSError as error:
        raise WebError(line_of(error)) from None
    except WebError as error:
        raise WebError(f"{path}: {error}") from None
    return games


def _say(text: str) -> None:
    print(f"kingcobra web: {text}", file=sys.stderr, flush=True)


def _fail(text: str, exit_code: int) -> int:
    _say(text)
    return exit_code
