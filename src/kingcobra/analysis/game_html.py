# SPDX-License-Identifier: GPL-3.0-or-later
"""An annotated game as HTML: board, graph, moves and notes. All of it can be read without scripts;
with one, a click on a move shows its position."""

from base64 import b64encode
from collections.abc import Iterator
from html import escape

import chess

from kingcobra.analysis.page import data_script, page_foot, page_head, text_html
from kingcobra.analysis.records import AnnotatedGame, AnnotatedMove, PlayerSummary
from kingcobra.pictures.board_drawing import board_svg, piece_definitions
from kingcobra.pictures.evaluation_graph import GraphPoint, graph_svg

MARKS = {"inaccuracy": "#2c86c9", "mistake": "#c98200", "blunder": "#c93232"}
UNKNOWN = "?"
FRAME_HEIGHT = 640


def game_graph(record: AnnotatedGame) -> str:
    """The course of the game as SVG."""
    points = [GraphPoint(record.start_percent, "start")]
    points += [
        GraphPoint(
            move.win_percent,
            f"{move.numbered} {move.score.words()}",
            MARKS[move.judgement.value] if move.judgement else "",
        )
        for move in record.moves
    ]
    return graph_svg(points)


def shown_ply(record: AnnotatedGame) -> int:
    """The ply that is shown first: the worst judged move, else the last one."""
    judged = [move for move in record.moves if move.judgement]
    if not judged:
        return len(record.moves)
    return min(judged, key=lambda move: (move.accuracy, move.ply)).ply


def game_board(record: AnnotatedGame, definitions: bool = False) -> str:
    """The board of the shown ply; where the move was judged, an arrow shows the better one."""
    ply = shown_ply(record)
    move = record.moves[ply - 1] if ply else None
    return board_svg(
        chess.Board(move.fen if move else record.start_fen, chess960=True),
        last_move=_squares(move.uci) if move else None,
        arrow=_squares(move.best_uci) if move and move.best_uci else None,
        label=f"After {move.numbered}" if move else "Start",
        definitions=definitions,
    )


def _squares(uci: str) -> chess.Move:
    return chess.Move.from_uci(uci[:4])


def game_article(record: AnnotatedGame, number: int) -> str:
    """The game as a part of a page, which must have the piece definitions."""
    return (
        f'<article class="game" id="game-{number}" data-ply="{shown_ply(record)}">\n'
        f"<h2>{text_html(record.title)}</h2>\n"
        f'<p class="about">{_about(record)}</p>\n<div class="view"><div class="left">'
        f"{game_board(record)}"
        f'<div class="state"><span class="score">{_first_score(record)}</span>'
        '<span class="scripted"><button type="button" data-step="-1">◀</button> '
        '<button type="button" data-step="1">▶</button> '
        f"{_heat_button(record)}</span></div></div>\n"
        f'<div class="right">{game_graph(record)}\n{_sides(record)}'
        f'<p class="moves">{"".join(_moves(record))}</p></div></div>\n'
        f"{data_script(_script_data(record))}\n</article>\n"
    )


def _about(record: AnnotatedGame) -> str:
    tags = record.tags
    parts = [tags.get(name, "") for name in ("Event", "Site", "Date")]
    if record.opening:
        parts.append(f"{record.opening.eco} {record.opening.name}")
    return text_html(", ".join(part for part in parts if part.strip("?. ")))


def _first_score(record: AnnotatedGame) -> str:
    ply = shown_ply(record)
    return escape((record.moves[ply - 1].score if ply else record.start_score).words())


def _heat_button(record: AnnotatedGame) -> str:
    if record.start_heat is None:
        return ""
    title = "What each man is worth to the evaluation, in pawns, White's view"
    return f'<button type="button" class="heat" title="{title}">values of the men</button>'


def _sides(record: AnnotatedGame) -> str:
    heads = ("accuracy", "loss per move", "inaccuracies", "mistakes", "blunders")
    head = "".join(f"<th>{text}</th>" for text in heads)
    rows = _side("White", record.white) + _side("Black", record.black)
    return f'<table><tr><th class="text"></th>{head}</tr>{rows}</table>\n'


def _side(colour: str, side: PlayerSummary) -> str:
    accuracy = UNKNOWN if side.accuracy is None else f"{side.accuracy:.1f} %"
    loss = UNKNOWN if side.centipawn_loss is None else f"{side.centipawn_loss:.0f} cp"
    counts = (side.inaccuracies, side.mistakes, side.blunders)
    cells = (accuracy, loss, *(UNKNOWN if count is None else count for count in counts))
    values = "".join(f"<td>{cell}</td>" for cell in cells)
    return f"<tr><td>{colour}: {text_html(side.name)}</td>{values}</tr>"


def _moves(record: AnnotatedGame) -> Iterator[str]:
    needs_number = True
    for move in record.moves:
        if move.is_white or needs_number:
            yield f'<span class="number">{move.number}{"." if move.is_white else "…"}</span>'
        kind = f" {move.judgement.value}" if move.judgement else ""
        yield (
            f'<button type="button" class="move{kind}" data-ply="{move.ply}">'
            f'{text_html(move.text)}</button> <span class="score-small">'
            f"{escape(move.score.words())}</span> "
        )
        note = _note(move)
        needs_number = bool(note)
        yield note


def _note(move: AnnotatedMove) -> str:
    parts = []
    if move.comment:
        parts.append(f"{text_html(move.comment)} {text_html(move.numbered_line)}")
    if move.remark:
        parts.append(f'<span class="remark">{text_html(move.remark)}</span>')
    return f'<span class="note">{" ".join(parts)}</span>' if parts else ""


def _script_data(record: AnnotatedGame) -> list[list[object]]:
    """For each ply: men, move, the better move, score, values of the men."""
    start = record.start_fen.split()[0]
    rows: list[list[object]] = [[start, "", "", record.start_score.words(), record.start_heat]]
    for move in record.moves:
        men = move.fen.split()[0]
        score = f"{move.numbered}  {move.score.words()}"
        rows.append([men, move.uci, move.best_uci, score, move.heat])
    return rows


# --- notebooks --------------------------------------------------------------------------------


def game_page(record: AnnotatedGame) -> str:
    """A page with nothing but the game."""
    return page_head(record.title) + piece_definitions() + game_article(record, 1) + page_foot()


def notebook_html(record: AnnotatedGame) -> str:
    """For the output of a notebook: the page in a frame of its own, above a plain picture that is
    seen where frames or scripts are stripped."""
    pictures = "".join(
        f'<img alt="{alt}" width="{width}" src="data:image/svg+xml;base64,{_encoded(svg)}">'
        for alt, width, svg in (
            ("board", 320, game_board(record, definitions=True)),
            ("White's chances", 640, game_graph(record)),
        )
    )
    return (
        f'<div style="position:relative;min-height:{FRAME_HEIGHT}px">'
        f"<p><b>{text_html(record.title)}</b></p>{pictures}"
        f'<iframe sandbox="allow-scripts" srcdoc="{escape(game_page(record))}" '
        'style="position:absolute;left:0;top:0;width:100%;height:100%;border:0;background:#fbf9f5">'
        "</iframe></div>"
    )


def _encoded(svg: str) -> str:
    return b64encode(svg.encode()).decode()
