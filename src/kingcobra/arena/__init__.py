# SPDX-License-Identifier: GPL-3.0-or-later
"""Games between engines and what they are worth: matches, SPRT, tuning, suites. Engines are
processes. Notebooks and scripts import `kingcobra.arena.api`."""
