# SPDX-License-Identifier: GPL-3.0-or-later
"""Obtaining an object: found in a directory, or compiled once by a child process.

A cache that is damaged, foreign or unwritable is never an error: the object is compiled again,
and one line says so.
"""

import ctypes
import importlib
import itertools
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kingcobra.errors import reason_of
from kingcobra.file_writing import write_atomically
from kingcobra.kernel import host
from kingcobra.kernel.levels import LEVEL_VARIABLE, Level, LevelError, choose_level
from kingcobra.kernel.mode import EMIT, MODE_VARIABLE, OBJECT, current_mode
from kingcobra.kernel.objects import (
    PACKAGE_ROOT,
    Code,
    LoadedObject,
    ObjectError,
    ObjectSpec,
    file_name,
    load_code,
    object_key,
    pack,
    search_directories,
    unpack,
)

if TYPE_CHECKING:
    from subprocess import Popen

OnProgress = Callable[[str], None]
ERROR_LINES_SHOWN = 3
NUMBA_PREFIX = "NUMBA_"


def settle_level() -> str | None:
    """A warning for the user if the environment names a level that cannot run, else None. Called
    once, before any object is obtained. From then on the environment names the level in use, for
    whatever reads it later."""
    if not os.environ.get(LEVEL_VARIABLE):
        return None  # the usual case, found out without importing anything
    with suppress(ValueError, LevelError):  # reported when an object is obtained
        if current_mode() == OBJECT:
            level, warning = choose_level()
            os.environ[LEVEL_VARIABLE] = level.name
            return warning
    return None


class Builder:
    """Obtains one object. `report` gets lines of progress during a compilation; `notes` holds lines
    that the user should see afterwards. `cancel` may be called from any thread."""

    def __init__(self, spec: ObjectSpec, report: OnProgress) -> None:
        self.spec = spec
        self.report = report
        self.notes: list[str] = []
        self.cancelled = False
        self._rejected: list[str] = []
        self._child: Popen[bytes] | None = None
        self._child_lock = threading.Lock()

    def obtain(self) -> LoadedObject:
        """The object, loaded and ready; compiled first if no directory has it. ObjectError, with
        the compiler's own error, if that fails."""
        loaded = self._load()
        if self.spec.on_load:
            getattr(loaded, self.spec.on_load)()
        return loaded

    def _load(self) -> LoadedObject:
        if current_mode() != OBJECT:
            return _in_process(self.spec)
        level = choose_level().level
        loaded = self.find(level)
        if loaded is None:
            return self._compile_and_load(level)
        if self._rejected:
            self._note("loaded an intact one from elsewhere")
        return loaded

    def find(self, level: Level) -> LoadedObject | None:
        """The object from the first directory that has it intact; None if none has."""
        self._rejected.clear()
        key = object_key(self.spec, level)
        for directory in search_directories():
            path = directory / file_name(self.spec, level, key)
            try:
                return load_code(unpack(path.read_bytes(), key))
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                self._rejected.append(f"{path}: {reason_of(error)}")
            except ObjectError as error:
                self._rejected.append(f"{path}: {error}")
        return None

    def _note(self, outcome: str) -> None:
        """One line: what is wrong with the files that were found, and what was done about it."""
        self.notes.append("; ".join([*self._rejected, outcome]))

    def compile(self, level: Level, directory: Path | None = None, anew: bool = True) -> Path:
        """Compiles for a level, stores the object and returns its path. If not `anew`, an intact
        object at that path is kept, also one that another process writes in the meantime.
        ObjectError if the directory cannot be written."""
        key = object_key(self.spec, level)
        directory = directory or host.cache_directory()
        path = directory / file_name(self.spec, level, key)
        with self._lock(path):
            if not anew and _is_intact(path, key):
                return path
            data = self._emit(level, key)
            try:
                write_atomically(path, data)
            except OSError as error:
                raise ObjectError(f"{directory}: {reason_of(error)}") from error
        return path

    def cancel(self) -> None:
        """Ends the present compilation, and prevents later ones; `obtain` then raises
        ObjectError."""
        with self._child_lock:
            self.cancelled = True
            if self._child is not None:
                self._child.kill()

    def _compile_and_load(self, level: Level) -> LoadedObject:
        """One process compiles; others wait for it and load what it wrote."""
        key = object_key(self.spec, level)
        path = host.cache_directory() / file_name(self.spec, level, key)
        with self._lock(path) as locked:
            if locked:
                rejected_before = list(self._rejected)
                found = self.find(level)
                if found is not None:
                    self._rejected = rejected_before
                    self._note("loaded what another process compiled in the meantime")
                    return found
            data = self._emit(level, key)
            try:
                write_atomically(path, data)
            except OSError as error:
                outcome = f"for this run only ({path.parent}: {reason_of(error)})"
            else:
                outcome = f"kept in {path.parent}"
        self._note(f"compiled for {level.name}, {outcome}")
        return load_code(unpack(data, key))

    @contextmanager
    def _lock(self, path: Path) -> Iterator[bool]:
        """Holds the lock of that path: only one process at a time writes its object. A process that
        dies releases it. Yields False if the file system has no locks."""
        with suppress(OSError):  # storing fails too, and is reported
            path.parent.mkdir(parents=True, exist_ok=True)
        with host.exclusive_lock(path.with_suffix(".lock"), self._report_waiting) as locked:
            yield locked

    def _report_waiting(self) -> None:
        self.report("waiting for another process that is compiling")

    def _emit(self, level: Level, key: str) -> bytes:
        """The bytes of the object file, from a child process."""
        import subprocess

        request = {
            "entry_modules": self.spec.entry_modules,
            "parameters": self.spec.parameters,
            "sources": self.spec.all_sources(),
        }
        # -P: the child finds modules where this process does, and nowhere else.
        command = [sys.executable, "-P", "-m", f"{__package__}.emit", json.dumps(request)]
        with self._child_lock:
            if self.cancelled:
                raise ObjectError(f"compiling {self.spec.name} was cancelled")
            try:
                self._child = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env=_child_environment(level),
                    # Ctrl-C at a terminal reaches only this process, which then ends the child.
                    process_group=0,
                )
            except OSError as error:
                raise ObjectError(f"cannot start the compiler: {error}") from error
        with self._child as child:
            output, error_text = _follow(child, self.report)
        with self._child_lock:
            self._child = None
        if child.returncode != 0:
            reason = error_text or f"exit code {child.returncode}"
            raise ObjectError(f"compiling {self.spec.name} failed: {reason}")
        counts, _, code = output.partition(b"\n")
        return pack(self.spec, level, key, link_ahead(json.loads(counts), code))


def link_ahead(entries: dict[str, int], code: bytes) -> Code:
    """The compiler's object file as an image, which a start only copies. As it is where this
    package cannot link it: LLVM then does so at each start."""
    from kingcobra.kernel.linking.elf import LinkError
    from kingcobra.kernel.linking.linker import link

    try:
        image = link(code, entries, host.C_LIBRARY_SYMBOLS)
    except LinkError:
        return Code(entries, code)
    return Code(entries, image.contents, image.layout)


def _is_intact(path: Path, key: str) -> bool:
    """Whether there is an object of that key."""
    try:
        unpack(path.read_bytes(), key)
    except (OSError, ObjectError):
        return False
    return True


def _in_process(spec: ObjectSpec) -> LoadedObject:
    """Entry points of the imported modules: Numba's in jit mode, the plain functions otherwise."""
    from kingcobra.kernel.compiled import argument_count, entries_of

    functions: dict[str, Callable[..., int]] = {}
    callbacks: dict[str, Any] = {}
    for module in spec.entry_modules:
        found = entries_of(importlib.import_module(module), spec.parameters)
        for name, function in found.items():
            functions[name] = _taking_integers(function)
            prototype = ctypes.CFUNCTYPE(
                ctypes.c_int64, *[ctypes.c_int64] * argument_count(function)
            )
            callbacks[name] = prototype(functions[name])
    addresses = {
        name: ctypes.cast(callback, ctypes.c_void_p).value or 0
        for name, callback in callbacks.items()
    }
    return LoadedObject(functions, addresses, keep_alive=callbacks)


def _taking_integers(function: Callable[..., Any]) -> Callable[..., int]:
    """The same call as ctypes makes: 64-bit integers in, a Python integer out."""
    import numpy as np

    return lambda *arguments: int(function(*(np.int64(argument) for argument in arguments)))


def _child_environment(level: Level) -> dict[str, str]:
    """The compiler's environment, without Numba's own variables: NUMBA_OPT=0, for example, would
    make slow code under the same key."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(NUMBA_PREFIX)
    }
    environment[MODE_VARIABLE] = EMIT
    environment[LEVEL_VARIABLE] = level.name
    environment["NUMBA_CPU_NAME"] = level.llvm_cpu
    environment["NUMBA_CPU_FEATURES"] = level.llvm_features
    search_path = [str(PACKAGE_ROOT.parent), *(folder or os.curdir for folder in sys.path)]
    environment["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(search_path))
    return environment


def _follow(child: "Popen[bytes]", report: OnProgress) -> tuple[bytes, str]:
    """Everything from stdout, and the error at the end of stderr; progress is passed on."""
    from kingcobra.kernel.emit import PROGRESS

    error_lines: list[str] = []

    def read_progress() -> None:
        assert child.stderr is not None
        for raw in child.stderr:
            line = raw.decode(errors="replace").rstrip()
            if line.startswith(PROGRESS):
                report(line.removeprefix(PROGRESS))
            elif line:
                error_lines.append(line)

    reader = threading.Thread(target=read_progress, daemon=True)
    reader.start()
    assert child.stdout is not None
    try:
        output = child.stdout.read()
    except BaseException:  # an interrupt: the rest is not needed
        child.kill()
        raise
    finally:
        reader.join()
    return output, _error_text(error_lines)


def _error_text(lines: list[str]) -> str:
    """The last lines; of a traceback only the error itself."""
    tracebacks = [number for number, line in enumerate(lines) if line.startswith("Traceback")]
    if tracebacks:
        stack_and_error = lines[tracebacks[-1] + 1 :]
        error = itertools.dropwhile(lambda line: line.startswith(" "), stack_and_error)
        lines = list(error)[:ERROR_LINES_SHOWN]
    return " / ".join(line.strip() for line in lines[-ERROR_LINES_SHOWN:])
