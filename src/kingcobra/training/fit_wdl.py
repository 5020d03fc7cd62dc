# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits the scale of an evaluation to its own games: which score wins how many.

    kingcobra selfplay -o GAMES.kcp --kind games --nodes 1000 --random-move-share 0 \\
                       --chess960-share 0 --teacher default --seconds 600
    python -m kingcobra.training.fit_wdl GAMES.kcp …

Games of a network rewrite networks/fitted_scale.py, games of the classical evaluation (with
`--teacher classical`) rewrite networks/classical_scale.py. For the latter, games of `kingcobra
match` will do, too: PGN files with the scores in the comments. Repeat it when search or evaluation
have changed much.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

from kingcobra.errors import line_of
from kingcobra.networks import scale as scales
from kingcobra.networks.classical_scale import CLASSICAL_SCALE
from kingcobra.networks.default_network import DIGITS
from kingcobra.networks.scale import Scale
from kingcobra.training.adam import Adam
from kingcobra.training.scored_games import NoGames, ScoreCounts, gather

# Beside the module of scales.
FITTED_MODULE, CLASSICAL_MODULE = "fitted_scale.py", "classical_scale.py"
POWERS = 3
FIRST_EVEN, FIRST_SPREAD = 200.0, 80.0
LEAST_SPREAD = 5.0
LEARNING_RATE = 1.0
EPSILON = 1e-9


def fit(samples: ScoreCounts, rounds: int) -> Scale:
    """The scale under which the results are likeliest, by Adam on their cross-entropy."""
    powers = np.stack([samples.shares**power for power in range(POWERS)])
    scale = np.array([FIRST_EVEN, 0.0, 0.0, FIRST_SPREAD, 0.0, 0.0])
    adam = Adam(scale, EPSILON)
    total = samples.wins.sum() + samples.draws.sum() + samples.losses.sum()
    for turn in range(1, rounds + 1):
        even = scale[:POWERS] @ powers
        spread = np.maximum(scale[POWERS:] @ powers, LEAST_SPREAD)
        win = 1 / (1 + np.exp((even - samples.units) / spread))
        loss = 1 / (1 + np.exp((even + samples.units) / spread))
        draw = np.maximum(1 - win - loss, EPSILON)
        # How the likelihood changes with the two arguments of the logistic function.
        by_win = (samples.wins / (win + EPSILON) - samples.draws / draw) * win * (1 - win)
        by_loss = (samples.losses / (loss + EPSILON) - samples.draws / draw) * loss * (1 - loss)
        by_even = -(by_win + by_loss) / spread
        by_spread = (by_win * (even - samples.units) + by_loss * (even + samples.units)) / spread**2
        gradient = -np.concatenate([powers @ by_even, powers @ by_spread]) / total
        scale -= LEARNING_RATE * adam.direction(gradient) * (1 - turn / rounds)
    return Scale(tuple(scale[:POWERS].tolist()), tuple(scale[POWERS:].tolist()))


def scale_module(scale: Scale, digest: str) -> str:
    """The text of the module that the engine imports: for the classical evaluation or, with a
    digest, for the network of that file."""
    whose = "default network" if digest else "classical evaluation"
    known_by = f'DIGITS = "{digest[: len(DIGITS)]}"\n' if digest else ""
    name = "FITTED_SCALE" if digest else "CLASSICAL_SCALE"
    even, spread = (
        "(" + ", ".join(f"{factor:.3f}" for factor in factors) + ")"
        for factors in (scale.even, scale.spread)
    )
    return (
        "# SPDX-License-Identifier: GPL-3.0-or-later\n"
        f'"""The scale of the {whose}, fitted by kingcobra.training.fit_wdl; not for'
        ' editing."""\n\n'
        "from kingcobra.networks.scale import Scale\n\n"
        f"{known_by}{name} = Scale(even={even}, spread={spread})\n"
    )


def main(arguments: list[str] | None = None) -> int:
    """Reads, fits, writes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", type=Path, nargs="+", help="files of self-play, or PGN files")
    parser.add_argument(
        "--units-per-pawn",
        type=float,
        default=CLASSICAL_SCALE.units_per_pawn,
        help="units of the evaluation in the 100 centipawns of PGN files (default: the present)",
    )
    parser.add_argument("--rounds", type=int, default=20_000)
    parser.add_argument("--into", type=Path, help="instead of the module that the engine imports")
    options = parser.parse_args(arguments)
    try:
        found = gather(options.games, options.units_per_pawn, _print_error)
    except UnicodeDecodeError:
        _print_error("not a PGN file: not UTF-8 text")
        return 1
    except (OSError, NoGames) as error:
        _print_error(line_of(error))
        return 1
    scale = fit(found.counts, options.rounds)
    module = FITTED_MODULE if found.digest else CLASSICAL_MODULE
    into = options.into or Path(scales.__file__).with_name(module)
    into.write_text(scale_module(scale, found.digest), encoding="utf-8")
    print(f"100 centipawns are {scale.units_per_pawn:.1f} units; written to {into}")
    return 0


def _print_error(text: str) -> None:
    print(f"fit_wdl: {text}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
