# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a sequential test."""

import argparse

from kingcobra.statistics.sprt import Model, Sprt

DEFAULT_ERROR = 0.05


def add_sprt_options(parser: argparse._ActionsContainer) -> None:
    """Adds the options that `sprt_from` reads, except the bounds, whose name differs by tool."""
    for name, error in (
        ("--alpha", "a patch worth ELO0 passes"),
        ("--beta", "a patch worth ELO1 fails"),
    ):
        parser.add_argument(
            name,
            type=float,
            default=DEFAULT_ERROR,
            metavar="CHANCE",
            help=f"that {error} (%(default)s)",
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
