# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables that live inside the compiled object, zero until compiled code fills them.

A table too large to be a frozen constant would bloat the object and its compile time; an
address in a record costs a load at each use. Memory of the object itself costs neither.
"""

from typing import Any

import llvmlite.ir as ir
import numpy as np

from kingcobra.kernel.machine import machine
from kingcobra.kernel.mode import JIT, current_mode

_I64 = ir.IntType(64)
CACHE_LINE_BYTES = 64


def static_table(name: str, length: int) -> tuple[Any, Any]:
    """`load(index)` and `store(index, value)` of a table of 64-bit words, one for the process
    in plain and jit mode, one for each loaded object otherwise."""
    twin = np.zeros(length, np.uint64)
    table_type = ir.ArrayType(_I64, length)

    def base(builder: Any) -> Any:
        if current_mode() == JIT:
            # Numba spreads functions over many modules here: all must see the same memory, which
            # lives as long as this closure does.
            address = ir.Constant(_I64, twin.ctypes.data)
            return builder.inttoptr(address, table_type.as_pointer())
        known = builder.module.globals.get(name)
        if known is not None:
            return known
        table = ir.GlobalVariable(builder.module, table_type, name)
        table.linkage = "linkonce_odr"
        table.initializer = ir.Constant(table_type, None)
        table.align = CACHE_LINE_BYTES
        return table

    def element(builder: Any, index: Any) -> Any:
        return builder.gep(base(builder), [_I64(0), index])

    @machine(
        "uint64(int64)", lambda builder, index: builder.load(element(builder, index), typ=_I64)
    )
    def load(index: int) -> np.uint64:
        return twin[_checked(index)]  # type: ignore[no-any-return]

    def lower_store(builder: Any, index: Any, value: Any) -> None:
        builder.store(value, element(builder, index))

    @machine("void(int64, uint64)", lower_store)
    def store(index: int, value: np.uint64) -> None:
        twin[_checked(index)] = value

    def _checked(index: int) -> int:
        if not 0 <= index < length:
            raise IndexError(f"{name}[{index}], length {length}")
        return index

    return load, store
