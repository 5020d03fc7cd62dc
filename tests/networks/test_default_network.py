# SPDX-License-Identifier: GPL-3.0-or-later
"""The network that comes with the package."""

import hashlib
import tomllib
from fnmatch import fnmatch

import pytest

from kingcobra.networks import loading
from kingcobra.networks.default_network import (
    DEFAULT_NETWORK,
    DEFAULT_PATH,
    DIGITS,
    default_architecture,
)
from kingcobra.networks.file import read_network
from kingcobra.networks.loading import EvaluationError
from kingcobra.networks.network_files import find_network
from kingcobra.networks.network_scales import network_scale, raw_per_pawn, raw_per_shown_pawn
from tests.paths import REPOSITORY

LARGEST_BYTES = 16 << 20


def test_it_is_the_only_one_and_named_after_its_content():
    data = DEFAULT_PATH.read_bytes()
    assert hashlib.sha256(data).hexdigest().startswith(DIGITS)
    assert len(data) <= LARGEST_BYTES
    assert [path.name for path in DEFAULT_PATH.parent.glob("*.nnue")] == [DEFAULT_NETWORK]


def test_wheels_have_it():
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"]["kingcobra.networks"]
    assert any(fnmatch(DEFAULT_NETWORK, pattern) for pattern in patterns)


def test_its_architecture_is_known_without_reading_it():
    network = read_network(DEFAULT_PATH)
    assert network.architecture == default_architecture()
    assert network.description


def test_no_file_takes_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / DEFAULT_NETWORK).write_bytes(b"another")
    assert find_network(DEFAULT_NETWORK) == DEFAULT_PATH
    assert find_network(f"./{DEFAULT_NETWORK}").samefile(tmp_path / DEFAULT_NETWORK)


def test_a_damaged_one_is_refused(tmp_path, monkeypatch):
    damaged = tmp_path / DEFAULT_NETWORK
    data = bytearray(DEFAULT_PATH.read_bytes())
    data[-1] ^= 1
    damaged.write_bytes(data)
    monkeypatch.setattr(loading, "DEFAULT_PATH", damaged)
    monkeypatch.setenv("KINGCOBRA_CACHE", str(tmp_path))
    with pytest.raises(EvaluationError, match="damaged, its SHA-256 does not begin with"):
        loading.prepare_weights(damaged)


def test_a_copy_elsewhere_has_the_same_scale(tmp_path):
    """It is known by its content, wherever it lies and whatever its name."""
    copy = tmp_path / "copy.nnue"
    copy.write_bytes(DEFAULT_PATH.read_bytes())
    network = loading.load(copy, lambda _text: None)
    assert network.digest.startswith(DIGITS)
    scale = network_scale(network.architecture, network.digest)
    assert scale is network_scale(default_architecture(), DIGITS)
    units = raw_per_shown_pawn(network.architecture, network.digest) / raw_per_pawn(
        network.architecture, network.digest
    )
    assert 100 * units == pytest.approx(scale.units_per_pawn, rel=1e-3)
