# SPDX-License-Identifier: GPL-3.0-or-later
"""Machine instructions for compiled code, each beside its plain twin."""
