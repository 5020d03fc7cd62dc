# SPDX-License-Identifier: GPL-3.0-or-later
"""When Python looks for garbage: not while it starts."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Nothing that is made inside is ever looked at by the collector: modules and tables live as
    long as the process. Looking at them again and again costs a tenth of the start."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
