# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks that the benchmark of training does not know: one line and the code for wrong usage."""

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

from benchmarks import __main__ as all_benchmarks
from benchmarks import training


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("--family", "x", "network.family 'x', expected one of pairwise, regions, halfkp"),
        ("--width", "100", "network.width 100, expected a multiple of 64 up to 4096"),
    ],
)
@pytest.mark.parametrize(
    ("main", "names"), [(all_benchmarks.main, ["training"]), (training.main, [])]
)
def test_unknown_networks_are_named(main, names, option, value, expected, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["benchmarks", *names, option, value])
    assert main() == 2
    assert capsys.readouterr().err == f"training: {expected}\n"
