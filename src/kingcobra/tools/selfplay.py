# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra selfplay`: games of the engine against itself as training data, or a match of two
networks, at a fixed number of nodes a move."""

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from kingcobra.core.evaluation.layout import PAWN_UNITS
from kingcobra.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE
from kingcobra.kernel.build import settle_level
from kingcobra.kernel.levels import LevelError
from kingcobra.kernel.objects import ObjectError
from kingcobra.kernel.system.memory import OutOfMemory
from kingcobra.networks.loading import EvaluationError
from kingcobra.networks.network_files import NetworkError
from kingcobra.statistics.elo import elo
from kingcobra.tools.argument_types import amount, not_negative, positive, share, tunable_value
from kingcobra.training.data import blocks
from kingcobra.training.selfplay.block_file import BlockFile
from kingcobra.training.selfplay.book import load_book
from kingcobra.training.selfplay.cluster import ActorTask, ClusterRun, sent
from kingcobra.training.selfplay.network_match import GAMES_PER_PAIR, NetworkMatch
from kingcobra.training.selfplay.player import (
    DEFAULT,
    Objects,
    SelfPlayer,
    Teacher,
    open_endgame_tables,
    origin_of,
    players_in_turn,
    students_named,
)
from kingcobra.training.selfplay.run import SelfPlayRun
from kingcobra.training.selfplay.run_output import RunLimits, RunOutput, RunProgress
from kingcobra.training.selfplay.settings import (
    HARVEST,
    KINDS,
    LONGEST_GAME,
    SelfPlayError,
    SelfPlaySettings,
    match_settings,
)

TELL_EVERY_S = 5.0
FAILURES = (
    SelfPlayError,
    EvaluationError,
    NetworkError,
    ObjectError,
    LevelError,
    OutOfMemory,
)
BLOCK_KINDS = {"harvest": blocks.POSITIONS, "games": blocks.GAMES}


# Runs to the end; what it gets is called now and then.
Run = Callable[[Callable[[], None]], None]


def main(arguments: list[str]) -> int:
    """Plays as the arguments ask for; what is in the way is said in one line."""
    parser = _parser()
    options = parser.parse_args(arguments)
    complaint = _usage_complaint(options)
    if complaint:
        parser.print_usage(sys.stderr)
        _say(complaint)
        return EXIT_USAGE
    try:
        complaint = settle_level()
        if complaint:
            _say(complaint)
        return _make_data(options) if options.versus is None else _play_match(options)
    except FAILURES as error:
        _say(str(error))
        return EXIT_FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kingcobra selfplay", description=__doc__)
    defaults = SelfPlaySettings()
    add = parser.add_argument
    add("-o", "--output", type=Path, metavar="FILE.kcp", help="where blocks go")
    add("--append", action="store_true", help="to a file that is there already")
    add(
        "--kind",
        choices=KINDS,
        default=HARVEST,
        help="harvest: quiet positions of the search tree with the teacher's raw evaluation; "
        "games: a move and a score for each ply, and results",
    )
    add(
        "--teacher",
        default=DEFAULT,
        metavar="FILE.nnue",
        help="who evaluates: a network, 'default' or 'classical'; the default network if absent",
    )
    add(
        "--student",
        action="append",
        default=[],
        metavar="FILE.nnue",
        help="who plays while the teacher labels: a network, 'default', 'classical' or 'teacher'; "
        "given several times, one for each thread in turn; the teacher plays if absent",
    )
    add(
        "--versus",
        metavar="OLD.nnue",
        help="play a match of the teacher against this network (or 'default', 'classical') "
        "instead: every opening twice, no output but the result",
    )
    add(
        "--tunable",
        type=tunable_value,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="in a match: a parameter of the teacher's search (docs/8); several times for several",
    )
    add(
        "--versus-tunable",
        type=tunable_value,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="the same for the other side",
    )
    add("--nodes", type=positive, default=defaults.soft_nodes, help="soft limit of a search")
    add(
        "--exact-nodes",
        action="store_true",
        help="in a match: searches end at exactly --nodes, even in the middle of an iteration",
    )
    add("--games", type=positive, default=0, metavar="N", help="end after so many games")
    add("--positions", type=positive, default=0, metavar="N", help="end after so many positions")
    add("--seconds", type=amount, default=0.0, metavar="S", help="end after so long")
    add("--threads", type=positive, default=os.cpu_count() or 1, metavar="N")
    add("--cluster", metavar="ADDRESS", help="threads are processes of a Ray cluster, or auto")
    add("--hash-kib", type=positive, default=defaults.hash_kib, help="hash table of each thread")
    add("--book", type=Path, metavar="FILE.epd", help="start positions, FEN or EPD")
    add("--book-share", type=share, default=defaults.book_share, help="games that begin there")
    add(
        "--chess960-share",
        type=share,
        default=defaults.chess960_share,
        help="of the other games: both home ranks shuffled, each for itself",
    )
    add("--random-move-share", type=share, default=defaults.random_move_share)
    add("--one-in", type=positive, default=defaults.one_in, help="of the evaluated positions")
    add(
        "--noisy-share",
        type=share,
        default=defaults.noisy_share,
        help="harvest also so many of the positions with a capture or promotion that wins a pawn",
    )
    add(
        "--game-share",
        type=share,
        default=defaults.game_share,
        help="harvest also so many of the positions on the board, beside those of the tree",
    )
    add("--max-pawns", type=amount, default=defaults.max_pawns, help="drop labels beyond")
    add(
        "--win-pawns",
        type=amount,
        default=defaults.win_score / PAWN_UNITS,
        help="a game is won after five scores in a row beyond",
    )
    add(
        "--play-out-draws",
        action="store_true",
        help="games without hope for either side go on to a draw by the rules",
    )
    add(
        "--most-plies",
        type=positive,
        default=defaults.most_plies,
        metavar="N",
        help="a game is drawn after so many; a harvest of few stays near its start positions "
        "(%(default)s)",
    )
    add(
        "--syzygy",
        default="",
        metavar="FOLDER",
        help="endgame tables: for the search, and to end games that they know",
    )
    add("--seed", type=not_negative, default=defaults.seed)
    return parser


def _usage_complaint(options: argparse.Namespace) -> str | None:
    """What does not fit together on the command line, if anything."""
    if options.versus is None and options.output is None:
        return "say where the data goes (--output), or against whom to play (--versus)"
    if options.versus is not None and (options.output or options.positions):
        return "a match (--versus) has neither --output nor --positions"
    if options.versus is not None and options.cluster is not None:
        return "a match (--versus) is played on this machine, without --cluster"
    if options.student and (options.versus is not None or options.kind != HARVEST):
        return "a student (--student) plays for a harvest only"
    if options.versus is None and (options.tunable or options.versus_tunable):
        return "--tunable and --versus-tunable are for matches (--versus)"
    if options.versus is None and options.exact_nodes:
        return "--exact-nodes is for matches (--versus)"
    if options.most_plies > LONGEST_GAME:
        return f"--most-plies {options.most_plies}, expected at most {LONGEST_GAME}"
    if not (options.games or options.positions or options.seconds):
        return "say when to end: --games, --positions or --seconds"
    return None


# --- data -------------------------------------------------------------------------------------


def _settings(options: argparse.Namespace) -> SelfPlaySettings:
    return SelfPlaySettings(
        kind=options.kind,
        soft_nodes=options.nodes,
        seed=options.seed,
        hash_kib=options.hash_kib,
        book_share=options.book_share,
        chess960_share=options.chess960_share,
        random_move_share=options.random_move_share,
        one_in=options.one_in,
        max_pawns=options.max_pawns,
        noisy_share=options.noisy_share,
        game_share=options.game_share,
        win_score=round(options.win_pawns * PAWN_UNITS),
        play_out_draws=options.play_out_draws,
        most_plies=options.most_plies,
        syzygy=options.syzygy,
    )


def _make_data(options: argparse.Namespace) -> int:
    objects = Objects.obtain(_say)
    settings = _settings(options)
    teacher = Teacher.named(options.teacher, _say)
    students = students_named(options.student, teacher, _say)
    book = load_book(options.book, objects.core, _say) if options.book else None
    # On a cluster the tables are those of its machines.
    path = settings.syzygy if options.cluster is None else ""
    tables = open_endgame_tables(objects.core, path, _say)
    origin = origin_of(settings, teacher, book, students)
    file = BlockFile(options.output, BLOCK_KINDS[settings.kind], origin, options.append)
    limits = RunLimits(options.games, options.positions, options.seconds)
    output = RunOutput(limits, settings.kind == HARVEST, file.add)
    try:
        if options.cluster is None:
            players = [
                SelfPlayer(objects, settings, teacher, book, endgame_tables=tables, student=student)
                for student in players_in_turn(students, teacher, options.threads)
            ]
            run: Run = SelfPlayRun(players, output).run
        else:
            task = ActorTask(
                settings,
                sent(teacher),
                tuple(sent(student) for student in students),
                book,
            )
            run = ClusterRun(task, options.threads, options.cluster, output).run
        exit_code = finish(run, lambda: _summary(output.progress), _say)
    finally:
        file.close()
    print(f"{options.output}: {_summary(output.progress)}", flush=True)
    return exit_code


def _summary(progress: RunProgress) -> str:
    return (
        f"{progress.games} games, {progress.positions} positions in {progress.elapsed_s:.0f} s, "
        f"{progress.positions_per_s:.0f} positions/s"
    )


# --- a match ----------------------------------------------------------------------------------


def _play_match(options: argparse.Namespace) -> int:
    objects = Objects.obtain(_say)
    settings = match_settings(
        options.nodes,
        options.seed,
        hash_kib=options.hash_kib,
        book_share=options.book_share,
        chess960_share=options.chess960_share,
        syzygy=options.syzygy,
        exact=options.exact_nodes,
    )
    teacher = Teacher.named(options.teacher, _say)
    opponent = Teacher.named(options.versus, _say)
    book = load_book(options.book, objects.core, _say) if options.book else None
    tables = open_endgame_tables(objects.core, settings.syzygy, _say)
    players = [
        SelfPlayer(objects, settings, teacher, book, opponent, tables)
        for _ in range(options.threads)
    ]
    for player in players:
        player.set_tunables(dict(options.tunable), dict(options.versus_tunable))
    match = NetworkMatch(players, -(-options.games // GAMES_PER_PAIR), options.seconds)
    exit_code = finish(match.run, lambda: _standing(match), _say)
    print(f"{teacher.name} against {opponent.name}: {_standing(match)}", flush=True)
    return exit_code


def _standing(match: NetworkMatch) -> str:
    losses, draws, wins = match.games
    if not sum(match.pairs):
        return "no pair of games yet"
    return f"+{wins} ={draws} -{losses}, {elo(match.pairs)} Elo"


# --- both -------------------------------------------------------------------------------------


def finish(run: Run, summary: Callable[[], str], say: Callable[[str], None]) -> int:
    """Runs to the end, or to an interrupt, and says now and then how far it has got. The exit
    code."""
    next_time = time.monotonic() + TELL_EVERY_S

    def tell() -> None:
        nonlocal next_time
        if time.monotonic() >= next_time:
            say(summary())
            next_time = time.monotonic() + TELL_EVERY_S

    try:
        run(tell)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return EXIT_OK


def _say(text: str) -> None:
    print(f"kingcobra selfplay: {text}", file=sys.stderr, flush=True)
