# SPDX-License-Identifier: GPL-3.0-or-later
"""What the CPU can do, as the C library tells it, or else LLVM.

The C library is there already and answers in no time; importing LLVM takes 30 ms of every start.
"""

import ctypes
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

_IS_64_BIT = sys.maxsize > 2**32

# LLVM calls the same architecture by either name, depending on the system.
_ARCHITECTURE_NAMES = {"arm64": "aarch64"}

# AMD CPUs with BMI2 whose pext is microcoded: tens of cycles instead of three. By LLVM's names,
# and by their family: Excavator, Zen 1 and 2.
_SLOW_PEXT_CPUS = frozenset({"bdver4", "znver1", "znver2"})
_SLOW_PEXT_FAMILIES = frozenset({0x15, 0x17})

# The C library's function, since version 2.33 of GNU's, and its numbers for parts of CPUID.
_FEATURE_FUNCTION = "__x86_get_cpuid_feature_leaf"
_BASIC, _STRUCTURED, _EXTENDED = 0, 1, 2
_EAX, _EBX, _ECX = 0, 1, 2

# Where CPUID has the features that levels need: part, register, bit.
_FEATURE_BITS = {
    "fma": (_BASIC, _ECX, 12),
    "movbe": (_BASIC, _ECX, 22),
    "popcnt": (_BASIC, _ECX, 23),
    "bmi": (_STRUCTURED, _EBX, 3),
    "avx2": (_STRUCTURED, _EBX, 5),
    "bmi2": (_STRUCTURED, _EBX, 8),
    "avx512f": (_STRUCTURED, _EBX, 16),
    "avx512dq": (_STRUCTURED, _EBX, 17),
    "avx512cd": (_STRUCTURED, _EBX, 28),
    "avx512bw": (_STRUCTURED, _EBX, 30),
    "avx512vl": (_STRUCTURED, _EBX, 31),
    "avx512vnni": (_STRUCTURED, _ECX, 11),
    "lzcnt": (_EXTENDED, _ECX, 5),
}


class Cpu(NamedTuple):
    """`features` are LLVM's names of what both CPU and system support. Of a CPU that the C library
    describes, they are only those that levels need."""

    architecture: str
    features: frozenset[str]
    has_slow_pext: bool


def host_cpu() -> Cpu:
    """The CPU of this process."""
    return cpu_by_c_library() or cpu_by_llvm()


class _FeatureLeaf(ctypes.Structure):
    """What the CPU says of itself, and which of it the system supports too."""

    _fields_ = (("told", ctypes.c_uint32 * 4), ("usable", ctypes.c_uint32 * 4))


def cpu_by_c_library() -> Cpu | None:
    """None where the C library does not tell: only GNU's for 64-bit x86 does."""
    describe = _feature_function() if sys.platform == "linux" and _IS_64_BIT else None
    if describe is None:
        return None
    leaves = [describe(part).contents for part in (_BASIC, _STRUCTURED, _EXTENDED)]
    features = frozenset(
        name
        for name, (part, register, bit) in _FEATURE_BITS.items()
        if leaves[part].usable[register] >> bit & 1
    )
    is_slow = _family(leaves[_BASIC].told[_EAX]) in _SLOW_PEXT_FAMILIES
    return Cpu("x86_64", features, is_slow)


def _feature_function() -> Callable[[int], Any] | None:
    try:
        function = getattr(ctypes.CDLL(None), _FEATURE_FUNCTION)
    except AttributeError:
        return None
    function.argtypes = [ctypes.c_uint]
    function.restype = ctypes.POINTER(_FeatureLeaf)
    return function  # type: ignore[no-any-return]


def _family(signature: int) -> int:
    """The CPU's family, as the manuals compute it for all newer than the Pentium III."""
    return (signature >> 8 & 0xF) + (signature >> 20 & 0xFF)


def cpu_by_llvm() -> Cpu:
    """What LLVM says of the CPU."""
    import llvmlite.binding as llvm

    name: str = llvm.get_process_triple().split("-")[0]
    features = {name for name, there in llvm.get_host_cpu_features().items() if there}
    return Cpu(
        _ARCHITECTURE_NAMES.get(name, name),
        frozenset(features),
        llvm.get_host_cpu_name() in _SLOW_PEXT_CPUS,
    )
