# SPDX-License-Identifier: GPL-3.0-or-later
"""A game from its opening to its result, a ply at a time. All of it is in the player's record, so
it can be left after any ply and taken up again."""

import ctypes

import numpy as np

from kingcobra.core.rules.basics import BLACK, NO_MOVE, WHITE
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.rules.draws import (
    earlier_occurrences,
    is_fifty_moves,
    is_insufficient_material,
)
from kingcobra.core.rules.layout import Position
from kingcobra.core.rules.movegen import generate_all
from kingcobra.core.rules.position import forget_unreachable_past, make, occupied, present
from kingcobra.core.search.layout import AGE_CYCLE, AGE_STEP, BUCKET_BYTES, NO_BOUND, SearchWorker
from kingcobra.core.search.scores import INFINITE, MATE, NO_SCORE
from kingcobra.core.selfplay.chance import begin_chances, happens
from kingcobra.core.selfplay.harvest import harvest_board
from kingcobra.core.selfplay.layout import (
    BUFFER_FULL,
    DRAWN,
    GAME_HEADER_BYTES,
    GAME_OVER,
    LOSS,
    PLY_BYTES,
    POSITION_BYTES,
    STOPPED,
    WIN,
    WORD_BYTES,
)
from kingcobra.core.selfplay.openings import random_move, try_opening
from kingcobra.core.selfplay.packing import close_game, pack_ply, pack_start
from kingcobra.core.tables.layout import UNKNOWN
from kingcobra.core.tables.layout import WIN as TABLE_WIN
from kingcobra.core.tables.results import probe_wdl
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import (
    call_address,
    load_u64,
    monotonic_ns,
    popcount,
    store_u64,
)
from kingcobra.kernel.records import record_at

worker_at = record_at(SearchWorker)

# What the search has learnt lies at the end of its record.
LEARNT_AT = SearchWorker.quiet_history.offset
WORKER_BYTES = ctypes.sizeof(SearchWorker)
POSITION_WORDS = ctypes.sizeof(Position) // WORD_BYTES
# So many earlier occurrences make a draw.
DRAWING_REPETITIONS = 2
# So often a game is begun anew before it is played as it is.
MOST_RETRIES = 64
# Not decided yet.
GOING_ON = -1
# Of the buffer, in bytes: with less room a harvesting game is left until it is emptied.
HARVEST_RESERVE = POSITION_BYTES * 1024
ZERO = np.uint64(0)


# --- one search -------------------------------------------------------------------------------


@compiled
def forget(address):
    """Clears what a worker has learnt, and its hash table."""
    worker = worker_at(address)
    for index in range((WORKER_BYTES - LEARNT_AT) // WORD_BYTES):
        store_u64(address + LEARNT_AT, index, ZERO)
    for index in range(np.int64(worker.buckets) * BUCKET_BYTES // WORD_BYTES):
        store_u64(worker.table, index, ZERO)


@compiled
def prepare(worker, rules, moves):
    """Makes the moves of a list the root's, and sets the limits."""
    worker.stop = 0
    worker.nodes = 0
    worker.lines = 1
    worker.age = (worker.age + AGE_STEP) % AGE_CYCLE
    worker.reports_written = 0
    worker.reports_read = 0
    worker.limits.nodes = rules.hard_nodes
    worker.limits.soft_nodes = rules.soft_nodes
    worker.limits.started_ns = monotonic_ns()
    worker.root_count = moves.count
    for index in range(moves.count):
        root = worker.root[index]
        root.move = moves.moves[index]
        root.pv[0] = moves.moves[index]
        root.pv_length = 1
        root.score = -INFINITE
        root.previous_score = -INFINITE
        root.line_score = -INFINITE
        root.depth = 0
        root.mean_score = -INFINITE
        root.mean_square = 0
        root.deepest = 0
        root.bound = NO_BOUND
        root.reply = NO_MOVE
        root.rank = 0


@compiled
def searcher(player):
    """The address of the worker whose turn it is, its position up to date."""
    own = player.worker.address
    if player.opponent == 0 or player.worker.position.side != player.opponent_colour:
        return own
    for index in range(POSITION_WORDS):
        store_u64(player.opponent, index, load_u64(own, index))
    return player.opponent


@compiled
def search_move(player):
    """Searches the moves of the player's list; returns the best one and its score, NO_SCORE when
    the limit came before any."""
    address = searcher(player)
    worker = worker_at(address)
    prepare(worker, player.rules, player.list)
    call_address(player.think, address)
    player.searches += 1
    player.nodes += worker.nodes
    score = np.int64(worker.root[0].score)
    return np.int64(worker.root[0].move), score if abs(score) <= MATE else np.int64(NO_SCORE)


# --- results ----------------------------------------------------------------------------------


@compiled
def result_by_rule(player, pos):
    """White's result if the game is over. Leaves the legal moves in the player's list."""
    if (
        earlier_occurrences(pos) >= DRAWING_REPETITIONS
        or is_insufficient_material(pos)
        or is_fifty_moves(pos, player.list)
    ):
        return DRAWN
    if generate_all(pos, player.list) == 0:
        if present(pos).checkers == EMPTY:
            return DRAWN
        return LOSS if pos.side == WHITE else WIN
    return DRAWN if player.plies >= player.rules.most_plies else GOING_ON


@compiled
def result_by_tables(player, pos):
    """White's result if endgame tables know it. They count from an irreversible move on."""
    state = present(pos)
    if (
        popcount(occupied(pos)) > player.worker.table_men
        or state.fifty_plies != 0
        or state.castling_rights != 0
    ):
        return GOING_ON
    result = probe_wdl(player.worker.prober, pos)
    if result == UNKNOWN:
        return GOING_ON
    if abs(result) != TABLE_WIN:
        return DRAWN
    return WIN if (result > 0) == (pos.side == WHITE) else LOSS


@compiled
def adjudicated(player, score):
    """White's result if scores decide the game. The score is the mover's."""
    rules = player.rules
    white_score = score if player.worker.position.side == WHITE else -score
    if white_score >= rules.win_score:
        player.win_streak = max(player.win_streak, np.int64(0)) + 1
    elif white_score <= -rules.win_score:
        player.win_streak = min(player.win_streak, np.int64(0)) - 1
    else:
        player.win_streak = 0
    player.draw_streak = player.draw_streak + 1 if abs(score) <= rules.draw_score else 0
    if player.win_streak >= rules.win_plies:
        return WIN
    if player.win_streak <= -rules.win_plies:
        return LOSS
    if player.plies >= rules.draw_from_ply and player.draw_streak >= rules.draw_plies:
        return DRAWN
    return GOING_ON


# --- the game ---------------------------------------------------------------------------------


@compiled
def begin_game(player):
    """Sets up a new game; its number decides all that happens in it."""
    rules = player.rules
    number = np.int64(player.game_number)
    if player.retries == 0:
        begin_chances(player, number >> 1 if rules.paired else number)
    while not try_opening(player, player.worker.position):
        pass
    player.opponent_colour = WHITE if number & 1 else BLACK
    forget(player.worker.address)
    if player.opponent:
        forget(player.opponent)
    player.playing = 1
    player.plies = 0
    player.win_streak = 0
    player.draw_streak = 0
    player.harvest.wait = 1
    player.start_side = player.worker.position.side
    player.game_start = player.count
    if player.writes_games:
        pack_start(player.worker.position, player.buffer + player.count)


@compiled
def is_lopsided_start(player, score):
    """Whether the first score of a game says that there is not much left to play for."""
    return (
        player.plies == 0
        and abs(score) > player.rules.lopsided_score
        and player.retries < MOST_RETRIES
    )


@compiled
def give_up_opening(player):
    """The game is lopsided from the start: it begins again elsewhere, and what it has written is
    dropped."""
    player.count = player.game_start
    player.playing = 0
    player.retries += 1
    return GOING_ON


@compiled
def finish_game(player, white_result):
    """Completes a game in the buffer."""
    if player.writes_games:
        result = white_result if player.start_side == WHITE else WIN - white_result
        close_game(player.buffer + player.game_start, player.plies, result)
        player.count = player.game_start + GAME_HEADER_BYTES + player.plies * PLY_BYTES
    player.white_result = white_result
    player.playing = 0
    player.retries = 0
    return GAME_OVER


@compiled
def has_room(player):
    """Whether the buffer can take a game, or the harvest of a search."""
    if player.writes_games:
        longest = GAME_HEADER_BYTES + player.rules.most_plies * PLY_BYTES
        return player.playing or player.count + longest <= player.room
    return player.count + HARVEST_RESERVE <= player.room


@compiled
def play_ply(player):
    """Plays one move. Returns GAME_OVER when that ended the game, else GOING_ON."""
    pos = player.worker.position
    result = result_by_rule(player, pos)
    if result == GOING_ON:
        result = result_by_tables(player, pos)
    if result != GOING_ON:
        return finish_game(player, result)
    score = np.int64(NO_SCORE)
    if player.plies and happens(player, player.rules.random_move_share):
        move = random_move(player, pos)
    else:
        move, score = search_move(player)
    if score != NO_SCORE:
        if is_lopsided_start(player, score):
            return give_up_opening(player)
        result = adjudicated(player, score)
    if player.writes_games:
        pack_ply(player.buffer + player.game_start, player.plies, move, score)
    harvest_board(player)
    player.plies += 1
    make(pos, move)
    forget_unreachable_past(pos)
    return GOING_ON if result == GOING_ON else finish_game(player, result)


@compiled
def play_on(player):
    """Goes on with the game, or begins one, until all that are wanted are over, the buffer is full
    or `stop` is set; returns which."""
    while not player.stop:
        if not has_room(player):
            return BUFFER_FULL
        if not player.playing:
            begin_game(player)
        if play_ply(player) == GAME_OVER:
            player.games_over += 1
            if player.games_over >= player.games_wanted:
                return GAME_OVER
            player.game_number += 1
    return STOPPED
