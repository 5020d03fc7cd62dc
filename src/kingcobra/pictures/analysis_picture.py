# SPDX-License-Identifier: GPL-3.0-or-later
"""An analysis as HTML for notebooks: the board with the best moves as arrows, and a table of the
lines. No scripts; text is escaped."""

from base64 import b64encode
from collections.abc import Sequence
from html import escape

import chess
from chess.engine import InfoDict, PovScore

from kingcobra.pictures.board_drawing import board_svg

BOARD_WIDTH = 320
SHOWN_PLIES = 12


def analysis_html(board: chess.Board, infos: Sequence[InfoDict]) -> str:
    """The lines of an analysis, the best first. What an info does not have is left out."""
    best = next((info["pv"][0] for info in infos if info.get("pv")), None)
    svg = board_svg(board, arrow=best, label=board.fen(), definitions=True)
    picture = b64encode(svg.encode()).decode()
    rows = "".join(_row(board, info) for info in infos)
    return (
        f'<div><img alt="board" width="{BOARD_WIDTH}" '
        f'src="data:image/svg+xml;base64,{picture}">'
        "<table><tr><th>score</th><th>win, draw, loss</th><th>depth</th><th>nodes</th>"
        f'<th style="text-align:left">line</th></tr>{rows}</table></div>'
    )


def _row(board: chess.Board, info: InfoDict) -> str:
    score = info.get("score")
    cells = [
        "" if score is None else score_text(score),
        "" if score is None or "wdl" not in info else _chances(info),
        str(info.get("depth", "")),
        f"{info['nodes']:,}" if "nodes" in info else "",
    ]
    line = escape(line_text(board, info.get("pv", [])))
    values = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f'<tr>{values}<td style="text-align:left">{line}</td></tr>'


def _chances(info: InfoDict) -> str:
    wins, draws, losses = info["wdl"].white()
    total = max(wins + draws + losses, 1)
    return ", ".join(f"{100 * part / total:.0f} %" for part in (wins, draws, losses))


def score_text(score: PovScore) -> str:
    """From White's view: `+0.35`, or `#-3`."""
    white = score.white()
    centipawns = white.score()
    return f"#{white.mate()}" if centipawns is None else f"{centipawns / 100:+.2f}"


def line_text(board: chess.Board, moves: Sequence[chess.Move]) -> str:
    """The first moves of a line, with numbers."""
    shown = list(moves[:SHOWN_PLIES])
    try:
        text = board.variation_san(shown)
    except ValueError:
        text = " ".join(move.uci() for move in shown)
    return text + (" …" if len(moves) > SHOWN_PLIES else "")
