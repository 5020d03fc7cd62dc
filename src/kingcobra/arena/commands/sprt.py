# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra sprt`: a match that stops when its test is decided; or the result of a test from
counts."""

import argparse
from collections.abc import Sequence

from kingcobra.arena.commands.game_options import (
    SCORED,
    add_game_options,
    report_error,
    tool_parser,
)
from kingcobra.arena.commands.match import add_engine_options, run
from kingcobra.arena.commands.sprt_options import add_sprt_options, sprt_from
from kingcobra.exit_codes import EXIT_USAGE
from kingcobra.statistics.elo import (
    PENTANOMIAL,
    TRINOMIAL,
    CountsError,
    check_counts,
    draw_ratio,
    elo,
    likelihood_of_superiority,
    moments,
    normalised_elo,
)
from kingcobra.statistics.sprt import Sprt
from kingcobra.text_values import parse_integer

DESCRIPTION = """\
Plays a match of two engines until its test is decided; or prints the result of a test from counts
(--ptnml or --wdl)."""
NEEDED = "--bounds=ELO0,ELO1 --engine SPEC --engine SPEC --tc CONTROL"
EXAMPLE = """\
kingcobra sprt --bounds=0,2 --engine new/kingcobra,name=new --engine old/kingcobra,name=old
               --tc 8+0.08 --concurrency 8 --book UHO_4060_v4.epd --pgn new-vs-old.pgn
kingcobra sprt --bounds=-1.75,0.25 --ptnml 210,9236,25655,9432,187"""
DEFAULT_GAMES = 100_000
"""A test with the usual bounds ends long before this."""
LARGEST_COUNT = 10**12


def main(arguments: list[str]) -> int:
    """Plays until the test is decided, or prints the statistics of the counts given."""
    options = _parser().parse_args(arguments)
    try:
        if options.ptnml is None and options.wdl is None:
            return _play(options)
        if options.engine:
            raise ValueError("counts need no games: leave --engine out")
        print("\n".join(report(_counts(options), sprt_from(options))))
    except (CountsError, ValueError) as error:
        return report_error("sprt", error, EXIT_USAGE)
    return 0


def _play(options: argparse.Namespace) -> int:
    if not options.engine:
        raise ValueError("give --ptnml or --wdl, or two engines to play")
    if options.bounds is None:
        raise ValueError("--bounds is missing: which two Elo values shall the test distinguish?")
    return run(options, "sprt")


def _counts(options: argparse.Namespace) -> list[int]:
    if options.ptnml is not None:
        counts = _numbers(options.ptnml, PENTANOMIAL, "--ptnml")
    else:
        counts = _numbers(options.wdl, TRINOMIAL, "--wdl")[::-1]
    check_counts(counts)
    return counts


def report(counts: Sequence[int], sprt: Sprt | None) -> list[str]:
    """The lines that `kingcobra sprt` prints."""
    sample = moments(counts)
    games = sample.samples * sample.games_per_sample
    lines = [f"Games  {games}, score {100 * sample.mean:.2f} %"]
    if len(counts) == PENTANOMIAL:
        lines.append(f"Ptnml  {', '.join(map(str, counts))} (0, ½, 1, 1½, 2 points of a pair)")
    else:
        lines.append(f"W D L  {counts[2]}, {counts[1]}, {counts[0]}")
        lines.append(f"Draws  {100 * draw_ratio(counts):.2f} %")
    lines.append(f"Elo    {elo(counts)} (95 %)")
    lines.append(f"nElo   {normalised_elo(counts)} (95 %)")
    lines.append(f"LOS    {100 * likelihood_of_superiority(counts):.2f} %")
    if sprt is not None:
        llr = sprt.llr(counts)
        lines.append(
            f"LLR    {llr:.2f} ({sprt.lower:.2f}, {sprt.upper:.2f}) "
            f"[{sprt.elo0:g}, {sprt.elo1:g}] {sprt.model.value}: {sprt.verdict(llr).value}"
        )
    return lines


def _parser() -> argparse.ArgumentParser:
    parser = tool_parser("sprt", NEEDED, DESCRIPTION, EXAMPLE)
    test = parser.add_argument_group("the test")
    test.add_argument(
        "--bounds",
        metavar="ELO0,ELO1",
        help="is it worth ELO1 or no more than ELO0? Written with =: --bounds=-1.75,0.25",
    )
    add_sprt_options(test)
    test.add_argument(
        "--games",
        type=int,
        default=DEFAULT_GAMES,
        metavar="N",
        help="at most, if the test is not decided before (%(default)s)",
    )
    group = parser.add_argument_group("from counts")
    counts = group.add_mutually_exclusive_group()
    counts.add_argument(
        "--ptnml", metavar="N,N,N,N,N", help="pairs of games by points: 0, ½, 1, 1½, 2"
    )
    counts.add_argument("--wdl", metavar="W,D,L", help="single games: won, drawn, lost")
    add_engine_options(parser)
    add_game_options(parser, faults=SCORED)
    parser.set_defaults(gauntlet=False, anchor=None)
    return parser


def _numbers(text: str, length: int, option: str) -> list[int]:
    words = text.split(",")
    if len(words) != length:
        raise CountsError(f"{option} takes {length} numbers, got {text!r}")
    counts = [parse_integer(word.strip(), 0, LARGEST_COUNT) for word in words]
    if None in counts:
        raise CountsError(f"{option} takes whole numbers, got {text!r}")
    return [count for count in counts if count is not None]
