# SPDX-License-Identifier: GPL-3.0-or-later
"""`quit` while an option takes long: it waits for no compilation, but for everything else."""

import signal
import sys
import threading

import pytest

from kingcobra.core.network.architectures import SQUARED
from kingcobra.core.network_objects import network_object
from kingcobra.kernel.host import CACHE_VARIABLE
from kingcobra.kernel.levels import choose_level
from kingcobra.kernel.objects import file_name, object_key
from kingcobra.networks.file import write_network
from kingcobra.uci.interruptible import InterruptibleWait, QuitRequested
from tests.core.network.random_networks import random_network
from tests.kernel.another_process import another_process_compiles
from tests.processes import PATIENCE_S, children_of, is_running, wait_until

NARROW = SQUARED.at_width(64)
OK, INTERRUPTED = 0, 130


@pytest.fixture(scope="module")
def network_path(tmp_path_factory):
    path = tmp_path_factory.mktemp("network") / "narrow.nnue"
    write_network(random_network(NARROW), path)
    return path


@pytest.fixture
def network_object_path(cache):
    level = choose_level().level
    spec = network_object(NARROW)
    return cache / file_name(spec, level, object_key(spec, level))


@pytest.fixture
def compiling(start_engine, cache, network_path):
    """An engine that is about to need the network's object."""
    engine = start_engine(environment={CACHE_VARIABLE: str(cache)})
    engine.ask("uci")
    engine.send(f"setoption name EvalFile value {network_path}", "isready", "go depth 3")
    return engine


def test_quit_while_another_process_compiles_a_network(compiling, core_file, network_object_path):
    with another_process_compiles(network_object_path, core_file):
        compiling.wait_for("info string waiting for another process that is compiling")
        compiling.send("quit")
        assert compiling.wait() == OK
    assert compiling.output.count("readyok") == 1
    assert not any(line.startswith("bestmove") for line in compiling.output)


@pytest.mark.parametrize("way", ["quit", "interrupt"])
def test_leaving_takes_the_compiler_of_a_network_along(compiling, network_object_path, way):
    compiling.wait_for("info string starting the compiler")
    (compiler,) = children_of(compiling.pid)
    if way == "quit":
        compiling.send("quit")
        assert compiling.wait() == OK
    elif sys.platform != "win32":
        compiling.process.send_signal(signal.SIGINT)
        assert compiling.wait() == INTERRUPTED
    wait_until(lambda: not is_running(compiler))
    assert not network_object_path.exists()
    assert compiling.output.count("readyok") == 1


def test_commands_before_quit_are_obeyed_where_nothing_is_compiled(start_engine, network_path):
    first = start_engine()
    first.ask(f"setoption name EvalFile value {network_path}")
    engine = start_engine()
    engine.send(f"setoption name EvalFile value {network_path}", "eval", "quit")
    assert engine.wait() == OK
    assert any(line.startswith("narrow.nnue: HalfKAv2_hm") for line in engine.output)


# --- the class --------------------------------------------------------------------------------


def test_a_call_is_waited_for_and_its_error_raised():
    wait = InterruptibleWait()
    wait.request_quit()
    done = []
    wait.wait_for(lambda: done.append(threading.current_thread()))
    assert done != [threading.current_thread()]
    with pytest.raises(ZeroDivisionError):
        wait.wait_for(lambda: print(1 // 0))


@pytest.mark.parametrize("quit_first", [True, False])
def test_patience_ends_with_quit_and_length_in_either_order(quit_first):
    wait = InterruptibleWait()
    goes_on = threading.Event()
    ended = threading.Event()

    def call():
        for call_next in (wait.request_quit, wait.mark_long)[:: 1 if quit_first else -1]:
            call_next()
        goes_on.wait(PATIENCE_S)
        ended.set()

    with pytest.raises(QuitRequested):
        wait.wait_for(call)
    assert not ended.is_set()
    goes_on.set()


def test_what_took_long_before_does_not_count():
    wait = InterruptibleWait()
    wait.wait_for(wait.mark_long)
    done = []

    def call():
        wait.request_quit()
        done.append(True)

    wait.wait_for(call)
    assert done
