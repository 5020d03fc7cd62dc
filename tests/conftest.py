# SPDX-License-Identifier: GPL-3.0-or-later
"""What all tests share: the core of this host, the data folder, and how hypothesis behaves."""

import lzma
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from kingcobra.core.objects import CORE
from kingcobra.kernel.build import Builder
from kingcobra.kernel.levels import chosen_level
from kingcobra.kernel.objects import Core, file_name, object_key, search_directories
from tests.engine_process import EngineProcess

DATA_VARIABLE = "KINGCOBRA_TEST_DATA"
# A folder with more networks than the data have.
NETWORKS_VARIABLE = "KINGCOBRA_TEST_NETWORKS"
REPOSITORY = Path(__file__).resolve().parent.parent

# The same examples in every run, and no verdict that depends on the machine's speed.
settings.register_profile(
    "kingcobra",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("kingcobra")


@pytest.fixture(scope="session")
def core() -> Core:
    """The compiled core as this process runs it: loaded, jitted or plain (kernel.mode)."""
    return Builder(CORE, report=lambda _text: None).obtain()


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The shared data beside the repository; tests that need it are skipped where it is missing."""
    folder = Path(os.environ.get(DATA_VARIABLE) or REPOSITORY.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"no test data at {folder} (set {DATA_VARIABLE} to its folder)")
    return folder


@pytest.fixture(scope="session")
def network_file(
    data_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Path]:
    """Finds `nn-….nnue` by its name, unpacked once for all processes of a run; the test is skipped
    where the network is not at hand."""
    unpacked = tmp_path_factory.getbasetemp().parent / f"networks-{os.getuid()}"
    more = os.environ.get(NETWORKS_VARIABLE)

    def find(name: str) -> Path:
        plain = [data_folder / "nnue" / name, unpacked / name] + (
            [Path(more) / name] if more else []
        )
        for path in plain:
            if path.is_file():
                return path
        packed = data_folder / "nnue" / f"{name}.xz"
        if not packed.is_file():
            pytest.skip(f"no network {name} at hand ({NETWORKS_VARIABLE} may name its folder)")
        unpacked.mkdir(exist_ok=True)
        draft = unpacked / f"{name}.{os.getpid()}"
        draft.write_bytes(lzma.decompress(packed.read_bytes()))
        draft.replace(unpacked / name)
        return unpacked / name

    return find


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
        assert "Traceback" not in "\n".join(engine.complained)


@pytest.fixture
def interrupts_as_before() -> Iterator[None]:
    """For tests that call the command line's main, after which a process usually ends."""
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def engine(start_engine: Callable[..., EngineProcess], core: Core) -> EngineProcess:
    """An engine that is ready; `core` has seen to it that its object is there."""
    assert core
    engine = start_engine()
    engine.ask()
    return engine


@pytest.fixture(scope="session")
def core_file(core: Core) -> Path:
    """The object file that the engine of this host loads."""
    assert core
    level, _ = chosen_level()
    name = file_name(CORE, level, object_key(CORE, level))
    return next(
        path for path in (folder / name for folder in search_directories()) if path.exists()
    )


@pytest.fixture
def cache(tmp_path: Path, core_file: Path) -> Path:
    """A cache that has the core and nothing else."""
    folder = tmp_path / "cache"
    folder.mkdir()
    shutil.copy(core_file, folder)
    return folder
