# SPDX-License-Identifier: GPL-3.0-or-later
"""Which level runs where: real CPUs are played by what LLVM says of them."""

import llvmlite.binding as llvm
import pytest

from kingcobra.kernel import levels
from kingcobra.kernel.levels import (
    ARM64,
    LEVEL_VARIABLE,
    PLAIN_X86,
    V3,
    V3_MAGIC,
    V4_VNNI,
    LevelError,
    choose_level,
    level_named,
    supported_levels,
    target_level,
)

AVX2 = {"avx2", "bmi", "bmi2", "fma", "lzcnt", "movbe", "popcnt"}
AVX512 = AVX2 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}


@pytest.fixture
def pretend(monkeypatch):
    """Makes LLVM describe another CPU."""

    def be(architecture="x86_64", features=(), name="generic"):
        monkeypatch.delenv(LEVEL_VARIABLE, raising=False)
        there = dict.fromkeys(features, True) | {"sse4a": False, "avx512fp16": False}
        monkeypatch.setattr(llvm, "get_process_triple", lambda: f"{architecture}-pc-system")
        monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: there)
        monkeypatch.setattr(llvm, "get_host_cpu_name", lambda: name)

    return be


@pytest.mark.parametrize(
    ("architecture", "features", "name", "expected"),
    [
        ("x86_64", (), "core2", [PLAIN_X86]),
        ("x86_64", {"popcnt"}, "nehalem", [PLAIN_X86]),
        ("x86_64", AVX2, "haswell", [PLAIN_X86, V3_MAGIC, V3]),
        ("x86_64", AVX2, "znver2", [PLAIN_X86, V3_MAGIC]),
        ("x86_64", AVX2 - {"bmi2"}, "strange", [PLAIN_X86]),
        ("x86_64", AVX512, "skylake-avx512", [PLAIN_X86, V3_MAGIC, V3]),
        ("x86_64", AVX512 | {"avx512vnni"}, "znver4", [PLAIN_X86, V3_MAGIC, V3, V4_VNNI]),
        ("aarch64", {"neon"}, "neoverse-n1", [ARM64]),
        ("arm64", {"neon"}, "apple-m1", [ARM64]),
    ],
)
def test_a_cpu_runs_what_it_has_and_chooses_the_highest(
    pretend, architecture, features, name, expected
):
    pretend(architecture, features, name)
    assert list(supported_levels()) == expected
    assert choose_level() == (expected[-1], None)
    assert target_level() == expected[-1]


def test_no_level_for_other_architectures(pretend):
    pretend("riscv64")
    with pytest.raises(LevelError, match="riscv64"):
        choose_level()


def test_the_environment_forces_a_lower_level(pretend, monkeypatch):
    pretend(features=AVX2)
    monkeypatch.setenv(LEVEL_VARIABLE, "x86-64-v3-magic")
    assert choose_level() == (V3_MAGIC, None)
    assert target_level() == V3_MAGIC


@pytest.mark.parametrize("wanted", ["x86-64-v4-vnni", "arm64", "pentium"])
def test_a_level_that_cannot_run_is_named_and_not_taken(pretend, monkeypatch, wanted):
    pretend(features=AVX2)
    monkeypatch.setenv(LEVEL_VARIABLE, wanted)
    level, warning = choose_level()
    assert level == V3
    assert f"{LEVEL_VARIABLE}={wanted}" in warning
    assert "using x86-64-v3" in warning


def test_an_empty_variable_is_none(pretend, monkeypatch):
    pretend(features=AVX2)
    monkeypatch.setenv(LEVEL_VARIABLE, "")
    assert choose_level() == (V3, None)


def test_levels_by_name():
    for level in levels.LEVELS:
        assert level_named(level.name) is level
    with pytest.raises(LevelError, match=r"'pentium', known: x86-64, .*arm64"):
        level_named("pentium")


def test_the_compiler_may_target_what_this_cpu_cannot_run(pretend, monkeypatch):
    pretend()
    monkeypatch.setenv(LEVEL_VARIABLE, "x86-64-v4-vnni")
    assert target_level() == V4_VNNI
