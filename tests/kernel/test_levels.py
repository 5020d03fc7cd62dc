# SPDX-License-Identifier: GPL-3.0-or-later
"""Which level runs where."""

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
from kingcobra.kernel.system import cpu
from kingcobra.kernel.system.cpu import Cpu

AVX2 = {"avx2", "bmi", "bmi2", "fma", "lzcnt", "movbe", "popcnt"}
AVX512 = AVX2 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}


@pytest.fixture
def pretend(monkeypatch):
    """Makes this process run on another CPU."""

    def be(architecture="x86_64", features=(), has_slow_pext=False):
        monkeypatch.delenv(LEVEL_VARIABLE, raising=False)
        described = Cpu(architecture, frozenset(features), has_slow_pext)
        monkeypatch.setattr(cpu, "host_cpu", lambda: described)

    return be


@pytest.mark.parametrize(
    ("architecture", "features", "has_slow_pext", "expected"),
    [
        ("x86_64", (), False, [PLAIN_X86]),
        ("x86_64", {"popcnt"}, False, [PLAIN_X86]),
        ("x86_64", AVX2, False, [PLAIN_X86, V3_MAGIC, V3]),
        ("x86_64", AVX2, True, [PLAIN_X86, V3_MAGIC]),
        ("x86_64", AVX2 - {"bmi2"}, False, [PLAIN_X86]),
        ("x86_64", AVX512, False, [PLAIN_X86, V3_MAGIC, V3]),
        ("x86_64", AVX512 | {"avx512vnni"}, False, [PLAIN_X86, V3_MAGIC, V3, V4_VNNI]),
        ("aarch64", {"neon"}, False, [ARM64]),
    ],
    ids=["Core 2", "Nehalem", "Haswell", "Zen 2", "no BMI2", "Skylake-X", "Zen 4", "Neoverse N1"],
)
def test_a_cpu_runs_what_it_has_and_chooses_the_highest(
    pretend, architecture, features, has_slow_pext, expected
):
    pretend(architecture, features, has_slow_pext)
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
