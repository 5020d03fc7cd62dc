# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra train` from its settings to a network, and what stands in its way."""

import csv
import json

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK
from kingcobra.networks.file import read_network
from kingcobra.tools.train import main
from kingcobra.training.data.blocks import write_block
from kingcobra.training.data.packed import packed_fen
from tests.training.model.test_exactness import random_fens
from tests.training.runs.test_trainer import material

SETTINGS = """
[network]
width = 64
[data]
train = ["data.kcp"]
[training]
seconds = 2
batch = 64
report_seconds = 0.5
checkpoint_seconds = 0.5
device = "cpu"
"""


@pytest.fixture
def run(tmp_path):
    records = np.array([packed_fen(fen, material(fen)) for fen in random_fens(300, seed=5)])
    with (tmp_path / "data.kcp").open("wb") as file:
        write_block(file, {"teacher": "material"}, records)
    path = tmp_path / "run.toml"
    path.write_text(SETTINGS)
    return path


def test_a_run_writes_everything_and_goes_on(run, capsys):
    assert main([str(run)]) == EXIT_OK
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
    assert main([str(run), "--deadline", "2.5s"]) == EXIT_OK
    assert "going on after" in capsys.readouterr().err


def test_a_warm_start_takes_the_weights(run, tmp_path, capsys):
    assert main([str(run), "--deadline", "1s"]) == EXIT_OK
    old = run.with_suffix("") / "network.nnue"
    again = tmp_path / "again.toml"
    again.write_text(SETTINGS.replace("width = 64", f'width = 64\nwarm_start = "{old}"'))
    assert main([str(again), "--deadline", "0.2s"]) == EXIT_OK
    assert "starting from" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("width = 64", "width = 65", "network.width 65, expected a multiple of 64"),
        ("width = 64", 'width = "wide"', "network.width is 'wide', expected int"),
        ("width = 64", "wdith = 64", "network.wdith is unknown"),
        ("batch = 64", "batch = -1", "training.batch is -1, expected no negative number"),
        ("data.kcp", "missing.kcp", "missing.kcp: No such file or directory"),
        ("[data]", "[deta]", "[deta] is unknown"),
        ("width = 64", "width = ", "run.toml: "),
        ('"cpu"', '"nonsense"', "training.device 'nonsense'"),
    ],
)
def test_bad_settings_are_one_clear_line(run, capsys, old, new, complaint):
    run.write_text(SETTINGS.replace(old, new))
    assert main([str(run)]) == EXIT_FAILED
    errors = capsys.readouterr().err.splitlines()
    assert complaint in errors[-1]


def test_data_without_a_sound_block(run, capsys):
    (run.parent / "data.kcp").write_bytes(b"nothing of the kind")
    assert main([str(run)]) == EXIT_FAILED
    assert "no positions in" in capsys.readouterr().err


def test_a_missing_file_of_settings(tmp_path, capsys):
    assert main([str(tmp_path / "none.toml")]) == EXIT_FAILED
    assert "No such file" in capsys.readouterr().err
