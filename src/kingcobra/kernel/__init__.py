# SPDX-License-Identifier: GPL-3.0-or-later
"""How Python becomes machine code; knows no chess. The modules here and in `instructions` shape
machine code and are part of every object's key; those in `system` are not."""
