# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole matches, with engines that behave and engines that do not."""

import json
import sys
from pathlib import Path

import chess.pgn
import pytest

from kingcobra.arena.commands.match import main
from kingcobra.arena.engines.answers import Fault
from tests.arena.mock_engines import MISBEHAVING_ENGINE

# Longer than any machine makes a process wait for its turn.
MARGIN_MS = "60000"


def engine(manner="well", bad_from=1, name=None, more=""):
    name = name or manner
    return [
        "--engine",
        f"cmd='{sys.executable}' '{MISBEHAVING_ENGINE}' {manner} {bad_from},name={name}{more}",
    ]


def play(tmp_path, *arguments, games=2, tc="nodes=10", pgn="out.pgn"):
    """Exit code, records of the state file, games of the PGN."""
    path = tmp_path / pgn
    code = main([*arguments, "--tc", tc, "--games", str(games), "--pgn", str(path)])
    records = [json.loads(line) for line in Path(f"{path}.state").read_text().splitlines()[1:]]
    return code, sorted(records, key=lambda record: record["number"]), read_games(path)


def read_games(path):
    games = []
    with path.open() as file:
        while (game := chess.pgn.read_game(file)) is not None:
            assert game.errors == []
            games.append(game)
    return games


def test_a_match_is_played_to_its_end(tmp_path, capsys):
    code, records, games = play(
        tmp_path, *engine(name="A"), *engine("drawish", name="B"), "--concurrency", "2", games=4
    )
    assert code == 0
    assert [record["number"] for record in records] == [0, 1, 2, 3]
    assert [record["pair"] for record in records] == [0, 0, 1, 1]
    assert [record["white"] for record in records] == ["A", "B", "A", "B"]
    assert all(record["fault"] is None for record in records)
    output = capsys.readouterr().out
    assert "A: Misbehaving well" in output
    assert "A vs B: 4 games" in output
    assert len(games) == 4
    for game in games:
        outcome = game.end().board().outcome(claim_draw=True)
        assert outcome is not None
        assert outcome.result() == game.headers["Result"]
        assert game.headers["Termination"] == "normal"
    first_comment = games[0].next().comment
    score, seconds = first_comment.split()
    assert score in ("+1.00/2", "+0.03/9")
    assert seconds.endswith("s")


@pytest.mark.parametrize(
    ("manner", "fault", "termination"),
    [
        ("crash", Fault.CRASH, "abandoned"),
        ("illegal", Fault.ILLEGAL, "rules infraction"),
        ("null", Fault.ILLEGAL, "rules infraction"),
        ("none", Fault.ILLEGAL, "rules infraction"),
        ("impossible", Fault.ILLEGAL, "rules infraction"),
    ],
)
def test_faults_lose_the_game_and_the_match_goes_on(tmp_path, capsys, manner, fault, termination):
    code, records, games = play(
        tmp_path, *engine(manner, bad_from=3, name="bad"), *engine("drawish", name="good"), games=4
    )
    assert code == 0
    assert [record["fault"] for record in records] == [fault.value] * 4
    assert [record["culprit"] for record in records] == ["bad"] * 4
    assert [record["result"] for record in records] == ["0-1", "1-0", "0-1", "1-0"]
    # The faulty engine was started again: it plays two good moves in every game.
    assert [record["plies"] for record in records] == [4, 5, 4, 5]
    assert {game.headers["Termination"] for game in games} == {termination}
    assert f"bad: {fault.value} × 4" in capsys.readouterr().out


def test_faults_apart_are_not_scored_also_when_resumed(tmp_path, capsys):
    arguments = [*engine("crash", name="bad"), *engine(name="good"), "--max-moves", "3"]
    play(tmp_path, *arguments, games=2)
    assert "bad vs good: 2 games, 0 won, 0 drawn, 2 lost" in capsys.readouterr().out
    code, records, _ = play(tmp_path, *arguments, "--resume", "--faults", "apart", games=4)
    assert code == 0
    assert [record["fault"] for record in records] == [Fault.CRASH.value] * 4
    output = capsys.readouterr().out
    assert "4 games (4 with faults apart): nothing to score" in output
    assert "bad: crash × 4 (first: " in output
    assert "out of luck" in output


def test_a_crash_is_reported_with_its_last_words(tmp_path):
    _, records, _ = play(tmp_path, *engine("crash"), *engine())
    assert "out of luck" in records[0]["reason"]
    assert "exit code: 3" in records[0]["reason"]


@pytest.mark.parametrize("manner", ["slow", "almost-a-word"])
def test_a_slow_engine_loses_on_time_and_plays_on(tmp_path, manner):
    _, records, games = play(tmp_path, *engine(manner), *engine(), tc="movetime=150")
    assert [record["fault"] for record in records] == [Fault.TIME.value] * 2
    assert {game.headers["Termination"] for game in games} == {"time forfeit"}


def test_time_lost_within_the_margin_is_forgiven(tmp_path):
    _, records, _ = play(
        tmp_path,
        *engine("slow", bad_from=2),
        *engine(),
        *("--margin-ms", MARGIN_MS, "--max-moves", "2"),
        tc="movetime=150",
    )
    assert [record["fault"] for record in records] == [None, None]


def test_a_hung_engine_is_killed_and_the_match_goes_on(tmp_path):
    """Nobody else is in a hurry: on a busy machine the good engine would be late, too."""
    code, records, _ = play(
        tmp_path,
        *engine("hang", bad_from=2, name="bad"),
        *engine(more=",tc=600+1"),
        *("--patience", "0.5", "--stop-patience", "0.5"),
    )
    assert code == 0
    assert [record["fault"] for record in records] == [Fault.HANG.value] * 2
    assert [record["plies"] for record in records] == [2, 3]


@pytest.mark.parametrize("manner", ["garbage", "flood"])
def test_chatter_does_no_harm(tmp_path, manner):
    _, records, _ = play(tmp_path, *engine(manner), *engine(), "--max-moves", "3")
    assert [record["fault"] for record in records] == [None, None]
    assert [record["plies"] for record in records] == [6, 6]


@pytest.mark.parametrize("manner", ["bound-first", "bound-last", "chatty"])
def test_a_bound_and_wdl_come_in_either_order_and_strings_are_no_scores(tmp_path, manner):
    _, _, games = play(tmp_path, *engine(manner, name="A"), *engine(), "--max-moves", "1")
    white_a = next(game for game in games if game.headers["White"] == "A")
    assert white_a.next().comment.startswith("+0.33/7 ")


def test_an_engine_that_does_not_start_is_refused(tmp_path, capsys):
    arguments = [*engine("crash-at-start"), *engine(), "--tc", "depth=1", "--games", "2"]
    assert main([*arguments, "--pgn", str(tmp_path / "out.pgn")]) == 2
    assert capsys.readouterr().err.startswith(
        "kingcobra match: crash-at-start: does not start: engine process died"
    )
    missing = ["--engine", "/no/such/engine", *engine(), "--tc", "depth=1", "--games", "2"]
    assert main(missing) == 2
    assert capsys.readouterr().err == (
        "kingcobra match: engine: does not start: /no/such/engine: No such file or directory\n"
    )


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("Nonsense=1", "has no option Nonsense; it has Hash, OwnBook, UCI_Chess960"),
        ("Hasch=1", "has no option Hasch; did you mean Hash?"),
        (
            "Hash=999",
            "option Hash=999: expected value for option 'Hash' to be at most 64, got: 999",
        ),
        ("Hash=big", "option Hash=big: expected integer for spin option 'Hash', got: 'big'"),
        ("OwnBook=off", "option OwnBook=off: expected true or false"),
    ],
)
def test_options_that_an_engine_refuses_are_named_before_the_first_game(
    tmp_path, capsys, option, message
):
    pgn = tmp_path / "out.pgn"
    arguments = [*engine(name="A"), *engine(name="B", more=f",option.{option}")]
    assert main([*arguments, "--tc", "depth=1", "--games", "2", "--pgn", str(pgn)]) == 2
    assert capsys.readouterr().err == f"kingcobra match: B: {message}\n"
    assert not pgn.exists()


def test_switches_are_taken_in_any_case(tmp_path):
    notes = tmp_path / "notes"
    command = f"'{sys.executable}' '{MISBEHAVING_ENGINE}' notes-options 1 '{notes}'"
    spec = f"cmd={command},option.OwnBook=False"
    play(tmp_path, "--engine", f"{spec},name=A", *engine(name="B"), "--max-moves", "1")
    values = [line.split()[1:] for line in notes.read_text().splitlines() if "OwnBook" in line]
    assert values
    assert all(value == ["OwnBook", "false"] for value in values)


@pytest.mark.parametrize(
    ("file", "option", "message"),
    [
        ("missing.epd", "--book", "missing.epd: No such file or directory"),
        (".", "--book", ": Is a directory"),
        ("binary.pgn", "--book", "binary.pgn: not UTF-8 text"),
        ("missing/out.pgn", "--pgn", "missing/out.pgn.state: No such file or directory"),
        (".", "--pgn", " is a folder, not a file"),
    ],
)
def test_files_that_cannot_be_had_are_one_clear_line(tmp_path, capsys, file, option, message):
    (tmp_path / "binary.pgn").write_bytes(bytes(range(256)))
    words = ["--tc", "depth=1", "--games", "2", option, str(tmp_path / file)]
    assert main([*engine(name="A"), *engine(name="B"), *words]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith("kingcobra match: ")
    assert errors.endswith(f"{message}\n")
    assert "Errno" not in errors
    assert errors.count("\n") == 1


def test_players_with_other_clocks_have_headers_of_their_own(tmp_path):
    _, _, games = play(
        tmp_path, *engine(name="A", more=",tc=9+0.5"), *engine(name="B"), "--max-moves", "1"
    )
    headers = games[0].headers
    assert (headers["WhiteTimeControl"], headers["BlackTimeControl"]) == ("9+0.5", "-")
    assert "TimeControl" not in headers


def test_scores_resign_and_agree_to_draws(tmp_path):
    _, records, games = play(
        tmp_path, *engine("losing", name="L"), *engine(name="W"), "--resign", "3,500"
    )
    assert [record["result"] for record in records] == ["0-1", "1-0"]
    assert [record["plies"] for record in records] == [5, 6]
    assert {game.headers["Termination"] for game in games} == {"adjudication"}
    _, records, _ = play(
        tmp_path,
        *engine("drawish", name="A"),
        *engine("drawish", name="B"),
        *("--draw", "5,2,10"),
        pgn="draws.pgn",
    )
    assert [record["result"] for record in records] == ["1/2-1/2"] * 2
    assert [record["plies"] for record in records] == [8, 8]


def test_chess960_is_played(tmp_path):
    book = tmp_path / "book.epd"
    book.write_text("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\n")
    _, records, games = play(
        tmp_path, *engine(), *engine(name="B"), "--chess960", "--book", str(book)
    )
    assert [record["fault"] for record in records] == [None, None]
    assert games[0].headers["Variant"] == "Chess960"


def test_every_opening_is_played_with_both_colours_in_an_order_of_the_seed(tmp_path):
    book = tmp_path / "book.pgn"
    lines = ["1. e4 e5", "1. d4 d5", "1. c4 c5", "1. Nf3 d5", "1. g3 g6"]
    book.write_text("".join(f'[Result "*"]\n\n{line} *\n\n' for line in lines))

    def first_moves(seed, name):
        arguments = ["--book", str(book), "--seed", str(seed), "--max-moves", "1"]
        _, _, games = play(
            tmp_path, *engine(), *engine(name="B"), *arguments, games=6, pgn=f"{name}.pgn"
        )
        assert all(game.next().comment == "book" for game in games)
        return [(game.next().move.uci(), game.headers["White"]) for game in games]

    once = first_moves(3, "a")
    assert once == first_moves(3, "b")
    assert once != first_moves(4, "c")
    assert [move for move, _ in once[::2]] == [move for move, _ in once[1::2]]
    assert [white for _, white in once] == ["well", "B"] * 3


def test_a_sequential_test_stops_the_match(tmp_path, capsys):
    code, records, _ = play(
        tmp_path,
        *engine("illegal", name="bad"),
        *engine(name="good"),
        "--sprt=0,100",
        games=1000,
    )
    assert code == 0
    assert len(records) < 200
    assert "H0 accepted" in capsys.readouterr().out


def test_a_table_of_three(tmp_path, capsys):
    play(
        tmp_path,
        *engine("illegal", name="worst"),
        *engine(name="A"),
        *engine("drawish", name="B"),
        *("--max-moves", "4"),
    )
    lines = capsys.readouterr().out.splitlines()
    header = next(number for number, line in enumerate(lines) if "Elo" in line)
    assert lines[header - 1].startswith("6 games; A anchored at 0, since worst shares no points")
    assert {lines[header + 1].split()[0], lines[header + 2].split()[0]} == {"A", "B"}
    assert lines[header + 3].split()[:2] == ["worst", "<"]
    assert lines[header + 4].startswith("< lost every game")


def test_the_anchor_has_the_rating_that_was_given(tmp_path, capsys):
    engines = [*engine(name="A"), *engine(name="B"), *engine("drawish", name="C")]
    settings = ["--max-moves", "2", "--anchor", "C=1500"]
    play(tmp_path, *engines, *settings)
    output = capsys.readouterr().out
    assert "C anchored at 1500" in output
    row = next(line for line in output.splitlines() if line.startswith("C "))
    assert row.split()[1:3] == ["1500.0", "0.0"]
    assert main([*engines, "--tc", "nodes=1", "--games", "2", "--anchor", "D=1"]) == 2
    assert "the engines are called A, B, C" in capsys.readouterr().err
    assert main([*engines, "--tc", "nodes=1", "--games", "2", "--anchor", "A=x"]) == 2
    assert "NAME=ELO" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong", [["--max-moves", "0"], ["--margin-ms=-1"], ["--patience=-1"], ["--concurrency", "0"]]
)
def test_numbers_that_no_game_can_be_played_with(capsys, wrong):
    engines = [*engine(name="A"), *engine(name="B")]
    assert main([*engines, "--tc", "nodes=1", "--games", "2", *wrong]) == 2
    assert f"{wrong[0].partition('=')[0]} must be at least" in capsys.readouterr().err


def test_tunables_of_kingcobra_are_options_though_it_does_not_list_them(capsys):
    names = [*engine(name="A"), "--engine", "self,name=B,option.razor_base=300,option.Hash=1"]
    settings = ["--tc", "nodes=50", "--games", "2", "--max-moves", "3"]
    assert main([*names, *settings]) == 0
    assert "crash" not in capsys.readouterr().out
    names[-1] = "self,name=B,option.razor_base=99999"
    assert main([*names, *settings]) == 2
    assert "'99999', expected a number from" in capsys.readouterr().err


def test_an_option_that_kingcobra_refuses_ends_the_match_before_its_first_game(capsys):
    names = [*engine(name="A"), "--engine", "self,name=B,option.EvalFile=no-such.nnue"]
    assert main([*names, "--tc", "nodes=50", "--games", "2"]) == 2
    assert "no-such.nnue: not found" in capsys.readouterr().err


def test_a_stopped_match_is_resumed_with_the_games_it_lacks(tmp_path):
    arguments = [*engine(name="A"), *engine(name="B"), "--max-moves", "5"]
    _, whole, _ = play(tmp_path, *arguments, games=6)
    path, state = tmp_path / "out.pgn", tmp_path / "out.pgn.state"
    lines = state.read_text().splitlines(keepends=True)
    # Killed while it wrote its fourth game, the third being whole.
    state.write_text("".join(lines[:4]) + lines[4][:20])
    code, resumed, games = play(tmp_path, *arguments, "--resume", games=6)
    assert code == 0
    assert [record["number"] for record in resumed] == list(range(6))
    assert [record["result"] for record in resumed[:3]] == [r["result"] for r in whole[:3]]
    assert len(games) == 6
    assert path.read_text().count("[Event ") == 6


def test_a_match_with_other_settings_is_not_resumed(tmp_path, capsys):
    arguments = [*engine(name="A"), *engine(name="B"), "--max-moves", "2"]
    play(tmp_path, *arguments)
    again = ["--tc", "nodes=10", "--games", "2", "--pgn", str(tmp_path / "out.pgn")]
    assert main([*arguments, *again]) == 2
    assert "--resume" in capsys.readouterr().err
    assert main([*arguments, *again, "--resume", "--seed", "9"]) == 2
    assert "seed was 1, is now 9" in capsys.readouterr().err
    book = tmp_path / "book.epd"
    book.write_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n" * 3)
    assert main([*arguments, *again, "--resume", "--book", str(book)]) == 2
    assert "book was none, is now book.epd" in capsys.readouterr().err
    assert main([*arguments, *again, "--overwrite", "--seed", "9"]) == 0


def test_a_cluster_needs_ray(monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    arguments = [*engine(), *engine(name="B"), "--tc", "depth=1", "--games", "2"]
    assert main([*arguments, "--cluster", "auto"]) == 2
    assert "pip install -e '.[cluster]'" in capsys.readouterr().err


def test_more_games_than_cores_are_warned_of(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    arguments = [*engine(name="A"), *engine(name="B"), "--max-moves", "1", "--concurrency"]
    play(tmp_path, *arguments, "2")
    assert "--concurrency 2 is more than the cores (1)" in capsys.readouterr().out
    play(tmp_path, *arguments, "1", pgn="other.pgn")
    assert "cores" not in capsys.readouterr().out
