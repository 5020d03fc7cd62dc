# SPDX-License-Identifier: GPL-3.0-or-later
"""How to start an engine, from values or from the text of `--engine`."""

import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path

from kingcobra.arena.engines.time_control import TimeControl, parse_time_control

PROTOCOLS = ("uci", "xboard")
SELF = "self"
_UNESCAPED_COMMA = re.compile(r"(?<!\\),")
_OPTION = "option."
_NOT_IN_A_TAG = frozenset('"\\')
_SWITCH = {"on": True, "off": False}

ENGINE_WORDS = (
    "COMMAND[,name=NAME][,dir=FOLDER][,proto=uci|xboard][,tc=CONTROL][,restart=on|off]",
    "[,option.NAME=VALUE ...]",
)
"""The first word may also be `cmd=COMMAND`; the command `self` is this engine. In two parts, where
help texts break the line."""
ENGINE_FORM = f"{''.join(ENGINE_WORDS)}, a comma inside a value written \\,"


class EngineSpecError(ValueError):
    """An engine's description that cannot be read."""


@dataclass(frozen=True)
class EngineSpec:
    """How to start an engine and what to call it."""

    command: tuple[str, ...]
    name: str
    directory: str | None = None
    protocol: str = "uci"
    options: dict[str, str] = field(default_factory=dict)
    time_control: TimeControl | None = None
    restart: bool = False


def this_engine() -> EngineSpec:
    """Kingcobra as this Python runs it."""
    return EngineSpec((sys.executable, "-m", "kingcobra"), "Kingcobra")


def parse_engine(text: str) -> EngineSpec:
    """ENGINE_FORM -> EngineSpec; EngineSpecError names the word that cannot be read."""
    values: dict[str, str] = {}
    options: dict[str, str] = {}
    first, *others = _UNESCAPED_COMMA.split(text)
    for part in [f"cmd={first}" if _is_command(first) else first, *others]:
        key, separator, value = part.replace("\\,", ",").partition("=")
        key = key.strip()
        if not separator:
            raise EngineSpecError(f"{part!r} has no '='; expected {ENGINE_FORM}")
        if key.startswith(_OPTION):
            options[key.removeprefix(_OPTION)] = value
        elif key in ("cmd", "name", "dir", "proto", "tc", "restart"):
            values[key] = value
        else:
            raise EngineSpecError(f"unknown word {key!r}; expected {ENGINE_FORM}")
    if not values.get("cmd"):
        raise EngineSpecError(f"{text!r} names no command; expected {ENGINE_FORM}")
    restart = values.get("restart", "off")
    if restart not in _SWITCH:
        raise EngineSpecError(f"restart={restart}: expected on or off")
    return engine(
        values["cmd"],
        values.get("name"),
        options=options,
        tc=values.get("tc"),
        protocol=values.get("proto", PROTOCOLS[0]),
        directory=values.get("dir"),
        restart=_SWITCH[restart],
    )


def _is_command(part: str) -> bool:
    """Whether the first part is the command itself. A command such as `env A=1 engine` also has a
    `=`, but a space before it; of the other words only options may have one."""
    key, separator, _ = part.strip().partition("=")
    return not separator or (" " in key.strip() and not key.startswith(_OPTION))


def engine(
    command: Sequence[str] | str = SELF,
    name: str | None = None,
    *,
    options: Mapping[str, object] | None = None,
    tc: TimeControl | str | None = None,
    protocol: str = PROTOCOLS[0],
    directory: Path | str | None = None,
    restart: bool = False,
) -> EngineSpec:
    """An engine by its command, as one text or word by word; `self` is this engine. It is called
    like its program unless a name is given. EngineSpecError for what cannot be used."""
    if protocol not in PROTOCOLS:
        raise EngineSpecError(f"proto={protocol}: expected {' or '.join(PROTOCOLS)}")
    if command == SELF:
        command, own_name = this_engine().command, this_engine().name
    else:
        command = _words_of(command) if isinstance(command, str) else tuple(command)
        own_name = Path(command[0]).name if command else ""
    return EngineSpec(
        command=command,
        name=_checked_name(own_name if name is None else name),
        directory=None if directory is None else str(directory),
        protocol=protocol,
        options={key: _option_text(value) for key, value in (options or {}).items()},
        time_control=parse_time_control(tc) if isinstance(tc, str) else tc,
        restart=restart,
    )


def _option_text(value: object) -> str:
    """As UCI writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _words_of(command: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise EngineSpecError(f"cmd={command}: {str(error).lower()}") from None
    if not words or not words[0]:
        raise EngineSpecError(f"cmd={command} names no command; expected {ENGINE_FORM}")
    return words


def _checked_name(name: str) -> str:
    """The name, if it fits into a tag of a PGN and a line of a table."""
    if not name.strip() or not name.isprintable() or not _NOT_IN_A_TAG.isdisjoint(name):
        raise EngineSpecError(f'name={name}: a name has letters, and neither " nor \\ among them')
    return name


def with_unique_names(specs: list[EngineSpec]) -> list[EngineSpec]:
    """The same engines; a number is added to a name that is already taken."""
    unique: list[EngineSpec] = []
    for spec in specs:
        numbered = (f"{spec.name} ({number})" for number in count(start=2))
        taken = {other.name for other in unique}
        name = next(name for name in chain([spec.name], numbered) if name not in taken)
        unique.append(replace(spec, name=name))
    return unique
