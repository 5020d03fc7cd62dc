# SPDX-License-Identifier: GPL-3.0-or-later
"""The value of UCI_Opponent: `GM 2800 human Gary Kasparov`."""

from typing import NamedTuple

from kingcobra.text_values import parse_integer, quoted
from kingcobra.uci.protocol import UciError

NOTHING = "none"
TITLES = ("GM", "IM", "FM", "WGM", "WIM", NOTHING)
KINDS = ("computer", "human")
MAX_RATING = 99_999
FIELDS = 4
SYNTAX = "<GM | IM | FM | WGM | WIM | none> <rating | none> <computer | human> <name>"


class Opponent(NamedTuple):
    """A title or "none", a rating or None, computer or human, and a name, which may contain
    spaces."""

    title: str
    rating: int | None
    kind: str
    name: str

    def __str__(self) -> str:
        title = "" if self.title == NOTHING else f"{self.title} "
        rating = "unrated" if self.rating is None else f"rated {self.rating}"
        return f"{title}{self.name} ({self.kind}, {rating})"


def parse_opponent(text: str) -> Opponent | None:
    """The opponent, None for empty text. UciError names the word that does not fit."""
    if not text:
        return None
    words = text.split(None, FIELDS - 1)
    if len(words) < FIELDS:
        raise UciError(f"option UCI_Opponent: {quoted(text)}, expected {SYNTAX}")
    title, rating_text, kind, name = words
    rating = parse_integer(rating_text, 0, MAX_RATING)
    for word, fits in (
        (title, title in TITLES),
        (rating_text, rating is not None or rating_text == NOTHING),
        (kind, kind in KINDS),
    ):
        if not fits:
            raise UciError(f"option UCI_Opponent: {quoted(word)}, expected {SYNTAX}")
    return Opponent(title, rating, kind, name.strip())
