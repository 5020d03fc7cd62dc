# SPDX-License-Identifier: GPL-3.0-or-later
"""Bytes of FEN and of UCI moves to records, and back."""
