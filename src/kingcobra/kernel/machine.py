# SPDX-License-Identifier: GPL-3.0-or-later
"""Operations that become an instruction or two, each written beside its plain twin.

    @machine("int64(uint64)", lambda builder, bitboard: builder.ctpop(bitboard))
    def popcount(bitboard):
        return int(bitboard).bit_count()        # the twin

The body of the function is the twin: it runs where Numba is off, checks its bounds, and says
what the operation means. The first arguments say what Numba emits instead. An operation on many
types gives its signature as a function of the types of its arguments.
"""

import inspect
from collections.abc import Callable
from typing import Any

from kingcobra.kernel.mode import numba_is_on

Lowering = Callable[..., Any]
Signature = str | Callable[..., Any]

TWIN = "kingcobra_twin"


def machine(signature: Signature, lower: Lowering) -> Callable[[Callable[..., Any]], Any]:
    """The decorated function as a Numba intrinsic that `lower(builder, *values)` emits;
    where Numba is off, the function itself. A lowering that returns None makes a void call."""

    def decorate(twin: Callable[..., Any]) -> Any:
        if not numba_is_on():
            return twin
        if callable(signature):
            return _intrinsic(twin, signature, lower)
        fixed = _parse_signature(signature)
        return _intrinsic(twin, lambda *_types: fixed, lower)

    return decorate


def _parse_signature(text: str) -> Any:
    from numba.core import sigutils

    arguments, result = sigutils.normalize_signature(text)  # type: ignore[no-untyped-call]
    return result(*arguments)


def _intrinsic(twin: Callable[..., Any], signature_of: Callable[..., Any], lower: Lowering) -> Any:
    from numba.extending import intrinsic

    def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        result = lower(builder, *values)
        return context.get_dummy_value() if result is None else result

    def definition(_context: Any, *types: Any) -> Any:
        return signature_of(*types), generate

    # Numba reads from the signature how many arguments the definition takes.
    definition.__signature__ = _with_context(twin)  # type: ignore[attr-defined]
    definition.__name__ = twin.__name__
    definition.__doc__ = twin.__doc__
    made = intrinsic(definition)
    setattr(made, TWIN, twin)
    return made


def twin_of(operation: Any) -> Callable[..., Any]:
    """The twin of an operation that is a Numba intrinsic."""
    return getattr(operation, TWIN)  # type: ignore[no-any-return]


def _with_context(twin: Callable[..., Any]) -> inspect.Signature:
    """The twin's signature with Numba's typing context in front."""
    context = inspect.Parameter("typing_context", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return inspect.Signature([context, *inspect.signature(twin).parameters.values()])
