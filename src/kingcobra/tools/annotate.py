# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra annotate`: games and databases with evaluations, judgements, best lines, accuracy and
the names of openings."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from kingcobra.exit_codes import EXIT_INTERRUPTED, EXIT_OK
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.text_values import parse_integer
from kingcobra.tools.messages import print_message, run_action

if TYPE_CHECKING:
    from kingcobra.analysis.run import AnnotationFiles
    from kingcobra.analysis.settings import AnnotationSettings

MOST_NODES = 1 << 60
MOST_HASH_MB = 1 << 24
MOST_JOBS = 4096


def main(arguments: list[str]) -> int:
    """Annotates the games; what is in the way is said in one line."""
    from kingcobra.analysis.settings import AnnotationError

    parser = _parser()
    options = parser.parse_args(arguments)
    options.files = _files(options)
    if options.resume and options.files.journal is None:
        parser.error("--resume needs an output file: -o, --json, --table or --report")
    options.action = _annotate
    return run_action("annotate", options, (AnnotationError,))


def _annotate(options: argparse.Namespace) -> int:
    from kingcobra.analysis.run import AnnotationRun

    files: AnnotationFiles = options.files

    run = AnnotationRun(_settings(options), files, _say)
    if options.resume and run.is_complete():
        _say(f"{files.outputs[0]} is complete; nothing to resume")
        return EXIT_OK
    run.check_start(options.resume)
    try:
        totals = run.run(options.jobs, options.cluster)
    except KeyboardInterrupt:
        if files.journal is None:
            raise
        _say("interrupted; --resume continues")
        return EXIT_INTERRUPTED
    for line in totals.lines():
        _say(line)
    return EXIT_OK


def _parser() -> argparse.ArgumentParser:
    from kingcobra.analysis.settings import CHANCES, DEFAULT_HASH_MB, DEFAULT_NODES, LICHESS

    parser = argparse.ArgumentParser(
        prog="kingcobra annotate",
        description="Annotates the games of PGN files. Without an output option, the annotated"
        " games go to standard output.",
    )
    parser.add_argument("games", nargs="+", type=Path, metavar="GAMES.pgn")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.pgn", help="annotated games")
    parser.add_argument("--json", type=Path, metavar="FILE", help="a line of JSON for each game")
    parser.add_argument(
        "--table", type=Path, metavar="FILE", help="a row for each move: .csv, or .parquet"
    )
    parser.add_argument("--report", type=Path, metavar="FILE.html", help="a page to look at")
    parser.add_argument(
        "--nodes",
        type=_Number(1, MOST_NODES),
        default=DEFAULT_NODES,
        metavar="N",
        help=f"nodes for each position; default {DEFAULT_NODES}",
    )
    parser.add_argument(
        "--jobs",
        type=_Number(1, MOST_JOBS),
        metavar="N",
        help="games at once; default: one for each CPU",
    )
    parser.add_argument("--cluster", metavar="ADDRESS", help="a Ray cluster, or auto")
    parser.add_argument("--resume", action="store_true", help="continue an interrupted run")
    parser.add_argument("--player", default="", metavar="NAME", help="only this player's moves")
    parser.add_argument(
        "--reuse-evals", action="store_true", help="believe the evaluations in the files"
    )
    parser.add_argument(
        "--chances", choices=CHANCES, default=LICHESS, help="what win %% is computed from"
    )
    parser.add_argument(
        "--annotator", type=_tag_value, default="", metavar="NAME", help="a tag of the games"
    )
    parser.add_argument(
        "--network",
        default=DEFAULT_NETWORK,
        metavar="FILE.nnue",
        help="that evaluates; '' for the classical evaluation",
    )
    parser.add_argument(
        "--hash",
        type=_Number(1, MOST_HASH_MB),
        default=DEFAULT_HASH_MB,
        metavar="MIB",
        help=f"hash table of each job; default {DEFAULT_HASH_MB}",
    )
    return parser


class _Number:
    """A type for argparse: an integer within bounds."""

    def __init__(self, low: int, high: int) -> None:
        self._low, self._high = low, high

    def __call__(self, text: str) -> int:
        found = parse_integer(text, self._low, self._high)
        if found is None:
            raise argparse.ArgumentTypeError(f"{text!r}, expected {self._low} to {self._high}")
        return found


def _tag_value(text: str) -> str:
    """A type for argparse: text that can stand in a tag."""
    if not text.isprintable() or '"' in text or "\\" in text:
        raise argparse.ArgumentTypeError(f"{text!r}, expected one line without quotes")
    return text


def _files(options: argparse.Namespace) -> "AnnotationFiles":
    from kingcobra.analysis.run import AnnotationFiles

    return AnnotationFiles(
        games=options.games,
        pgn=options.output,
        json=options.json,
        table=options.table,
        report=options.report,
    )


def _settings(options: argparse.Namespace) -> "AnnotationSettings":
    from kingcobra.analysis.settings import AnnotationSettings

    return AnnotationSettings(
        nodes=options.nodes,
        hash_mb=options.hash,
        network=options.network,
        chances=options.chances,
        reuses_evals=options.reuse_evals,
        player=options.player,
        heat=options.report is not None,
        annotator=options.annotator,
    )


def _say(text: str) -> None:
    print_message("annotate", text)
