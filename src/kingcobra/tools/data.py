# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra data`: files of labelled positions looked at, converted, filtered, shuffled, labelled
anew, and compared with evaluations."""

import argparse
import dataclasses
import functools
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK
from kingcobra.file_writing import draft_of
from kingcobra.tools.argument_types import not_negative, positive, share
from kingcobra.tools.data_files import (
    Faults,
    Progress,
    blocks_of,
    located,
    nothing_written,
    say,
    write_positions,
)
from kingcobra.tools.messages import run_action
from kingcobra.tools.subcommands import Subcommands

OWN_SUFFIX = ".kcp"
MISSED_SHARE = 0.1
DEFAULT = "default"
# Losses of `compare` are told in millionths.
MILLIONTHS = 1e6
MEN_HEADING, COUNT_HEADING = "men", "positions"
COLUMN_GAP = 2


def main(arguments: list[str]) -> int:
    """Does what the arguments ask for; what is in the way is said in one line."""
    from kingcobra.networks.loading import EvaluationError
    from kingcobra.networks.network_files import NetworkError
    from kingcobra.training.data.blocks import DataError

    options = _parser().parse_args(arguments)
    return run_action("data", options, (DataError, EvaluationError, NetworkError))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kingcobra data", description=__doc__)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("files", nargs="+", type=Path, metavar="FILE")
    commands = Subcommands(parser, [common])
    info = commands.add("info", _info)
    info.add_argument("--json", action="store_true")
    commands.add("validate", _validate)
    compare = commands.add("compare", _compare)
    compare.add_argument(
        "--network",
        action="append",
        metavar="NETWORK",
        help="default, classical or a file; several times for several columns (default)",
    )
    fen = commands.add("fen", _fen)
    fen.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.epd")
    fen.add_argument("--limit", type=positive, metavar="N", help="positions at most")
    for name, action in (
        ("convert", _convert),
        ("filter", _filter),
        ("shuffle", _shuffle),
        ("relabel", _relabel),
    ):
        sub = commands.add(name, action)
        sub.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.kcp")
        if name == "filter":
            _add_filter_options(sub)
        if name == "shuffle":
            sub.add_argument("--seed", type=not_negative, default=1)
        if name == "relabel":
            sub.add_argument(
                "--teacher",
                default=DEFAULT,
                metavar="NETWORK",
                help="whose evaluations are the new labels: default, classical or a file (default)",
            )
        if name == "convert":
            sub.add_argument("--limit", type=positive, metavar="N", help="positions at most")
            sub.add_argument(
                "--noisy",
                action="store_true",
                help="of games (.kcp, .binpack, .pgn), also positions in check, and before "
                "captures and promotions",
            )
    return parser


def _add_filter_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--max-score", type=not_negative, metavar="RAW", help="largest score kept")
    for name in ("min-ply", "max-ply", "min-men", "max-men"):
        parser.add_argument(f"--{name}", type=not_negative, metavar="N")
    parser.add_argument(
        "--needs-result", action="store_true", help="only positions of games with a result"
    )
    parser.add_argument(
        "--thin-before",
        type=not_negative,
        metavar="PLY",
        help="keep ever fewer towards the first ply",
    )
    parser.add_argument(
        "--flatten-men", action="store_true", help="thin out the numbers of men that are frequent"
    )
    parser.add_argument(
        "--missed-by",
        metavar="NETWORK",
        help="only those whose labels this evaluation misses most: default, classical or a file",
    )
    parser.add_argument(
        "--missed-share",
        type=share,
        default=MISSED_SHARE,
        metavar="SHARE",
        help=f"how many those are ({MISSED_SHARE:g})",
    )
    parser.add_argument("--seed", type=not_negative, help="of what is thinned out")


# --- commands ---------------------------------------------------------------------------------


def _info(options: argparse.Namespace) -> int:
    """Tells how many positions there are, of what kind, and where their labels come from."""
    from kingcobra.training.data.blocks import DataError
    from kingcobra.training.data.summary import DataSummary

    for path in options.files:
        summary = DataSummary()
        for origin, records in blocks_of(path):
            summary.add(origin, records)
        if not summary.blocks:
            raise DataError(f"{path}: no blocks of positions{_games_hint(path)}")
        if options.json:
            print(json.dumps({"file": str(path), **summary.as_dict()}))
        else:
            print(f"{path}\n{summary.text()}")
    return EXIT_OK


def _games_hint(path: Path) -> str:
    """What to say of a file that holds games instead."""
    from kingcobra.training.data.blocks import GAMES, read_data

    games = sum(block.kind == GAMES for block in read_data(path, lambda _fault: None))
    hint = "kingcobra data convert makes positions of them"
    return f"; it holds {games} blocks of games: {hint}" if games else ""


def _validate(options: argparse.Namespace) -> int:
    """Looks at every block and every position; the exit code says whether all are sound."""
    from kingcobra.training.data.validation import faults_of

    found = 0
    for path in options.files:
        faults, progress = Faults(), Progress()
        positions = 0
        for _, records in blocks_of(path, faults):
            for fault in faults_of(records, positions):
                faults(f"{path}: {fault}")
            positions += len(records)
            progress.tell(positions)
        if not positions:
            faults(f"{path}: no blocks of positions{_games_hint(path)}")
        found += faults.count
        print(f"{path}: {positions} positions, {faults.count} faults")
    return EXIT_OK if found == 0 else EXIT_FAILED


def _convert(options: argparse.Namespace) -> int:
    """Makes packed positions from games of self-play, .binpack, .pgn with evaluations, and lines of
    text."""
    faults = Faults()

    def blocks() -> Iterator[tuple[dict[str, Any], Any]]:
        left = options.limit
        for path in options.files:
            if path.suffix == OWN_SUFFIX:
                found = _played_positions(path, options, faults)
            else:
                found = _foreign_positions(path, options, faults)
            for origin, records in found:
                records = records[:left]
                left = None if left is None else left - len(records)
                yield origin, records
                if left == 0:
                    return

    count = write_positions(options.output, blocks())
    say(f"{options.output}: {count} positions, {faults.count} faults")
    return EXIT_OK


def _played_positions(
    path: Path, options: argparse.Namespace, faults: Callable[[str], None]
) -> Iterator[tuple[dict[str, Any], Any]]:
    from kingcobra.core.objects import CORE
    from kingcobra.kernel.build import Builder
    from kingcobra.training.data.game_positions import GameFilter, read_positions

    core = functools.cache(Builder(CORE, say).obtain)
    kept = GameFilter(quiet=not options.noisy)
    for block in read_positions(path, kept, core, faults):
        yield block.origin, block.records


def _foreign_positions(
    path: Path, options: argparse.Namespace, faults: Callable[[str], None]
) -> Iterator[tuple[dict[str, Any], Any]]:
    import numpy as np

    from kingcobra.training.data.mixing import BLOCK_RECORDS
    from kingcobra.training.data.sources import read_source

    records = read_source(path, faults, options.noisy)
    while part := list(itertools.islice(records, BLOCK_RECORDS)):
        yield {"converted": path.name}, np.array(part)


def _filter(options: argparse.Namespace) -> int:
    """Keeps the positions that meet all conditions."""
    from kingcobra.training.data.blocks import Block
    from kingcobra.training.data.missed import MissedShare
    from kingcobra.training.data.mixing import MenFlattener, RecordFilter

    names = tuple(field.name for field in dataclasses.fields(RecordFilter))
    given = {name: getattr(options, name) for name in names}
    chosen = {name: value for name, value in given.items() if value is not None}
    kept = RecordFilter(**chosen)
    # Those that must see all positions before they choose: one more pass each.
    choosers: list[MissedShare | MenFlattener] = []

    def blocks() -> Iterator[Block]:
        for path in options.files:
            for origin, records in blocks_of(path):
                block = Block(origin, kept.kept(records))
                for chooser in choosers:
                    block = Block(origin, chooser.kept(block))
                yield block

    def choose_by(chooser: MissedShare | MenFlattener) -> None:
        for block in blocks():
            chooser.count(block)
        choosers.append(chooser)

    if options.missed_by is not None:
        choose_by(MissedShare(options.missed_by, options.missed_share))
    if options.flatten_men:
        choose_by(MenFlattener(kept.seed))
    count = write_positions(options.output, blocks())
    say(f"{options.output}: {count} positions")
    return EXIT_OK


def _shuffle(options: argparse.Namespace) -> int:
    """Puts the positions of all files into one random order."""
    from kingcobra.training.data.mixing import shuffled

    origins: list[dict[str, Any]] = []
    for path in options.files:
        for origin, _ in blocks_of(path):
            if origin not in origins:
                origins.append(origin)
    origin = origins[0] if len(origins) == 1 else {"mixed": origins}
    parts = shuffled(options.files, options.seed, Faults())
    count = write_positions(options.output, ((origin, records) for records in parts))
    say(f"{options.output}: {count} positions")
    return EXIT_OK


def _relabel(options: argparse.Namespace) -> int:
    """Labels the positions by the static evaluation of a network; results of games stay."""
    from kingcobra.training.data.blocks import Block
    from kingcobra.training.data.relabelling import Relabeller

    teacher = Relabeller(options.teacher, say)

    def blocks() -> Iterator[Block]:
        for path in options.files:
            for number, block in enumerate(blocks_of(path), start=1):
                with located(path, number):
                    yield teacher.relabelled(block)

    count = write_positions(options.output, blocks())
    say(f"{options.output}: {count} positions")
    return EXIT_OK


def _compare(options: argparse.Namespace) -> int:
    """Tells how far evaluations are from labels and results, by numbers of men: the mean of
    |difference of expected scores| ^ 2.5, in millionths; the root mean square in pawns where the
    label is within three pawns; and the log loss of the results, where they are known."""
    from kingcobra.training.data.blocks import DataError
    from kingcobra.training.data.comparison import Comparison, Distance
    from kingcobra.training.data.evaluations import values_in_pawns
    from kingcobra.training.data.expectations import labels_in_pawns

    names = options.network or [DEFAULT]
    comparisons = [Comparison() for _ in names]
    for path in options.files:
        for number, block in enumerate(blocks_of(path), start=1):
            labels = labels_in_pawns(block)
            for name, comparison in zip(names, comparisons, strict=True):
                with located(path, number):
                    values = values_in_pawns(block.records, name)
                    comparison.add(block.records, labels, values)
    columns = [comparison.distances() for comparison in comparisons]
    if not columns[0]:
        raise DataError("there are no positions")

    def text(distance: Distance) -> str:
        means = (distance.pawns, "{:.3f}"), (distance.log_loss, "{:.4f}")
        told = ["–" if mean is None else shape.format(mean) for mean, shape in means]
        return " ".join([f"{distance.loss * MILLIONTHS:.0f}", *told])

    rows = [[MEN_HEADING, COUNT_HEADING, *(Path(name).name for name in names)]]
    for distances in zip(*columns, strict=True):
        first = distances[0]
        rows.append([first.men, str(first.positions), *map(text, distances)])
    widths = [max(map(len, column)) + COLUMN_GAP for column in zip(*rows, strict=True)]
    for row in rows:
        print("".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)))
    return EXIT_OK


def _fen(options: argparse.Namespace) -> int:
    """Writes the positions as lines of FEN, without labels: a book for self-play. What castling was
    allowed is not in the files, so none is."""
    from kingcobra.training.data.blocks import DataError
    from kingcobra.training.data.games import fen_of

    records = (record for path in options.files for _, part in blocks_of(path) for record in part)
    count, progress = 0, Progress()
    with draft_of(options.output) as draft:
        with draft.open("w", encoding="utf-8") as file:
            for record in itertools.islice(records, options.limit):
                file.write(f"{fen_of(record)}\n")
                count += 1
                progress.tell(count)
        if count == 0:
            raise DataError(nothing_written(options.output))
    say(f"{options.output}: {count} positions")
    return EXIT_OK
