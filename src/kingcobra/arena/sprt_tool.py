# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra sprt`: what the counts of a finished or running match say. Plays nothing."""

import argparse
import sys
from collections.abc import Sequence

from kingcobra.arena.likelihood import Model, Sprt
from kingcobra.arena.statistics import (
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

EXIT_USAGE = 2
DEFAULT_ERROR = 0.05


def main(arguments: list[str]) -> int:
    """Prints the statistics of the counts given, and the LLR where bounds are given."""
    options = _parser().parse_args(arguments)
    try:
        if options.ptnml:
            counts = _numbers(options.ptnml, PENTANOMIAL, "--ptnml")
        else:
            counts = _numbers(options.wdl, TRINOMIAL, "--wdl")[::-1]
        check_counts(counts)
        print("\n".join(report(counts, sprt_from(options))))
    except (CountsError, ValueError) as error:
        print(f"kingcobra sprt: {error}", file=sys.stderr)
        return EXIT_USAGE
    return 0


def add_sprt_options(parser: argparse.ArgumentParser) -> None:
    """The options that `sprt_from` reads, but for the bounds, whose name differs by tool."""
    parser.add_argument("--alpha", type=float, default=DEFAULT_ERROR, metavar="CHANCE")
    parser.add_argument("--beta", type=float, default=DEFAULT_ERROR, metavar="CHANCE")
    parser.add_argument(
        "--model",
        choices=[model.value for model in Model],
        default=Model.NORMALISED.value,
        help="unit of the bounds: normalised Elo (default) or logistic Elo",
    )


def sprt_from(options: argparse.Namespace) -> Sprt | None:
    """The test that the options describe, or None without bounds."""
    if options.bounds is None:
        return None
    words = options.bounds.split(",")
    if len(words) != 2:
        raise ValueError(f"bounds are ELO0,ELO1, got {options.bounds!r}")
    return Sprt(float(words[0]), float(words[1]), options.alpha, options.beta, Model(options.model))


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
    parser = argparse.ArgumentParser(prog="kingcobra sprt", description=__doc__)
    counts = parser.add_mutually_exclusive_group(required=True)
    counts.add_argument(
        "--ptnml", metavar="N,N,N,N,N", help="pairs of games by points: 0, ½, 1, 1½, 2"
    )
    counts.add_argument("--wdl", metavar="W,D,L", help="single games: won, drawn, lost")
    parser.add_argument("--bounds", metavar="ELO0,ELO1", help="write --bounds=-1.75,0.25")
    add_sprt_options(parser)
    return parser


def _numbers(text: str, length: int, option: str) -> list[int]:
    words = text.split(",")
    if len(words) != length:
        raise CountsError(f"{option} takes {length} numbers, got {text!r}")
    try:
        return [int(word) for word in words]
    except ValueError:
        raise CountsError(f"{option} takes whole numbers, got {text!r}") from None
