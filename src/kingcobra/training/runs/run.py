# SPDX-License-Identifier: GPL-3.0-or-later
"""A run from its settings to its network: the folder that it fills, and how it goes on after a
stop.

    network.nnue     the network, written at the end and checked against the engine's arithmetic
    metrics.csv      a line for each report
    checkpoint.pt    what a stopped run goes on from
    report.json      settings, data, origin of the labels, final figures
"""

import csv
import json
import platform
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from kingcobra.networks import plain
from kingcobra.networks.file import load_network, read_network, write_network
from kingcobra.networks.network import Network
from kingcobra.training.data.packed import as_words, men_of
from kingcobra.training.model.exchange import exported, imported
from kingcobra.training.model.integers import IntegerNetwork
from kingcobra.training.model.trainable import TrainableNetwork
from kingcobra.training.runs.settings import RunSettings, SettingsError
from kingcobra.training.runs.store import PositionStore, read_records
from kingcobra.training.runs.trainer import Metrics, Trainer
from kingcobra.version import __version__

NETWORK_FILE = "network.nnue"
METRICS_FILE = "metrics.csv"
CHECKPOINT_FILE = "checkpoint.pt"
REPORT_FILE = "report.json"
# Positions on which an export is compared with the NumPy twin.
CHECKED_POSITIONS = 200
# At most this share of the data is held back where no validation file is named.
VALIDATION_SHARE = 0.1


class CheckError(Exception):
    """An exported network that is not what was trained; the message says where they differ."""


class RunResult(NamedTuple):
    """What a run came to."""

    network: Path
    metrics: Metrics


def train(settings: RunSettings, folder: Path, report: Callable[[str], None]) -> RunResult:
    """Trains as the settings say and writes into the folder, going on from a checkpoint that lies
    there. May raise SettingsError, DataError, NetworkError, HopelessRun, ExportError, CheckError
    and OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    device = _device(settings)
    records, origins = read_records(settings.data.train, settings.data.max_score, report)
    if settings.data.validation:
        held, _ = read_records([settings.data.validation], settings.data.max_score, report)
        held = held[: settings.data.validation_positions]
    else:
        count = min(settings.data.validation_positions, int(len(records) * VALIDATION_SHARE))
        held, records = records[: max(count, 1)], records[max(count, 1) :]
    store = PositionStore(len(records), device)
    store.add(records)
    validation = torch.from_numpy(as_words(held).copy()).to(device)
    report(f"{store.count} positions to train on, {len(held)} to validate with, on {device}")
    trainer = Trainer(settings, _start(settings, report), store, validation)
    checkpoint = folder / CHECKPOINT_FILE
    if checkpoint.exists():
        trainer.restore(checkpoint)
        report(f"{checkpoint}: going on after {trainer.seconds:.0f} s")
    with MetricsFile(folder / METRICS_FILE) as history:

        def tell(metrics: Metrics) -> None:
            history.append(metrics)
            report(metrics_line(metrics))

        try:
            final = trainer.run(tell, lambda now: now.save(checkpoint))
        except KeyboardInterrupt:
            trainer.save(checkpoint)
            raise
    trainer.save(checkpoint)
    network = exported(trainer.network, _description(settings, origins))
    path = folder / NETWORK_FILE
    write_network(network, path)
    check_export(read_network(path, squared=network.architecture.squared or None), validation)
    _write_report(folder / REPORT_FILE, settings, origins, store.count, final)
    return RunResult(path, final)


def _device(settings: RunSettings) -> torch.device:
    wanted = settings.training.device
    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        return torch.zeros(1, device=wanted).device
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise SettingsError(f"training.device {wanted!r}: {reason}") from error


def _start(settings: RunSettings, report: Callable[[str], None]) -> TrainableNetwork:
    architecture = settings.network.architecture()
    torch.manual_seed(settings.network.seed)
    if not settings.network.warm_start:
        return TrainableNetwork(architecture)
    network = load_network(settings.network.warm_start)
    if network.architecture != architecture:
        raise SettingsError(
            f"network.warm_start {settings.network.warm_start}: {network.architecture.name},"
            f" expected {architecture.name}"
        )
    report(f"starting from {settings.network.warm_start}")
    return imported(network)


def check_export(network: Network, validation: Tensor) -> None:
    """CheckError unless PyTorch and the NumPy twin, which the engine equals, agree to the unit on
    the file's network."""
    words = validation[:CHECKED_POSITIONS].cpu()
    values = IntegerNetwork(network).evaluate(words).total.tolist()
    for value, men in zip(values, men_of(words.numpy()), strict=True):
        expected = plain.evaluate(network, plain.Men(*men)).raw
        if value != expected:
            raise CheckError(f"the export evaluates a position as {expected}, PyTorch as {value}")


def metrics_line(metrics: Metrics) -> str:
    """How a run goes, for people."""
    millions = metrics.positions / 1e6
    per_second = millions / max(metrics.seconds, 1e-9)
    return (
        f"{metrics.seconds:.0f} s, {millions:.1f} M positions ({per_second:.2f} M/s),"
        f" rate {metrics.rate:.1e}, loss {metrics.training_loss:.6f}, validation"
        f" {metrics.validation_loss:.6f}, exported {metrics.exported_loss:.6f}, error"
        f" {metrics.exported_error:.0f} raw, dead {metrics.dead_share:.1%}"
    )


class MetricsFile:
    """A CSV file that grows line by line; a run that goes on appends to it."""

    def __init__(self, path: Path) -> None:
        is_new = not path.exists() or not path.stat().st_size
        self._file = path.open("a", newline="", encoding="utf-8")
        self._writer = csv.writer(self._file)
        if is_new:
            self._writer.writerow([field.name for field in fields(Metrics)])

    def append(self, metrics: Metrics) -> None:
        """Writes a line at once."""
        self._writer.writerow([getattr(metrics, field.name) for field in fields(Metrics)])
        self._file.flush()

    def __enter__(self) -> "MetricsFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _description(settings: RunSettings, origins: list[dict[str, Any]]) -> str:
    labels = "; ".join(json.dumps(origin, sort_keys=True) for origin in origins)
    return f"Kingcobra {__version__}, {settings.network.family} {settings.network.width}; {labels}"


def _write_report(
    path: Path,
    settings: RunSettings,
    origins: list[dict[str, Any]],
    positions: int,
    final: Metrics,
) -> None:
    content = {
        "settings": asdict(settings),
        "positions": positions,
        "labels": origins,
        "final": asdict(final),
        "versions": {
            "kingcobra": __version__,
            "torch": torch.__version__,
            "python": platform.python_version(),
        },
    }
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
