# SPDX-License-Identifier: GPL-3.0-or-later
"""The game on the board: a tree of moves, in which each move has a number that stays its own."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

import chess
import chess.pgn
from chess.engine import PovScore

from kingcobra.analysis.parsed_game import BrokenGameError, parse_game, tags_of
from kingcobra.text_values import quoted
from kingcobra.web.errors import WebError
from kingcobra.web.position_setup import require_playable

ROOT = 0
# Moves in all variations together; a page with more is no longer quick.
MOST_MOVES = 6000
# What python-chess says of a move that it cannot play, in the position that it names.
_MOVE_FAULT = re.compile(
    r"(?P<kind>illegal|ambiguous) san: '(?P<move>.*)' in"
    r" \S+ (?P<turn>[wb]) \S+ \S+ \d+ (?P<number>\d+)(?P<rest>.*)"
)
_MOVE_FAULTS = {"illegal": "is not a legal move", "ambiguous": "can be several moves"}


class _Move(NamedTuple):
    """What is asked of a move again and again. python-chess would go back to the start of the game
    for each answer."""

    node: chess.pgn.GameNode
    san: str
    ply: int
    score: PovScore | None


class GameTree:
    """Moves are only added at the end of `moves`, so a number means the same as long as the game
    lasts; a removed move is None there."""

    def __init__(self, game: chess.pgn.Game | None = None) -> None:
        self.game = new_game(chess.Board()) if game is None else game
        self._moves: list[_Move | None] = [_Move(self.game, "", self.game.ply(), None)]
        self._numbers: dict[chess.pgn.GameNode, int] = {self.game: ROOT}
        for node, board in _walk(self.game):
            if not node.move or node.move not in board.legal_moves:
                raise WebError(f"{node.move.uci()} is not a legal move in {board.fen()}")
            self._add(node, board.san(node.move))

    # --- reading ------------------------------------------------------------------------------

    def node(self, number: int) -> chess.pgn.GameNode:
        """The move with a number, the start for ROOT. WebError if it was removed."""
        return self._move(number).node

    def number(self, node: chess.pgn.GameNode) -> int:
        """The number of a move of this game."""
        return self._numbers[node]

    def has(self, number: int) -> bool:
        """Whether there is still a move with a number."""
        return number < len(self._moves) and self._moves[number] is not None

    def san(self, number: int) -> str:
        """A move as text."""
        return self._move(number).san

    def score(self, number: int) -> PovScore | None:
        """The evaluation that the game had with a move when it was loaded."""
        return self._move(number).score

    def board(self, number: int) -> chess.Board:
        """The position after a move, with the moves before it."""
        return self.node(number).board()

    def line(self, number: int) -> list[int]:
        """The moves from the first to this one."""
        node: chess.pgn.GameNode | None = self.node(number)
        numbers = []
        while node is not None and node.parent is not None:
            numbers.append(self._numbers[node])
            node = node.parent
        return numbers[::-1]

    def last(self) -> int:
        """The last move of the main line."""
        return self._numbers[self.game.end()]

    @property
    def tags(self) -> dict[str, str]:
        """The tags of the game as they are meant."""
        return tags_of(self.game)

    def pgn(self) -> str:
        """The game as text."""
        exporter = chess.pgn.StringExporter(headers=True, variations=True, comments=True)
        return self.game.accept(exporter)

    def as_json(self) -> list[dict[str, Any]]:
        """All moves, each behind its parent; of several answers the main one comes first."""
        return [self._move_json(node) for node in _below(self.game)]

    def _move_json(self, node: chess.pgn.ChildNode) -> dict[str, Any]:
        number = self._numbers[node]
        move = self._move(number)
        return {
            "id": number,
            "parent": self._numbers[node.parent],
            "san": move.san,
            "ply": move.ply,
            "nags": sorted(node.nags),
            "comment": _comment(node),
        }

    def _move(self, number: int) -> _Move:
        move = self._moves[number] if number < len(self._moves) else None
        if move is None:
            raise WebError("that move is no longer in the game")
        return move

    # --- changing -----------------------------------------------------------------------------

    def play(self, number: int, text: str) -> int:
        """Plays a move, as UCI text or SAN, after a move of the game and returns its number; a move
        that is there already is not added again."""
        parent = self.node(number)
        board = parent.board()
        move = legal_move(board, text)
        if parent.has_variation(move):
            return self._numbers[parent.variation(move)]
        if len(self._numbers) > MOST_MOVES:
            raise WebError(f"the game has {MOST_MOVES} moves; it takes no more")
        return self._add(parent.add_variation(move), board.san(move))

    def remove(self, number: int) -> int:
        """Removes a move with all that follows it; returns the one before it."""
        node = self.node(number)
        if node.parent is None:
            raise WebError("there is no move to take back")
        before = self._numbers[node.parent]
        for below in [node, *_below(node)]:
            self._moves[self._numbers.pop(below)] = None
        node.parent.remove_variation(node)
        return before

    def _add(self, node: chess.pgn.ChildNode, san: str) -> int:
        number = len(self._moves)
        ply = self._move(self._numbers[node.parent]).ply + 1
        self._moves.append(_Move(node, san, ply, node.eval()))
        self._numbers[node] = number
        return number


def new_game(board: chess.Board) -> chess.pgn.Game:
    """A game from a position on, with today's date."""
    game = chess.pgn.Game()
    game.setup(board)
    game.headers["Event"] = "Casual game"
    game.headers["Date"] = date.today().strftime("%Y.%m.%d")
    return game


def game_of_pgn(text: str) -> tuple[GameTree, list[str]]:
    """The first game of a text, and what was wrong with its variations, in words."""
    try:
        parsed = parse_game(text)
    except BrokenGameError as error:
        raise WebError(f"PGN: {_in_words(str(error))}") from None
    if not parsed.nodes and not _has_tags(text):
        raise WebError("PGN: no moves and no tags in the text")
    require_playable(parsed.boards[0])
    if sum(1 for _ in _below(parsed.tree)) > MOST_MOVES:
        raise WebError(f"PGN: more than {MOST_MOVES} moves")
    remarks = [f"a variation is broken: {_in_words(text)}" for text in parsed.warnings]
    if _remove_null_moves(parsed.tree):
        remarks.append("null moves are left out, and what follows them")
    return GameTree(parsed.tree), remarks


def _in_words(fault: str) -> str:
    """`2. Ke3 is not legal` for what python-chess says of a move; all else stays as it is."""
    found = _MOVE_FAULT.match(fault)
    if found is None:
        return fault
    dots = "." if found["turn"] == "w" else "…"
    return f"{found['number']}{dots} {found['move']} {_MOVE_FAULTS[found['kind']]}{found['rest']}"


def _remove_null_moves(game: chess.pgn.Game) -> bool:
    """Removes moves that are none, which programs write into variations; whether there were any."""
    found = [node for node in _below(game) if not node.move]
    for node in found:
        node.parent.remove_variation(node)
    return bool(found)


def _has_tags(text: str) -> bool:
    return text.lstrip("\ufeff \t\r\n").startswith("[")


def legal_move(board: chess.Board, text: str) -> chess.Move:
    """A legal move, given as UCI text or SAN."""
    for parse in (board.parse_uci, board.parse_san):
        try:
            move = parse(text.strip())
        except ValueError:
            continue
        if move:
            return move
    raise WebError(f"{quoted(text.strip())} is not a legal move here")


def _below(node: chess.pgn.GameNode) -> Iterator[chess.pgn.ChildNode]:
    """All moves below a node, in the order of `_walk`."""
    waiting = list(reversed(node.variations))
    while waiting:
        child = waiting.pop()
        yield child
        waiting.extend(reversed(child.variations))


def _walk(node: chess.pgn.GameNode) -> Iterator[tuple[chess.pgn.ChildNode, chess.Board]]:
    """All moves below a node, each behind its parent and with the board before it, which changes
    afterwards. Of several answers the main one comes first, with all that follows it."""
    board = node.board()
    # Either a move to make and to go on from, or None: take the last one back.
    waiting: list[chess.pgn.ChildNode | None] = list(reversed(node.variations))
    while waiting:
        child = waiting.pop()
        if child is None:
            board.pop()
            continue
        yield child, board
        board.push(child.move)
        waiting.append(None)
        waiting.extend(reversed(child.variations))


def _comment(node: chess.pgn.ChildNode) -> str:
    """What people wrote, without the tags for programs such as [%eval]."""
    words = " ".join([node.starting_comment, node.comment]).split("[%")
    return " ".join(" ".join([words[0], *(w.partition("]")[2] for w in words[1:])]).split())
