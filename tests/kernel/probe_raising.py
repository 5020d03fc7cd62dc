# SPDX-License-Identifier: GPL-3.0-or-later
"""An entry point that no object can hold: it raises."""

from kingcobra.kernel.compiled import entry


@entry
def refuse_negatives(number):
    if number < 0:
        raise ValueError("negative")
    return number
