# SPDX-License-Identifier: GPL-3.0-or-later
"""The facts that `kingcobra net info` prints."""

import hashlib

import numpy as np
import pytest

from kingcobra.core.network.architectures import ARCHITECTURES, REGIONS, SQUARED
from kingcobra.networks.file import network_bytes, parse_network
from kingcobra.tools import network_info
from tests.core.network.random_networks import random_network


def facts(path, network):
    """The lines above the table, by their labels."""
    lines = network_info.report_lines(path, network)
    above = lines[: lines.index("")]
    return {
        line[: network_info.LABEL_WIDTH].strip(): line[network_info.LABEL_WIDTH :] for line in above
    }


def test_facts_of_a_file(file, network):
    found = facts(file, parse_network(file.read_bytes()))
    assert found["size"] == f"{file.stat().st_size} bytes"
    assert found["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert found["architecture"] == network.architecture.name
    assert found["identified by"].startswith("content: weights for squared activations")
    assert found["inputs"] == "22528 = 32 king buckets x (11 x 64 squares)"
    assert found["parameters"] == str(sum(array.size for array in network.arrays()))
    header = file.read_bytes()[:8]
    for label, start in (("version", 0), ("file hash", 4)):
        assert int(found[label], 16) == int.from_bytes(header[start : start + 4], "little")


def test_versions_of_stockfish_are_facts_where_there_are_some(file):
    found = facts(file, random_network(SQUARED.at_width(64)))
    assert found["Stockfish"] == SQUARED.stockfish
    assert "Stockfish" not in facts(file, random_network(REGIONS.at_width(64)))


@pytest.mark.parametrize(("digits", "verdict"), [(12, "(as the name says)"), (0, "(NOT as the ")])
def test_names_are_checked(file, network, digits, verdict):
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    named = file.rename(file.with_name(f"nn-{digest[:digits]:0<12}.nnue"))
    assert verdict in facts(named, network)["sha256"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (None, "content: weights for squared activations; taken as squared and clipped"),
        (True, "request: activations squared and clipped"),
        (False, "request: activations clipped only"),
    ],
)
def test_which_activation_was_taken_and_why(network, asked, expected):
    assert network_info.identified_by_text(parse_network(network_bytes(network), asked)) == expected


@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=lambda one: one.name)
def test_the_table_has_every_part(architecture):
    network = random_network(architecture.at_width(64))
    names = [
        line[: network_info.LABEL_WIDTH].strip() for line in network_info.weight_table(network)
    ]
    assert ("PSQT weights" in names) == (network.psqt is not None)
    for part in ("feature biases", "feature weights", "fc0 weights", "fc1 biases", "fc2 weights"):
        assert part in names


def test_statistics_across_blocks(monkeypatch):
    monkeypatch.setattr(network_info, "BLOCK", 7)
    array = np.random.default_rng(1).integers(-3, 4, (20, 5), np.int8)
    low, high, mean, deviation, zeros = network_info.statistics(array)
    assert (low, high) == (array.min(), array.max())
    assert (mean, deviation) == pytest.approx((array.mean(), array.std()))
    assert zeros == (array == 0).mean()


def test_statistics_know_no_padding():
    network = random_network(SQUARED.at_width(64))
    before = network_info.weight_table(network)
    for stack in network.stacks:
        stack.fc1.weights[:, SQUARED.layers[1].inputs :] = 99
    assert network_info.weight_table(network) == before


def test_descriptions_of_any_bytes_are_one_line():
    assert network_info.printable(b"a\nb\xff\x1b[1m") == "a\\nb\\xff\\x1b[1m"
