# SPDX-License-Identifier: GPL-3.0-or-later
"""The matches by which the default network and the search are judged, one at a time:

python -m benchmarks.strength NAME --networks FOLDER [other options of `kingcobra match`]

All engines have one thread (those of `threads-N` apart) and the same hash table, and play from
UHO_4060_v4; --books is its folder. Official networks are looked for in --networks. The games are
kept in --folder, and a match that was interrupted goes on where it ended. The percentage that is
asked for stands beside each match; without a name they are listed."""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.ladder import (
    HASH_MB,
    POSITIONS,
    REPOSITORY,
    STOCKFISH_ELO,
    book_in,
    books_folder,
    installed,
)
from kingcobra.arena.commands import match as match_tool
from kingcobra.exit_codes import EXIT_OK, EXIT_USAGE

CONTROL = "8+0.08"
SLOW_CONTROL = "20+0.2"
# What several threads gain shows at any speed.
THREADS_CONTROL = "4+0.04"
THREADS = (2, 4, 8, 16)
# What all engines are given.
COMMON = f"option.Threads=1,option.Hash={HASH_MB}"
# Lost games are resigned and dead ones drawn, as in the ledger.
ENDS = ("--resign", "3,600", "--draw", "34,8,20")
# Where both cores of a machine play, an answer may wait for the runner.
MARGIN_MS = 50
STOCKFISH_NETWORK = "nn-ad9b42354671.nnue"
SMALL_NETWORK = "nn-9067e33176e8.nnue"
SELF = "self"
OVERWRITE = "--overwrite"


@dataclass(frozen=True)
class Player:
    """A program, `self` for Kingcobra, its options, and the network that it needs, if any."""

    program: str
    name: str
    options: str = ""
    network: str = ""


@dataclass(frozen=True)
class Mark:
    """A match of Kingcobra, and the percentage that it should reach; zero where it only tells."""

    kingcobra: Player
    opponent: Player
    games: int
    percent: float
    control: str = CONTROL


DEFAULT = Player(SELF, "kingcobra")
EQUAL = Player(SELF, "kingcobra", network=STOCKFISH_NETWORK)
ONE_THREAD = Player(SELF, "one-thread")
STOCKFISH = Player("stockfish", "stockfish")
STOCKFISH_EQUAL = Player("stockfish", "stockfish", network=STOCKFISH_NETWORK)


def _limited(program: str, name: str, elo: int) -> Player:
    return Player(program, name, f"option.UCI_LimitStrength=true,option.UCI_Elo={elo}")


def _threaded(threads: int) -> Player:
    return Player(SELF, f"{threads}-threads", f"option.Threads={threads}")


MARKS = {
    "classical": Mark(DEFAULT, Player(SELF, "classical", "option.Evaluation=classical"), 100, 90),
    "small": Mark(DEFAULT, Player(SELF, "small", network=SMALL_NETWORK), 400, 50),
    "large": Mark(DEFAULT, Player(SELF, "large", network=STOCKFISH_NETWORK), 400, 45),
    "ethereal": Mark(DEFAULT, Player("ethereal-chess", "ethereal"), 100, 90),
    "stockfish": Mark(DEFAULT, STOCKFISH, 400, 0),
    "equal": Mark(EQUAL, STOCKFISH_EQUAL, 1000, 52),
    "equal-slow": Mark(EQUAL, STOCKFISH_EQUAL, 100, 50, SLOW_CONTROL),
    **{
        f"elo-{elo}": Mark(
            _limited(SELF, "kingcobra", elo), _limited("stockfish", "stockfish", elo), 100, 0
        )
        for elo in STOCKFISH_ELO
    },
    **{
        f"threads-{threads}": Mark(_threaded(threads), ONE_THREAD, 100, 0, THREADS_CONTROL)
        for threads in THREADS
    },
}


def main() -> int:
    """Plays one match; other options are passed on to `kingcobra match`."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("name", nargs="?", choices=MARKS, metavar="NAME")
    add("--books", type=Path, default=books_folder(), metavar="FOLDER")
    add("--networks", type=Path, default=books_folder().parent / "nnue", metavar="FOLDER")
    add("--folder", type=Path, default=REPOSITORY / "build" / "strength", help="for the games")
    options, more = parser.parse_known_args()
    if options.name is None:
        for name, mark in MARKS.items():
            print(describe(name, mark))
        return EXIT_OK
    mark = MARKS[options.name]
    pgn = options.folder / f"{options.name}.pgn"
    try:
        engines = [
            word
            for player in (mark.kingcobra, mark.opponent)
            for word in ("--engine", spec(player, options.networks))
        ]
        book = book_in(options.books, POSITIONS)
    except ValueError as error:
        print(f"strength: {error}", file=sys.stderr)
        return EXIT_USAGE
    options.folder.mkdir(parents=True, exist_ok=True)
    print(describe(options.name, mark), file=sys.stderr)
    settings = ["--tc", mark.control, "--games", str(mark.games), "--book", str(book), *ENDS]
    settings += ["--margin-ms", str(MARGIN_MS), "--pgn", str(pgn)]
    settings += ["--resume"] if pgn.exists() and OVERWRITE not in more else []
    return match_tool.main([*engines, *settings, *more])


def describe(name: str, mark: Mark) -> str:
    """A match in a line."""
    asked = f"at least {mark.percent:g} %" if mark.percent else "as it comes"
    return f"{name}: {mark.games} games at {mark.control} against {mark.opponent.name}, {asked}"


def spec(player: Player, networks: Path) -> str:
    """The value of `--engine`; ValueError where the program or its network is missing."""
    program: str | None = player.program
    if player.program != SELF:
        program = installed(player.program)
    if program is None:
        raise ValueError(f"{player.program} is not installed")
    words = [program, f"name={player.name}", COMMON]
    if player.options:
        words.append(player.options)
    if player.network:
        path = (networks / player.network).resolve()
        if not path.exists():
            raise ValueError(f"{networks} holds no {player.network}; --networks names a folder")
        words.append(f"option.EvalFile={path}")
    return ",".join(words)


if __name__ == "__main__":
    sys.exit(main())
