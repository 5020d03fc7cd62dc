# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of a run: one HTML file with the players, the games and a board."""

import shutil
import tempfile
from pathlib import Path

from kingcobra.analysis.game_html import game_article
from kingcobra.analysis.ordered_run import FinishedGame
from kingcobra.analysis.outputs import TextFile
from kingcobra.analysis.page import page_foot, page_head, text_html
from kingcobra.analysis.records import AnnotatedGame
from kingcobra.analysis.settings import LICHESS, AnnotationSettings
from kingcobra.analysis.totals import PlayerTotals, RunTotals, counted
from kingcobra.pictures.board_drawing import piece_definitions
from kingcobra.version import __version__

# Pages with more games are more than a browser likes; the others are in the totals.
MOST_GAMES = 500
MOST_PLAYERS = 100


class ReportOutput:
    """Games are drawn as they come, into a temporary file; the totals above them are known at the
    end."""

    def __init__(self, path: Path, settings: AnnotationSettings, totals: RunTotals) -> None:
        self._text = TextFile(path)
        self._settings = settings
        self._totals = totals
        # Deleted with the process, however that ends.
        self._rows = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        self._games = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        self._drawn = 0

    def add(self, number: int, _finished: FinishedGame, record: AnnotatedGame | None) -> None:
        if record is None or self._drawn == MOST_GAMES:
            return
        self._drawn += 1
        self._rows.write(_game_row(number, record))
        self._games.write(game_article(record, number))

    def finish(self) -> None:
        file = self._text.file
        file.write(page_head("Annotated games") + piece_definitions())
        file.write(f"<h1>Annotated games</h1>\n{self._about()}{_players(self._totals)}")
        file.write('<div class="games"><table><tr><th class="text">game</th>')
        file.write('<th class="text">opening</th><th>accuracy</th></tr>\n')
        for part in (self._rows, self._games):
            part.seek(0)
        shutil.copyfileobj(self._rows, file)
        file.write("</table></div>\n")
        shutil.copyfileobj(self._games, file)
        file.write(page_foot())
        self._close()
        self._text.finish()

    def abandon(self) -> None:
        self._close()
        self._text.abandon()

    def _close(self) -> None:
        self._rows.close()
        self._games.close()

    def _about(self) -> str:
        settings, totals = self._settings, self._totals
        chances = "Lichess's rule" if settings.chances == LICHESS else "the engine's own scale"
        parts = [
            counted(totals.games, "game"),
            f"Kingcobra {__version__}, {settings.nodes} nodes a position",
            f"win % by {chances}",
        ]
        if settings.player:
            parts.append(f"moves of {settings.player} judged")
        if totals.broken:
            parts.append(f"broken games skipped: {totals.broken}")
        if totals.games > self._drawn:
            parts.append(f"the first {self._drawn} shown")
        return f'<p class="about">{text_html("; ".join(parts))}</p>\n'


def _game_row(number: int, record: AnnotatedGame) -> str:
    sides = (record.white.accuracy, record.black.accuracy)
    accuracy = " – ".join("?" if side is None else f"{side:.0f} %" for side in sides)
    opening = f"{record.opening.eco} {record.opening.name}" if record.opening else ""
    return (
        f'<tr><td><button type="button" data-open="{number}">{number}. '
        f"{text_html(record.title)}</button></td>"
        f'<td class="text">{text_html(opening)}</td><td>{accuracy}</td></tr>\n'
    )


def _players(totals: RunTotals) -> str:
    heads = ("games", "moves", "accuracy", "loss per move", "inaccuracies", "mistakes", "blunders")
    head = "".join(f"<th>{text}</th>" for text in heads)
    rows = "".join(_player(player) for player in totals.ranked()[:MOST_PLAYERS])
    return f'<table><tr><th class="text">player</th>{head}</tr>{rows}</table>\n'


def _player(player: PlayerTotals) -> str:
    cells = (
        player.games,
        player.moves,
        f"{player.accuracy:.1f} %",
        f"{player.centipawn_loss:.0f} cp",
        player.inaccuracies,
        player.mistakes,
        player.blunders,
    )
    values = "".join(f"<td>{cell}</td>" for cell in cells)
    return f"<tr><td>{text_html(player.name)}</td>{values}</tr>"
