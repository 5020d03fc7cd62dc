# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks: feature rows, accumulators and layers, compiled once for each architecture."""
