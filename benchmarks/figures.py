# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures of a benchmark: rows of a table, lines of the results file."""

import datetime
import platform
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

RESULTS = Path(__file__).parent / "results.tsv"
COLUMNS = ("date", "commit", "machine", "name", "figure", "unit")
CPU_INFO = Path("/proc/cpuinfo")
CPU_MODEL_KEY = "model name"

NAME_WIDTH = 46
VALUE_WIDTH = 10


@dataclass(frozen=True)
class Figure:
    """One number with its unit. The remark is for the reader and is not recorded."""

    name: str
    value: float
    unit: str
    remark: str = ""

    def text(self) -> str:
        """The value with about three digits: more would be noise."""
        return f"{self.value:.0f}" if self.value >= 100 else f"{self.value:.3g}"


def show(title: str, figures: Iterable[Figure]) -> list[Figure]:
    """Prints a table row by row as the figures come, and returns them."""
    print(f"\n{title}", flush=True)
    shown = []
    for figure in figures:
        row = f"  {figure.name:<{NAME_WIDTH}}{figure.text():>{VALUE_WIDTH}} {figure.unit}"
        print(f"{row}   {figure.remark}".rstrip(), flush=True)
        shown.append(figure)
    return shown


def append(figures: Iterable[Figure]) -> None:
    """Adds one line for each figure to the results file."""
    about = (datetime.date.today().isoformat(), commit(), machine())
    with RESULTS.open("a", encoding="utf-8") as file:
        if file.tell() == 0:
            print(*COLUMNS, sep="\t", file=file)
        for figure in figures:
            print(*about, figure.name, figure.text(), figure.unit, sep="\t", file=file)


def commit() -> str:
    """The short name of the present commit, with a + when files differ from it."""
    command = ("git", "describe", "--always", "--dirty=+", "--exclude=*")
    try:
        answer = subprocess.run(
            command, cwd=RESULTS.parent, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return answer.stdout.strip()


def machine() -> str:
    """The model of the CPU."""
    try:
        lines = CPU_INFO.read_text("utf-8").splitlines()
    except OSError:
        lines = []
    for line in lines:
        key, _, value = line.partition(":")
        if key.strip() == CPU_MODEL_KEY:
            return value.strip()
    return platform.processor() or platform.machine()
