# SPDX-License-Identifier: GPL-3.0-or-later
"""The records of this room from their addresses."""

import ctypes

from kingcobra.core.tables.file_layout import Part, TableFile, Tables
from kingcobra.core.tables.layout import Prober
from kingcobra.kernel.records import record_at

PART_BYTES = ctypes.sizeof(Part)

part_at = record_at(Part)
file_at = record_at(TableFile)
tables_at = record_at(Tables)
prober_at = record_at(Prober)
