# SPDX-License-Identifier: GPL-3.0-or-later
"""Network files: the same bytes again, and one clear error for everything else."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from kingcobra.core.network.architectures import (
    ARCHITECTURES,
    MAX_WIDTH,
    REGIONS,
    SQUARED,
    UNSQUARED,
)
from kingcobra.networks import file as network_files
from kingcobra.networks.file import (
    load_network,
    network_bytes,
    parse_network,
    read_network,
    write_network,
)
from kingcobra.networks.network import COMPRESSED, Sections
from kingcobra.networks.network_files import MAX_FILE_BYTES, NetworkError
from tests.core.network.random_networks import random_network, without_padding

SMALL_WIDTH = 64
SMALL = [architecture.at_width(SMALL_WIDTH) for architecture in ARCHITECTURES]
SMALL_IDS = [architecture.name for architecture in SMALL]


@pytest.fixture(scope="module")
def small_bytes():
    """A small valid file."""
    return network_bytes(random_network(SQUARED.at_width(SMALL_WIDTH)))


# --- round trips ------------------------------------------------------------------------------


@pytest.mark.parametrize("architecture", SMALL, ids=SMALL_IDS)
def test_random_networks_come_back(architecture):
    network = without_padding(random_network(architecture, compressed=COMPRESSED))
    if network.psqt is None:
        network = network._replace(compressed=Sections(True, True, False))
    again = parse_network(network_bytes(network))
    assert again.same_weights(network)
    assert again.description == network.description
    assert again.compressed == network.compressed
    assert network_bytes(again) == network_bytes(network)


@pytest.mark.parametrize(
    "sections", [Sections(*flags) for flags in product([False, True], repeat=3)]
)
def test_each_section_may_be_compressed(sections):
    network = random_network(SQUARED.at_width(SMALL_WIDTH), compressed=sections)
    again = parse_network(network_bytes(network))
    assert again.compressed == sections
    assert again.same_weights(network)


def test_arrays_have_the_promised_shapes(small_bytes):
    network = parse_network(small_bytes)
    assert (network.biases.dtype, network.biases.shape) == (np.int16, (64,))
    assert (network.weights.dtype, network.weights.shape) == (np.int16, (22528, 64))
    assert network.psqt is not None
    assert (network.psqt.dtype, network.psqt.shape) == (np.int32, (22528, 8))
    shapes = [[layer.weights.shape for layer in stack] for stack in network.stacks]
    assert shapes == [[(16, 64), (32, 32), (1, 32)]] * 8
    assert {layer.biases.dtype for stack in network.stacks for layer in stack} == {np.dtype("i4")}


def test_written_files_are_whole(tmp_path):
    network = random_network(UNSQUARED.at_width(SMALL_WIDTH))
    path = tmp_path / "new.nnue"
    write_network(network, path)
    assert path.read_bytes() == network_bytes(network)
    assert [entry.name for entry in tmp_path.iterdir()] == ["new.nnue"]


def test_a_file_that_cannot_be_written_is_one_error(tmp_path, small_bytes):
    network = parse_network(small_bytes)
    with pytest.raises(NetworkError, match=r"missing/new\.nnue: No such file or directory"):
        write_network(network, tmp_path / "missing" / "new.nnue")
    with pytest.raises(NetworkError, match=r"Is a directory"):
        write_network(network, tmp_path)
    for name in ("", "/", "a\0b"):
        with pytest.raises(NetworkError, match="is not a file name"):
            write_network(network, Path(name))
    assert list(tmp_path.iterdir()) == []


# --- telling architectures apart --------------------------------------------------------------


def test_squares_are_told_by_the_columns_that_only_they_use():
    squared = random_network(SQUARED.at_width(SMALL_WIDTH))
    unsquared = without_padding(random_network(UNSQUARED.at_width(SMALL_WIDTH)))
    for network in (squared, unsquared):
        again = parse_network(network_bytes(network))
        assert again.architecture == network.architecture
        assert again.identified_by == "content"


@pytest.mark.parametrize("column", range(SQUARED.activated, SQUARED.layers[1].inputs))
def test_one_weight_of_one_stack_tells(column):
    network = without_padding(random_network(UNSQUARED.at_width(SMALL_WIDTH)))
    network.stacks[column % 8].fc1.weights[column % 32, column] = 1
    assert parse_network(network_bytes(network)).architecture.squared


@pytest.mark.parametrize("column", range(SQUARED.layers[1].inputs, 32))
def test_the_padding_of_both_tells_nothing(column):
    network = without_padding(random_network(UNSQUARED.at_width(SMALL_WIDTH)))
    network.stacks[0].fc1.weights[0, column] = 1
    assert not parse_network(network_bytes(network)).architecture.squared


@pytest.mark.parametrize("asked", [True, False])
def test_squares_by_request(small_bytes, asked):
    network = parse_network(small_bytes, squared=asked)
    assert network.architecture.squared == asked
    assert network.identified_by == "request"
    assert network_bytes(network) == small_bytes


@pytest.mark.parametrize("squared", [True, False, None])
@pytest.mark.parametrize("family", [ARCHITECTURES[0], REGIONS], ids=lambda one: one.name)
def test_a_request_means_nothing_to_other_families(family, squared):
    architecture = family.at_width(64)
    network = parse_network(network_bytes(random_network(architecture)), squared=squared)
    assert network.architecture == architecture
    assert network.identified_by == "header"


def test_a_family_that_is_squared_anyway_may_have_no_weights_for_squares():
    network = random_network(REGIONS.at_width(64))
    for stack in network.stacks:
        stack.fc1.weights[:] = 0
    assert parse_network(network_bytes(network)).architecture == network.architecture


# --- what is not a network --------------------------------------------------------------------


def test_a_foreign_file_is_named_with_what_was_found():
    with pytest.raises(NetworkError, match=r"version 0x474e5089; supported are 0x7af32f16 and "):
        parse_network(b"\x89PNG\r\n\x1a\n" + bytes(100))


@pytest.mark.parametrize("size", range(12))
def test_files_shorter_than_a_header(small_bytes, size):
    with pytest.raises(NetworkError, match="ends in the middle of the "):
        parse_network(small_bytes[:size])


def test_an_unknown_architecture_is_named_with_what_is_supported(small_bytes):
    changed = small_bytes[:4] + b"\x78\x56\x34\x12" + small_bytes[8:]
    with pytest.raises(NetworkError) as caught:
        parse_network(changed)
    text = str(caught.value)
    assert "file hash 0x12345678" in text
    assert "\n" not in text
    for architecture in ARCHITECTURES:
        assert architecture.name in text


def test_versions_belong_to_their_architectures(small_bytes):
    with pytest.raises(NetworkError, match="unknown architecture: version 0x7af32f16"):
        parse_network(b"\x16" + small_bytes[1:])


def test_an_endless_description(small_bytes):
    with pytest.raises(NetworkError, match="a description of 4294967295 bytes"):
        parse_network(small_bytes[:8] + b"\xff" * 4 + small_bytes[12:])


@pytest.mark.parametrize("extra", [1, 4, 1000])
def test_bytes_after_the_end(small_bytes, extra):
    with pytest.raises(NetworkError, match=f"{extra} bytes too many after the end"):
        parse_network(small_bytes + bytes(extra))


def test_the_hash_of_a_stack(small_bytes):
    at = small_bytes.rindex(SQUARED.at_width(SMALL_WIDTH).stack_hash.to_bytes(4, "little"))
    changed = small_bytes[:at] + bytes(4) + small_bytes[at + 4 :]
    with pytest.raises(NetworkError, match=r"hash 0x00000000 before the layers of stack 8 of 8"):
        parse_network(changed)


@pytest.mark.parametrize(
    ("length", "message"),
    [(0, "0 compressed bytes, too few for 64 numbers"), (2**32 - 1, "ends in the middle")],
)
def test_the_length_of_a_compressed_section(length, message):
    network = random_network(SQUARED.at_width(SMALL_WIDTH), compressed=COMPRESSED)
    data = network_bytes(network)
    at = data.index(network_files.LEB128_MAGIC) + len(network_files.LEB128_MAGIC)
    with pytest.raises(NetworkError, match=message):
        parse_network(data[:at] + length.to_bytes(4, "little") + data[at + 4 :])


# --- not regular files ------------------------------------------------------------------------


def test_errors_name_the_file(tmp_path):
    path = tmp_path / "empty.nnue"
    path.touch()
    with pytest.raises(NetworkError, match=r"empty\.nnue: ends in the middle of the version"):
        read_network(path)


def test_what_is_no_file_is_not_opened(tmp_path):
    with pytest.raises(NetworkError, match="not a regular file"):
        read_network(tmp_path)


def test_the_largest_network_is_allowed():
    largest = max(architecture.inputs * MAX_WIDTH * 2 for architecture in ARCHITECTURES)
    assert largest < MAX_FILE_BYTES


def test_loading_by_name(tmp_path, monkeypatch, small_bytes):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.nnue").write_bytes(small_bytes)
    assert network_bytes(load_network("small.nnue")) == small_bytes
