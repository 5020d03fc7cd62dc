# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine behind UCI and the API: threads, clock, limits, evaluator, weaker play."""
