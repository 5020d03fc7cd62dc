# SPDX-License-Identifier: GPL-3.0-or-later
"""One game between two engines: openings, rules, adjudication, its record."""
