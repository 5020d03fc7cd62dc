# SPDX-License-Identifier: GPL-3.0-or-later
"""Many tasks on many processors: processes of this machine, or actors on a Ray cluster. Knows no
chess."""
