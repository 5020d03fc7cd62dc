# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands about networks."""

from typing import TYPE_CHECKING

from kingcobra.networks.default_network import DEFAULT_PATH
from kingcobra.text_values import quoted
from kingcobra.uci.protocol import UciError
from kingcobra.uci.session import Session

if TYPE_CHECKING:
    from kingcobra.networks.loading import LoadedNetwork


def export_net(session: Session, text: str) -> None:
    """export_net [<file> [<file for the small network>]]: writes the networks in use to files, the
    default network under its own name unless there is another."""
    from kingcobra.networks.loading import EvaluationError, export

    session.prepare()
    evaluator = session.engine.evaluator
    names = text.split() or [_own_name(evaluator.network)]
    networks = (("EvalFile", evaluator.network), ("EvalFileSmall", evaluator.small))
    if len(names) > len(networks):
        raise UciError(f"export_net: {quoted(names[-1])} is one word too many")
    for name, (option, network) in zip(names, networks, strict=False):
        wanted = _required(network, option)
        try:
            export(wanted, name)
        except EvaluationError as error:
            raise UciError(f"export_net: {error}") from None
        session.info(f"{wanted.name} written to {name}")


def _own_name(network: "LoadedNetwork | None") -> str:
    """The name of the default network; others were files already."""
    wanted = _required(network, "EvalFile")
    if wanted.path != DEFAULT_PATH:
        raise UciError(f"export_net: expected a file name for {wanted.name}")
    return wanted.name


def _required(network: "LoadedNetwork | None", option: str) -> "LoadedNetwork":
    if network is None:
        raise UciError(f"export_net: no network in use; {option} sets one")
    return network
