# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments as quick calls pass them."""

import numpy as np

from kingcobra.kernel.compiled import compiled


@compiled
def from_32_bits(number):
    """An integer as a quick call passes it (board/quick_calls.py): only its low 32 bits are
    defined."""
    return np.int64(np.int32(number))
