# SPDX-License-Identifier: GPL-3.0-or-later
"""FEN as plain Python reads and writes it: the slow, obvious twin of core/notation."""

from kingcobra.board.fen import (
    CASTLING_LETTERS,
    COLOUR_NAMES,
    FIELD_DEFAULTS,
    FILE_LETTERS,
    LETTERS,
    PIECE_CODES,
    SIDE_LETTERS,
    FenError,
    square_name,
    square_number,
)
from kingcobra.core.rules.basics import (
    A8,
    BLACK,
    COLOUR_SHIFT,
    COLOURS,
    FILES,
    KING,
    KING_SIDE,
    MIRROR_RANKS,
    NO_PIECE,
    NO_SQUARE,
    PAWN,
    QUEEN_SIDE,
    RANKS,
    ROOK,
    SIDES,
    SQUARES,
    WHITE,
    castling_right,
    file_of,
    piece_of,
    rank_of,
)
from kingcobra.core.rules.layout import Position, Setup
from kingcobra.text_values import parse_integer, quoted

MAX_MEN, MAX_PAWNS = 16, 8
MAX_COUNTER = 99_999
STANDARD_KING_FILE = 4
STANDARD_ROOK_FILES = {KING_SIDE: 7, QUEEN_SIDE: 0}
# The rank behind a pawn that has just advanced two squares, by the side to move.
EN_PASSANT_RANKS = (5, 2)


# --- reading ----------------------------------------------------------------------------------


def parse_fen(text: str, chess960: bool) -> Setup:
    """What the text describes. FenError for everything that is wrong with the text itself; whether
    the side that has just moved is in check is for the caller to find out."""
    fields = text.split()
    if not fields:
        raise FenError("FEN is empty")
    if len(fields) > len(FIELD_DEFAULTS):
        raise FenError(f"FEN has {len(fields)} fields, at most 6 expected: {quoted(text)}")
    fields += FIELD_DEFAULTS[len(fields) :]
    placement, side, castling, en_passant, fifty, full_move = fields

    setup = Setup()
    setup.chess960 = chess960
    _read_placement(setup, placement)
    if side not in SIDE_LETTERS or len(side) != 1:
        raise FenError(f"FEN side to move {quoted(side)}, expected w or b")
    setup.side = SIDE_LETTERS.index(side)
    _read_castling(setup, castling)
    _read_en_passant(setup, en_passant)
    setup.fifty_plies = _counter(fifty, "halfmove clock")
    full_moves = max(_counter(full_move, "move number"), 1)
    setup.game_ply = 2 * (full_moves - 1) + setup.side
    return setup


def _read_placement(setup: Setup, placement: str) -> None:
    ranks = placement.split("/")
    if len(ranks) != RANKS:
        raise FenError(f"FEN board has {len(ranks)} ranks, 8 expected: {quoted(placement)}")
    for row, text in enumerate(ranks):
        square = A8 - FILES * row
        end = square + FILES
        for letter in text:
            if letter in "12345678":
                square += int(letter)
            elif letter in PIECE_CODES and square < end:
                setup.board[square] = PIECE_CODES[letter]
                square += 1
            elif letter not in PIECE_CODES:
                raise FenError(f"FEN board has {quoted(letter)} in rank {quoted(text)}")
            else:
                square = end + 1
        if square != end:
            raise FenError(f"FEN rank {quoted(text)} does not have 8 squares")
    _require_playable_men(setup, placement)


def _require_playable_men(setup: Setup, placement: str) -> None:
    men = list(setup.board)
    for colour, name in enumerate(COLOUR_NAMES):
        kings = men.count(piece_of(colour, KING))
        pawns = men.count(piece_of(colour, PAWN))
        total = sum(1 for man in men if man != NO_PIECE and man >> COLOUR_SHIFT == colour)
        if kings != 1:
            raise FenError(f"{name} has {kings} kings, 1 expected: {quoted(placement)}")
        if pawns > MAX_PAWNS:
            raise FenError(f"{name} has {pawns} pawns, at most 8 expected: {quoted(placement)}")
        if total > MAX_MEN:
            raise FenError(f"{name} has {total} men, at most 16 expected: {quoted(placement)}")
    for square in (*range(FILES), *range(A8, SQUARES)):
        if men[square] in (piece_of(WHITE, PAWN), piece_of(BLACK, PAWN)):
            raise FenError(f"pawn on {square_name(square)}: {quoted(placement)}")


def _read_castling(setup: Setup, text: str) -> None:
    for right in range(COLOURS * SIDES):
        setup.castling_rook[right] = NO_SQUARE
    if text == "-":
        return
    for letter in text:
        colour = WHITE if letter.isupper() else BLACK
        king = list(setup.board).index(piece_of(colour, KING))
        rook = _castling_rook(setup, letter.upper(), colour, king)
        if rook is None:
            raise FenError(f"FEN castling {quoted(text)}: {_missing_for_castling(setup, letter)}")
        side = KING_SIDE if rook > king else QUEEN_SIDE
        right = castling_right(colour, side)
        if setup.castling_rook[right] != NO_SQUARE:
            raise FenError(f"FEN castling {quoted(text)}: '{letter}' repeats a right")
        setup.castling_rook[right] = rook


def _castling_rook(setup: Setup, letter: str, colour: int, king: int) -> int | None:
    """The rook that a letter of the castling field refers to; None if there is none."""
    first = colour * MIRROR_RANKS
    if not first <= king < first + FILES:
        return None
    rooks = [
        square
        for square in range(first, first + FILES)
        if setup.board[square] == piece_of(colour, ROOK)
    ]
    if letter in CASTLING_LETTERS:
        # The outermost rook on that side of the king.
        rooks = [rook for rook in rooks if (rook > king) == (letter == "K")]
        rook = max(rooks) if rooks and letter == "K" else min(rooks, default=None)
    elif letter.lower() in FILE_LETTERS:
        rook = first + FILE_LETTERS.index(letter.lower())
        rook = rook if rook in rooks else None
    else:
        return None
    if rook is None or setup.chess960:
        return rook
    side = KING_SIDE if rook > king else QUEEN_SIDE
    standard = file_of(king) == STANDARD_KING_FILE and file_of(rook) == STANDARD_ROOK_FILES[side]
    return rook if standard else None


def _missing_for_castling(setup: Setup, letter: str) -> str:
    if letter.upper() not in CASTLING_LETTERS and letter.lower() not in FILE_LETTERS:
        return f"{quoted(letter)} is not a castling right"
    if setup.chess960:
        return f"no king and rook on the first rank for '{letter}'"
    return f"no king and rook on their squares for '{letter}' (UCI_Chess960 is off)"


def _read_en_passant(setup: Setup, text: str) -> None:
    setup.en_passant = NO_SQUARE
    if text == "-":
        return
    square = square_number(text)
    if square is None:
        raise FenError(f"FEN en-passant square {quoted(text)} is not a square")
    rank = EN_PASSANT_RANKS[setup.side]
    if rank_of(square) != rank:
        raise FenError(
            f"FEN en-passant square {quoted(text)} is not on rank {rank + 1}"
            f" ({COLOUR_NAMES[setup.side]} to move)"
        )
    setup.en_passant = square


def _counter(text: str, name: str) -> int:
    value = parse_integer(text, 0, MAX_COUNTER)
    if value is None:
        raise FenError(f"FEN {name} {quoted(text)}, expected a number from 0 to {MAX_COUNTER}")
    return value


# --- writing ----------------------------------------------------------------------------------


def format_fen(position: Position) -> str:
    """The position as FEN, Shredder-FEN in Chess960."""
    state = position.states[position.ply]
    ranks = (_format_rank(position, rank) for rank in reversed(range(RANKS)))
    en_passant = "-" if state.en_passant == NO_SQUARE else square_name(state.en_passant)
    return (
        f"{'/'.join(ranks)} {SIDE_LETTERS[position.side]} {_format_castling(position)}"
        f" {en_passant} {state.fifty_plies} {position.game_ply // 2 + 1}"
    )


def _format_rank(position: Position, rank: int) -> str:
    text = ""
    empty = 0
    for square in range(rank * FILES, rank * FILES + FILES):
        piece = position.board[square]
        if piece == NO_PIECE:
            empty += 1
            continue
        text += (str(empty) if empty else "") + LETTERS[piece]
        empty = 0
    return text + (str(empty) if empty else "")


def _format_castling(position: Position) -> str:
    text = ""
    for colour in range(COLOURS):
        for side in range(SIDES):
            right = castling_right(colour, side)
            if not position.states[position.ply].castling_rights >> right & 1:
                continue
            letter = CASTLING_LETTERS[side]
            if position.chess960:
                letter = FILE_LETTERS[file_of(position.castling_rook[right])].upper()
            text += letter if colour == WHITE else letter.lower()
    return text or "-"
