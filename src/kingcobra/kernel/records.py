# SPDX-License-Identifier: GPL-3.0-or-later
"""C-like records: a ctypes.Structure is the one description of a layout.

Plain Python reads a record as the Structure itself; compiled code as a Numba record; the twins
as a NumPy record. All three see the same memory.
"""

import ctypes
from typing import Any

from kingcobra.kernel.mode import numba_is_on

Structure = type[ctypes.Structure]


def _fields(structure: Any) -> list[tuple[str, Any]]:
    return list(structure._fields_)


def numpy_dtype(kind: Any) -> Any:
    """The NumPy type of the same layout, nested records and arrays included."""
    import numpy as np

    if issubclass(kind, ctypes.Array):
        return np.dtype((numpy_dtype(kind._type_), (kind._length_,)))
    if not issubclass(kind, ctypes.Structure):
        return np.dtype(kind)
    names = [name for name, _ in _fields(kind)]
    fields = {
        "names": names,
        "formats": [numpy_dtype(field_kind) for _, field_kind in _fields(kind)],
        "offsets": [getattr(kind, name).offset for name in names],
        "itemsize": ctypes.sizeof(kind),
    }
    return np.dtype((np.record, np.dtype(fields, align=True)))  # type: ignore[call-overload]


def record_at(structure: Structure) -> Any:
    """A function from an address to the record there, for compiled code and for the twins. Nothing
    is copied, and nothing keeps the memory alive."""
    dtype = numpy_dtype(structure)
    if numba_is_on():
        return _record_intrinsic(dtype)
    import numpy as np

    window = ctypes.c_char * dtype.itemsize

    def view(address: int) -> Any:
        return np.frombuffer(window.from_address(int(address)), dtype=dtype)[0]

    return view


def _record_intrinsic(dtype: Any) -> Any:
    from numba import from_dtype, types
    from numba.extending import intrinsic

    record_type = from_dtype(dtype)

    def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.inttoptr(values[0], context.get_value_type(record_type))

    def record(_typing_context: Any, _address: Any) -> Any:
        return record_type(types.int64), generate

    return intrinsic(record)
