# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes wrong by a player's doing, in words for the page."""


class WebError(Exception):
    """Something that cannot be done; the message is one line, and nothing has changed."""
