# SPDX-License-Identifier: GPL-3.0-or-later
"""How a command line describes a sequential test."""

import argparse

from kingcobra.arena.statistics.sprt import Model, Sprt

DEFAULT_ERROR = 0.05


def add_sprt_options(parser: argparse._ActionsContainer) -> None:
    """The options that `sprt_from` reads, but for the bounds, whose name differs by tool."""
    for name, error in (("--alpha", "worth ELO0 passes"), ("--beta", "worth ELO1 fails")):
        parser.add_argument(
            name,
            type=float,
            default=DEFAULT_ERROR,
            metavar="CHANCE",
            help=f"that what is {error} (%(default)s)",
        )
    parser.add_argument(
        "--model",
        choices=[model.value for model in Model],
        default=Model.NORMALISED.value,
        help="the unit of the bounds, normalised Elo or logistic Elo (%(default)s)",
    )


def sprt_from(options: argparse.Namespace) -> Sprt | None:
    """The test that the options describe, or None without bounds."""
    if options.bounds is None:
        return None
    try:
        elo0, elo1 = map(float, options.bounds.split(","))
    except ValueError:
        raise ValueError(f"bounds are two numbers, ELO0,ELO1, got {options.bounds!r}") from None
    return Sprt(elo0, elo1, options.alpha, options.beta, Model(options.model))
