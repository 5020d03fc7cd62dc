# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine's text interface: loop, protocol, options, streams."""
