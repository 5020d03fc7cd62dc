# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra screen`: what the parameters of the search are worth, all by the same games, played
inside compiled code at a fixed number of nodes a move. Each pair of games gives one side one of two
values of each parameter, at random, and the other side the other value; a linear fit then tells
what each is worth. With --techniques a search without a technique plays against the whole one, each
technique in its turn. With --tune the parameters move from pair to pair towards the side that wins,
as in `kingcobra tune`. A file that is there is continued; without --games and --seconds its table
is printed as it is."""

import argparse
import fnmatch
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from kingcobra.arena.api import select_tunables
from kingcobra.arena.settings import DEFAULT_RATE
from kingcobra.core.search.techniques import TECHNIQUES, Technique
from kingcobra.core.search.tunables import TUNABLES, Tunable
from kingcobra.errors import reason_of
from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK, EXIT_USAGE
from kingcobra.kernel.build import settle_level
from kingcobra.tools.argument_types import amount, not_negative, positive, tunable_value
from kingcobra.tools.selfplay import FAILURES, finish
from kingcobra.tools.tuning_results import table_of, write_results
from kingcobra.training.data.blocks import DataError
from kingcobra.training.selfplay.ablation import Ablation, factors_of, worths
from kingcobra.training.selfplay.book import load_book
from kingcobra.training.selfplay.network_match import GAMES_PER_PAIR
from kingcobra.training.selfplay.player import DEFAULT, Objects, SelfPlayer, Teacher
from kingcobra.training.selfplay.screening import (
    Factor,
    PlayedPair,
    PlayedScreening,
    Screening,
    ScreeningFile,
    Settings,
    effects,
    games_of,
    read_screening,
    steps_around,
)
from kingcobra.training.selfplay.settings import match_settings
from kingcobra.training.selfplay.tuning import NodeTuning, factors_around, schedule_settings
from kingcobra.version import __version__

# Games at a fixed number of nodes tell nothing of them.
CLOCK_TUNABLES = "time_*"
DEFAULT_NODES = 10_000
HEADING = "parameter"
TECHNIQUE_HEADING = "technique"
# What files of techniques and of tunings say of themselves.
COMPARED: Settings = {"compared": "techniques"}
TUNED: Settings = {"compared": "plus and minus"}


class FactorError(ValueError):
    """Parameters that cannot be compared; the message says why."""


def main(arguments: list[str]) -> int:
    """Plays and prints the table; what is in the way is said in one line."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        complaint = settle_level()
        if complaint:
            _say(complaint)
        if options.games or options.seconds:
            if options.techniques:
                return _play_techniques(options, techniques_named(options.names))
            if options.tune:
                return _tune(options, tunables_named(options.names))
            return _play(options, factors_named(options.names))
        if options.names:
            raise FactorError("say when to end: --games or --seconds")
        return _show_file(options.output)
    except FactorError as error:
        parser.print_usage(sys.stderr)
        _say(str(error))
        return EXIT_USAGE
    except (*FAILURES, DataError) as error:
        _say(str(error))
        return EXIT_FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kingcobra screen", description=__doc__)
    add = parser.add_argument
    add(
        "names",
        nargs="*",
        metavar="NAME[=VALUE]",
        help="tunables (docs/8), also 'reduce_*': two steps up against two steps down, or VALUE "
        "against the default; all but those of the clock if absent",
    )
    other = parser.add_mutually_exclusive_group()
    other.add_argument(
        "--techniques",
        action="store_true",
        help="NAME is a technique, also '*-pruning'; its worth is what the search loses without it",
    )
    other.add_argument(
        "--tune",
        action="store_true",
        help="NAME is moved by the games; --games is how long, --seconds may end it earlier",
    )
    add(
        "--rate",
        type=amount,
        default=DEFAULT_RATE,
        metavar="R",
        help="--tune: the last shift for each game won more than lost, in perturbations "
        "(%(default)s)",
    )
    add(
        "--step-scale",
        type=amount,
        default=1.0,
        metavar="S",
        help="--tune: the last perturbation, in the tunable's own steps (1)",
    )
    add("-o", "--output", type=Path, required=True, metavar="FILE.jsonl", help="file of results")
    add("--games", type=positive, default=0, metavar="N", help="stop when the file holds N games")
    add("--seconds", type=amount, default=0.0, metavar="S", help="end after so long")
    add(
        "--nodes",
        type=positive,
        default=DEFAULT_NODES,
        help="of each search, exactly (%(default)s)",
    )
    add("--network", default=DEFAULT, metavar="FILE.nnue", help="who evaluates, for both sides")
    add("--book", type=Path, metavar="FILE.epd", help="start positions, FEN or EPD")
    add("--threads", type=positive, default=os.cpu_count() or 1, metavar="N")
    add("--seed", type=not_negative, default=1)
    return parser


def factors_named(names: Sequence[str]) -> list[Factor]:
    """What the command line compares; FactorError where that is nothing, or twice the same."""
    found: list[Factor] = []
    for name in names:
        if "=" in name:
            try:
                tunable, value = tunable_value(name)
            except argparse.ArgumentTypeError as error:
                raise FactorError(str(error)) from error
            default = next(one.default for one in TUNABLES if one.name == tunable)
            if value == default:
                raise FactorError(f"{name}: already the default")
            found.append(Factor(tunable, default, value))
            continue
        matching = [steps_around(one) for one in TUNABLES if fnmatch.fnmatchcase(one.name, name)]
        if not matching:
            raise FactorError(f"{name!r} is not a tunable")
        found += matching
    if not names:
        found = [
            steps_around(one)
            for one in TUNABLES
            if not fnmatch.fnmatchcase(one.name, CLOCK_TUNABLES)
        ]
    seen: set[str] = set()
    for factor in found:
        if factor.name in seen:
            raise FactorError(f"{factor.name} is named twice")
        seen.add(factor.name)
    return found


def techniques_named(names: Sequence[str]) -> list[Technique]:
    """The techniques that the command line names, in their order; FactorError for an unknown
    name."""
    for name in names:
        if not any(fnmatch.fnmatchcase(one.name, name) for one in TECHNIQUES):
            known = ", ".join(one.name for one in TECHNIQUES)
            raise FactorError(f"{name!r} is not a technique; there are {known}")
    return [
        one
        for one in TECHNIQUES
        if not names or any(fnmatch.fnmatchcase(one.name, name) for name in names)
    ]


def tunables_named(names: Sequence[str]) -> tuple[Tunable, ...]:
    """What the command line tunes; FactorError for an unknown name."""
    try:
        return select_tunables(*names, excluding=() if names else (CLOCK_TUNABLES,))
    except ValueError as error:
        raise FactorError(str(error)) from error


def _play(options: argparse.Namespace, factors: list[Factor]) -> int:
    network = Teacher.named(options.network, _say)
    file = _file(options, factors, _settings(options, network))
    players = _players(options, network)
    pairs = _pairs(options)
    return _run(Screening(players, factors, file, options.seed, pairs, options.seconds), file)


def _play_techniques(options: argparse.Namespace, techniques: list[Technique]) -> int:
    network = Teacher.named(options.network, _say)
    file = _file(options, factors_of(techniques), _settings(options, network) | COMPARED)
    players = _players(options, network)
    return _run(Ablation(players, techniques, file, _pairs(options), options.seconds), file)


def _tune(options: argparse.Namespace, tunables: Sequence[Tunable]) -> int:
    if not options.games:
        raise FactorError("say how many --games the tuning has")
    network = Teacher.named(options.network, _say)
    schedule = schedule_settings(_pairs(options), options.rate, options.step_scale)
    settings = _settings(options, network) | TUNED | schedule
    file = _file(options, factors_around(tunables), settings)
    players = _players(options, network)
    tuning = NodeTuning(players, file, _pairs(options), options.seconds)
    exit_code = _run(tuning, file)
    played = PlayedScreening(list(file.factors), file.settings, file.pairs)
    try:
        for line in write_results(options.output, played):
            print(line)
    except (OSError, ValueError) as error:
        raise DataError(f"{options.output}: {error}") from error
    return exit_code


def _players(options: argparse.Namespace, network: Teacher) -> list[SelfPlayer]:
    objects = Objects.obtain(_say)
    settings = match_settings(
        options.nodes,
        options.seed,
        book_share=1.0 if options.book else 0.0,
        chess960_share=0.0,
        exact=True,
    )
    book = load_book(options.book, objects.core, _say) if options.book else None
    return [SelfPlayer(objects, settings, network, book, network) for _ in range(options.threads)]


def _pairs(options: argparse.Namespace) -> int:
    games: int = options.games
    return -(-games // GAMES_PER_PAIR)


def _run(screening: Screening, file: ScreeningFile) -> int:
    try:
        exit_code = finish(screening.run, lambda: f"{games_of(file.pairs)} games", _say)
    finally:
        file.close()
    _show(file.factors, file.settings, file.pairs)
    return exit_code


def _settings(options: argparse.Namespace, network: Teacher) -> Settings:
    return {
        "nodes": options.nodes,
        "network": network.name,
        "book": options.book.name if options.book else "",
        "seed": options.seed,
        "version": __version__,
    }


def _file(
    options: argparse.Namespace, factors: Sequence[Factor], settings: Settings
) -> ScreeningFile:
    """The file of results, before anything takes long. DataError where it cannot be used."""
    try:
        return ScreeningFile(options.output, factors, settings)
    except OSError as error:
        raise DataError(f"{options.output}: {reason_of(error)}") from error


def _show_file(path: Path) -> int:
    try:
        known = read_screening(path)
    except OSError as error:
        raise DataError(f"{path}: {reason_of(error)}") from error
    _show(known.factors, known.settings, known.pairs)
    return EXIT_OK


def _show(factors: Sequence[Factor], settings: Settings, pairs: Sequence[PlayedPair]) -> None:
    print(f"{games_of(pairs)} games")
    if settings.items() >= COMPARED.items():
        _show_techniques(factors, pairs)
        return
    if settings.items() >= TUNED.items():
        print(*table_of(PlayedScreening(list(factors), settings, list(pairs))), sep="\n")
        return
    found = effects(factors, pairs)
    if not found:
        print("too few to tell the parameters apart")
        return
    width = max(len(HEADING), *(len(factor.name) for factor in factors))
    print(f"{HEADING:<{width}}  {'A':>6}  {'B':>6}  Elo of B over A")
    for effect in found:
        factor = effect.factor
        print(
            f"{factor.name:<{width}}  {factor.base:>6}  {factor.other:>6}"
            f"  {effect.elo:+.1f} ± {effect.error:.1f}"
        )


def _show_techniques(factors: Sequence[Factor], pairs: Sequence[PlayedPair]) -> None:
    width = max(len(TECHNIQUE_HEADING), *(len(factor.name) for factor in factors))
    print(f"{TECHNIQUE_HEADING:<{width}}  {'games':>6}  Elo lost without it")
    for worth in worths(factors, pairs):
        told = "" if worth.is_resolved else ", not resolved"
        games = GAMES_PER_PAIR * sum(worth.pairs)
        print(f"{worth.name:<{width}}  {games:>6}  {worth.elo:+.1f} ± {worth.error:.1f}{told}")


def _say(text: str) -> None:
    print(f"kingcobra screen: {text}", file=sys.stderr, flush=True)
