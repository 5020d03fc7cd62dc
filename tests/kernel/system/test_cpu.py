# SPDX-License-Identifier: GPL-3.0-or-later
"""The C library and LLVM describe the same CPU; where one is silent the other is asked."""

import llvmlite.binding as llvm
import pytest

from kingcobra.kernel.levels import LEVELS
from kingcobra.kernel.system import cpu
from kingcobra.kernel.system.cpu import Cpu, cpu_by_c_library, cpu_by_llvm, host_cpu

HASWELL, EXCAVATOR, ZEN_2, ZEN_4 = 0x306C3, 0x660F01, 0x830F10, 0xA10F11
V3_FEATURES = {"avx2", "bmi", "bmi2", "fma", "lzcnt", "movbe", "popcnt"}


@pytest.fixture
def pretend(monkeypatch):
    """Makes the C library describe another CPU."""

    def be(signature, features):
        leaves = [cpu._FeatureLeaf() for _ in range(3)]
        leaves[0].told[0] = signature
        for name in features:
            part, register, bit = cpu._FEATURE_BITS[name]
            leaves[part].usable[register] |= 1 << bit
        monkeypatch.setattr(cpu.sys, "platform", "linux")
        monkeypatch.setattr(
            cpu,
            "_feature_function",
            lambda: lambda part: type("Pointer", (), {"contents": leaves[part]}),
        )

    return be


def test_both_sources_agree_about_this_cpu():
    by_c_library, by_llvm = cpu_by_c_library(), cpu_by_llvm()
    if by_c_library is None:
        pytest.skip("the C library does not describe the CPU")
    known = by_llvm.features & set(cpu._FEATURE_BITS)
    assert by_c_library == by_llvm._replace(features=known)


def test_all_that_levels_need_is_known():
    for level in LEVELS:
        assert level.needs <= set(cpu._FEATURE_BITS)


@pytest.mark.parametrize(
    ("signature", "is_slow"),
    [(HASWELL, False), (EXCAVATOR, True), (ZEN_2, True), (ZEN_4, False)],
)
def test_slow_pext_is_told_by_the_family(pretend, signature, is_slow):
    pretend(signature, V3_FEATURES)
    assert host_cpu() == Cpu("x86_64", frozenset(V3_FEATURES), is_slow)


def test_only_what_the_system_supports_counts(pretend):
    pretend(HASWELL, ())
    assert host_cpu() == Cpu("x86_64", frozenset(), False)


def test_an_old_c_library_leaves_it_to_llvm(monkeypatch):
    monkeypatch.setattr(cpu, "_FEATURE_FUNCTION", "no_such_function")
    assert cpu_by_c_library() is None
    assert host_cpu() == cpu_by_llvm()


@pytest.mark.parametrize("system", ["darwin", "win32", "freebsd14"])
def test_another_system_leaves_it_to_llvm(monkeypatch, system):
    monkeypatch.setattr(cpu.sys, "platform", system)
    assert cpu_by_c_library() is None


@pytest.mark.parametrize(
    ("triple", "name", "expected"),
    [
        ("x86_64-pc-linux", "znver2", ("x86_64", True)),
        ("x86_64-pc-windows", "haswell", ("x86_64", False)),
        ("arm64-apple-darwin", "apple-m1", ("aarch64", False)),
        ("aarch64-linux", "neoverse-n1", ("aarch64", False)),
        ("riscv64-linux", "generic", ("riscv64", False)),
    ],
)
def test_what_llvm_says(monkeypatch, triple, name, expected):
    monkeypatch.setattr(llvm, "get_process_triple", lambda: triple)
    monkeypatch.setattr(llvm, "get_host_cpu_name", lambda: name)
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: {"avx2": True, "sse4a": False})
    architecture, is_slow = expected
    assert cpu_by_llvm() == Cpu(architecture, frozenset({"avx2"}), is_slow)
