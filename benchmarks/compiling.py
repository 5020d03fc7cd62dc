# SPDX-License-Identifier: GPL-3.0-or-later
"""Cold compile: what the first start costs, once for each version and CPU level."""

import subprocess
import tempfile
import time
from collections.abc import Iterator

from benchmarks.engines import KINGCOBRA, EngineFailed
from benchmarks.figures import Figure
from kingcobra.kernel.levels import Level, supported_levels


def measure(_rounds: int) -> Iterator[Figure]:
    """Seconds for each level into an empty folder, once: the work is long enough to average."""
    for level in supported_levels():
        yield Figure(f"cold compile: {level.name}", compile_s(level), "s", "one run")


def compile_s(level: Level) -> float:
    """Launch of `kingcobra compile` until it has ended."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*KINGCOBRA, "compile", "--level", level.name, "--into", folder]
        started = time.perf_counter()
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        if answer.returncode != 0:
            raise EngineFailed(f"{' '.join(command)}: {answer.stderr.strip()}")
        return time.perf_counter() - started
