# SPDX-License-Identifier: GPL-3.0-or-later
"""How good a network's choice of moves is in its teacher's eyes: seconds instead of hours of games.

python -m benchmarks.regret --teacher TEACHER.nnue NETWORK.nnue … [--roots N]

From each of many positions of strong games, every quiet move that gives no check leads to a child.
A network's *regret* is by how much its teacher thinks the child that the network likes best worse
than the best one. Networks are ranked by it as they are by games, as long as they differ by more
than a little (docs/measurements.md)."""

import argparse
import gzip
import os
import random
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import kingcobra
from benchmarks.ladder import DATA_VARIABLE, REPOSITORY
from kingcobra.api.batches import pack
from kingcobra.board.fen import FenError
from kingcobra.core.evaluation.layout import PAWN_UNITS
from kingcobra.errors import line_of
from kingcobra.exit_codes import EXIT_OK, EXIT_USAGE
from kingcobra.tools.argument_types import positive

POSITIONS_FILE = Path("labelled") / "tcec_quiet_eval_result.txt.gz"
ROOTS = 6000
SEED = 1
# A choice between fewer children says little.
LEAST_CHILDREN = 8
# Beyond this the game is decided.
MOST_PAWNS = 4.0
# In UCI's notation; a promotion has one more.
PLAIN_MOVE_LETTERS = 4
MEN_RANGES = ((3, 12), (13, 20), (21, 28), (29, 32))
# The regret of a range of men that no root has.
NO_REGRET = "–"

Values = NDArray[np.float64]


class Choices(NamedTuple):
    """Packed roots and children, the root of each child, and the men on each root's board."""

    roots: NDArray[Any]
    children: NDArray[Any]
    root_of: NDArray[np.int64]
    men: NDArray[np.int64]


class Verdict(NamedTuple):
    """What a teacher says of a network's choices, in pawns of the search.

    regret   by how much the chosen child is worse, of each root
    within   error of the children's values beside their root's mean, root mean square
    between  error of those means
    """

    regret: Values
    within: float
    between: float


def main() -> int:
    """Prints a line for each network."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.regret",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    data = Path(os.environ.get(DATA_VARIABLE) or REPOSITORY.parent / "shared" / "data")
    parser.add_argument("networks", nargs="+", metavar="NETWORK")
    parser.add_argument("--teacher", required=True, metavar="FILE.nnue")
    parser.add_argument(
        "--positions",
        type=Path,
        default=data / POSITIONS_FILE,
        metavar="FILE.gz",
        help="lines that begin with a FEN; default: %(default)s",
    )
    parser.add_argument(
        "--roots",
        type=positive,
        default=ROOTS,
        metavar="N",
        help="positions drawn at random; decided ones do not count; default: %(default)s",
    )
    options = parser.parse_args()
    try:
        everything = read_choices(options.positions, options.roots)
        roots = kingcobra.evaluate(everything.roots, network=options.teacher, unit="raw")
        choices = of_roots(everything, np.abs(roots) < MOST_PAWNS * PAWN_UNITS)
        require_roots(len(choices.roots), options.positions)
        teacher = values_of(choices, options.teacher)
        print(f"{len(choices.roots)} roots, {len(choices.children)} children")
        heads = "  ".join(f"{least}-{most} men" for least, most in MEN_RANGES)
        print(f"{'network':24} {'regret':>15}  same move  within  between  {heads}")
        for name in options.networks:
            verdict = judge(choices, teacher, values_of(choices, name))
            print(describe(Path(name).name, verdict, choices.men))
    except (OSError, ValueError, kingcobra.KingcobraError) as error:
        print(f"regret: {line_of(error)}", file=sys.stderr)
        return EXIT_USAGE
    return EXIT_OK


def read_choices(path: Path, count: int) -> Choices:
    """That many roots of a file whose lines begin with FENs, at random, with their children.
    ValueError where it has none or is damaged."""
    lines = lines_of(path)
    random.Random(SEED).shuffle(lines)
    roots: list[str] = []
    children: list[str] = []
    root_of: list[int] = []
    for line in lines:
        fen = " ".join(line.replace("|", " ").split()[:4]) + " 0 1"
        try:
            found = list(quiet_children(kingcobra.Board(fen)))
        except FenError:
            continue
        if len(found) < LEAST_CHILDREN:
            continue
        root_of += [len(roots)] * len(found)
        roots.append(fen)
        children += found
        if len(roots) == count:
            break
    require_roots(len(roots), path)
    packed = pack(np.array(roots))
    occupancy = np.ascontiguousarray(packed["occupancy"])
    men = np.unpackbits(occupancy.view(np.uint8)).reshape(len(packed), -1).sum(1)
    return Choices(packed, pack(np.array(children)), np.array(root_of), men.astype(np.int64))


def lines_of(path: Path) -> list[str]:
    """The lines of a compressed file; ValueError where it is damaged."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return file.readlines()
    except (EOFError, UnicodeDecodeError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{path}: {error}") from error


def require_roots(count: int, path: Path) -> None:
    """ValueError where there are none."""
    if count == 0:
        raise ValueError(f"{path}: no position to judge")


def of_roots(choices: Choices, kept: NDArray[np.bool_]) -> Choices:
    """Those roots and their children."""
    children = kept[choices.root_of]
    number = np.cumsum(kept) - 1
    return Choices(
        choices.roots[kept],
        choices.children[children],
        number[choices.root_of[children]],
        choices.men[kept],
    )


def quiet_children(board: kingcobra.Board) -> Iterator[str]:
    """The positions after moves that neither capture, promote nor give check."""
    for move in list(board.legal_moves()):
        if board.is_capture(move) or len(move) > PLAIN_MOVE_LETTERS:
            continue
        board.push(move)
        if not board.is_check():
            yield board.fen()
        board.pop()


def values_of(choices: Choices, network: str) -> Values:
    """The children as the movers of their roots see them."""
    values = kingcobra.evaluate(choices.children, network=network, unit="raw")
    return -values.astype(np.float64)


def judge(choices: Choices, teacher: Values, network: Values) -> Verdict:
    """What a teacher's values, the mover's of each root, say of a network's."""
    root_of, count = choices.root_of, len(choices.roots)
    sizes = np.bincount(root_of, minlength=count)
    best = np.full(count, -np.inf)
    np.maximum.at(best, root_of, teacher)
    order = np.lexsort((network, root_of))
    chosen = order[np.cumsum(sizes) - 1]
    scale = (network @ teacher) / (network @ network)
    errors = (network * scale - teacher) / PAWN_UNITS
    means = np.bincount(root_of, errors, minlength=count) / sizes
    return Verdict(
        (best - teacher[chosen]) / PAWN_UNITS,
        float(np.sqrt(np.mean((errors - means[root_of]) ** 2))),
        float(np.sqrt(np.mean(means**2))),
    )


def describe(name: str, verdict: Verdict, men: NDArray[np.int64]) -> str:
    """A verdict in a line: regret and its error, how often the best child was chosen, the errors of
    the values, and the regret by numbers of men."""
    regret = verdict.regret
    error = regret.std() / np.sqrt(len(regret))
    ranges = [(men >= least) & (men <= most) for least, most in MEN_RANGES]
    parts = [f"{regret[some].mean():.4f}" if some.any() else NO_REGRET for some in ranges]
    return (
        f"{name:24} {regret.mean():.4f} ± {error:.4f}  {np.mean(regret == 0):9.1%}"
        f"  {verdict.within:6.3f}  {verdict.between:7.3f}  "
        + "  ".join(f"{part:>9}" for part in parts)
    )


if __name__ == "__main__":
    sys.exit(main())
