# SPDX-License-Identifier: GPL-3.0-or-later
"""Sub-commands of `kingcobra`, a module for each, and what only they need."""
