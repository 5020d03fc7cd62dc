# SPDX-License-Identifier: GPL-3.0-or-later
"""Network files: reading, writing, loading into compiled code, scales, and a NumPy twin."""
