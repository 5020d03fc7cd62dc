# SPDX-License-Identifier: GPL-3.0-or-later
"""Games between engines and what they are worth: matches, SPRT, suites. Engines are processes."""
