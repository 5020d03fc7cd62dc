# SPDX-License-Identifier: GPL-3.0-or-later
"""Files cut short and files with wrong bytes: a clear error, or a network that is what the bytes
say."""

import random

import pytest

from kingcobra.core.network.architectures import ARCHITECTURES
from kingcobra.networks.file import network_bytes, parse_network
from kingcobra.networks.network import COMPRESSED, UNCOMPRESSED
from kingcobra.networks.network_files import NetworkError
from tests.core.network.official_networks import OFFICIAL_NETWORKS
from tests.core.network.random_networks import random_network

FEW_CUTS, ALL_CUTS = 20, 200
FEW_FLIPS, ALL_FLIPS = 20, 2_000
# Header, description, transformer's hash, and a compressed section's mark and length.
HEADER_BYTES = 150
LONGEST_MESSAGE = 600


def refused(data):
    """Whether the bytes were refused, in one line; if not, the network must be these bytes."""
    try:
        network = parse_network(data)
    except NetworkError as error:
        text = str(error)
        assert 0 < len(text) < LONGEST_MESSAGE
        assert "\n" not in text
        return True
    assert network_bytes(network) == data
    return False


def cuts_are_refused(data, count):
    rng = random.Random(count)
    for size in rng.sample(range(len(data)), count):
        assert refused(data[:size]), f"cut at {size}"


def flips_are_refused_or_true(data, count):
    """Flips in what decides a file's shape; most of them must be found out."""
    rng = random.Random(count)
    description = range(12, 12 + int.from_bytes(data[8:12], "little"))
    for _ in range(count):
        changed = bytearray(data[:HEADER_BYTES])
        at = rng.randrange(HEADER_BYTES)
        changed[at] ^= rng.randrange(1, 256)
        is_harmless = at in description or at >= description.stop + 4
        was_refused = refused(bytes(changed) + data[HEADER_BYTES:])
        assert was_refused or is_harmless, f"byte {at}"


@pytest.mark.parametrize("compressed", [UNCOMPRESSED, COMPRESSED], ids=["raw", "compressed"])
@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=lambda one: one.name)
def test_random_networks(architecture, compressed):
    data = network_bytes(random_network(architecture.at_width(64), compressed=compressed))
    cuts_are_refused(data, FEW_CUTS)
    flips_are_refused_or_true(data, FEW_FLIPS)


@pytest.mark.slow
@pytest.mark.parametrize("name", OFFICIAL_NETWORKS)
def test_official_networks(network_file, name):
    data = network_file(name).read_bytes()
    cuts_are_refused(data, ALL_CUTS)
    flips_are_refused_or_true(data, ALL_FLIPS // len(OFFICIAL_NETWORKS) + 1)
