# SPDX-License-Identifier: GPL-3.0-or-later
"""The training loop: bounded by time, told as it goes, and ended when it is hopeless."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from kingcobra.file_writing import draft_of
from kingcobra.training.model.decoding import decode
from kingcobra.training.model.exchange import exported
from kingcobra.training.model.integers import IntegerNetwork
from kingcobra.training.model.scales import HIDDEN_LIMIT, OUTPUT_ONE
from kingcobra.training.model.trainable import TrainableNetwork
from kingcobra.training.runs.settings import RunSettings
from kingcobra.training.runs.store import PositionStore

BETAS = (0.9, 0.99)
# Steps between two looks at the clock.
CLOCK_STEPS = 16
VALIDATION_BATCH = 16_384
# Errors are measured where games are decided: within about ten pawns.
COUNTED_RAW = 48_000
# When so many neurons are dead, or weights at their limits, the run is hopeless.
HOPELESS_DEAD = 0.9
HOPELESS_SATURATED = 0.5
SATURATED = 0.999 * HIDDEN_LIMIT


class HopelessRun(Exception):
    """Training that leads nowhere; the message says why."""


@dataclass(frozen=True)
class Metrics:
    """A line of a run's history. Losses of validation come twice: from the trainer's numbers and
    from the integers of an export. The error is the integers', in raw units."""

    seconds: float
    steps: int
    positions: int
    rate: float
    training_loss: float
    validation_loss: float
    exported_loss: float
    exported_error: float
    dead_share: float
    saturated_share: float


class Trainer:
    """Trains one network on the positions of a store."""

    def __init__(
        self,
        settings: RunSettings,
        network: TrainableNetwork,
        store: PositionStore,
        validation: Tensor,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._store = store
        self._validation = validation
        self._clock = clock
        device = validation.device
        self.network = network.to(device)
        self._optimiser = torch.optim.AdamW(
            network.parameters(),
            lr=settings.training.peak_rate,
            betas=BETAS,
            weight_decay=0.0,
            fused=device.type == "cuda",
        )
        self._generator = torch.Generator(device=device).manual_seed(settings.network.seed)
        self._learn = (
            torch.compile(self._gradients, dynamic=False)
            if device.type == "cuda"
            else self._gradients
        )
        self.steps = 0
        self.seconds = 0.0
        self._progress = 0.0
        self._loss_sum = torch.zeros((), device=device)
        self._loss_steps = 0

    def run(self, report: Callable[[Metrics], None], keep: Callable[["Trainer"], None]) -> Metrics:
        """Trains until the time is over; `report` hears how it goes, `keep` may save what there
        is. HopelessRun ends it early."""
        training = self._settings.training
        started = self._clock() - self.seconds
        next_report = self.seconds + training.report_seconds
        next_keep = self.seconds + training.checkpoint_seconds
        while True:
            if self.steps % CLOCK_STEPS == 0:
                self.seconds = self._clock() - started
                if self.seconds >= training.seconds:
                    break
                self._set_rate(self.seconds / training.seconds)
            self._step()
            if self.seconds >= next_report:
                report(self.measured())
                next_report = self.seconds + training.report_seconds
            if self.seconds >= next_keep:
                keep(self)
                next_keep = self.seconds + training.checkpoint_seconds
        final = self.measured()
        report(final)
        return final

    def _set_rate(self, progress: float) -> None:
        self._progress = progress
        for group in self._optimiser.param_groups:
            group["lr"] = self._settings.training.schedule().rate(progress)

    def _step(self) -> None:
        words = self._store.draw(self._settings.training.batch, self._generator)
        rounds = self._settings.training.schedule().rounds(self._progress)
        loss = self._learn(words, rounds)
        self._optimiser.step()
        self._optimiser.zero_grad(set_to_none=True)
        self.network.clip()
        self._loss_sum += loss
        self._loss_steps += 1
        self.steps += 1

    def _gradients(self, words: Tensor, rounds: bool) -> Tensor:
        loss = self._loss(words, rounds)
        loss.backward()
        return loss.detach()

    def _loss(self, words: Tensor, rounds: bool) -> Tensor:
        architecture = self.network.architecture
        batch = decode(words, architecture.features, architecture.stacks)
        values = self.network(batch.views, batch.stack, rounds)
        return self._settings.loss.loss(values, batch.labels)

    @torch.no_grad()
    def measured(self) -> Metrics:
        """How good the network is now. HopelessRun where that is nothing to go on with."""
        for name, parameter in self.network.named_parameters():
            if not torch.isfinite(parameter).all():
                raise HopelessRun(f"{name} is not finite after {self.steps} steps")
        training_loss = (self._loss_sum / max(self._loss_steps, 1)).item()
        self._loss_sum.zero_()
        self._loss_steps = 0
        if not math.isfinite(training_loss):
            raise HopelessRun(f"the loss is {training_loss} after {self.steps} steps")
        dead, saturated = self._dead_share(), self._saturated_share()
        if dead > HOPELESS_DEAD:
            raise HopelessRun(f"{dead:.0%} of the accumulator's neurons are dead")
        if saturated > HOPELESS_SATURATED:
            raise HopelessRun(f"{saturated:.0%} of the first layer's weights are at their limit")
        losses = [self._loss(part, False).item() * len(part) for part in self._parts()]
        exported_loss, error = self._exported_quality()
        return Metrics(
            seconds=self.seconds,
            steps=self.steps,
            positions=self.steps * self._settings.training.batch,
            rate=self._optimiser.param_groups[0]["lr"],
            training_loss=training_loss,
            validation_loss=sum(losses) / len(self._validation),
            exported_loss=exported_loss,
            exported_error=error,
            dead_share=dead,
            saturated_share=saturated,
        )

    def _parts(self) -> tuple[Tensor, ...]:
        return torch.split(self._validation, VALIDATION_BATCH)

    def _exported_quality(self) -> tuple[float, float]:
        """Loss and root mean square error of the network as it would be exported now."""
        integers = IntegerNetwork(exported(self.network, ""), self._validation.device)
        architecture = self.network.architecture
        loss = squares = counted = 0.0
        for part in self._parts():
            labels = decode(part, architecture.features, architecture.stacks).labels
            raw = integers.evaluate(part).total
            loss += self._settings.loss.loss(raw / OUTPUT_ONE, labels).item() * len(part)
            near = labels.score.abs() <= COUNTED_RAW
            squares += ((raw - labels.score)[near].double() ** 2).sum().item()
            counted += near.sum().item()
        return loss / len(self._validation), math.sqrt(squares / max(counted, 1))

    def _dead_share(self) -> float:
        """Accumulator neurons that no position of the validation set wakes."""
        architecture = self.network.architecture
        part = self._validation[:VALIDATION_BATCH]
        views = decode(part, architecture.features, architecture.stacks).views
        transformer = self.network.transformer
        sums, _ = transformer.by_bags(views, transformer.table())
        return (sums.amax(dim=0) <= 0).float().mean().item()

    def _saturated_share(self) -> float:
        return (self.network.fc0_weights().abs() >= SATURATED).float().mean().item()

    # --- checkpoints --------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Everything that `restore` needs, written as a whole or not at all. May raise OSError."""
        state: dict[str, Any] = {
            "network": self.network.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "generator": self._generator.get_state(),
            "steps": self.steps,
            "seconds": self.seconds,
        }
        with draft_of(path) as draft:
            torch.save(state, draft)

    def restore(self, path: Path) -> None:
        """Goes on where a checkpoint was saved. May raise OSError, and RuntimeError for a file
        that is none of this network's."""
        state = torch.load(path, map_location=self._validation.device, weights_only=True)
        self.network.load_state_dict(state["network"])
        self._optimiser.load_state_dict(state["optimiser"])
        self._generator.set_state(state["generator"].cpu())
        self.steps, self.seconds = state["steps"], state["seconds"]
        self._progress = self.seconds / self._settings.training.seconds
