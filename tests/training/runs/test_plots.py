# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of a run, with matplotlib and without."""

import sys
from dataclasses import fields

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK
from kingcobra.tools.train import main
from kingcobra.training.runs.plots import PlotError, read_history
from kingcobra.training.runs.report import MetricsFile
from kingcobra.training.runs.trainer import Metrics


@pytest.fixture
def history(tmp_path):
    path = tmp_path / "metrics.csv"
    with MetricsFile(path) as file:
        for number in range(1, 4):
            file.append(Metrics(*(number / 10 for _ in fields(Metrics))))
    return path


def test_a_cut_line_is_left_out(history):
    assert [row["seconds"] for row in read_history(history)] == [0.1, 0.2, 0.3]
    history.write_bytes(history.read_bytes()[:-9])
    assert len(read_history(history)) == 2


def test_a_picture(history):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    assert main(["plot", str(history.parent)]) == EXIT_OK
    assert (history.parent / "plots.png").read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib(history, monkeypatch, capsys):
    for name in ("matplotlib.backends.backend_agg", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)
    assert main(["plot", str(history.parent)]) == EXIT_FAILED
    assert "matplotlib is not installed" in capsys.readouterr().err


def test_what_is_no_history(tmp_path):
    path = tmp_path / "metrics.csv"
    path.write_text("some,other,file\n1,2,3\n")
    with pytest.raises(PlotError, match="no column 'dead_share', so not the metrics of a run"):
        read_history(path)
    with MetricsFile(tmp_path / "empty.csv"):
        pass
    with pytest.raises(PlotError, match="no line yet"):
        read_history(tmp_path / "empty.csv")
    with pytest.raises(FileNotFoundError):
        read_history(tmp_path / "missing.csv")


def test_no_run_in_the_folder(tmp_path, capsys):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    assert main(["plot", str(tmp_path)]) == EXIT_FAILED
    assert "metrics.csv: No such file or directory" in capsys.readouterr().err
