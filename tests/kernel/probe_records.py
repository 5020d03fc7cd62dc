# SPDX-License-Identifier: GPL-3.0-or-later
"""A record with every kind of field and padding between them."""

import ctypes


class Inner(ctypes.Structure):
    """Has padding inside and behind."""

    _fields_ = (("small", ctypes.c_uint8), ("number", ctypes.c_int32), ("last", ctypes.c_uint8))


class Outer(ctypes.Structure):
    """Arrays, a record, and an array of records."""

    _fields_ = (
        ("first", ctypes.c_uint8),
        ("word", ctypes.c_uint64),
        ("shorts", ctypes.c_uint16 * 3),
        ("inner", Inner),
        ("signed", ctypes.c_int64),
        ("many", Inner * 2),
        ("end", ctypes.c_uint8),
    )
