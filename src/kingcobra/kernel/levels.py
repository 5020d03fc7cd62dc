# SPDX-License-Identifier: GPL-3.0-or-later
"""CPU feature levels. An object is compiled for a level, not for one model of CPU, so a cache, a
container image or a wheel serves every CPU of that level and above."""

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from kingcobra.kernel.system.cpu import Cpu

LEVEL_VARIABLE = "KINGCOBRA_LEVEL"


class Level(NamedTuple):
    """One level. `needs` are the LLVM features that a CPU must have."""

    name: str
    architecture: str
    llvm_cpu: str
    llvm_features: str
    needs: frozenset[str]
    fast_pext: bool
    vector_bits: int

    @property
    def has_byte_dots(self) -> bool:
        """Whether one instruction multiplies groups of four bytes and adds them up in 32 bits."""
        return _BYTE_DOTS in self.needs

    @property
    def has_byte_pairs(self) -> bool:
        """Whether one instruction multiplies pairs of bytes and adds them up in 16 bits."""
        return _BYTE_PAIRS in self.needs

    @property
    def multiplies_bytes(self) -> bool:
        """Whether there is any way to multiply bytes that is faster than to make them words."""
        return self.has_byte_dots or self.has_byte_pairs


_BYTE_DOTS, _BYTE_PAIRS = "avx512vnni", "avx2"
_V3_NEEDS = frozenset({_BYTE_PAIRS, "bmi", "bmi2", "fma", "lzcnt", "movbe", "popcnt"})
_V4_NEEDS = _V3_NEEDS | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", _BYTE_DOTS}

PLAIN_X86 = Level("x86-64", "x86_64", "x86-64", "", frozenset(), fast_pext=False, vector_bits=128)
V3_MAGIC = Level(
    "x86-64-v3-magic", "x86_64", "x86-64-v3", "", _V3_NEEDS, fast_pext=False, vector_bits=256
)
V3 = Level("x86-64-v3", "x86_64", "x86-64-v3", "", _V3_NEEDS, fast_pext=True, vector_bits=256)
V4_VNNI = Level(
    "x86-64-v4-vnni",
    "x86_64",
    "x86-64-v4",
    "+avx512vnni,-prefer-256-bit",
    _V4_NEEDS,
    fast_pext=True,
    vector_bits=512,
)
ARM64 = Level("arm64", "aarch64", "generic", "+neon", frozenset(), fast_pext=False, vector_bits=128)

# From the lowest to the highest.
LEVELS = (PLAIN_X86, V3_MAGIC, V3, V4_VNNI, ARM64)


class LevelError(Exception):
    """The requested level is unknown, or the CPU cannot run it."""


def host_architecture() -> str:
    """`x86_64`, `aarch64`, or whatever else LLVM calls the CPU of this process."""
    return _host_cpu().architecture


def supported_levels() -> tuple[Level, ...]:
    """The levels this CPU can run, lowest first. The last one is the best."""
    cpu = _host_cpu()
    return tuple(
        level
        for level in LEVELS
        if level.architecture == cpu.architecture
        and level.needs <= cpu.features
        and not (level.fast_pext and cpu.has_slow_pext)
    )


def _host_cpu() -> "Cpu":
    from kingcobra.kernel.system.cpu import host_cpu  # the compiler's process never asks

    return host_cpu()


class LevelChoice(NamedTuple):
    """The level to run, and a warning if the environment names one that cannot run."""

    level: Level
    warning: str | None = None


def choose_level() -> LevelChoice:
    """The best level of this CPU, or the one that the environment names."""
    levels = supported_levels()
    if not levels:
        raise LevelError(f"{host_architecture()}: 64-bit x86 and ARM CPUs are supported")
    wanted = os.environ.get(LEVEL_VARIABLE)
    if not wanted:
        return LevelChoice(levels[-1])
    for level in levels:
        if level.name == wanted:
            return LevelChoice(level)
    best = levels[-1]
    names = ", ".join(level.name for level in levels)
    warning = f"{LEVEL_VARIABLE}={wanted} cannot run here (this CPU has {names}); using {best.name}"
    return LevelChoice(best, warning)


def level_named(name: str) -> Level:
    """The level of that name. LevelError lists the known names."""
    for level in LEVELS:
        if level.name == name:
            return level
    raise LevelError(f"unknown level {name!r}, known: {', '.join(level.name for level in LEVELS)}")


def target_level() -> Level:
    """The level that code of this process is compiled for: decides between fast paths and
    fallbacks while compiled modules are imported."""
    wanted = os.environ.get(LEVEL_VARIABLE)
    return level_named(wanted) if wanted else choose_level().level
