# SPDX-License-Identifier: GPL-3.0-or-later
"""The games of a PGN, to choose one of them. A long file is listed in part; games that cannot be
shown are named with the reason."""

import asyncio
from collections.abc import Callable, Iterable
from io import StringIO
from typing import Any, NamedTuple

import chess.pgn

from kingcobra.analysis.game_files import games_of_text
from kingcobra.analysis.parsed_game import tags_of
from kingcobra.web.errors import WebError
from kingcobra.web.game_tree import GameTree, game_of_pgn

MOST_GAMES = 500
MOST_CHARACTERS = 16 << 20
# So many games are tried before a file is called broken.
MOST_TRIED = 20
MOST_TITLE = 120
# Pages are told after so many games were looked at.
CHECKED_AT_ONCE = 25
NO_VALUE = ("", "?", "????.??.??")


class LoadedGame(NamedTuple):
    """A game of the list, ready for the board, and what to say about it; mostly nothing."""

    number: int
    tree: GameTree
    remark: str


class GameList:
    """The texts of the games, numbered from one, and the faults that are known so far."""

    def __init__(self, texts: Iterable[str], is_part: bool = False) -> None:
        self._texts: list[str] = []
        self.is_part = is_part
        characters = 0
        for text in texts:
            characters += len(text)
            if len(self._texts) == MOST_GAMES or characters > MOST_CHARACTERS:
                self.is_part = True
                break
            self._texts.append(text)
        if not self._texts:
            raise WebError("PGN: neither tags nor moves in the text")
        self._titles = [_title(text) for text in self._texts]
        self._faults: list[str | None] = [None] * len(self._texts)
        self.chosen: int | None = None

    @property
    def is_checked(self) -> bool:
        """Whether it is known of each game whether it can be shown."""
        return None not in self._faults

    def load(self, number: int) -> LoadedGame:
        """A game by its number. WebError says what is wrong with it."""
        if not 1 <= number <= len(self._texts):
            raise WebError(f"there is no game {number} in the list")
        tree, remarks = game_of_pgn(self._texts[number - 1])
        return LoadedGame(number, tree, "; ".join(remarks))

    def load_first(self) -> LoadedGame:
        """The first game that can be shown, which is then the chosen one; broken ones before it are
        named."""
        broken: list[str] = []
        for number in range(1, min(len(self._texts), MOST_TRIED) + 1):
            try:
                found = self.load(number)
            except WebError as error:
                self._faults[number - 1] = str(error)
                broken.append(f"game {number} ({self._titles[number - 1]}): {error}")
                continue
            self._faults[number - 1] = ""
            self.chosen = number
            return found._replace(remark="; ".join([*broken[:1], *filter(None, [found.remark])]))
        if len(self._texts) == 1:
            raise WebError(str(self._faults[0]))
        raise WebError(f"none of the first {len(broken)} games can be shown; {broken[0]}")

    async def check(self, post: Callable[[dict[str, Any]], None]) -> None:
        """Looks at each game in a thread, and tells of those that are broken."""
        while not self.is_checked:
            await asyncio.to_thread(self._check_some)
            post(self.message())

    def _check_some(self) -> None:
        left = [index for index, fault in enumerate(self._faults) if fault is None]
        for index in left[:CHECKED_AT_ONCE]:
            try:
                self.load(index + 1)
                self._faults[index] = ""
            except WebError as error:
                self._faults[index] = str(error)

    def message(self) -> dict[str, Any]:
        """The list for the page."""
        games = [
            {"number": number, "title": title, "fault": (fault or "").removeprefix("PGN: ")}
            for number, (title, fault) in enumerate(zip(self._titles, self._faults, strict=True), 1)
        ]
        return {"kind": "games", "games": games, "chosen": self.chosen, "is_part": self.is_part}


def list_of_text(text: str, is_part: bool = False) -> GameList:
    """The games of a text; `is_part` if there was more of it."""
    return GameList(games_of_text(text), is_part)


def _title(text: str) -> str:
    """`Carlsen – Caruana, 1-0 · London 2018, 2018.11.28`, as far as it is known."""
    headers = chess.pgn.read_headers(StringIO(text))
    game = chess.pgn.Game(headers or {})
    tags = {name: value for name, value in tags_of(game).items() if value not in NO_VALUE}
    players = f"{tags.get('White', '?')} – {tags.get('Black', '?')}, {tags.get('Result', '*')}"
    where = ", ".join(tags[name] for name in ("Event", "Date") if name in tags)
    title = " · ".join([players, where] if where else [players])
    return title if len(title) <= MOST_TITLE else title[:MOST_TITLE] + " …"
