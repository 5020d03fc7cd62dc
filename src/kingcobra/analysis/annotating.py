# SPDX-License-Identifier: GPL-3.0-or-later
"""One game annotated: its positions are evaluated from the last to the first, its moves judged, its
players rated, its opening named."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import chess
import chess.pgn

from kingcobra.analysis.accuracy import (
    START_CP,
    expected_percent,
    game_accuracies,
    move_accuracies,
    win_percent,
)
from kingcobra.analysis.game_positions import GamePositions
from kingcobra.analysis.judgement import Judgement, Standing, Verdict, judge
from kingcobra.analysis.openings import opening_of
from kingcobra.analysis.parsed_game import BrokenGameError, ParsedGame, parse_game, tags_of
from kingcobra.analysis.pgn_comments import line_in_file, words_of, write_pgn
from kingcobra.analysis.player_names import is_player
from kingcobra.analysis.records import AnnotatedGame, AnnotatedMove, GameOpening, PlayerSummary
from kingcobra.analysis.score import Score
from kingcobra.analysis.searching import Evaluation, GameSearcher
from kingcobra.analysis.settings import LICHESS, AnnotationSettings
from kingcobra.board.fen import FenError

DECIMALS = 2
# Whether to go on; asked between two searches.
GoesOn = Callable[[], bool]


class Abandoned(Exception):
    """Nobody waits for the game any more."""


class Annotation(NamedTuple):
    """What became of a game. Without a record it was broken, or is not the player's."""

    record: AnnotatedGame | None
    warnings: tuple[str, ...] = ()
    error: str = ""


def annotate_text(
    text: str,
    searcher: GameSearcher,
    settings: AnnotationSettings,
    goes_on: GoesOn = lambda: True,
) -> Annotation:
    """Annotates the first game of a PGN text. A broken one has an error instead of a record."""
    try:
        game = parse_game(text)
        return annotate_game(game, searcher, settings, goes_on)
    except BrokenGameError as error:
        return Annotation(None, error=str(error))


def annotate_game(
    game: ParsedGame,
    searcher: GameSearcher,
    settings: AnnotationSettings,
    goes_on: GoesOn = lambda: True,
) -> Annotation:
    """Annotates a game. BrokenGameError if the engine cannot set up its position; Abandoned if
    `goes_on` says so."""
    tags = tags_of(game.tree)
    sides = {
        colour: not settings.player or is_player(settings.player, tags.get(name, ""))
        for colour, name in ((chess.WHITE, "White"), (chess.BLACK, "Black"))
    }
    if not any(sides.values()):
        return Annotation(None)
    work = _GameWork(game, searcher, settings, goes_on)
    evaluations = work.evaluations()
    standings = work.standings(evaluations)
    verdicts = work.verdicts(standings, evaluations, sides)
    record = _record(work, tags, evaluations, standings, verdicts, sides)
    return Annotation(record, tuple(game.warnings))


class _GameWork:
    """The searches that one game needs, in an order that is always the same."""

    def __init__(
        self,
        game: ParsedGame,
        searcher: GameSearcher,
        settings: AnnotationSettings,
        goes_on: GoesOn,
    ) -> None:
        self.game = game
        self.nodes = game.nodes
        self.searcher = searcher
        self.settings = settings
        self._goes_on = goes_on
        self.positions = self._positions()

    def _positions(self) -> GamePositions:
        boards = self.game.boards
        try:
            start = self.searcher.new_game(boards[0].fen(), boards[0].chess960)
        except FenError as error:
            raise BrokenGameError(str(error)) from None
        moves = (board.uci(node.move) for board, node in zip(boards, self.nodes, strict=False))
        return GamePositions(start, moves)

    def evaluations(self) -> list[Evaluation]:
        """Of all positions. The last comes first, so that what the engine learns from the moves to
        come helps to judge those before."""
        found = [self._evaluation(ply) for ply in reversed(range(len(self.positions)))]
        return found[::-1]

    def _evaluation(self, ply: int) -> Evaluation:
        position = self.positions[ply]
        if ply == 0 and self.game.boards[0].fen() == chess.STARTING_FEN:
            return self.searcher.judged(position, Score.in_cp(START_CP))
        if ply and self.settings.reuses_evals:
            given = score_in_file(self.nodes[ply - 1])
            if given is not None and position.moves():
                depth = self.nodes[ply - 1].eval_depth()
                return self.searcher.judged(position, given)._replace(depth=depth)
        return self._searched(ply)

    def _searched(self, ply: int) -> Evaluation:
        if not self._goes_on():
            raise Abandoned
        return self.searcher.evaluate(self.positions[ply])

    def standings(self, evaluations: list[Evaluation]) -> list[Standing]:
        """Scores with White's win %."""
        return [
            Standing(
                found.score,
                win_percent(found.score.bounded_cp())
                if self.settings.chances == LICHESS
                else expected_percent(found.white_wdl),
            )
            for found in evaluations
        ]

    def verdicts(
        self,
        standings: list[Standing],
        evaluations: list[Evaluation],
        sides: dict[chess.Color, bool],
    ) -> list[Verdict | None]:
        """A verdict, or none, for each move of those sides. Where the position before a judged move
        has no best line yet it is searched now, and put into the evaluations. The engine's own
        choice is never judged."""
        verdicts: list[Verdict | None] = []
        for ply, node in enumerate(self.nodes):
            board = self.game.boards[ply]
            verdict = judge(standings[ply], standings[ply + 1], board.turn)
            if verdict is None or not sides[board.turn]:
                verdicts.append(None)
                continue
            if not evaluations[ply].line:
                evaluations[ply] = evaluations[ply]._replace(line=self._better_line(ply))
            is_best = evaluations[ply].line[0] == board.uci(node.move)
            verdicts.append(None if is_best else verdict)
        return verdicts

    def _better_line(self, ply: int) -> tuple[str, ...]:
        """What was best instead of a move: as the file says, where it is believed, or searched."""
        given = line_in_file(self.nodes[ply]) if self.settings.reuses_evals else ()
        return given or self._searched(ply).line


def score_in_file(node: chess.pgn.ChildNode) -> Score | None:
    """The evaluation that a file gives for the position after a move."""
    given = node.eval()
    if given is None:
        return None
    white = given.white()
    mate = white.mate()
    if mate is None:
        cp = white.score()
        return None if cp is None else Score.in_cp(cp)
    return Score.in_moves(mate) if mate else None


# --- the record -------------------------------------------------------------------------------


def _record(
    work: _GameWork,
    tags: dict[str, str],
    evaluations: list[Evaluation],
    standings: list[Standing],
    verdicts: list[Verdict | None],
    sides: dict[chess.Color, bool],
) -> AnnotatedGame:
    boards = work.game.boards
    white_begins = boards[0].turn == chess.WHITE
    percents = [standing.white_percent for standing in standings]
    accuracies = move_accuracies(percents, white_begins)
    moves = [
        _move(work, ply, evaluations, standings, verdicts[ply], accuracies[ply])
        for ply in range(len(work.nodes))
    ]
    named = opening_of(boards)
    accuracy = dict(
        zip(
            (chess.WHITE, chess.BLACK),
            game_accuracies(percents, white_begins),
            strict=True,
        )
    )

    def summary(colour: chess.Color, tag: str) -> PlayerSummary:
        own = [move for move in moves if move.is_white == colour]
        return _summary(tags.get(tag, "?"), own, accuracy[colour], sides[colour])

    record = AnnotatedGame(
        tags=tags,
        start_fen=boards[0].fen(),
        start_score=standings[0].score,
        start_percent=round(percents[0], DECIMALS),
        moves=tuple(moves),
        white=summary(chess.WHITE, "White"),
        black=summary(chess.BLACK, "Black"),
        opening=GameOpening(*named.opening, named.ply) if named else None,
        pgn="",
        start_heat=work.searcher.heat(work.positions[0]) if work.settings.heat else None,
    )
    return replace(record, pgn=write_pgn(work.game, record, work.settings.annotator))


def _move(
    work: _GameWork,
    ply: int,
    evaluations: list[Evaluation],
    standings: list[Standing],
    verdict: Verdict | None,
    accuracy: float,
) -> AnnotatedMove:
    before, after = work.game.boards[ply : ply + 2]
    node = work.nodes[ply]
    evaluation = evaluations[ply + 1]
    wdl = evaluation.white_wdl
    line = line_in_san(before, evaluations[ply].line) if verdict else ()
    comment = ""
    if verdict is not None:
        change = f"({standings[ply].score.words()} → {evaluation.score.words()})"
        comment = f"{change} {verdict.words}. {line[0]} was best."
    return AnnotatedMove(
        ply=ply + 1,
        number=before.fullmove_number,
        is_white=before.turn,
        san=before.san(node.move),
        uci=before.uci(node.move),
        fen=after.fen(),
        score=evaluation.score,
        depth=evaluation.depth,
        win_percent=round(standings[ply + 1].white_percent, DECIMALS),
        wdl=(wdl.win, wdl.draw, wdl.loss),
        accuracy=round(accuracy, DECIMALS),
        centipawn_loss=_centipawn_loss(standings[ply].score, evaluation.score, before.turn),
        judgement=verdict.judgement if verdict else None,
        comment=comment,
        remark=words_of(node.comment),
        best=line[0] if line else "",
        best_uci=evaluations[ply].line[0] if verdict else "",
        line=line,
        clock_s=node.clock(),
        heat=work.searcher.heat(work.positions[ply + 1]) if work.settings.heat else None,
    )


def line_in_san(board: chess.Board, line: tuple[str, ...]) -> tuple[str, ...]:
    """Moves that follow one another, given as UCI text."""
    board = board.copy(stack=False)
    return tuple(board.san_and_push(board.parse_uci(text)) for text in line)


def _centipawn_loss(before: Score, after: Score, mover_is_white: bool) -> int:
    gain = after.bounded_cp() - before.bounded_cp()
    return max(0, -gain if mover_is_white else gain)


def _summary(
    name: str, moves: list[AnnotatedMove], accuracy: float | None, is_judged: bool
) -> PlayerSummary:
    def count(wanted: Judgement) -> int | None:
        return sum(move.judgement is wanted for move in moves) if is_judged else None

    losses = sum(move.centipawn_loss for move in moves)
    return PlayerSummary(
        name=name,
        moves=len(moves),
        accuracy=None if accuracy is None else round(accuracy, DECIMALS),
        centipawn_loss=round(losses / len(moves), DECIMALS) if moves else None,
        inaccuracies=count(Judgement.INACCURACY),
        mistakes=count(Judgement.MISTAKE),
        blunders=count(Judgement.BLUNDER),
    )
