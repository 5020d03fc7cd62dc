# SPDX-License-Identifier: GPL-3.0-or-later
"""The sub-commands that play games."""
