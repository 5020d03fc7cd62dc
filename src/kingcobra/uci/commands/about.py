# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands about the program. What they need is imported when they are given."""

from kingcobra.uci.session import Session
from kingcobra.version import ABOUT

LICENSE = f"""\
{ABOUT}.

Kingcobra is free software: you may use, study, share and change it under the terms of the GNU
General Public License, version 3 or (at your choice) any later version. It comes with no warranty
of any kind. The file LICENSE has the whole text; <https://www.gnu.org/licenses/> has it too."""


def license_(session: Session, _text: str) -> None:
    """license: the version, and what you may do with this program."""
    session.send(LICENSE)


def compiler(session: Session, _text: str) -> None:
    """compiler: versions of Python, Numba and LLVM; the CPU level and its features."""
    from kingcobra.uci.compiler_report import describe

    session.send(describe())
