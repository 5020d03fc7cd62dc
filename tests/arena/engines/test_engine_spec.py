# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line says about an engine."""

import sys

import pytest

from kingcobra.arena.engines.engine_spec import (
    EngineSpec,
    EngineSpecError,
    parse_engine,
    with_unique_names,
)
from kingcobra.arena.engines.time_control import TimeControl


def test_everything_at_once():
    spec = parse_engine(
        r"cmd=/opt/x/engine --flag 'two words',name=New,dir=/tmp,proto=xboard,tc=8+0.08,"
        r"restart=on,option.Hash=16,option.Path=a\,b=c,option.Skill Level=3"
    )
    assert spec == EngineSpec(
        ("/opt/x/engine", "--flag", "two words"),
        "New",
        "/tmp",
        "xboard",
        {"Hash": "16", "Path": "a,b=c", "Skill Level": "3"},
        TimeControl(8, 0.08),
        True,
    )


def test_the_command_may_stand_alone():
    assert parse_engine("/opt/x/engine,option.Hash=1") == EngineSpec(
        ("/opt/x/engine",), "engine", options={"Hash": "1"}
    )


@pytest.mark.parametrize("command", ["env A=1 engine", "engine --threads=2", "engine -x a=b c=d"])
def test_a_command_may_have_a_sign_of_equality(command):
    spec = parse_engine(f"{command},name=New")
    assert spec == EngineSpec(tuple(command.split()), "New")


def test_an_option_with_a_blank_may_stand_first():
    spec = parse_engine("option.Skill Level=3,cmd=engine")
    assert spec == EngineSpec(("engine",), "engine", options={"Skill Level": "3"})


def test_self_is_this_engine():
    assert parse_engine("self").command == (sys.executable, "-m", "kingcobra")
    assert parse_engine("cmd=self,name=dev").name == "dev"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("name=x", "'name=x'"),
        ("cmd=", "'cmd='"),
        ("cmd=x,colour=red", "'colour'"),
        ("cmd=x,oops", "'oops'"),
        ("cmd=x,proto=usi", "proto=usi"),
        ("cmd=x,restart=maybe", "restart=maybe"),
        ("cmd=  ", "names no command"),
        ("cmd=''", "names no command"),
        ("cmd='x", "no closing quotation"),
        ("cmd=x,name=", "name="),
        ('cmd=x,name=a"b', "a name has letters"),
        ("cmd=x,name=a\nb", "a name has letters"),
    ],
)
def test_nonsense_is_named(text, named):
    with pytest.raises(EngineSpecError, match=named):
        parse_engine(text)


def test_names_become_unique():
    specs = [parse_engine(text) for text in ("a", "b", "a", "a")]
    assert [spec.name for spec in with_unique_names(specs)] == ["a", "b", "a (2)", "a (3)"]
    specs = [parse_engine(text) for text in ("a,name=a (2)", "a", "a")]
    assert [spec.name for spec in with_unique_names(specs)] == ["a (2)", "a", "a (3)"]
