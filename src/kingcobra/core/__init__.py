# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled half: what runs inside one `go`.

Functions here work on integers and records. They never see text, raise or allocate. Numba
compiles them to machine code; `objects`, `network_objects` and `selfplay_objects` say which
packages make which object.
"""
