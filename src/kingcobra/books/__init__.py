# SPDX-License-Identifier: GPL-3.0-or-later
"""Making Polyglot books: from games, from other books, and by searching."""
