# SPDX-License-Identifier: GPL-3.0-or-later
"""The child process that compiles one object: machine code on stdout, progress on stderr.

Entry points and all that they call become one module of LLVM code (front_end.py), which is
optimised as a whole and becomes machine code (back_end.py). Nothing of Numba's run time remains:
the object needs only the C library.
"""

import gc
import importlib
import json
import sys
from typing import Any

from kingcobra.kernel.compiled import argument_count, entries_of
from kingcobra.kernel.levels import Level, target_level

PROGRESS = "progress "


def report(text: str) -> None:
    """One line of progress for the parent."""
    print(PROGRESS + text, file=sys.stderr, flush=True)


def main() -> int:
    """argv[1] is JSON: entry_modules, their parameters, and the sources that the object's key
    covers."""
    request = json.loads(sys.argv[1])
    level = target_level()
    report("starting the compiler")
    gc.disable()  # most of what is made here stays in use until the end
    from kingcobra.kernel import front_end  # Numba; the parent imports this module without it

    front_end.install()
    entries: dict[str, Any] = {}
    for module in request["entry_modules"]:
        entries.update(entries_of(importlib.import_module(module), request["parameters"]))
    code = _emit(entries, level, request)
    counts = {name: argument_count(function) for name, function in entries.items()}
    sys.stdout.buffer.write(json.dumps(counts).encode() + b"\n" + code)
    sys.stdout.buffer.flush()
    return 0


def _require_known_sources(known: set[str], entry_modules: list[str]) -> None:
    """A compiled module that the key does not cover would one day run as stale code. Checks the
    modules of this package and of the packages that hold the entry points."""
    packages = {name.split(".")[0] for name in (__package__, *entry_modules)}
    ours = {
        name
        for name, module in sys.modules.items()
        if name.split(".")[0] in packages and not hasattr(module, "__path__")
    }
    unknown = sorted(ours - known)
    if unknown:
        raise SystemExit(f"not among the object's sources: {', '.join(unknown)}")


def _emit(entries: dict[str, Any], level: Level, request: dict[str, Any]) -> bytes:
    from kingcobra.kernel import back_end, front_end

    _require_known_sources(set(request["sources"]), request["entry_modules"])
    if not entries:
        raise SystemExit("no entry point to compile")
    program = front_end.Program()
    for number, (name, function) in enumerate(entries.items(), 1):
        report(f"compiling {number}/{len(entries)}: {name}")
        program.add_entry(name, function)
    report("optimising")
    back_end.optimise(program.module, set(entries), level)
    report("writing machine code")
    return back_end.machine_code(program.module, level)


if __name__ == "__main__":
    sys.exit(main())
