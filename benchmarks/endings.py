# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether won endings are won and drawn ones held with endgame tables:
python -m benchmarks.endings --path FOLDER [name …]

The engine plays random won positions of each ending, as White and as Black, against a defender that
puts off captures, pawn moves and mate for as long as the tables allow; then random drawn ones, as
the weaker side, against an attacker that leaves it the fewest drawing moves. Any other result is
shown with its game, and the exit status is 1. KQvK, KRvK and KPvK are also played with results only
(.rtbw). The folder must have the tables of all named endings, and of what captures and promotions
lead to; --path is KINGCOBRA_SYZYGY_PATH by default."""

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.engines import KINGCOBRA, Engine, EngineFailed
from kingcobra import Board, FenError, TablebaseError, Tablebases
from kingcobra.board.move_text import format_move
from kingcobra.core.rules.basics import BLACK, WHITE
from kingcobra.core.tables.layout import DRAW, WIN
from kingcobra.engine.tablebases.folders import split_path
from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK
from kingcobra.kernel.objects import ObjectError
from kingcobra.tools.tb import PATH_VARIABLE
from kingcobra.tools.tb_bench import random_fen

ENDINGS = ("KQvK", "KRvK", "KBNvK", "KPvK", "KQvKR")
RESULTS_ONLY = ("KQvK", "KRvK", "KPvK")
DEFAULT_POSITIONS = 200
DEFAULT_MOVETIME_MS = 50
# A drawn position is held when so many moves were played without a result.
HELD_MOVES = 60
# A won one takes no longer: three times fifty moves, with a pawn move between them.
MOST_MOVES = 200
# More than any position has.
MOST_REPLIES = 256
# Of random positions, so many may be illegal or have another result for each that is right.
MOST_TRIES = 1000
DRAWING_REPETITIONS = 2

MATE, STALEMATE, FIFTY, REPETITION = "mate", "stalemate", "fifty moves", "repetition"
BARE, HELD, LOST, UNFINISHED = "bare kings", "held", "lost", "unfinished"
DRAWS = frozenset((STALEMATE, FIFTY, REPETITION, BARE, HELD))


class Ending(NamedTuple):
    """Men of which White has more, what is played for, and which files the engine has."""

    name: str
    is_won: bool
    has_distances: bool = True

    def __str__(self) -> str:
        files = "" if self.has_distances else ", results only"
        return f"{self.name} {'won' if self.is_won else 'drawn'}{files}"

    def is_right(self, outcome: str) -> bool:
        """Whether a game ended as it should."""
        return outcome == MATE if self.is_won else outcome in DRAWS


# --- positions --------------------------------------------------------------------------------


def with_colours_exchanged(fen: str) -> str:
    """The same position with Black as the stronger side."""
    men, side, *rest = fen.split()
    return " ".join(("/".join(reversed(men.split("/"))).swapcase(), "bw"["wb".index(side)], *rest))


def positions(ending: Ending, count: int, tables: Tablebases, seed: int) -> Iterator[str]:
    """Random ones with the result of the ending; fewer where these are rare."""
    choose = random.Random(f"{ending} {seed}")
    for _ in range(count * MOST_TRIES):
        if count == 0:
            return
        fen = random_fen(ending.name, choose)
        try:
            board = Board(fen)
            value = tables.probe_wdl(board)
        except (FenError, TablebaseError):
            continue
        wanted = (WIN if board.record.side == WHITE else -WIN) if ending.is_won else DRAW
        if value == wanted and board.moves():
            count -= 1
            yield with_colours_exchanged(fen) if choose.random() < 0.5 else fen


# --- games ------------------------------------------------------------------------------------


def outcome_by_rule(board: Board) -> str | None:
    """How the game ended by the rules; None where it goes on."""
    if not board.moves():
        return MATE if board.is_check() else STALEMATE
    if board.is_insufficient_material():
        return BARE
    if board.is_fifty_moves():
        return FIFTY
    return REPETITION if board.earlier_occurrences() >= DRAWING_REPETITIONS else None


class Opponent:
    """Plays by the tables: for the longest distance where it loses, for the fewest drawing moves
    where the game is drawn."""

    def __init__(self, tables: Tablebases, seed: int) -> None:
        self._tables = tables
        self._choose = random.Random(seed)

    def move(self, board: Board) -> int:
        """One of the best moves, the same for the same seed."""
        ranked = self._tables.rank_moves(board)
        best = [one for one in ranked if (one.wdl, one.dtz) == (ranked[0].wdl, ranked[0].dtz)]
        if best[0].wdl != DRAW:
            return self._choose.choice(best).move
        costs = {one.move: self._drawing_replies(board, one.move) for one in best}
        fewest = min(costs.values())
        return self._choose.choice([move for move, cost in costs.items() if cost == fewest])

    def _drawing_replies(self, board: Board, move: int) -> int:
        after = Board(board.fen())
        after.play_move(move)
        replies = self._tables.rank_moves(after)
        # A stalemate is not what it plays for.
        return sum(one.wdl == DRAW for one in replies) if replies else MOST_REPLIES


class Player:
    """The engine, and the games that it plays."""

    def __init__(self, engine: Engine, path: str, movetime_ms: int) -> None:
        self._engine = engine
        self._movetime_ms = movetime_ms
        setup = f"uci\nsetoption name SyzygyPath value {path}\nisready"
        engine.request(setup, "readyok")

    def play(self, fen: str, is_won: bool, opponent: Opponent) -> tuple[str, list[str]]:
        """How the game ended, and its moves. The engine has the stronger side of a won position,
        the weaker one of a drawn one."""
        self._engine.request("ucinewgame\nisready", "readyok")
        board = Board(fen)
        stronger = WHITE if _strength(fen.split()[0]) > 0 else BLACK
        own = stronger if is_won else WHITE + BLACK - stronger
        moves: list[str] = []
        while len(moves) < 2 * (MOST_MOVES if is_won else HELD_MOVES):
            outcome = outcome_by_rule(board)
            if outcome is not None:
                is_lost = outcome == MATE and board.record.side == own
                return (LOST if is_lost else outcome), moves
            if board.record.side == own:
                text = self._answer(fen, moves)
            else:
                text = format_move(opponent.move(board), board.record)
            board.push(text)
            moves.append(text)
        return (UNFINISHED if is_won else HELD), moves

    def _answer(self, fen: str, moves: list[str]) -> str:
        played = f" moves {' '.join(moves)}" if moves else ""
        commands = f"position fen {fen}{played}\ngo movetime {self._movetime_ms}"
        return self._engine.request(commands, "bestmove").split()[1]


def _strength(men: str) -> int:
    values = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}
    return sum(values.get(man.lower(), 0) * (1 if man.isupper() else -1) for man in men)


# --- all of them ------------------------------------------------------------------------------


def endings(names: list[str]) -> Iterator[Ending]:
    """What is played for each name."""
    for name in names or ENDINGS:
        yield Ending(name, is_won=True)
        yield Ending(name, is_won=False)
        if name in RESULTS_ONLY:
            yield Ending(name, is_won=True, has_distances=False)


def link_results(path: str, folder: Path) -> None:
    """The files with results, without those with distances."""
    for source in split_path(path):
        for file in source.glob("*.rtbw"):
            if not (folder / file.name).exists():
                (folder / file.name).symlink_to(file.resolve())


def play_all(options: argparse.Namespace, tables: Tablebases) -> int:
    """Prints a line for each ending and one for each game that went wrong; how many did. An ending
    without a single game is wrong."""
    wrong = 0
    with ExitStack() as stack:
        results_only = stack.enter_context(TemporaryDirectory())
        link_results(options.path, Path(results_only))
        for ending in endings(options.names):
            path = options.path if ending.has_distances else results_only
            opponent = Opponent(tables, options.seed)
            outcomes: Counter[str] = Counter()
            longest = 0
            with Engine(KINGCOBRA) as engine:
                player = Player(engine, path, options.movetime)
                for fen in positions(ending, options.positions, tables, options.seed):
                    outcome, moves = player.play(fen, ending.is_won, opponent)
                    outcomes[outcome] += 1
                    longest = max(longest, len(moves))
                    if not ending.is_right(outcome):
                        wrong += 1
                        print(f"  {outcome}: {fen} {' '.join(moves)}", flush=True)
            wrong += not outcomes
            counts = ", ".join(f"{count} {name}" for name, count in outcomes.most_common())
            print(f"{ending}: {counts or 'no positions'}; longest {longest} plies", flush=True)
    return wrong


def main() -> int:
    """Plays as the arguments ask for; what is missing is said in one line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.endings", description=__doc__)
    add = parser.add_argument
    add("names", nargs="*", metavar="name", help=f"such as KQvKR; default: {', '.join(ENDINGS)}")
    add("--path", default=os.environ.get(PATH_VARIABLE, ""), help="folders with tables")
    add("--positions", type=int, default=DEFAULT_POSITIONS, metavar="N", help="of each ending")
    add("--movetime", type=int, default=DEFAULT_MOVETIME_MS, metavar="MS", help="for each move")
    add("--seed", type=int, default=1)
    options = parser.parse_args()
    if not options.path:
        print(f"endings: left out, no tables: give --path, or set {PATH_VARIABLE}")
        return EXIT_OK
    try:
        with Tablebases(options.path) as tables:
            return EXIT_FAILED if play_all(options, tables) else EXIT_OK
    except (TablebaseError, EngineFailed, ObjectError) as error:
        print(f"endings: {error}", file=sys.stderr)
        return EXIT_FAILED


if __name__ == "__main__":
    sys.exit(main())
