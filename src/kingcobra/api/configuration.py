# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine's options as python-chess has them: described, configured for good or for one call."""

from collections.abc import Iterator, Mapping
from typing import Any

from chess.engine import ConfigMapping, ConfigValue, Option
from chess.engine import UciOptionMap as OptionMap

from kingcobra.api.arguments import wrong_type
from kingcobra.api.errors import EngineError
from kingcobra.engine import options as engine_options
from kingcobra.engine.evaluator import EvaluatorError
from kingcobra.engine.options import BUTTON, CHECK, COMBO, EMPTY, SPIN, OptionError
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.kernel.system.memory import OutOfMemory
from kingcobra.text_values import quoted

SHOW_WDL = "UCI_ShowWDL"
ANALYSE_MODE = "UCI_AnalyseMode"
# Set by the arguments of each call.
MANAGED = {"uci_chess960", "uci_variant", "multipv", "ponder"}
TRUTH = {True: "true", False: "false"}


def _ignore(_engine: SearchEngine, _value: bool) -> None:
    """The session reads this one itself."""


OPTIONS: tuple[engine_options.Option, ...] = (
    *engine_options.SEARCH_OPTIONS,
    engine_options.Option(SHOW_WDL, CHECK, True, _ignore),
    *engine_options.KNOWLEDGE_OPTIONS,
    *engine_options.REPORT_OPTIONS,
)
_BY_NAME = {option.name.lower(): option for option in (*OPTIONS, *engine_options.TUNABLE_OPTIONS)}


def described_options() -> OptionMap[Option]:
    """All listed options, by name, whatever its case."""
    return OptionMap((option.name, _described(option)) for option in OPTIONS)


def _described(option: engine_options.Option) -> Option:
    is_number = option.kind == SPIN
    return Option(
        option.name,
        option.kind,
        _in_kind(option, option.default),
        min=option.low if is_number else None,
        max=option.high if is_number else None,
        var=list(option.choices) if option.kind == COMBO else None,
    )


class Configuration:
    """Which value each option has, and which it is to have between calls."""

    def __init__(self) -> None:
        self._targets: dict[str, ConfigValue] = {
            option.name.lower(): _in_kind(option, option.default)
            for option in OPTIONS
            if option.kind != BUTTON
        }
        self._present = dict(self._targets)
        self._chosen: set[str] = set()

    def configure(self, engine: SearchEngine, options: ConfigMapping) -> None:
        """Sets options for good. On EngineError those before the one it names are set."""
        for name, option, value in _checked(options):
            self._apply(engine, option, value)
            if option.kind != BUTTON:
                self._targets[name] = value
                self._chosen.add(name)

    def configure_call(self, engine: SearchEngine, options: ConfigMapping) -> None:
        """Sets options for one call; all others return to what they were set to for good."""
        for_call = {name: value for name, _option, value in _checked(options)}
        buttons = [name for name in for_call if _BY_NAME[name].kind == BUTTON]
        for name in buttons:
            self._apply(engine, _BY_NAME[name], for_call.pop(name))
        for name, value in (self._targets | for_call).items():
            if self._present.get(name) != value and name not in MANAGED:
                self._apply(engine, _BY_NAME[name], value)

    def value(self, name: str) -> ConfigValue:
        """What an option is at present."""
        return self._present[name.lower()]

    def is_changed_by(self, options: ConfigMapping) -> bool:
        """Whether a call with these options would set any."""
        wanted = self._targets | {name: value for name, _option, value in _checked(options)}
        return any(
            _BY_NAME[name].kind == BUTTON or self._present.get(name) != value
            for name, value in wanted.items()
            if name not in MANAGED
        )

    def is_chosen(self, name: str, options: ConfigMapping) -> bool:
        """Whether the user has set an option, for good or for this call."""
        names = self._chosen | {str(given).lower() for given in options}
        return name.lower() in names

    def _apply(
        self, engine: SearchEngine, option: engine_options.Option, value: ConfigValue
    ) -> None:
        try:
            option.apply(engine, option.parse(_text_of(value)))
        except (OptionError, EvaluatorError, OutOfMemory) as error:
            message = str(error)
            named = message.startswith("option ")
            raise EngineError(message if named else f"option {option.name}: {message}") from error
        if option.kind != BUTTON:
            self._present[option.name.lower()] = value


def _checked(
    options: Mapping[str, Any],
) -> Iterator[tuple[str, engine_options.Option, ConfigValue]]:
    """Each option with its value, all of them checked before the first is set."""
    if not isinstance(options, Mapping):
        raise wrong_type(options, "options", "a mapping of names to values")
    found: list[tuple[str, engine_options.Option, ConfigValue]] = []
    for given, value in options.items():
        name = str(given).lower()
        option = _BY_NAME.get(name)
        if name in MANAGED:
            raise EngineError(f"cannot set {given}, which is managed by the arguments of each call")
        if option is None:
            known = ", ".join(option.name for option in OPTIONS)
            raise EngineError(f"unknown option {quoted(str(given))}, expected one of {known}")
        try:
            option.parse(_text_of(value))
        except OptionError as error:
            raise EngineError(str(error)) from None
        found.append((name, option, _in_kind(option, value)))
    return iter(found)


def _in_kind(option: engine_options.Option, value: Any) -> ConfigValue:
    """A value that was given as text, or in another case, as options of its kind have it."""
    if option.kind in (CHECK, SPIN, COMBO):
        parsed: ConfigValue = option.parse(_text_of(value))
        return parsed
    text = _text_of(value)
    return None if option.kind == BUTTON else "" if text == EMPTY else text


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return TRUTH[value]
    return "" if value is None else str(value)
