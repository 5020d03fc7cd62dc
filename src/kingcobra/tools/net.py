# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra net`: evaluate positions with a network, describe, draw and convert it."""

import argparse
import sys
from functools import partial
from pathlib import Path

from kingcobra.board.fen import FenError
from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK
from kingcobra.kernel.levels import LevelError
from kingcobra.kernel.objects import ObjectError
from kingcobra.kernel.system.memory import OutOfMemory
from kingcobra.networks.file import load_network, write_network
from kingcobra.networks.network import COMPRESSED, UNCOMPRESSED, Network
from kingcobra.networks.network_files import NetworkError, find_network
from kingcobra.tools.messages import print_message, run_action
from kingcobra.tools.position_files import PositionsError, given_positions
from kingcobra.tools.subcommands import Subcommands

ACTIVATIONS = {"clipped": False, "squared": True}

_print_error = partial(print_message, "net")


def main(arguments: list[str]) -> int:
    """Runs a command of the tool; an error is one line on stderr."""
    options = _parser().parse_args(arguments)
    from kingcobra.networks.loading import EvaluationError
    from kingcobra.pictures.canvas import DrawingError

    errors = (
        NetworkError,
        FenError,
        DrawingError,
        EvaluationError,
        ObjectError,
        LevelError,
        OutOfMemory,
        PositionsError,
    )
    return run_action("net", options, errors)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kingcobra net", description=__doc__)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("file", metavar="FILE", help="the network")
    common.add_argument(
        "--activation",
        choices=ACTIVATIONS,
        help="clipped: Stockfish 15, squared: 15.1 and later; their headers are the same, and "
        "without this the weights decide",
    )

    commands = Subcommands(parser, [common])
    evaluate = commands.add("eval", _eval)
    evaluate.add_argument(
        "positions",
        nargs="+",
        metavar="FEN|FILE|-",
        help="a position in quotes, a file of positions, or - for standard input; or several",
    )
    evaluate.add_argument(
        "--plain", action="store_true", help="by NumPy instead of the engine's compiled code"
    )
    commands.add("info", _info)
    draw = commands.add("draw", _draw)
    draw.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.png|OUT.svg")
    draw.add_argument("--fen", help="a position whose accumulators are drawn too")
    heat = commands.add("heat", _heat)
    heat.add_argument("fen", metavar="FEN", help="the position")
    heat.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.png|OUT.svg")
    convert = commands.add("convert", _convert)
    convert.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.nnue")
    convert.add_argument("--sections", choices=("raw", "compressed"), help="LEB128 or not")
    convert.add_argument("--description", help="instead of the one that it has")
    return parser


def _network(options: argparse.Namespace) -> Network:
    """The network that the options name, with the activation that they may ask for."""
    network = load_network(options.file, ACTIVATIONS.get(options.activation))
    if options.activation is not None and not network.architecture.forwarded:
        _print_error(f"ignoring --activation: {network.architecture.name} has only one")
    return network


# --- commands ---------------------------------------------------------------------------------


def _eval(options: argparse.Namespace) -> int:
    """FEN, bucket, and the raw PSQT and positional integers of each position, tab-separated."""
    from kingcobra.kernel.build import settle_level
    from kingcobra.networks.loading import from_memory, load
    from kingcobra.networks.raw_evaluations import compiled_evaluator, plain_evaluator

    problem = None if options.plain else settle_level()
    if problem:
        _print_error(problem)
    if options.plain:
        evaluate = plain_evaluator(_network(options))
    elif options.activation is not None:
        requested = from_memory(_network(options), Path(options.file).name, _print_error)
        evaluate = compiled_evaluator(requested, _print_error)
    else:
        evaluate = compiled_evaluator(load(find_network(options.file), _print_error), _print_error)
    refused = 0
    for given in given_positions(options.positions):
        try:
            evaluation = evaluate(given.fen)
        except FenError as error:
            refused += 1
            _print_error(f"{given.place}: {error}")
            continue
        print(given.fen, *evaluation, sep="\t")
    sys.stdout.flush()
    return EXIT_FAILED if refused else EXIT_OK


def _info(options: argparse.Namespace) -> int:
    """Architecture, hashes, sizes and weights of a network."""
    from kingcobra.tools.network_info import report_lines

    network = _network(options)
    print("\n".join(report_lines(find_network(options.file), network)), flush=True)
    return EXIT_OK


def _draw(options: argparse.Namespace) -> int:
    """Feature weights as a picture; with a position, its accumulators."""
    from kingcobra.networks.plain import men_of_fen
    from kingcobra.pictures.canvas import compose, save, sheet_svg
    from kingcobra.pictures.weights_picture import draw_network

    men = men_of_fen(options.fen) if options.fen is not None else None
    sheet = draw_network(_network(options), Path(options.file).name, men)
    save(options.output, lambda: sheet_svg(sheet), lambda: compose(sheet))
    print(options.output)
    return EXIT_OK


def _heat(options: argparse.Namespace) -> int:
    """The value of each piece of a position, on a board: the evaluation less the one without it."""
    from kingcobra.networks.plain import men_of_fen
    from kingcobra.pictures.heat_map import heat_map, save_heat_map

    men = men_of_fen(options.fen)
    heat = heat_map(_network(options), men)
    save_heat_map(heat, Path(options.file).name, options.output)
    print(options.output)
    return EXIT_OK


def _convert(options: argparse.Namespace) -> int:
    """The same network in a file of its own, compressed or raw, with another description."""
    network = _network(options)
    if options.sections is not None:
        sections = COMPRESSED if options.sections == "compressed" else UNCOMPRESSED
        network = network._replace(compressed=sections)
    if options.description is not None:
        network = network._replace(description=options.description.encode())
    write_network(network, options.output)
    print(options.output)
    return EXIT_OK
