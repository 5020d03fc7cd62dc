# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of an engine inside the process, and a position to search."""

from types import SimpleNamespace

from kingcobra.uci.options import option_named

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def set_option(engine, name, text=""):
    option = option_named(name)
    option.apply(SimpleNamespace(engine=engine), option.parse(text))
