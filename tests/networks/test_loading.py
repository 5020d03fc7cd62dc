# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks made ready: kept in the cache, shared, never trusted when damaged."""

import os

import pytest

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.network.architectures import SQUARED
from kingcobra.kernel import host
from kingcobra.kernel.host import CACHE_VARIABLE
from kingcobra.networks.file import write_network
from kingcobra.networks.loading import (
    HEADER_BYTES,
    KEPT_FILES,
    SUFFIX,
    EvaluationError,
    ThreadMemory,
    export,
    load,
)
from kingcobra.networks.network_files import IDENTIFIED_BY_CONTENT
from kingcobra.networks.prepared import prepare
from tests.core.network import twin
from tests.core.network.random_boards import random_boards
from tests.core.network.random_networks import random_network

NARROW = SQUARED.at_width(64)


def silence(_text):
    """Nobody listens."""


@pytest.fixture(scope="module")
def network():
    return random_network(NARROW)


@pytest.fixture
def network_path(network, tmp_path):
    path = tmp_path / "nn-random.nnue"
    write_network(network, path)
    return path


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache but for compiled objects, which are found in the usual one."""
    usual = host.cache_directory()
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv(CACHE_VARIABLE, str(folder))
    monkeypatch.setattr("kingcobra.kernel.objects.PACKAGE_OBJECTS", usual)
    return folder


def prepared_files(cache):
    return sorted(cache.glob(f"*{SUFFIX}"))


def agrees(core, loaded, network):
    """Whether a loaded network says what the twin says of a few positions."""
    for reference in random_boards(10):
        board = PositionHandle(core, reference.fen())
        bucket, psqt, positional = twin.evaluate(network, reference)
        answer = ThreadMemory(loaded, board.address).evaluate(bucket)
        if answer != (psqt[bucket], positional[bucket]):
            return False
    return True


def test_the_second_load_needs_no_parsing(core, network, network_path, cache, monkeypatch):
    assert agrees(core, load(network_path, silence), network)
    assert len(prepared_files(cache)) == 1
    monkeypatch.setattr("kingcobra.networks.file.read_network", None)
    assert agrees(core, load(network_path, silence), network)


def test_how_the_architecture_was_told_is_kept_with_the_weights(network_path, cache, monkeypatch):
    assert load(network_path, silence).identified_by == IDENTIFIED_BY_CONTENT
    assert len(prepared_files(cache)) == 1
    monkeypatch.setattr("kingcobra.networks.file.read_network", None)
    assert load(network_path, silence).identified_by == IDENTIFIED_BY_CONTENT


def test_weights_lie_in_the_file_that_processes_share(network, network_path, cache):
    loaded = load(network_path, silence)
    (file,) = prepared_files(cache)
    assert file.read_bytes()[HEADER_BYTES:] == prepare(network, loaded.plan).tobytes()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data[: HEADER_BYTES // 2],
        lambda data: data[:0],
        lambda data: b"{}\n" + data[3:],
        lambda data: b"no header\n" + data[10:],
        lambda data: data[:-100] + bytes([data[-100] ^ 1]) + data[-99:],
    ],
    ids=["short", "header alone", "empty", "no fields", "no header", "one bit"],
)
def test_damaged_files_are_made_again(core, network, network_path, cache, damage):
    load(network_path, silence)
    (file,) = prepared_files(cache)
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert agrees(core, load(network_path, silence), network)
    assert file.read_bytes() == whole


def test_old_files_go(network_path, cache):
    for number in range(KEPT_FILES + 3):
        other = cache / f"weights-{number}-bytes{SUFFIX}"
        other.write_bytes(b"x")
        os.utime(other, (number, number))
    load(network_path, silence)
    kept = prepared_files(cache)
    assert len(kept) == KEPT_FILES
    assert cache / f"weights-0-bytes{SUFFIX}" not in kept


@pytest.mark.usefixtures("cache")
def test_a_cache_that_cannot_be_written_costs_only_memory(
    core, network, network_path, tmp_path, monkeypatch
):
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder")
    monkeypatch.setenv(CACHE_VARIABLE, str(in_the_way))
    assert agrees(core, load(network_path, silence), network)


def test_what_is_no_network_is_an_error(tmp_path, cache):
    path = tmp_path / "nonsense.nnue"
    path.write_bytes(b"nonsense" * 100)
    with pytest.raises(EvaluationError, match=r"nonsense\.nnue: version 0x"):
        load(path, silence)
    assert not prepared_files(cache)


# --- export -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("cache")
def test_export_is_the_same_file(network_path, tmp_path):
    loaded = load(network_path, silence)
    export(loaded, str(tmp_path / "copy.nnue"))
    assert (tmp_path / "copy.nnue").read_bytes() == network_path.read_bytes()


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("name", [".", "/", "a\0b", "~nobody-of-this-name/copy.nnue"])
def test_what_is_no_file_name_is_one_error(network_path, name):
    loaded = load(network_path, silence)
    with pytest.raises(EvaluationError, match="is not a file name"):
        export(loaded, name)


@pytest.mark.usefixtures("cache")
def test_no_folder_is_made_for_a_network(network_path, tmp_path):
    loaded = load(network_path, silence)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(EvaluationError, match=r"missing/copy\.nnue: No such file or directory"):
        export(loaded, str(tmp_path / "missing" / "copy.nnue"))
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.usefixtures("cache")
def test_a_changed_file_is_not_exported(network_path, tmp_path):
    loaded = load(network_path, silence)
    network_path.write_bytes(b"something else")
    with pytest.raises(EvaluationError, match="has changed"):
        export(loaded, str(tmp_path / "copy.nnue"))
    assert not (tmp_path / "copy.nnue").exists()
