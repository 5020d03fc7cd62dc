# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra tb`: Syzygy tables probed, looked into, checked and measured."""

import argparse
import json
import os
import sys
from functools import partial

from kingcobra.api.board import Board
from kingcobra.board.fen import FenError
from kingcobra.core.rules.layout import CHECKMATE
from kingcobra.core.tables.layout import BLESSED_LOSS, CURSED_WIN, DRAW, LOSS, WIN
from kingcobra.engine.tablebases.prober import RankedMove
from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK
from kingcobra.kernel.levels import LevelError
from kingcobra.kernel.objects import ObjectError
from kingcobra.tablebases import TablebaseError, Tablebases
from kingcobra.tools.messages import print_message, run_action
from kingcobra.tools.subcommands import Subcommands

PATH_VARIABLE = "KINGCOBRA_SYZYGY_PATH"
RESULT_NAMES = {
    WIN: "win",
    CURSED_WIN: "cursed win",
    DRAW: "draw",
    BLESSED_LOSS: "blessed loss",
    LOSS: "loss",
}
# Longer than any way to mate from one irreversible move to the next, many times over.
MOST_LINE_PLIES = 2000

_say = partial(print_message, "tb")


def main(arguments: list[str]) -> int:
    """Does what the arguments ask for; what is in the way is said in one line."""
    options = _parser().parse_args(arguments)
    return run_action("tb", options, (TablebaseError, FenError, ObjectError, LevelError))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kingcobra tb", description=__doc__)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true", help="as JSON")
    add = Subcommands(parser, [common]).add

    for name, action in (("probe", _probe), ("line", _line)):
        sub = add(name, action)
        sub.add_argument("fen", nargs="+", metavar="FEN", help="the position, quoted or not")
        sub.add_argument(
            "--path",
            default=os.environ.get(PATH_VARIABLE, ""),
            help=f"folders with tables; without this, those of {PATH_VARIABLE}",
        )
    add("info", _info).add_argument("path", metavar="PATH", help="a folder, or several")
    add("check", _check).add_argument("path", metavar="PATH", help="a folder, or several")
    bench = add("bench", _bench)
    bench.add_argument("path", metavar="PATH", help="a folder, or several")
    bench.add_argument("--positions", type=int, default=200, metavar="N", help="how many (200)")
    bench.add_argument("--seconds", type=float, default=2.0, metavar="S", help="how long (2)")
    bench.add_argument("--python-chess", action="store_true", help="beside python-chess")
    return parser


def open_tables(path: str) -> Tablebases:
    """The tables of a path; complaints about files go to stderr."""
    if not path:
        raise TablebaseError(f"no folder: give --path, or set {PATH_VARIABLE}")
    return Tablebases(path, _say)


# --- one position -----------------------------------------------------------------------------


def _probe(options: argparse.Namespace) -> int:
    """Result and distance of a position, and of each of its moves."""
    with open_tables(options.path) as tables:
        board = Board(" ".join(options.fen))
        wdl = tables.probe_wdl(board)
        dtz = _distance(tables, board)
        moves = _ranked(tables, board)
        rows = [(board.san(one.move), one) for one in moves]
    if options.json:
        print(json.dumps(_probe_json(board.fen(), wdl, dtz, rows)))
        return EXIT_OK
    print(f"{board.fen()}\nWDL {wdl:+d} ({RESULT_NAMES[wdl]}), DTZ {_shown(dtz)}")
    for text, one in rows:
        print(f"  {text:8}{RESULT_NAMES[one.wdl]:14}{_shown(one.dtz):>5}")
    return EXIT_OK


def _probe_json(
    fen: str, wdl: int, dtz: int | None, rows: list[tuple[str, RankedMove]]
) -> dict[str, object]:
    return {
        "fen": fen,
        "wdl": wdl,
        "dtz": dtz,
        "moves": [{"san": text, "wdl": one.wdl, "dtz": one.dtz} for text, one in rows],
    }


def _distance(tables: Tablebases, board: Board) -> int | None:
    try:
        return tables.probe_dtz(board)
    except TablebaseError as error:
        _say(str(error))
        return None


def _ranked(tables: Tablebases, board: Board) -> list[RankedMove]:
    """The moves, best first; none where the tables do not know all of them."""
    try:
        return tables.rank_moves(board)
    except TablebaseError as error:
        _say(f"moves are not ranked: {error}")
        return []


def _shown(dtz: int | None) -> str:
    return "?" if dtz is None else str(dtz)


# --- a line -----------------------------------------------------------------------------------


def _line(options: argparse.Namespace) -> int:
    """A game of best moves to its end: the winner hurries, the loser does not."""
    with open_tables(options.path) as tables:
        board = Board(" ".join(options.fen))
        fen = board.fen()
        wdl = tables.probe_wdl(board)
        moves, end = play_line(tables, board)
    if options.json:
        print(json.dumps({"fen": fen, "wdl": wdl, "moves": moves, "end": end}))
        return EXIT_OK
    print(f"{fen}\n{RESULT_NAMES[wdl]}, {len(moves)} plies: {' '.join(moves)}\n{end}")
    return EXIT_OK


def play_line(tables: Tablebases, board: Board) -> tuple[list[str], str]:
    """Best moves from the board's position on, which they change, as SAN; and how it ended."""
    moves: list[str] = []
    while len(moves) < MOST_LINE_PLIES:
        if not board.moves():
            return moves, "checkmate" if board.is_check() else "stalemate"
        if tables.probe_wdl(board) == DRAW:
            return moves, "draw"
        best = _first_choice(board, tables.rank_moves(board))
        moves.append(board.san(best.move))
        board.play_move(best.move)
    return moves, "not finished"


def _first_choice(board: Board, ranked: list[RankedMove]) -> RankedMove:
    """The best move; a mate before all others of the same distance."""
    if ranked[0].dtz is None:
        raise TablebaseError("a line needs tables with distances (.rtbz)")
    equals = [one for one in ranked if one.wdl == ranked[0].wdl and one.dtz == ranked[0].dtz]
    mates = [one for one in equals if board.effect_of(one.move) == CHECKMATE]
    return (mates or equals)[0]


# --- files ------------------------------------------------------------------------------------


def _info(options: argparse.Namespace) -> int:
    """How many tables there are for each number of men, and what is missing."""
    from kingcobra.tools import tb_files

    with open_tables(options.path) as tables:
        summary = tb_files.summary(tables.files)
    print(json.dumps(summary) if options.json else tb_files.summary_text(summary))
    return EXIT_OK


def _check(options: argparse.Namespace) -> int:
    """Structure, blocks and checksum of every table; and checksum.md5, where there is one."""
    from kingcobra.tools import tb_files

    faults = 0
    with open_tables(options.path) as tables:
        for path, fault in tb_files.check(tables.files, _progress):
            faults += fault is not None
            if options.json:
                print(json.dumps({"file": str(path), "fault": fault}))
            else:
                print(f"{path}: {fault or 'sound'}")
    return EXIT_FAILED if faults else EXIT_OK


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def _bench(options: argparse.Namespace) -> int:
    """Probes of results a second, on tables in memory, by one thread."""
    from kingcobra.tools import tb_bench

    with open_tables(options.path) as tables:
        rates = tb_bench.measure(tables, options.positions, options.seconds)
        if options.python_chess:
            rates["python-chess"] = tb_bench.measure_python_chess(
                options.path, tables, options.positions, options.seconds
            )
    if options.json:
        print(json.dumps(rates))
    else:
        for name, rate in rates.items():
            print(f"{name}: {rate:,.0f} WDL probes a second")
    return EXIT_OK
