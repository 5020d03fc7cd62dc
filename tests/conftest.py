# SPDX-License-Identifier: GPL-3.0-or-later
"""What all tests share: the core of this host, engines as processes, networks; how hypothesis
behaves, and how skipped tests are counted."""

import lzma
import os
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# One thread for each process of a test run: PyTorch's threads would wait for each other, busily.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings

from kingcobra.core.board_objects import BOARD
from kingcobra.core.network_objects import network_object
from kingcobra.core.objects import CORE
from kingcobra.kernel import host
from kingcobra.kernel.build import Builder
from kingcobra.kernel.levels import choose_level
from kingcobra.kernel.objects import LoadedObject, file_name, object_key, search_directories
from kingcobra.networks.default_network import DEFAULT_PATH, DIGITS
from kingcobra.networks.loading import SUFFIX, load
from kingcobra.networks.network import Network
from tests.core.network.random_networks import small_network
from tests.engine_process import EngineProcess
from tests.paths import REPOSITORY

# The folder with full sets of data and official networks, and one with more networks.
DATA_VARIABLE = "KINGCOBRA_TEST_DATA"
NETWORKS_VARIABLE = "KINGCOBRA_TEST_NETWORKS"
DATA_FOLDER = Path(os.environ.get(DATA_VARIABLE) or REPOSITORY.parent / "shared" / "data")

# The same examples in every run, and no verdict that depends on the machine's speed.
settings.register_profile(
    "kingcobra",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("kingcobra")


@pytest.fixture(scope="session")
def core() -> LoadedObject:
    """The compiled core as this process runs it: loaded, jitted or plain (kernel.mode)."""
    return Builder(CORE, report=lambda _text: None).obtain()


@pytest.fixture(scope="session")
def board_object() -> LoadedObject:
    """What kingcobra.Board uses. For tests that look at stderr: a compilation reports there."""
    return Builder(BOARD, report=lambda _text: None).obtain()


@pytest.fixture(scope="session")
def tables_core(core: LoadedObject) -> LoadedObject:
    """The core again, for tests of endgame tables."""
    return core


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder with full sets of data, for slow tests only: the others carry what they need
    (tests/data). Skips the test where there is no such folder."""
    if not DATA_FOLDER.is_dir():
        pytest.skip(f"the full sets of data are not at hand ({DATA_VARIABLE})")
    return DATA_FOLDER


@pytest.fixture(scope="session")
def network_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Finds an official network by its name, `nn-….nnue`, and unpacks it once for all processes of
    a run. Skips the test where the network is not at hand."""
    unpacked = tmp_path_factory.getbasetemp().parent / f"networks-{os.getuid()}"
    folders = [DATA_FOLDER / "nnue", unpacked]
    if more := os.environ.get(NETWORKS_VARIABLE):
        folders.append(Path(more))

    def find(name: str) -> Path:
        for folder in folders:
            if (folder / name).is_file():
                return folder / name
        packed = DATA_FOLDER / "nnue" / f"{name}.xz"
        if not packed.is_file():
            pytest.skip(f"an official network is not at hand ({NETWORKS_VARIABLE})")
        unpacked.mkdir(exist_ok=True)
        draft = unpacked / f"{name}.{os.getpid()}"
        draft.write_bytes(lzma.decompress(packed.read_bytes()))
        draft.replace(unpacked / name)
        return unpacked / name

    return find


@pytest.fixture(scope="session")
def network() -> Network:
    """A small network of today's architecture, with random weights."""
    return small_network()


@pytest.fixture
def start_engine() -> Iterator[Callable[..., EngineProcess]]:
    """Starts engines as real processes. None outlives its test, and none may show a traceback."""
    engines: list[EngineProcess] = []

    def start(*arguments: str, **options: Any) -> EngineProcess:
        engines.append(EngineProcess(*arguments, **options))
        return engines[-1]

    yield start
    for engine in engines:
        engine.dispose()
        assert "Traceback" not in "\n".join(engine.errors)


@pytest.fixture
def interrupts_as_before() -> Iterator[None]:
    """For tests that call the command line's main, after which a process usually ends."""
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def engine(start_engine: Callable[..., EngineProcess], core: LoadedObject) -> EngineProcess:
    """An engine that is ready; `core` has seen to it that its object is there."""
    assert core
    engine = start_engine()
    engine.ask()
    return engine


@pytest.fixture(scope="session")
def core_file(core: LoadedObject) -> Path:
    """The object file that the engine of this host loads."""
    assert core
    level = choose_level().level
    name = file_name(CORE, level, object_key(CORE, level))
    return next(
        path for path in (folder / name for folder in search_directories()) if path.exists()
    )


@pytest.fixture(scope="session")
def default_network_files(core: LoadedObject) -> list[Path]:
    """The files that the engine of this host loads for its default network: object and weights."""
    assert core
    network = load(DEFAULT_PATH, lambda _text: None)
    level = choose_level().level
    spec = network_object(network.architecture)
    name = file_name(spec, level, object_key(spec, level))
    kept = [folder / name for folder in search_directories()]
    kind = "bytes" if level.multiplies_bytes else "words"
    weights = host.cache_directory() / f"weights-{DIGITS}-{kind}{SUFFIX}"
    return [next(path for path in kept if path.exists()), weights]


@pytest.fixture
def cache(tmp_path: Path, core_file: Path, default_network_files: list[Path]) -> Path:
    """A cache that has what an engine needs by default, and nothing else."""
    folder = tmp_path / "cache"
    folder.mkdir()
    for file in (core_file, *default_network_files):
        shutil.copy(file, folder)
    return folder


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Counts the skipped tests by reason, the most frequent first."""
    reasons = Counter(map(skip_reason, terminalreporter.stats.get("skipped", [])))
    if reasons:
        counted = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
        terminalreporter.write_line(f"skipped: {counted}")


def skip_reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Why a test was skipped, or a whole module."""
    assert isinstance(report.longrepr, tuple)
    reason = report.longrepr[2].removeprefix("Skipped: ")
    return f"{reason} (whole module)" if isinstance(report, pytest.CollectReport) else reason
