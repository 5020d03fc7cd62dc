# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra train` from its settings to a network, and what stands in its way."""

import csv
import json
import subprocess
import sys
import time

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK
from kingcobra.networks import plain
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.networks.file import read_network, write_network
from kingcobra.tools.train import main
from kingcobra.training.data.blocks import write_block
from kingcobra.training.data.comparison import POWER
from kingcobra.training.data.expectations import expected_scores
from kingcobra.training.data.games import fen_of
from kingcobra.training.data.packed import packed_fen
from kingcobra.training.runs.settings import read_settings
from kingcobra.training.runs.store import PositionStore
from kingcobra.training.runs.trainer import HopelessRun, Trainer
from tests.paths import REPOSITORY
from tests.training.model.test_exactness import random_fens
from tests.training.runs.test_trainer import material

PATIENCE_S = 300
RUNS = REPOSITORY / "docs" / "runs"
SETTINGS = """
[network]
width = 64
[data]
train = ["data.kcp"]
[training]
seconds = 1
batch = 64
report_seconds = 0.2
checkpoint_seconds = 0.2
device = "cpu"
"""


@pytest.fixture(scope="module")
def records():
    return np.array([packed_fen(fen, material(fen)) for fen in random_fens(200, seed=5)])


@pytest.fixture
def run(tmp_path, records):
    with (tmp_path / "data.kcp").open("wb") as file:
        write_block(file, {"teacher": "material"}, records)
    path = tmp_path / "run.toml"
    path.write_text(SETTINGS)
    return path


def test_a_run_writes_everything_and_goes_on(run, capsys):
    assert main(["run", str(run)]) == EXIT_OK
    folder = run.with_suffix("")
    network = read_network(folder / "network.nnue", squared=True)
    assert network.architecture.width == 64
    assert b'"teacher": "material"' in network.description
    report = json.loads((folder / "report.json").read_text())
    assert report["labels"] == [{"teacher": "material"}]
    with (folder / "metrics.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert float(rows[-1]["exported_loss"]) == report["final"]["exported_loss"]
    capsys.readouterr()
    run.write_text(SETTINGS.replace("seconds = 1", "seconds = 1.5", 1))
    assert main(["run", str(run)]) == EXIT_OK
    assert "going on after" in capsys.readouterr().err


def test_holdouts_are_measured_at_the_end(run, records, capsys):
    with (run.parent / "strong.kcp").open("wb") as file:
        write_block(file, {"raw_per_pawn": 3600}, records[:60])
        write_block(file, {"raw_per_pawn": 3600}, records[60:80])
    run.write_text(SETTINGS.replace("[data]", '[data]\nholdouts = ["strong.kcp"]'))
    assert main(["run", str(run)]) == EXIT_OK
    report = json.loads((run.with_suffix("") / "report.json").read_text())
    everything, *groups = report["holdouts"]["strong.kcp"]
    assert everything["positions"] == 80 == sum(group["positions"] for group in groups)
    assert f"strong.kcp: loss {everything['loss']:.6f}" in capsys.readouterr().err
    network = read_network(run.with_suffix("") / "network.nnue", squared=True)
    values = [plain.evaluate(network, plain.men_of_fen(fen_of(one))).raw for one in records[:80]]
    pawns = [np.array(one) / 3600 for one in (values, records[:80]["score"])]
    found, wanted = map(expected_scores, pawns)
    assert everything["loss"] == pytest.approx((np.abs(found - wanted) ** POWER).mean())


def test_a_finished_run_repeats_its_figures(run, capsys):
    assert main(["run", str(run)]) == EXIT_OK
    folder = run.with_suffix("")
    first, lines = json.loads((folder / "report.json").read_text()), metrics(folder)
    assert main(["run", str(run)]) == EXIT_OK
    again = json.loads((folder / "report.json").read_text())
    assert again["final"] == first["final"]
    assert again["final"]["training_loss"] > 0
    assert metrics(folder) == lines
    assert "exported loss" in capsys.readouterr().err


def test_labels_of_different_units_are_told(run, records, capsys):
    with (run.parent / "data.kcp").open("ab") as file:
        for unit in (3600, 3600, 5000):
            write_block(file, {"raw_per_pawn": unit}, records)
    assert main(["run", str(run)]) == EXIT_OK
    assert (
        "the labels differ in unit, and stay so: 3600, 5000 raw are a pawn"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize("path", sorted(RUNS.glob("*.toml")), ids=lambda path: path.name)
def test_the_files_of_real_runs_can_be_read(path):
    settings = read_settings(path, ["data.kcp"])
    settings.harvest.players().rules()


def metrics(folder):
    return (folder / "metrics.csv").read_text()


def test_a_full_disk_costs_nothing_but_the_time_since_the_last_checkpoint(run, capsys):
    resource = pytest.importorskip("resource", reason="files have no limit of size here")
    assert main(["run", str(run)]) == EXIT_OK
    folder = run.with_suffix("")
    names = ("checkpoint.pt", "network.nnue")
    before = [(folder / name).read_bytes() for name in names]
    run.write_text(SETTINGS.replace("seconds = 1\n", "seconds = 1.5\n", 1))
    capsys.readouterr()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        assert main(["run", str(run)]) == EXIT_FAILED
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "File too large" in capsys.readouterr().err.splitlines()[-1]
    assert [(folder / name).read_bytes() for name in names] == before
    assert not [path.name for path in folder.iterdir() if path.name.startswith(".")]
    assert main(["run", str(run)]) == EXIT_OK
    assert "going on after" in capsys.readouterr().err


def test_a_killed_run_goes_on_from_its_checkpoint(run, capsys):
    """Its network is whole, too."""
    run.write_text(SETTINGS.replace("seconds = 1\n", "seconds = 600\n", 1))
    folder = run.with_suffix("")
    command = [sys.executable, "-m", "kingcobra", "train", "run", str(run)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + PATIENCE_S
    while not (folder / "checkpoint.pt").exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.kill()
    process.communicate()
    assert read_network(folder / "network.nnue", squared=True).architecture.width == 64
    run.write_text(SETTINGS)
    assert main(["run", str(run)]) == EXIT_OK
    assert "going on after" in capsys.readouterr().err


def test_a_checkpoint_of_another_network_is_one_clear_line(run, capsys):
    assert main(["run", str(run)]) == EXIT_OK
    run.write_text(SETTINGS.replace("width = 64", "width = 128"))
    assert main(["run", str(run)]) == EXIT_FAILED
    line = capsys.readouterr().err.splitlines()[-1]
    assert "checkpoint.pt: damaged, or of another network than" in line
    assert "choose another folder (--output)" in line


def test_a_hopeless_run_leaves_the_best_network_it_had(run, monkeypatch, capsys):
    """And no checkpoint of what was hopeless."""
    reports = []
    measured = Trainer.measured

    def measured_twice(trainer):
        if len(reports) == 2:
            raise HopelessRun("nothing to go on with")
        reports.append(measured(trainer))
        return reports[-1]

    monkeypatch.setattr(Trainer, "measured", measured_twice)
    patient = SETTINGS.replace("checkpoint_seconds = 0.2", "checkpoint_seconds = 600")
    run.write_text(patient.replace("seconds = 1\n", "seconds = 600\n", 1))
    assert main(["run", str(run)]) == EXIT_FAILED
    assert "nothing to go on with" in capsys.readouterr().err.splitlines()[-1]
    folder = run.with_suffix("")
    assert read_network(folder / "network.nnue", squared=True).architecture.width == 64
    assert not (folder / "checkpoint.pt").exists()


def test_a_run_without_a_step_is_no_success(run, capsys):
    run.write_text(SETTINGS.replace("seconds = 1\n", "seconds = 0\n", 1))
    assert main(["run", str(run)]) == EXIT_FAILED
    assert "no time to learn: preparing took" in capsys.readouterr().err.splitlines()[-1]
    assert not (run.with_suffix("") / "network.nnue").exists()


HARVEST_SETTINGS = """
[network]
width = 64
[data]
validation_positions = 200
[harvest]
teacher = "teacher.nnue"
nodes = 20
one_in = 1
capacity = 4000
first_positions = 500
[match]
versus = "classical"
nodes = 10
seconds = 2
[training]
seconds = 1
batch = 64
report_seconds = 0.5
device = "cpu"
"""


@pytest.fixture
def harvest_run(tmp_path, network):
    write_network(network, tmp_path / "teacher.nnue")
    path = tmp_path / "harvest.toml"
    path.write_text(HARVEST_SETTINGS)
    return path


def test_cores_harvest_while_the_device_learns(harvest_run, capsys):
    import torch

    threads = torch.get_num_threads()
    assert main(["run", str(harvest_run)]) == EXIT_OK
    folder = harvest_run.with_suffix("")
    report = json.loads((folder / "report.json").read_text())
    assert report["positions"] >= 500
    assert report["labels"][0]["teacher"] == "teacher.nnue"
    assert report["checked_positions"] == 200
    assert report["match"]["opponent"] == "classical"
    assert report["final"]["steps"] > 0
    assert read_network(folder / "network.nnue", squared=True).architecture.width == 64
    lines = capsys.readouterr().err.splitlines()
    assert any("learning begins with" in line for line in lines)
    assert "against classical at 10 nodes: +" in lines[-1]
    assert torch.get_num_threads() == threads


def test_new_positions_are_favoured_as_long_as_the_cores_play(harvest_run, monkeypatch):
    """With nothing of the learning time for the harvest, that is until the first step is done."""
    harvest_run.write_text(HARVEST_SETTINGS.replace("[match]", "until = 0.0\n[match]"))
    draw, favoured = PositionStore.draw, []

    def watched(store, *arguments):
        favoured.append(store.favours_new)
        return draw(store, *arguments)

    monkeypatch.setattr(PositionStore, "draw", watched)
    assert main(["run", str(harvest_run)]) == EXIT_OK
    assert favoured[0]
    assert not any(favoured[1:])


@pytest.mark.slow
def test_everything_is_out_before_the_deadline(harvest_run):
    deadline_s = 60
    started = time.monotonic()
    assert main(["run", str(harvest_run), "--deadline", f"{deadline_s}s"]) == EXIT_OK
    elapsed_s = time.monotonic() - started
    assert deadline_s / 2 < elapsed_s < deadline_s
    report = json.loads((harvest_run.with_suffix("") / "report.json").read_text())
    assert sum(report["match"]["games"]) > 0


def test_no_time_for_learning(harvest_run, capsys):
    assert main(["run", str(harvest_run), "--deadline", "2.5s"]) == EXIT_FAILED
    assert "leaves too little of 2.5 s for learning" in capsys.readouterr().err


def test_a_teacher_that_is_not_there(harvest_run, capsys):
    (harvest_run.parent / "teacher.nnue").unlink()
    assert main(["run", str(harvest_run)]) == EXIT_FAILED
    assert "teacher.nnue: not found" in capsys.readouterr().err.splitlines()[-1]


def test_a_warm_start_takes_the_weights(run, tmp_path, capsys):
    assert main(["run", str(run)]) == EXIT_OK
    old = run.with_suffix("") / "network.nnue"
    again = tmp_path / "again.toml"
    again.write_text(SETTINGS.replace("width = 64", f'width = 64\nwarm_start = "{old}"'))
    assert main(["run", str(again)]) == EXIT_OK
    assert "starting from" in capsys.readouterr().err


def test_a_run_can_start_from_the_default_network(run, capsys):
    """Which is wider than this run's, and told by its name."""
    run.write_text(SETTINGS.replace("width = 64", 'width = 64\nwarm_start = "default"'))
    assert main(["run", str(run)]) == EXIT_FAILED
    line = capsys.readouterr().err.splitlines()[-1]
    assert f"network.warm_start {DEFAULT_NETWORK}: " in line


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("width = 64", "width = 65", "network.width 65, expected a multiple of 64"),
        ("width = 64", 'width = "wide"', "network.width is 'wide', expected int"),
        ("width = 64", "wdith = 64", "network.wdith is unknown"),
        ("batch = 64", "batch = -1", "training.batch is -1, expected no negative number"),
        ("data.kcp", "missing.kcp", "missing.kcp: No such file or directory"),
        ("[data]", "[deta]", "[deta] is unknown"),
        ("[data]", '[data]\nholdouts = ["none.kcp"]', "none.kcp: No such file or directory"),
        (
            "[data]",
            '[data]\nholdouts = ["data.kcp", "data.kcp"]',
            "two holdouts are named data.kcp",
        ),
        ("[data]", "[harvest]\nmost_plies = 10001\n[data]", "expected at most 10000"),
        ('train = ["data.kcp"]', "", "neither data.train nor harvest.teacher"),
        ("[data]", "[harvest]\nuntil = 1.5\n[data]", "harvest.until is 1.5, expected at most 1"),
        ("batch = 64", "batch = 0", "training.batch is 0, expected at least 1"),
        ("batch = 64", "epsilon = 0.0", "training.epsilon is 0.0, expected a number above 0"),
        ("[data]", "[loss]\npower = 0\n[data]", "loss.power is 0, expected a number above 0"),
        ("width = 64", "width = ", "run.toml: "),
        ('"cpu"', '"nonsense"', "training.device 'nonsense'"),
    ],
)
def test_bad_settings_are_one_clear_line(run, capsys, old, new, complaint):
    run.write_text(SETTINGS.replace(old, new))
    assert main(["run", str(run)]) == EXIT_FAILED
    errors = capsys.readouterr().err.splitlines()
    assert complaint in errors[-1]


def test_data_without_a_sound_block(run, capsys):
    (run.parent / "data.kcp").write_bytes(b"nothing of the kind")
    assert main(["run", str(run)]) == EXIT_FAILED
    assert "no positions in" in capsys.readouterr().err


def test_a_missing_file_of_settings(tmp_path, capsys):
    assert main(["run", str(tmp_path / "none.toml")]) == EXIT_FAILED
    assert "No such file" in capsys.readouterr().err


def test_a_run_needs_no_python_chess(harvest_run):
    """Nor anything else that a bare machine with PyTorch lacks."""
    harvest_run.write_text(HARVEST_SETTINGS.replace("seconds = 1", "seconds = 0.1"))
    missing = ("chess", "rich", "ray", "matplotlib", "PIL")
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({missing})); "
        f"sys.argv[1:] = ['train', 'run', {str(harvest_run)!r}]; "
        "from kingcobra.cli import main; sys.exit(main())"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == EXIT_OK, result.stderr
    assert "against classical" in result.stderr
