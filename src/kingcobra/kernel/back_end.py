# SPDX-License-Identifier: GPL-3.0-or-later
"""From LLVM code to machine code: one whole program, optimised once. Only the process that
compiles uses this module."""

from typing import Any

import llvmlite.binding as llvm

from kingcobra.kernel import host
from kingcobra.kernel.levels import Level

SIMPLIFICATION_LEVEL, OPTIMISATION_LEVEL = 1, 3


def optimise(module: Any, entries: set[str], level: Level) -> None:
    """Optimises a module for a level; only its entry points remain visible. Ends the process if
    they need more than the C library."""
    machine = _target_machine(level)
    module.data_layout = str(machine.target_data)
    _internalise(module, entries)
    _drop_error_paths(module, machine)
    optimiser = _passes(machine, OPTIMISATION_LEVEL)
    optimiser.getModulePassManager().run(module, optimiser)
    _drop_unreachable(module, machine)
    _require_self_contained(module)


def machine_code(module: Any, level: Level) -> bytes:
    """The object file of a module."""
    return _target_machine(level).emit_object(module)  # type: ignore[no-any-return]


def _target_machine(level: Level) -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=level.llvm_cpu,
        features=level.llvm_features,
        opt=OPTIMISATION_LEVEL,
        reloc="pic",
        codemodel="default",
    )


def _passes(machine: Any, level: int) -> Any:
    return llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=level))


def _internalise(module: Any, exported: set[str]) -> None:
    """Lets the optimiser inline, merge and drop all that is not an entry point."""
    for thing in (*module.functions, *module.global_variables):
        if not thing.is_declaration and thing.name not in exported:
            thing.linkage = "internal"


def _drop_error_paths(module: Any, machine: Any) -> None:
    """Every function returns a status that its callers test. In simplified functions LLVM sees that
    no status tells of an error, and removes the tests. LLVM's own pipeline inlines first, and
    would inline error paths."""
    simplifier = _passes(machine, SIMPLIFICATION_LEVEL)
    manager = simplifier.getFunctionPassManager()
    for function in module.functions:
        if not function.is_declaration:
            manager.run(function, simplifier)
    _drop_unreachable(module, machine)


def _drop_unreachable(module: Any, machine: Any) -> None:
    """Removes branches that no result of a called function leads to, and what nothing refers to."""
    manager = llvm.create_new_module_pass_manager()
    manager.add_ipsccp_pass()
    manager.add_simplify_cfg_pass()
    manager.add_dead_arg_elimination_pass()
    manager.add_global_dead_code_eliminate_pass()
    manager.add_strip_dead_prototype_pass()
    manager.run(module, _passes(machine, OPTIMISATION_LEVEL))


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
