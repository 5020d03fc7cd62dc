# SPDX-License-Identifier: GPL-3.0-or-later
"""The child process that compiles one object: machine code on stdout, progress on stderr.

Each entry point becomes a module of LLVM code with all that it calls. The modules are linked into
one, everything but the entry points becomes internal, and the result is optimised and emitted.
Nothing of Numba's run time remains: the object needs only the C library.
"""

import importlib
import json
import sys
from typing import Any

from kingcobra.kernel import host
from kingcobra.kernel.compiled import argument_count, entries_of, numba_options
from kingcobra.kernel.levels import Level, target_level

PROGRESS = "progress "
OPTIMISATION_LEVEL = 3


def report(text: str) -> None:
    """One line of progress for the parent."""
    print(PROGRESS + text, file=sys.stderr, flush=True)


def main() -> int:
    """argv[1] is JSON: entry_modules, their parameters, and the sources that the object's key
    covers."""
    request = json.loads(sys.argv[1])
    level = target_level()
    report("starting the compiler")
    entries: dict[str, Any] = {}
    for module in request["entry_modules"]:
        entries.update(entries_of(importlib.import_module(module), request["parameters"]))
    _require_known_sources(set(request["sources"]), request["entry_modules"])
    code = _emit(entries, level)
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


def _emit(entries: dict[str, Any], level: Level) -> bytes:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = None
    for number, (name, function) in enumerate(entries.items(), 1):
        report(f"compiling {number}/{len(entries)}: {name}")
        part = _entry_module(llvm, name, function)
        if module is None:
            module = part
        else:
            module.link_in(part)
    if module is None:
        raise SystemExit("no entry point to compile")
    report("optimising")
    _internalise(module, set(entries))
    machine = _target_machine(llvm, level)
    options = llvm.create_pipeline_tuning_options(speed_level=OPTIMISATION_LEVEL)
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    _require_self_contained(module)
    report("writing machine code")
    return machine.emit_object(module)  # type: ignore[no-any-return]


def _entry_module(llvm: Any, name: str, function: Any) -> Any:
    """LLVM code of one entry point under its own name, with the C calling convention."""
    from numba.core import types
    from numba.core.ccallback import CFunc
    from numba.core.compiler_lock import global_compiler_lock

    arguments = (types.int64,) * argument_count(function)
    callback: Any = CFunc(function.py_func, (arguments, types.int64), {}, numba_options())
    with global_compiler_lock:
        result = callback._compile_uncached()
        result.library.finalize()
    module = llvm.parse_assembly(result.library.get_llvm_str())
    wrapper = module.get_function(result.fndesc.llvm_cfunc_wrapper_name)
    wrapper.name = name
    wrapper.linkage = "external"
    return module


def _internalise(module: Any, exported: set[str]) -> None:
    """Lets the optimiser inline, merge and drop all that is not an entry point."""
    for thing in (*module.functions, *module.global_variables):
        if not thing.is_declaration and thing.name not in exported:
            thing.linkage = "internal"


def _target_machine(llvm: Any, level: Level) -> Any:
    return llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=level.llvm_cpu,
        features=level.llvm_features,
        opt=OPTIMISATION_LEVEL,
        reloc="pic",
        codemodel="default",
    )


def _require_self_contained(module: Any) -> None:
    """A remaining symbol of Python or Numba means that some compiled function raises, allocates or
    prints. The object would not load, so this fails first."""
    undefined = {
        function.name
        for function in module.functions
        if function.is_declaration and not function.name.startswith("llvm.")
    }
    foreign = sorted(undefined - host.C_LIBRARY_SYMBOLS)
    if foreign:
        raise SystemExit(f"compiled code needs more than the C library: {', '.join(foreign)}")


if __name__ == "__main__":
    sys.exit(main())
