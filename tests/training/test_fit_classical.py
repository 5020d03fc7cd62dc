# SPDX-License-Identifier: GPL-3.0-or-later
"""The fit of the classical weights, on a few hundred positions."""

import gzip
import importlib.util

import numpy as np
import pytest

from kingcobra.core.classical import terms, weights
from kingcobra.training import fit_classical
from tests.paths import DATA

LINES, ROUNDS, SEED = 400, 60, 3
SCALES = (0.2, 0.35, 0.5, 0.7, 1.0)


@pytest.fixture(scope="module")
def labelled_file(tmp_path_factory):
    """The labelled positions, packed as the fit reads them."""
    path = tmp_path_factory.mktemp("labelled") / "labelled.txt.gz"
    path.write_bytes(gzip.compress((DATA / "labelled.txt").read_bytes()))
    return path


@pytest.fixture(scope="module")
def lines(labelled_file):
    return fit_classical.read_lines(labelled_file, LINES, SEED)


def loss(samples, weights_cp):
    """Cross-entropy of the expected results, each row summed by itself."""
    ends = [*samples.starts[1:], len(samples.columns)]
    total = 0.0
    for start, end, target in zip(samples.starts, ends, samples.targets, strict=True):
        row = slice(start, end)
        value = float(weights_cp[samples.columns[row]] @ samples.coefficients[row])
        expected = 1 / (1 + np.exp(-value / fit_classical.CP_PER_LOGIT))
        total -= target * np.log(expected + 1e-12) + (1 - target) * np.log(1 - expected + 1e-12)
    return total / len(samples.targets)


def test_reading_is_reproducible(labelled_file, lines):
    assert len(lines) == LINES
    assert fit_classical.read_lines(labelled_file, LINES, SEED) == lines


@pytest.mark.parametrize(
    "content",
    [None, b"not packed", gzip.compress(b"no label\n")],
    ids=["missing", "not packed", "no label"],
)
def test_a_file_that_cannot_be_read_is_one_line(tmp_path, capsys, content):
    path = tmp_path / "positions.txt.gz"
    if content is not None:
        path.write_bytes(content)
    assert fit_classical.main([str(path)]) == 1
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith(f"fit_classical: {path}: ")
    assert "Errno" not in error


def test_a_fit_lowers_the_loss_and_what_it_writes_can_be_read(lines, tmp_path):
    samples = fit_classical.gather(lines)
    assert len(samples.targets) == LINES
    assert ((samples.targets >= 0) & (samples.targets <= 1)).all()
    start = np.zeros(2 * terms.WEIGHTS_IN_ALL)
    fitted = fit_classical.fit(samples, start, ROUNDS)
    assert loss(samples, fitted) < 0.9 * loss(samples, start)
    # The weights in use, scaled so that a pawn is a hundred, know much of chess too.
    in_use = np.array(weights.MIDDLEGAME + weights.ENDGAME, float)
    best = min(loss(samples, in_use * scale) for scale in SCALES)
    assert best < 0.97 * loss(samples, start)

    path = tmp_path / "written_weights.py"
    fit_classical.write_weights(in_use, path)
    spec = importlib.util.spec_from_file_location("written_weights", path)
    written = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(written)
    assert (written.MIDDLEGAME, written.ENDGAME) == (weights.MIDDLEGAME, weights.ENDGAME)
