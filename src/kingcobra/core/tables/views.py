# SPDX-License-Identifier: GPL-3.0-or-later
"""The records of this room from their addresses."""

import ctypes

from kingcobra.core.tables import layout
from kingcobra.kernel.records import record_at

PART_BYTES = ctypes.sizeof(layout.Part)

part_at = record_at(layout.Part)
file_at = record_at(layout.TableFile)
tables_at = record_at(layout.Tables)
prober_at = record_at(layout.Prober)
