# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands about the position."""

from kingcobra.board.move_text import MoveError
from kingcobra.uci.protocol import UciError, parse_position
from kingcobra.uci.session import Session


def ucinewgame(session: Session, _text: str) -> None:
    """ucinewgame: the start position; hash table and histories are cleared."""
    session.stop_work()
    session.engine.new_game()


def position(session: Session, text: str) -> None:
    """position startpos | fen <fen> [moves <move> …]: sets up a position. An illegal move ends
    the list; the moves before it stay."""
    command = parse_position(text.split())
    engine = session.engine
    engine.set_position(command.fen)
    for number, move in enumerate(command.moves, 1):
        try:
            engine.board.play(move)
        except MoveError as error:
            raise UciError(
                f"{error} (number {number} of {len(command.moves)}) in {engine.board.fen()}"
            ) from None


def show(session: Session, _text: str) -> None:
    """d: the board, its FEN, key and checkers, and what the endgame tables say of it."""
    from kingcobra.board.diagram import diagram  # games are played without

    engine = session.engine
    wdl, dtz = engine.tables.describe(engine.board)
    lines = [diagram(engine.board)]
    lines += [f"Tablebases WDL: {wdl}"] if wdl is not None else []
    lines += [f"Tablebases DTZ: {dtz}"] if dtz is not None else []
    session.send("\n" + "\n".join(lines))


def flip(session: Session, _text: str) -> None:
    """flip: the same position with the colours swapped."""
    session.engine.board.flip()


def evaluate(session: Session, _text: str) -> None:
    """eval: the static evaluation: of a network, man by man and bucket by bucket, of the classical
    one, term by term, for each side and phase of the game."""
    from kingcobra.uci.evaluation_report import evaluation_report  # games are played without

    session.prepare()
    engine = session.engine
    given_cp = engine.given_white_cp(engine.board)
    session.send("\n" + evaluation_report(engine.evaluator, engine.board, given_cp) + "\n")
