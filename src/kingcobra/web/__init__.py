# SPDX-License-Identifier: GPL-3.0-or-later
"""The board in the browser: `kingcobra web`."""
