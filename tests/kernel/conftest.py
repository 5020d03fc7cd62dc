# SPDX-License-Identifier: GPL-3.0-or-later
"""The probe: an object that holds every operation of the kernel, compiled for every level."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kingcobra.kernel.build import Builder
from kingcobra.kernel.host import CACHE_VARIABLE
from kingcobra.kernel.levels import LEVEL_VARIABLE, Level, supported_levels
from kingcobra.kernel.objects import LoadedObject, ObjectSpec

PROBE = ObjectSpec(
    name="probe",
    entry_modules=("tests.kernel.probe_entries",),
    sources=("tests.kernel.probe_records",),
    on_load="prepare",
)


@pytest.fixture(scope="session")
def probe_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache directory for this run, the same for all worker processes of it."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    return folder / "probe-cache"


@pytest.fixture(scope="session")
def obtain_probe(probe_cache: Path) -> Callable[[Level], LoadedObject]:
    """Obtains the probe for a level; each call loads it anew."""

    def obtain(level: Level) -> LoadedObject:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(CACHE_VARIABLE, str(probe_cache))
            patch.setenv(LEVEL_VARIABLE, level.name)
            return Builder(PROBE, report=lambda _text: None).obtain()

    return obtain


@pytest.fixture(scope="session", params=supported_levels(), ids=lambda level: level.name)
def probe_level(request: pytest.FixtureRequest) -> Level:
    """Each level that this CPU can run."""
    return request.param


@pytest.fixture(scope="session")
def probe(obtain_probe: Callable[[Level], LoadedObject], probe_level: Level) -> LoadedObject:
    """The probe, compiled for a level."""
    return obtain_probe(probe_level)
