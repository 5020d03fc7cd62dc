# SPDX-License-Identifier: GPL-3.0-or-later
"""Annotations written into a game's PGN, the way Lichess writes them. What people wrote stays; what
an earlier annotation wrote is replaced."""

import re

import chess.pgn

from kingcobra.analysis.judgement import MATE_CREATED, MATE_LOST, Judgement
from kingcobra.analysis.parsed_game import ParsedGame
from kingcobra.analysis.records import AnnotatedGame, AnnotatedMove

# A tag that says nothing.
UNKNOWN = "?"
# Better lines are cut here.
MOST_LINE_PLIES = 20
_SCORE = r"(?:-?\d+\.\d\d?|Mate in \d+|Checkmate)"
_WORDS = "|".join([*(j.value.capitalize() for j in Judgement), MATE_CREATED, MATE_LOST])
# A comment of this module or of Lichess.
_VERDICT = re.compile(rf"\({_SCORE} → {_SCORE}\) (?:{_WORDS})\.(?: (?P<best>\S+) was best\.)?")
_EVAL = re.compile(r"\[%eval\s[^\]]*\]")
_COMMAND = re.compile(r"\[%\w+\s[^\]]*\]")
_NAGS = {judgement.nag for judgement in Judgement}


def write_pgn(game: ParsedGame, record: AnnotatedGame, annotator: str = "") -> str:
    """The annotated game, with a line break at its end. The tree of the game is changed."""
    _write_tags(game.tree, record)
    if annotator:
        game.tree.headers["Annotator"] = annotator
    for node, move in zip(game.nodes, record.moves, strict=True):
        _write_move(node, move)
    exporter = chess.pgn.StringExporter(headers=True, variations=True, comments=True)
    return game.tree.accept(exporter) + "\n"


def _write_tags(tree: chess.pgn.Game, record: AnnotatedGame) -> None:
    """The opening, unless the file names one, and how accurate the players were."""
    if record.opening is not None:
        for tag, value in (("ECO", record.opening.eco), ("Opening", record.opening.name)):
            if tree.headers.get(tag, UNKNOWN) == UNKNOWN:
                tree.headers[tag] = value
    for tag, side in (("WhiteAccuracy", record.white), ("BlackAccuracy", record.black)):
        if side.accuracy is not None:
            tree.headers[tag] = f"{side.accuracy:.1f}"


def _write_move(node: chess.pgn.ChildNode, move: AnnotatedMove) -> None:
    kept = human_comment(node.comment)
    was_judged = _earlier_verdict(node.comment) is not None
    earlier = _earlier_line(node)
    if earlier is not None and earlier.san() != move.best and is_bare(earlier):
        node.parent.remove_variation(earlier)
    node.comment = " ".join(part for part in (move.comment, _eval_tag(move), kept) if part)
    if was_judged or move.judgement is not None:
        node.nags -= _NAGS
    if move.judgement is None:
        return
    node.nags.add(move.judgement.nag)
    board = node.parent.board()
    line = [board.push_san(san) for san in move.line]
    if line and not node.parent.has_variation(line[0]):
        node.parent.add_line(line)


def line_in_file(node: chess.pgn.ChildNode) -> tuple[str, ...]:
    """The better line that an earlier annotation gave for a move, as UCI text; empty if there is
    none."""
    first = _earlier_line(node)
    if first is None:
        return ()
    return tuple(found.uci() for found in [first, *first.mainline()][:MOST_LINE_PLIES])


def _earlier_line(node: chess.pgn.ChildNode) -> chess.pgn.ChildNode | None:
    """The first move of that line."""
    match = _earlier_verdict(node.comment)
    if match is None or match["best"] is None:
        return None
    others = (other for other in node.parent.variations if other is not node)
    return next((other for other in others if other.san() == match["best"]), None)


def is_bare(first: chess.pgn.ChildNode) -> bool:
    """Whether a line is moves alone: nobody has written anything into it."""
    nodes = [first, *first.mainline()]
    return not any(
        node.comment or node.starting_comment or node.nags or len(node.variations) > 1
        for node in nodes
    )


def human_comment(comment: str) -> str:
    """A comment without what annotations wrote; clocks and arrows stay."""
    return _on_one_line(_EVAL.sub(" ", _VERDICT.sub(" ", _on_one_line(comment))))


def words_of(comment: str) -> str:
    """What people wrote: without clocks and arrows, too."""
    return _on_one_line(_COMMAND.sub(" ", human_comment(comment)))


def _earlier_verdict(comment: str) -> re.Match[str] | None:
    return _VERDICT.search(_on_one_line(comment))


def _on_one_line(comment: str) -> str:
    """Other programs break lines in comments."""
    return " ".join(comment.split())


def _eval_tag(move: AnnotatedMove) -> str:
    """`[%eval 0.17,22]`; nothing once mate is on the board."""
    if move.score.is_checkmate:
        return ""
    depth = "" if move.depth is None else f",{move.depth}"
    return f"[%eval {move.score.tag_text()}{depth}]"
