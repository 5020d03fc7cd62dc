# SPDX-License-Identifier: GPL-3.0-or-later
"""Each option of the search, set alone, changes what a real engine does."""

import chess
import pytest

from tests.engine_process import CLASSICAL

# exd5 wins a pawn, which weak play may leave alone.
ONE_GOOD_MOVE = "4k3/ppp5/8/3p4/4P3/8/PPPP4/4K3 w - - 0 1"
# exd5 wins a knight, which only the weakest play leaves alone.
FREE_KNIGHT = "4k3/ppp5/8/3n4/4P3/8/PPPP4/4K3 w - - 0 1"
AFTER_A3 = "rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 1"
TRIES = 12


def set_option(engine, name, value):
    assert engine.ask(f"setoption name {name} value {value}") == []


def searched(engine, *commands):
    engine.send(*commands)
    return engine.wait_for("bestmove")


def best_moves(engine, fen=ONE_GOOD_MOVE):
    """What is played in as many games that all begin alike. A network may find one move so much
    better that even the weakest play finds it."""
    engine.send(CLASSICAL)
    return {
        searched(engine, "ucinewgame", f"position fen {fen}", "go depth 5")[-1].split()[1]
        for _ in range(TRIES)
    }


def lines_with(lines, word):
    return [line for line in lines if word in line.split()]


def without_time(lines):
    """Lines of moves with what depends on the machine's speed left out: times, how full the table
    is when somebody looks, and bounds, which are reported after some seconds."""
    kept = []
    for line in lines_with(lines, "pv"):
        if "bound " in line:
            continue
        words = line.split()
        for name in ("nps", "time", "hashfull"):
            if name in words:
                at = words.index(name)
                del words[at : at + 2]
        kept.append(words)
    return kept


def test_skill_level(engine):
    assert best_moves(engine) == {"e4d5"}
    set_option(engine, "Skill Level", 0)
    assert len(best_moves(engine)) > 1
    set_option(engine, "Skill Level", 20)
    assert best_moves(engine) == {"e4d5"}


def test_skill_level_shows_one_line(engine):
    set_option(engine, "Skill Level", 3)
    lines = lines_with(searched(engine, "go depth 4"), "pv")
    assert {line.split(" multipv ")[1].split()[0] for line in lines} == {"1"}


def test_uci_limitstrength(engine):
    set_option(engine, "UCI_Elo", 1320)
    assert best_moves(engine) == {"e4d5"}
    set_option(engine, "UCI_LimitStrength", "true")
    assert len(best_moves(engine)) > 1


def test_uci_elo(engine):
    set_option(engine, "UCI_LimitStrength", "true")
    assert len(best_moves(engine, FREE_KNIGHT)) > 1
    set_option(engine, "UCI_Elo", 3190)
    assert best_moves(engine, FREE_KNIGHT) == {"e4d5"}


def test_uci_analysemode_outranks_skill(engine):
    set_option(engine, "Skill Level", 0)
    set_option(engine, "UCI_AnalyseMode", "true")
    assert best_moves(engine) == {"e4d5"}


def test_nodestime(engine):
    """The same clock, the same nodes: however fast the machine is. And more of them, more nodes."""
    set_option(engine, "nodestime", 2)
    go = ("ucinewgame", "isready", "go wtime 60000 btime 60000")
    runs = [without_time(searched(engine, *go)) for _ in range(2)]
    assert runs[0] == runs[1]
    set_option(engine, "nodestime", 40)
    assert len(without_time(searched(engine, *go))) > len(runs[0])


def test_uci_showwdl(engine):
    assert not lines_with(searched(engine, "go depth 3"), "wdl")
    set_option(engine, "UCI_ShowWDL", "true")
    for line in lines_with(searched(engine, "go depth 3"), "pv"):
        words = line.split()
        at = words.index("wdl")
        assert sum(map(int, words[at + 1 : at + 4])) == 1000
        assert words[at - 2] == "cp"
        assert words[at + 4] == "nodes"


def require_legal(moves):
    board = chess.Board()
    for move in moves:
        board.push(board.parse_uci(move))


def test_uci_showcurrline(engine):
    set_option(engine, "Threads", 2)
    # The lines of a second come behind its load, so with the second load those of one are out.
    engine.send("go infinite")
    lines = engine.wait_for("info nodes ") + engine.wait_for("info nodes ")
    assert not lines_with(lines + searched(engine, "stop"), "currline")
    set_option(engine, "UCI_ShowCurrLine", "true")
    engine.send("go infinite")
    lines = lines_with(engine.wait_for("info currline ") + searched(engine, "stop"), "currline")
    assert {line.split()[2] for line in lines} <= {"1", "2"}
    for line in lines:
        assert line.startswith("info currline ")
        require_legal(line.split()[3:])


def test_uci_showrefutations(engine):
    assert not lines_with(searched(engine, "go depth 6"), "refutation")
    set_option(engine, "UCI_ShowRefutations", "true")
    lines = lines_with(searched(engine, "ucinewgame", "go depth 6"), "refutation")
    assert any(len(line.split()) == 4 for line in lines)
    for line in lines:
        assert line.startswith("info refutation ")
        require_legal(line.split()[2:])


def best_of_start(engine):
    line = lines_with(searched(engine, "position startpos", "go depth 4"), "pv")[-1]
    words = line.split()
    return words[words.index("pv") + 1], int(words[words.index("cp") + 1])


def test_uci_setpositionvalue(engine):
    before = best_of_start(engine)
    assert before[0] != "a2a3"
    set_option(engine, "UCI_SetPositionValue", f"700 {AFTER_A3}")
    move, centipawns = best_of_start(engine)
    assert move == "a2a3"
    assert abs(centipawns - 700) <= 2
    assert "default\n" in "\n".join(engine.ask("uci")).split("UCI_SetPositionValue type string ")[1]
    set_option(engine, "UCI_SetPositionValue", f"clear {AFTER_A3}")
    assert best_of_start(engine) == before


def test_uci_setpositionvalue_avoids_what_is_bad(engine):
    """A value is White's also where Black is to move."""
    (before, _) = best_of_start(engine)
    board = chess.Board()
    board.push_uci(before)
    set_option(engine, "UCI_SetPositionValue", f"-500 {board.fen()}")
    assert best_of_start(engine)[0] != before
    set_option(engine, "UCI_SetPositionValue", "clearall")
    assert best_of_start(engine)[0] == before


@pytest.mark.parametrize(
    "value",
    [
        "",
        "12",
        "clear",
        "clearall now",
        f"many {AFTER_A3}",
        f"1.5 {AFTER_A3}",
        "30 8/8/8 w - - 0 1",
    ],
)
def test_uci_setpositionvalue_refuses(engine, value):
    before = best_of_start(engine)
    (line,) = engine.ask(f"setoption name UCI_SetPositionValue value {value}")
    assert line.startswith("info string error: option UCI_SetPositionValue: ")
    engine.send("ucinewgame")
    assert best_of_start(engine) == before


def test_uci_setpositionvalue_has_room_for_some_hundred(engine):
    fens = {}
    board = chess.Board()
    for first in list(board.legal_moves):
        board.push(first)
        for second in list(board.legal_moves):
            board.push(second)
            for third in list(board.legal_moves):
                board.push(third)
                fens[board.epd()] = f"{board.epd()} 0 1"
                board.pop()
            board.pop()
        board.pop()
    lines = engine.ask(
        *(
            f"setoption name UCI_SetPositionValue value 10 {fen}"
            for fen in list(fens.values())[:513]
        )
    )
    assert len(lines) == 1
    assert "512 positions have values" in lines[0]
