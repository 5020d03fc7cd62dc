# SPDX-License-Identifier: GPL-3.0-or-later
"""The record of a batch of evaluations."""

import ctypes
from ctypes import c_int64

from kingcobra.core.rules.layout import Setup

# The value of a record that is no position; no evaluation returns it.
NO_VALUE = -(1 << 31)


class EvaluationBatch(ctypes.Structure):
    """Packed positions at an address, 64-bit values to be written to another. `evaluate` is the
    address of an evaluation, `evaluated` that of the Evaluated record by which it is called."""

    _fields_ = (
        ("setup", Setup),
        ("count", c_int64),
        ("packed", c_int64),
        ("values", c_int64),
        ("evaluate", c_int64),
        ("evaluated", c_int64),
    )
