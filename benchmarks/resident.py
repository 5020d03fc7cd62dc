# SPDX-License-Identifier: GPL-3.0-or-later
"""Resident memory after readyok, with the smallest hash table."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks.compiled_core import load
from benchmarks.engines import KINGCOBRA, Engine
from benchmarks.figures import Figure
from benchmarks.startup import GREETING

KIBIBYTES_PER_MEGABYTE = 1000 * 1000 / 1024
RESIDENT_KEY = "VmRSS:"


def measure(_rounds: int) -> Iterator[Figure]:
    """One figure on Linux; elsewhere a line with the reason why there is none."""
    load()  # compiling is not part of it
    with Engine(KINGCOBRA) as engine:
        engine.request(GREETING, "readyok")
        kibibytes = resident_kib(engine.process.pid)
    if kibibytes is None:
        print("  skipped: this system has no /proc")
        return
    yield Figure("resident after readyok, Hash 1", kibibytes / KIBIBYTES_PER_MEGABYTE, "MB")


def resident_kib(process_id: int) -> int | None:
    """The resident memory of a process; None on systems without /proc."""
    try:
        lines = Path(f"/proc/{process_id}/status").read_text("ascii").splitlines()
    except OSError:
        return None
    for line in lines:
        if line.startswith(RESIDENT_KEY):
            return int(line.split()[1])
    return None
