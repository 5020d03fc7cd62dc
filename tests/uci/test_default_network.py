# SPDX-License-Identifier: GPL-3.0-or-later
"""The default network in a session: loaded when it is needed, and what is said where it is not."""

import pytest

from kingcobra.engine import search_engine
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.networks.default_network import DEFAULT_NETWORK, DEFAULT_PATH
from kingcobra.uci.commands import networks, setup
from kingcobra.uci.session import Session
from kingcobra.uci.streams import Output
from tests.engine_process import CLASSICAL

USED = f"info string NNUE evaluation using {DEFAULT_NETWORK} enabled"


@pytest.fixture
def said():
    return []


@pytest.fixture
def session(core, said, monkeypatch):
    """A session whose engine is there, and has not been asked anything."""
    session = Session(Output(), lambda: None)
    monkeypatch.setattr(session.output, "send", said.append)
    session.use_engine(SearchEngine(core, session.engine_printer))
    return session


def test_every_way_to_search_uses_it(engine):
    engine.send("go depth 2")
    assert USED in engine.wait_for("bestmove")
    assert any(DEFAULT_NETWORK in line for line in engine.ask("eval"))


def test_it_is_loaded_when_the_engine_must_be_ready(session, said):
    assert session.engine.evaluator.network is None
    setup.isready(session, "")
    assert session.engine.evaluator.network.path == DEFAULT_PATH
    assert said == ["readyok"]


def test_it_is_not_loaded_for_those_who_do_not_use_it(session):
    setup.setoption(session, CLASSICAL.removeprefix("setoption "))
    setup.isready(session, "")
    assert session.engine.evaluator.network is None
    setup.setoption(session, "name Evaluation value nnue")
    setup.isready(session, "")
    assert session.engine.evaluator.network.path == DEFAULT_PATH


def test_an_empty_name_before_anything_is_asked(session, said):
    setup.setoption(session, "name EvalFile value <empty>")
    setup.isready(session, "")
    assert session.engine.evaluator.network is None
    assert said == ["info string EvalFile is empty: using the classical evaluation", "readyok"]


def test_a_missing_file_before_anything_is_asked(session, said):
    setup.setoption(session, "name EvalFile value missing.nnue")
    (line,) = said
    assert line.startswith("info string error: missing.nnue: not found; ")
    assert line.endswith(f"; still using {DEFAULT_NETWORK}")
    setup.isready(session, "")
    assert session.engine.evaluator.network.path == DEFAULT_PATH


def test_without_its_file_the_engine_plays_on_and_says_so_once(session, said, monkeypatch):
    monkeypatch.setattr(search_engine, "DEFAULT_NETWORK", "nn-missing.nnue")
    for _ in range(2):
        setup.isready(session, "")
    line, *answers = said
    assert line.startswith("info string error: nn-missing.nnue: not found; ")
    assert line.endswith("; using the classical evaluation")
    assert answers == ["readyok", "readyok"]


def test_export_without_a_name(session, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    networks.export_net(session, "")
    assert said == [f"info string {DEFAULT_NETWORK} written to {DEFAULT_NETWORK}"]
    assert (tmp_path / DEFAULT_NETWORK).read_bytes() == DEFAULT_PATH.read_bytes()
