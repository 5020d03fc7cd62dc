# SPDX-License-Identifier: GPL-3.0-or-later
"""Where Kingcobra stands: a gauntlet against Debian's engines, as one rating table.

python -m benchmarks.ladder --pgn ladder.pgn [--resume] [any other option of `kingcobra match`]

All engines have one thread, the same hash table and no opening book. Games that a fault decided are
listed apart and not scored. Engines that can set up positions play from UHO_4060_v4, the others
from 8moves_v3; --books is the folder of both. Opponents that are not installed are named and left
out. An engine that lost every game has a bound instead of a rating."""

import argparse
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.engines import GAMES_FOLDERS
from kingcobra.arena.commands import match as match_tool
from kingcobra.arena.commands.game_options import APART
from kingcobra.exit_codes import EXIT_USAGE

HASH_MB = 16
DEFAULT_GAMES = 100
DEFAULT_CONTROL = "5+0.05"
STOCKFISH_ELO = (1400, 1700, 2000, 2300, 2600, 2850)
POSITIONS = ("UHO_4060_v4.epd", "UHO_4060_v4.sample20k.epd")
GAMES_FROM_THE_START = ("8moves_v3.pgn",)
REPOSITORY = Path(__file__).resolve().parent.parent
DATA_VARIABLE = "KINGCOBRA_TEST_DATA"
KINGCOBRA = f"self,name=Kingcobra,option.Threads=1,option.Hash={HASH_MB}"


@dataclass(frozen=True)
class LadderEngine:
    """A program in Debian, how to start it, and its settings."""

    program: str
    settings: str
    arguments: str = ""
    name: str = ""

    def spec(self, path: str) -> str:
        """The value of `--engine`."""
        command = f"{path} {self.arguments}".strip()
        return f"{command},name={self.name or self.program},{self.settings}"


OPPONENTS = (
    LadderEngine("fairymax", f"proto=xboard,option.memory={HASH_MB}"),
    # No book and no learning: it would use in one game what it learnt in another.
    LadderEngine("phalanx", f"proto=xboard,option.memory={HASH_MB}", "-b- -l- -p-"),
    LadderEngine("gnuchess", f"option.OwnBook=false,option.Hash={HASH_MB}", "--uci"),
    LadderEngine("glaurung", f"option.OwnBook=false,option.Threads=1,option.Hash={HASH_MB}"),
    LadderEngine("toga2", f"option.OwnBook=false,option.Number of Threads=1,option.Hash={HASH_MB}"),
    LadderEngine("ethereal-chess", f"option.Threads=1,option.Hash={HASH_MB}"),
    *(
        LadderEngine(
            "stockfish",
            f"option.Threads=1,option.Hash={HASH_MB},"
            f"option.UCI_LimitStrength=true,option.UCI_Elo={elo}",
            name=f"stockfish-{elo}",
        )
        for elo in STOCKFISH_ELO
    ),
)


def main() -> int:
    """Plays the gauntlet; other options are passed on to `kingcobra match`."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ladder",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--books", type=Path, default=books_folder(), metavar="FOLDER")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="of the opponents")
    parser.add_argument("--games", type=int, default=DEFAULT_GAMES, help="against each")
    parser.add_argument("--tc", default=DEFAULT_CONTROL, metavar="CONTROL")
    options, more = parser.parse_known_args()
    try:
        engines = list(engine_words(options.only))
        books = [
            *("--book", str(book_in(options.books, POSITIONS))),
            *("--move-book", str(book_in(options.books, GAMES_FROM_THE_START))),
        ]
    except ValueError as error:
        print(f"ladder: {error}", file=sys.stderr)
        return EXIT_USAGE
    settings = ["--gauntlet", "--tc", options.tc, "--games", str(options.games)]
    settings += ["--faults", APART]
    return match_tool.main([*engines, *books, *settings, *more])


def engine_words(only: list[str] | None) -> Iterator[str]:
    """`--engine` and its value, for Kingcobra first, then for every opponent that is installed."""
    known = [opponent.name or opponent.program for opponent in OPPONENTS]
    for name in only or ():
        if name not in known:
            raise ValueError(f"no opponent is called {name!r}; there are {', '.join(known)}")
    yield from ("--engine", KINGCOBRA)
    for opponent, name in zip(OPPONENTS, known, strict=True):
        if only is not None and name not in only:
            continue
        path = installed(opponent.program)
        if path is None:
            print(f"{name} is not installed and left out", file=sys.stderr)
        else:
            yield from ("--engine", opponent.spec(path))


def installed(program: str) -> str | None:
    """The path of a program, also in the folders for games; None if it is not installed."""
    folders = os.pathsep.join([os.environ.get("PATH", ""), *GAMES_FOLDERS])
    return shutil.which(program, path=folders)


def books_folder() -> Path:
    """In the shared data beside the repository, or in the folder that the variable names."""
    data = os.environ.get(DATA_VARIABLE)
    return (Path(data) if data else REPOSITORY.parent / "shared" / "data") / "books"


def book_in(folder: Path, names: tuple[str, ...]) -> Path:
    """The first of these books that a folder holds; ValueError if there is none."""
    for name in names:
        if (folder / name).exists():
            return folder / name
    raise ValueError(f"{folder} holds no {' or '.join(names)}; --books names another folder")


if __name__ == "__main__":
    sys.exit(main())
