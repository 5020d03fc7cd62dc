# SPDX-License-Identifier: GPL-3.0-or-later
"""Numba's front end without the rest of Numba: from Python to LLVM code, not yet optimised.

For each function Numba itself would optimise all that it calls once more, make machine code of it
and add wrappers through which Python calls it. An object is optimised once, as a whole, and
nothing runs in the process that compiles it: so none of that is done, which saves more than half
of the time. Only that process uses this module.
"""

from typing import Any

import llvmlite.binding as llvm
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import codegen, cpu, extending, types
from numba.core.ccallback import CFunc
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys

from kingcobra.kernel.compiled import argument_count, numba_options
from kingcobra.kernel.machine import twin_of

NO_ADDRESS = 0

# Compiled code allocates nothing, so nothing that it holds is counted. What would allocate needs
# other functions of Numba's run time, and is refused for them.
_NO_REFERENCE_COUNTS = """
target triple = "{triple}"
define void @NRT_incref(ptr %0) alwaysinline {{ ret void }}
define void @NRT_decref(ptr %0) alwaysinline {{ ret void }}
"""


class _Library(codegen.JITCodeLibrary):
    """A function's code as it was generated. Numba makes one for each function."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)  # type: ignore[no-untyped-call]
        self.parts: list[Any] = []

    def add_llvm_module(self, ll_module: Any) -> None:
        self.parts.append(ll_module)

    def finalize(self) -> None:
        self._finalized = True


def _as_data(_context: Any, library: Any, description: Any, environment: Any) -> Any:
    """What stands for a compiled function in Numba's tables. It is never called."""
    return _dynfunc.make_function(
        description.lookup_module(), description.qualname, "", NO_ADDRESS, environment, (library,)
    )


def _call_as_python(dispatcher: Any, *arguments: Any) -> Any:
    return dispatcher.py_func(*arguments)


def _call_twin(operation: Any, *arguments: Any) -> Any:
    return twin_of(operation)(*arguments)


def install() -> None:
    """Makes Numba stop behind its front end in this process. What modules call while they are
    imported, to fill their tables, runs as plain Python. Called before they are."""
    for owner, name, ours in (
        (codegen.JITCPUCodegen, "_library_class", _Library),
        (cpu.CPUContext, "get_executable", _as_data),
        (CPUDispatcher, "__call__", _call_as_python),
        (extending._Intrinsic, "__call__", _call_twin),
    ):
        if not hasattr(owner, name):
            raise SystemExit(f"this version of Numba has no {owner.__name__}.{name}")
        setattr(owner, name, ours)


class Program:
    """Entry points with all that they call, each function once, in one LLVM module."""

    def __init__(self) -> None:
        self.module = llvm.parse_assembly(
            _NO_REFERENCE_COUNTS.format(triple=llvm.get_process_triple())
        )
        self._linked: set[Any] = set()

    def add_entry(self, name: str, function: Any) -> None:
        """Adds an entry point under its own name, with the C calling convention."""
        arguments = (types.int64,) * argument_count(function)
        callback: Any = CFunc(function.py_func, (arguments, types.int64), {}, numba_options())
        with global_compiler_lock:
            result = callback._compile_uncached()
        self._linked.add(rtsys.library)
        self._link(result.library)
        wrapper = self.module.get_function(result.fndesc.llvm_cfunc_wrapper_name)
        wrapper.name = name

    def _link(self, library: Any) -> None:
        waiting = [library]
        while waiting:
            library = waiting.pop()
            if library in self._linked:
                continue
            self._linked.add(library)
            for part in library.parts:
                self.module.link_in(part)
            waiting += library._linking_libraries
