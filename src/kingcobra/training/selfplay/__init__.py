# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-play: settings, threads, and the files that they fill."""
