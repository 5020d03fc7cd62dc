# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of labelled positions as tests look at them."""

import numpy as np
import pytest

from kingcobra.training.data.blocks import read_blocks


def records_of(path):
    """All records of a file, whose blocks must be sound."""
    return np.concatenate([block.records for block in read_blocks(path, pytest.fail)])
