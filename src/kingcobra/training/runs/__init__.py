# SPDX-License-Identifier: GPL-3.0-or-later
"""Training runs: what a file describes, from the first batch to the exported network."""
