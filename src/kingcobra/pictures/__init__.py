# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of boards and networks."""
