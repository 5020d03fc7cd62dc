# SPDX-License-Identifier: GPL-3.0-or-later
"""`compiler`: the versions behind the machine code, and the CPU it runs on."""

import platform
import sys
from importlib import metadata

from kingcobra.kernel.levels import choose_level
from kingcobra.kernel.mode import current_mode

# The packages that make the machine code; their versions are read without importing them.
PACKAGES = ("numba", "llvmlite", "numpy")
NOT_INSTALLED = "not installed"


def describe() -> str:
    """Lines of `name: value`."""
    import llvmlite.binding as llvm

    level = choose_level().level
    versions = {name: version_of(name) for name in PACKAGES}
    facts = {
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "Numba": versions["numba"],
        "llvmlite": versions["llvmlite"],
        "LLVM": ".".join(map(str, llvm.llvm_version_info)),
        "NumPy": versions["numpy"],
        "System": f"{platform.system()} {platform.machine()}, {sys.maxsize.bit_length() + 1} bits",
        "CPU": llvm.get_host_cpu_name(),
        "Level": f"{level.name} (compiled for {level.llvm_cpu}{_extras(level.llvm_features)})",
        "Features": " ".join(sorted(level.needs)) or "none beyond the architecture's baseline",
        "Vectors": f"{level.vector_bits} bits",
        "Sliders": "pext" if level.fast_pext else "magic multiplication",
        "Mode": current_mode(),
    }
    width = max(map(len, facts))
    return "\n".join(f"{name:<{width}} : {value}" for name, value in facts.items())


def version_of(package: str) -> str:
    """The installed version."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return NOT_INSTALLED


def _extras(features: str) -> str:
    return f", {features}" if features else ""
