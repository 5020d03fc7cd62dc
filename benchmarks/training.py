# SPDX-License-Identifier: GPL-3.0-or-later
"""Training from end to end: batches drawn and decoded, forward, backward, the optimiser's step.

python -m benchmarks.training [--device D] [--family F] [--width W] [--batch B]
[--rounds N] needs nothing but PyTorch, NumPy and Numba: a bare machine with a GPU can run it.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import replace

import torch

from benchmarks.figures import Figure, show
from kingcobra.core.network.architectures import Architecture
from kingcobra.exit_codes import EXIT_OK, EXIT_USAGE
from kingcobra.training.data.packed import as_words
from kingcobra.training.model.trainable import TrainableNetwork
from kingcobra.training.runs.harvesting import HarvestSource
from kingcobra.training.runs.settings import (
    FAMILIES,
    HarvestSettings,
    NetworkSettings,
    RunSettings,
    SettingsError,
    TrainingSettings,
)
from kingcobra.training.runs.store import PositionStore
from kingcobra.training.runs.trainer import Trainer
from kingcobra.training.selfplay.player import CLASSICAL, Objects

# Real positions, of quick games. All are on the device, as in a run.
HARVEST_NODES = 40
POSITIONS, VALIDATED = 50_000, 1_000
ROUND_S = 3.0
MILLION = 1e6
DEFAULT_ROUNDS, DEFAULT_WIDTH, DEFAULT_BATCH = 5, 256, 16_384
DEFAULT_FAMILY = "pairwise"


def trainers(device: str, architecture: Architecture, batch: int) -> Iterator[tuple[str, Trainer]]:
    """The ways that a device has: the one that is used first."""
    harvest = HarvestSettings(teacher=CLASSICAL, nodes=HARVEST_NODES, one_in=1)
    records = HarvestSource(harvest, Objects.obtain(_say), _say).validation(POSITIONS)
    store = PositionStore(len(records), device)
    store.add(records)
    validation = torch.from_numpy(as_words(records[:VALIDATED]).copy()).to(device)
    training = TrainingSettings(batch=batch)
    captured, compiled, eager = (
        RunSettings(training=replace(training, compiled=compiles, captured=captures))
        for compiles, captures in ((True, True), (True, False), (False, False))
    )

    def trainer(settings: RunSettings) -> Trainer:
        torch.manual_seed(1)
        return Trainer(settings, TrainableNetwork(architecture), store, validation)

    if torch.device(device).type != "cuda":
        yield "rows looked up", trainer(eager)
        return
    for name, settings in (("compiled, one graph", captured), ("compiled", compiled)):
        chosen = trainer(settings)
        chosen.warm_up(_say)
        yield f"grouped products, {name}", chosen
    yield "grouped products", trainer(eager)
    by_rows = trainer(eager)
    by_rows.network.grouped = False
    yield "rows looked up", by_rows


def measure(
    rounds: int,
    device: str = "",
    family: str = DEFAULT_FAMILY,
    width: int = DEFAULT_WIDTH,
    batch: int = DEFAULT_BATCH,
) -> Iterator[Figure]:
    """The best round of each way, in millions of positions a second. SettingsError where there is
    no such network."""
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    architecture = NetworkSettings(family, width).architecture()
    for name, trainer in trainers(device, architecture, batch):
        speeds = [speed(trainer, batch) for _ in range(rounds)]
        yield Figure(
            f"{name}, {device}, {family}, {width} wide, batch {batch}",
            max(speeds) / MILLION,
            "M positions/s",
        )


def speed(trainer: Trainer, batch: int) -> float:
    """Positions a second of one round."""
    trainer.train_step()
    _wait()
    started, steps = time.perf_counter(), 0
    while time.perf_counter() - started < ROUND_S:
        trainer.train_step()
        steps += 1
    _wait()
    return steps * batch / (time.perf_counter() - started)


def _wait() -> None:
    """Until a GPU has done what it was told."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def _say(text: str) -> None:
    print(f"  {text}", file=sys.stderr)


def main() -> int:
    """Prints the figures of one device."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training")
    parser.add_argument("--device", default="", help="cpu or cuda; the GPU if there is one")
    parser.add_argument("--family", default=DEFAULT_FAMILY, help=", ".join(FAMILIES))
    parser.add_argument("--width", type=int, default=DEFAULT_WIDTH)
    parser.add_argument("--batch", type=int, default=DEFAULT_BATCH)
    parser.add_argument("--rounds", type=int, default=DEFAULT_ROUNDS)
    options = parser.parse_args()
    given = (options.rounds, options.device, options.family, options.width, options.batch)
    try:
        show("training", measure(*given))
    except SettingsError as error:
        print(f"training: {error}", file=sys.stderr)
        return EXIT_USAGE
    return EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
