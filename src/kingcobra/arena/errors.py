# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors that several rooms of the arena raise, and reading the text files that users name."""

from pathlib import Path

TEXT_ENCODING = "utf-8-sig"
"""UTF-8, with or without a byte-order mark."""


class SettingError(ValueError):
    """A setting with a value that cannot be used. The command line knows it by another name."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name} {problem}")
        self.name = name
        self.problem = problem


def read_text(path: Path) -> str:
    """The file's text; ValueError where it is not UTF-8."""
    try:
        return path.read_text(encoding=TEXT_ENCODING)
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not UTF-8 text") from None
