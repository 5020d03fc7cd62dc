# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of architectures against what is known of published networks."""

import pytest

from kingcobra.core.network.architectures import (
    ARCHITECTURES,
    MAX_WIDTH,
    WIDTH_STEP,
    architectures_of,
    bucket_of,
)
from tests.paths import REPOSITORY

# The header's hash and the transformer's, as the files have them, and what the networks are.
PUBLISHED = {
    "nn-82215d0fd0df": (0x3E5AA6EE, 0x5D69D7B8, ["HalfKP-41024-256x2-32-32-1"]),
    "nn-26abeed38351": (0x3C103E72, 0x5F2348B8, ["HalfKAv2-45056-512x2-16-32-1"]),
    "nn-ad9b42354671": (
        0x1C102EF2,
        0x7F2344B8,
        ["HalfKAv2_hm-22528-1024-(15+1)x2-32-1", "HalfKAv2_hm-22528-1024-15+1-32-1"],
    ),
    "nn-37f18f62d772": (
        0x1C103C92,
        0x7F234DB8,
        ["HalfKAv2_hm-22528-128-(15+1)x2-32-1", "HalfKAv2_hm-22528-128-15+1-32-1"],
    ),
    "nn-9067e33176e8": (
        0x1C103EB2,
        0x7F234EB8,
        ["HalfKAv2_hm-22528-256-(15+1)x2-32-1", "HalfKAv2_hm-22528-256-15+1-32-1"],
    ),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_hashes_of_published_networks(name):
    file_hash, transformer_hash, names = PUBLISHED[name]
    found = architectures_of(file_hash, transformer_hash)
    assert [architecture.name for architecture in found] == names


@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=lambda one: one.name)
@pytest.mark.parametrize("width", [64, 128, 256, 1024, 1536, 2560, 3072, MAX_WIDTH])
def test_hashes_name_family_and_width(architecture, width):
    wanted = architecture.at_width(width)
    found = architectures_of(wanted.file_hash, wanted.transformer_hash)
    assert wanted in found
    assert {other.width for other in found} == {width}
    assert {other.features.file_hash for other in found} == {wanted.features.file_hash}


@pytest.mark.parametrize("width", [0, 1, WIDTH_STEP - 1, WIDTH_STEP // 2, MAX_WIDTH + WIDTH_STEP])
def test_impossible_widths_are_unknown(width):
    odd = ARCHITECTURES[0].at_width(width)
    assert architectures_of(odd.file_hash, odd.transformer_hash) == []


def test_hashes_that_disagree_are_unknown():
    file_hash, transformer_hash, _ = PUBLISHED["nn-82215d0fd0df"]
    for bit in range(32):
        assert architectures_of(file_hash ^ 1 << bit, transformer_hash) == []
        assert architectures_of(file_hash, transformer_hash ^ 1 << bit) == []


def test_names_are_unique():
    names = {architecture.name for architecture in ARCHITECTURES}
    assert len(names) == len(ARCHITECTURES)


@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=lambda one: one.name)
def test_layers_fit_into_each_other(architecture):
    fc0, fc1, fc2 = architecture.layers
    assert fc0.inputs == fc0.padded_inputs, "accumulators need no padding"
    assert fc1.inputs <= fc1.padded_inputs < fc1.inputs + 32
    assert (fc2.inputs, fc2.outputs) == (fc1.outputs, 1)


def test_buckets_by_men():
    assert [bucket_of(men, 8) for men in (2, 4, 5, 8, 9, 28, 29, 32)] == [0, 0, 1, 1, 2, 6, 7, 7]
    assert [bucket_of(men, 1) for men in (2, 17, 32)] == [0, 0, 0]


def test_the_page_of_networks_has_the_whole_table():
    page = (REPOSITORY / "docs" / "4-networks.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in page.splitlines() if line.startswith("| `Half")]
    shown = {name.strip(" `"): stockfish.strip() for _, name, stockfish, *_ in rows}
    assert shown.keys() == {architecture.name for architecture in ARCHITECTURES}
    for architecture in ARCHITECTURES:
        expected = architecture.stockfish.replace("none", "–")
        assert shown[architecture.name].startswith(expected)
