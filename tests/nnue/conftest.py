# SPDX-License-Identifier: GPL-3.0-or-later
"""Real networks for the tests: those of the shared data, and whatever a folder named in the
environment has beside them."""

import lzma
import os
from collections.abc import Callable
from pathlib import Path

import pytest

NETWORKS_VARIABLE = "KINGCOBRA_TEST_NETWORKS"


@pytest.fixture(scope="session")
def network_file(data_folder: Path, tmp_path_factory) -> Callable[[str], Path]:
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
