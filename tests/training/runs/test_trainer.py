# SPDX-License-Identifier: GPL-3.0-or-later
"""Training for real, on little: a student learns what its teacher says, and a run that is stopped
goes on as if it had not been."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from kingcobra.core.network.architectures import SQUARED  # noqa: E402
from kingcobra.training.data.blocks import DataError  # noqa: E402
from kingcobra.training.data.packed import as_words, packed_fen  # noqa: E402
from kingcobra.training.model.trainable import TrainableNetwork  # noqa: E402
from kingcobra.training.runs import trainer as trainer_module  # noqa: E402
from kingcobra.training.runs.settings import RunSettings, TrainingSettings  # noqa: E402
from kingcobra.training.runs.store import PositionStore  # noqa: E402
from kingcobra.training.runs.trainer import HopelessRun, Trainer  # noqa: E402
from tests.training.model.test_exactness import random_fens  # noqa: E402

ARCHITECTURE = SQUARED.at_width(64)
VALUES = {"p": 1000, "n": 3000, "b": 3000, "r": 5000, "q": 9000}


def material(fen):
    """The mover's material in raw units: what the student has to learn."""
    board, side = fen.split()[:2]
    white = sum(VALUES.get(letter.lower(), 0) * (1 if letter.isupper() else -1) for letter in board)
    return white if side == "w" else -white


@pytest.fixture(autouse=True)
def precision_as_before():
    """`warm_up` changes that of the whole process."""
    before = torch.get_float32_matmul_precision()
    yield
    torch.set_float32_matmul_precision(before)


@pytest.fixture(scope="module")
def records():
    return np.array([packed_fen(fen, material(fen)) for fen in random_fens(250, seed=3)])


def trainer_of(records, steps, clock=None, **changes):
    training = replace(
        TrainingSettings(batch=64, peak_rate=4e-3, checkpoint_seconds=1e9),
        **{"seconds": float(steps), "report_seconds": 1e9, **changes},
    )
    torch.manual_seed(1)
    device = changes.get("device", "cpu")
    store = PositionStore(len(records), device)
    store.add(records)
    validation = torch.from_numpy(as_words(records[:100])).to(device)
    # One second of this clock is a step.
    ticks = itertools.count()
    return Trainer(
        RunSettings(training=training),
        TrainableNetwork(ARCHITECTURE),
        store,
        validation,
        clock or (lambda: float(next(ticks))),
    )


def test_a_student_learns(records):
    trainer = trainer_of(records, 200)
    before = trainer.measured()
    after = trainer.run(lambda _metrics: None, lambda _trainer: None)
    assert after.steps >= 190
    assert after.exported_loss < 0.3 * before.exported_loss
    assert after.exported_error < before.exported_error
    assert after.validation_loss == pytest.approx(after.exported_loss, rel=0.5)


def test_a_large_epsilon_slows_down_rare_inputs(records):
    """Here it is far above all gradients, so hardly anything moves."""
    trainer = trainer_of(records, 8, epsilon=1e3)
    before = [parameter.detach().clone() for parameter in trainer.network.parameters()]
    trainer.run(lambda _metrics: None, lambda _trainer: None)
    for one, two in zip(before, trainer.network.parameters(), strict=True):
        assert torch.allclose(one, two, atol=1e-4)


def test_a_stopped_run_goes_on_as_if_it_had_not_been(records, tmp_path):
    whole = trainer_of(records, 32)
    whole.run(lambda _metrics: None, lambda _trainer: None)
    first = trainer_of(records, 32)
    ticks = itertools.count()
    kept = tmp_path / "checkpoint"

    def stopping_clock():
        now = next(ticks)
        if now == 20:
            first.save(kept)
            raise KeyboardInterrupt
        return float(now)

    first._clock = stopping_clock
    with pytest.raises(KeyboardInterrupt):
        first.run(lambda _metrics: None, lambda _trainer: None)
    second = trainer_of(records, 32)
    second.restore(kept)
    assert second.steps == first.steps
    second.run(lambda _metrics: None, lambda _trainer: None)
    for one, two in zip(whole.network.parameters(), second.network.parameters(), strict=True):
        assert torch.equal(one, two)


def test_without_a_compiler_a_gpu_s_run_goes_on(records, monkeypatch):
    """A GPU's way, on the CPU; PyTorch's compiler needs more than PyTorch."""

    def fail(_function, **_options):
        def compiled(*_arguments):
            raise RuntimeError("Failed to find C compiler.\nPlease specify one.")

        return compiled

    monkeypatch.setattr(trainer_module, "GPU", "cpu")
    monkeypatch.setattr(torch, "compile", fail)
    trainer = trainer_of(records, 4)
    lines = []
    trainer.warm_up(lines.append)
    assert lines == ["without torch.compile: Failed to find C compiler."]
    assert trainer.network.grouped
    assert trainer.run(lambda _metrics: None, lambda _trainer: None).steps == 3


def test_without_cuda_graphs_a_gpu_s_run_goes_on(records, monkeypatch):
    def fail(_step, _words):
        raise RuntimeError("operation not permitted when stream is capturing\nmore")

    monkeypatch.setattr(trainer_module, "GPU", "cpu")
    monkeypatch.setattr(torch, "compile", lambda function, **_options: function)
    monkeypatch.setattr(trainer_module, "CapturedStep", fail)
    trainer = trainer_of(records, 4)
    monkeypatch.setattr(trainer, "_create_moments", lambda: None)  # a CPU's optimiser captures not
    lines = []
    trainer.warm_up(lines.append)
    assert lines == ["without CUDA graphs: operation not permitted when stream is capturing"]


def test_checkpoints_of_other_devices_are_taken_up(records, tmp_path):
    """A GPU's generator has a state of sixteen bytes."""
    first = trainer_of(records, 8)
    first.run(lambda _metrics: None, lambda _trainer: None)
    kept = tmp_path / "checkpoint"
    first.save(kept)
    state = torch.load(kept, weights_only=True)
    state["generator"] = torch.zeros(16, dtype=torch.uint8)
    torch.save(state, kept)
    second = trainer_of(records, 12)
    second.restore(kept)
    assert second.steps == first.steps
    assert second.run(lambda _metrics: None, lambda _trainer: None).steps > first.steps


def test_checkpoints_of_other_optimisers_are_taken_up(records, tmp_path):
    """Before steps were recorded, the rate was a plain number."""
    first = trainer_of(records, 8)
    first.run(lambda _metrics: None, lambda _trainer: None)
    kept = tmp_path / "checkpoint"
    first.save(kept)
    state = torch.load(kept, weights_only=True)
    for group in state["optimiser"]["param_groups"]:
        group["lr"], group["capturable"] = 1e-3, True
    del state["rate"]
    torch.save(state, kept)
    second = trainer_of(records, 12)
    second.restore(kept)
    assert second.run(lambda _metrics: None, lambda _trainer: None).steps > first.steps


def test_preparing_for_a_recorded_step_learns_nothing(records):
    plain, prepared = trainer_of(records, 6), trainer_of(records, 6)
    prepared._create_moments()
    for trainer in (plain, prepared):
        trainer.run(lambda _metrics: None, lambda _trainer: None)
    for one, two in zip(plain.network.parameters(), prepared.network.parameters(), strict=True):
        assert torch.equal(one, two)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_a_recorded_step_learns_what_its_launches_would(records):
    losses = []
    for captured in (True, False):
        trainer = trainer_of(records, 60, device="cuda", captured=captured)
        lines = []
        trainer.warm_up(lines.append)
        assert lines == []
        losses.append(trainer.run(lambda _metrics: None, lambda _trainer: None).exported_loss)
    assert losses[0] == pytest.approx(losses[1], rel=0.1)


def test_a_gpu_without_grouped_products_is_told(records, monkeypatch):
    monkeypatch.setattr(trainer_module, "GPU", "cpu")
    monkeypatch.setattr(trainer_module, "can_group", lambda _device: False)
    trainer = trainer_of(records, 4)
    lines = []
    trainer.warm_up(lines.append)
    assert "no grouped matrix products" in lines[0]
    assert not trainer.network.grouped


def test_slow_reports_leave_time_for_learning(records):
    """A report that takes as long as ten steps comes every hundred steps at most."""
    now = itertools.count()
    trainer = trainer_of(records, 300, clock=lambda: float(next(now)), report_seconds=20.0)
    measured = trainer.measured

    def slowly_measured():
        for _ in range(10):
            next(now)
        return measured()

    trainer.measured = slowly_measured
    reports = []
    trainer.train_step = lambda: None
    trainer.run(reports.append, lambda _trainer: None)
    assert [round(one.seconds) // 100 for one in reports] == [0, 1, 2]


def test_a_broken_checkpoint_is_refused(records, tmp_path):
    path = tmp_path / "checkpoint"
    trainer = trainer_of(records, 16)
    trainer.save(path)
    whole = path.read_bytes()
    for content in (whole[:1000], whole[: len(whole) // 2], b"", b"no checkpoint at all"):
        path.write_bytes(content)
        with pytest.raises(DataError, match="damaged, or of another network than"):
            trainer.restore(path)


def test_what_is_no_number_is_hopeless(records):
    trainer = trainer_of(records, 16)
    with torch.no_grad():
        trainer.network.fc1_biases.fill_(float("nan"))
    with pytest.raises(HopelessRun, match="not finite"):
        trainer.run(lambda _metrics: None, lambda _trainer: None)


def test_dead_neurons_are_hopeless(records):
    trainer = trainer_of(records, 16, peak_rate=1e-9)
    with torch.no_grad():
        trainer.network.transformer.biases.fill_(-50)
    with pytest.raises(HopelessRun, match="100% of the accumulator's neurons are dead"):
        trainer.run(lambda _metrics: None, lambda _trainer: None)
