# SPDX-License-Identifier: GPL-3.0-or-later
"""One layout for ctypes, NumPy and compiled code."""

import ctypes

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingcobra.core.rules.layout import Position
from kingcobra.core.search.layout import Bucket, SearchWorker
from kingcobra.core.tables.file_layout import Tables
from kingcobra.kernel.records import numpy_dtype, record_at
from tests.kernel.probe_records import Inner, Outer


def sum_of_inner(inner):
    return inner.small + inner.number + inner.last


def sum_of_fields(outer):
    """What the probe computes, read through ctypes."""
    return (
        outer.first
        + outer.word
        + outer.signed
        + outer.end
        + sum(number * place for place, number in enumerate(outer.shorts, 1))
        + sum(sum_of_inner(inner) * place for place, inner in enumerate(outer.many, 1))
        + sum_of_inner(outer.inner)
    )


@pytest.mark.parametrize(
    "structure",
    [Inner, Outer, Position, Bucket, SearchWorker, Tables],
    ids=lambda record: record.__name__,
)
def test_numpy_and_numba_see_the_same_layout(structure):
    from numba import from_dtype

    dtype = numpy_dtype(structure)
    compiled = from_dtype(dtype)
    assert dtype.itemsize == compiled.size == ctypes.sizeof(structure)
    assert list(dtype.names) == [name for name, _ in structure._fields_]
    for name, _ in structure._fields_:
        field = getattr(structure, name)
        assert dtype.fields[name][1] == field.offset
        assert dtype.fields[name][0].itemsize == field.size
        assert compiled.offset(name) == field.offset


@given(st.binary(min_size=ctypes.sizeof(Outer), max_size=ctypes.sizeof(Outer)))
def test_compiled_code_and_twin_read_what_ctypes_reads(probe, content):
    outer = Outer.from_buffer_copy(content)
    address = ctypes.addressof(outer)
    expected = sum_of_fields(outer)
    assert (probe.sum_of_fields(address) - expected) % 2**64 == 0

    view = record_at(Outer)(address)
    assert view.word == outer.word
    assert view.shorts.tolist() == list(outer.shorts)
    assert view.inner.number == outer.inner.number
    assert [inner.last for inner in view.many] == [inner.last for inner in outer.many]


def test_compiled_code_writes_what_ctypes_reads(probe):
    seed = 100
    outer = Outer()
    assert probe.fill(ctypes.addressof(outer), seed) == 0
    assert (outer.first, outer.word, list(outer.shorts)) == (100, 101, [102, 103, 104])
    assert (outer.inner.small, outer.inner.number, outer.inner.last) == (105, -100, 106)
    assert [(i.small, i.number, i.last) for i in outer.many] == [
        (107, -102, 109),
        (108, -103, 110),
    ]
    assert (outer.signed, outer.end) == (-101, 111)


def test_twin_writes_through():
    outer = Outer()
    view = record_at(Outer)(np.int64(ctypes.addressof(outer)))
    view.many[1].number = -7
    view.word = 2**63
    assert outer.many[1].number == -7
    assert outer.word == 2**63
