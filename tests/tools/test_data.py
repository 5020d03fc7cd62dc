# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra data` over files of every kind."""

import gzip
import json

import chess
import chess.pgn
import numpy as np
import pytest

from kingcobra.core.network.architectures import OUTPUT_SCALE
from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK
from kingcobra.tools.data import main
from kingcobra.tools.selfplay import main as selfplay
from kingcobra.training.data.binpack import CHUNK_HEAD
from kingcobra.training.data.blocks import GAMES, write_block, write_data
from kingcobra.training.data.games import placement_of
from kingcobra.training.data.mixing import shuffled
from kingcobra.training.data.packed import LOSS, RESULT_SHIFT, WIN, packed_fen
from kingcobra.training.data.sources import RAW_PER_CENTIPAWN
from tests.paths import DATA
from tests.tools.labelled_records import records_of

START = chess.STARTING_FEN
BINPACK = DATA / "labelled.binpack"
FIRST_FEN, FIRST_SCORE = "2kr3q/1ppn4/p2p1b1n/P2P1pNB/7P/4RP2/1PP3P1/1KB4Q b - - 0 17", -655
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "some.kcp"
    with path.open("wb") as out:
        for number in range(3):
            content = [packed_fen(START, 100 * number + index, WIN) for index in range(50)]
            write_block(out, {"part": number}, np.array(content))
    return path


def test_info(file, capsys):
    assert main(["info", str(file), "--json"]) == EXIT_OK
    found = json.loads(capsys.readouterr().out)
    assert (found["positions"], found["blocks"], found["results"]["won"]) == (150, 3, 150)
    assert found["mean_men"] == 32
    assert main(["info", str(file)]) == EXIT_OK
    assert "150 positions in 3 blocks" in capsys.readouterr().out


def test_text_is_converted(tmp_path, capsys):
    path = tmp_path / "lines.txt.gz"
    with gzip.open(path, "wt") as out:
        out.write(f"{START} | 50 | 1.0 | someone\n{AFTER_E4} | 50 | 1.0\nnonsense\n\n")
        out.write(f"{START} | inf | 1.0\n{START} | 1e12 | 1.0\n")
    target = tmp_path / "out.kcp"
    assert main(["convert", str(path), "-o", str(target)]) == EXIT_OK
    errors = capsys.readouterr().err
    assert "skipping line 3: expected FEN | centipawns | result" in errors
    assert "skipping line 5" in errors
    assert "skipping line 6" in errors
    records = records_of(target)
    expected = round(50 * RAW_PER_CENTIPAWN)
    assert records["score"].tolist() == [expected, -expected]
    assert (records["flags"] >> RESULT_SHIFT).tolist() == [WIN, LOSS]


def test_games_are_converted(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text('[Result "0-1"]\n\n1. e4 { [%eval 0.3] } e5 { [%eval 0.2] } 2. Nf3 0-1\n')
    target = tmp_path / "out.kcp"
    assert main(["convert", str(path), "-o", str(target)]) == EXIT_OK
    records = records_of(target)
    assert records["score"].tolist() == [
        round(-30 * RAW_PER_CENTIPAWN),
        round(20 * RAW_PER_CENTIPAWN),
    ]
    assert (records["flags"] >> RESULT_SHIFT).tolist() == [WIN, LOSS]


# A capture, and mate at the end; an evaluation of each position.
NOISY_GAME = """[Result "1-0"]

{ [%eval 0.1] } 1. e4 { [%eval 0.2] } f5 { [%eval 0.9] } 2. exf5 { [%eval 1.0] } g5
{ [%eval #1] } 3. Qh5# { [%eval #0] } 1-0
"""


def test_an_evaluation_is_of_the_position_behind_its_move(tmp_path):
    path, target = tmp_path / "games.pgn", tmp_path / "out.kcp"
    path.write_text(NOISY_GAME)
    assert main(["convert", str(path), "--noisy", "-o", str(target)]) == EXIT_OK
    board, after = chess.Board(), []
    for move in ("e2e4", "f7f5", "e4f5", "g7g5"):
        after.append(board.board_fen())
        board.push_uci(move)
    records = records_of(target)
    assert [placement_of(record) for record in records] == [*after, board.board_fen()]
    movers = [round(cp * RAW_PER_CENTIPAWN) for cp in (10, -20, 90, -100)]
    assert records["score"].tolist()[:4] == movers
    assert main(["convert", str(path), "-o", str(target)]) == EXIT_OK
    # Left out: the position before 2. exf5.
    assert records_of(target)["score"].tolist()[:3] == [movers[0], movers[1], movers[3]]


def test_positions_as_fen(tmp_path, capsys):
    """A book of them can be played from; the labels are gone."""
    path, target = tmp_path / "some.kcp", tmp_path / "starts.epd"
    fens = [START, AFTER_E4, "8/5k2/8/8/3R4/8/2K5/8 w - - 7 61"]
    with path.open("wb") as out:
        for fen in fens:
            write_block(out, {}, np.array([packed_fen(fen, 100, WIN)]))
    assert main(["fen", str(path), "-o", str(target), "--limit", "2"]) == EXIT_OK
    assert f"{target}: 2 positions" in capsys.readouterr().err
    assert main(["fen", str(path), str(path), "-o", str(target)]) == EXIT_OK
    without_castling = [fen.replace("KQkq", "-") for fen in fens]
    assert target.read_text().splitlines() == without_castling * 2


def test_no_positions_make_no_file(tmp_path, capsys):
    path, target = tmp_path / "none.kcp", tmp_path / "starts.epd"
    path.touch()
    assert main(["fen", str(path), "-o", str(target)]) != EXIT_OK
    assert "there are no positions" in capsys.readouterr().err
    assert not target.exists()


def test_a_real_binpack(tmp_path, capsys):
    """Every move in it is legal, so a bit that is read wrongly shows."""
    target = tmp_path / "out.kcp"
    assert main(["convert", str(BINPACK), "-o", str(target)]) == EXIT_OK
    quiet = records_of(target)
    capsys.readouterr()
    assert main(["convert", str(BINPACK), "--noisy", "-o", str(target)]) == EXIT_OK
    assert "653 positions, 0 faults" in capsys.readouterr().err
    assert 0 < len(quiet) < 653
    assert {one.tobytes() for one in quiet} < {one.tobytes() for one in records_of(target)}
    assert main(["validate", str(target)]) == EXIT_OK
    assert "653 positions, 0 faults" in capsys.readouterr().out
    first = records_of(target)[0]
    assert first["score"] == packed_fen(FIRST_FEN, FIRST_SCORE * OUTPUT_SCALE, LOSS)["score"]
    assert first["flags"] >> RESULT_SHIFT == LOSS


@pytest.mark.slow
def test_a_whole_binpack(tmp_path, data_folder, capsys):
    source = data_folder / "labelled" / "nnue-pytorch_small.binpack"
    assert source.read_bytes()[CHUNK_HEAD.size :].startswith(
        BINPACK.read_bytes()[CHUNK_HEAD.size :]
    )
    target = tmp_path / "out.kcp"
    assert (
        main(["convert", str(source), "-o", str(target), "--noisy", "--limit", "20000"]) == EXIT_OK
    )
    assert main(["validate", str(target)]) == EXIT_OK
    assert "20000 positions, 0 faults" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["shuffle", "--seed", "-1"],
        ["filter", "--seed", "-1"],
        ["filter", "--min-men", "many"],
        ["convert", "--limit", "0"],
        ["convert", "--limit", "-5"],
    ],
)
def test_numbers_that_are_none_are_refused(file, tmp_path, capsys, words):
    with pytest.raises(SystemExit):
        main([words[0], str(file), "-o", str(tmp_path / "out.kcp"), *words[1:]])
    assert "is not a whole number from" in capsys.readouterr().err


def test_filter(file, tmp_path):
    target = tmp_path / "out.kcp"
    assert main(["filter", str(file), "-o", str(target), "--max-score", "109"]) == EXIT_OK
    assert records_of(target)["score"].tolist() == [*range(50), *range(100, 110)]


def test_games_of_self_play_are_converted(tmp_path, capsys):
    path, target = tmp_path / "games.kcp", tmp_path / "out.kcp"
    words = ["--kind", "games", "--games", "2", "--nodes", "20", "--threads", "1", "--seed", "5"]
    assert selfplay(["-o", str(path), *words]) == EXIT_OK
    assert main(["convert", str(path), "-o", str(target)]) == EXIT_OK
    quiet = records_of(target)
    assert main(["convert", str(path), "--noisy", "-o", str(target)]) == EXIT_OK
    everything = records_of(target)
    assert 0 < len(quiet) < len(everything)
    assert {record.tobytes() for record in quiet} <= {record.tobytes() for record in everything}
    assert main(["convert", str(path), "--limit", "7", "-o", str(target)]) == EXIT_OK
    assert len(records_of(target)) == 7
    assert "7 positions, 0 faults" in capsys.readouterr().err


def early_and_late(tmp_path):
    """A file of 400 positions: at ply 5, 15 and 40, most of them with 32 men, some with 3."""
    records = np.array([packed_fen(START, index) for index in range(400)])
    records["game_ply"] = [5, 15, 40, 40] * 100
    few = np.array([packed_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", index) for index in range(40)])
    few["game_ply"] = 40
    path = tmp_path / "mixed.kcp"
    with path.open("wb") as out:
        write_block(out, {}, records)
        write_block(out, {}, few)
    return path


def test_early_plies_are_thinned_out(tmp_path):
    path, target = early_and_late(tmp_path), tmp_path / "out.kcp"
    assert main(["filter", str(path), "-o", str(target), "--thin-before", "20"]) == EXIT_OK
    plies = records_of(target)["game_ply"].tolist()
    assert plies.count(40) == 240
    assert 10 < plies.count(5) < 45 < plies.count(15) < 95
    again = tmp_path / "again.kcp"
    assert main(["filter", str(path), "-o", str(again), "--thin-before", "20"]) == EXIT_OK
    assert again.read_bytes() == target.read_bytes()
    assert main(["filter", str(path), "-o", str(again), "--thin-before", "20", "--seed", "2"]) == 0
    assert again.read_bytes() != target.read_bytes()


def test_numbers_of_men_are_flattened(tmp_path):
    path, target = early_and_late(tmp_path), tmp_path / "out.kcp"
    assert main(["filter", str(path), "-o", str(target), "--flatten-men"]) == EXIT_OK
    men = np.bitwise_count(records_of(target)["occupancy"]).tolist()
    assert men.count(3) == 40
    assert 170 < men.count(32) < 270  # 220, the middle of 40 and 400


def test_shuffle_keeps_everything_and_repeats(file, tmp_path):
    targets = [tmp_path / "one.kcp", tmp_path / "two.kcp"]
    for target in targets:
        assert main(["shuffle", str(file), "-o", str(target), "--seed", "5"]) == EXIT_OK
    first, second = (records_of(target)["score"].tolist() for target in targets)
    assert first == second
    assert first != sorted(first)
    assert sorted(first) == sorted(records_of(file)["score"].tolist())
    parts = np.concatenate(list(shuffled([file], 1, pytest.fail, part_records=10)))
    assert sorted(parts["score"].tolist()) == sorted(first)


def test_validate_names_what_is_wrong(file, capsys):
    broken = packed_fen(START)
    broken["occupancy"] = 3
    with file.open("ab") as out:
        write_block(out, {}, np.array([broken]))
    assert main(["validate", str(file)]) == EXIT_FAILED
    captured = capsys.readouterr()
    assert "White has 0 kings" in captured.err
    assert "1 faults" in captured.out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["info", "missing.kcp"], "missing.kcp: No such file or directory"),
        (["convert", "some.foreign", "-o", "out.kcp"], "expected a name that ends in"),
        (["filter", "some.kcp", "-o", "out.kcp", "--min-men", "40"], "there are no positions"),
    ],
)
@pytest.mark.usefixtures("file")
def test_bad_input_is_one_clear_line(tmp_path, monkeypatch, capsys, words, complaint):
    monkeypatch.chdir(tmp_path)
    assert main(words) == EXIT_FAILED
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "out.kcp").exists()


def test_a_file_without_positions_says_so(tmp_path, capsys):
    foreign, games = tmp_path / "foreign.kcp", tmp_path / "games.kcp"
    foreign.write_bytes(b"no blocks here")
    with games.open("wb") as out:
        write_data(out, GAMES, {}, b"")
    for path, reason in (
        (foreign, "no blocks of positions"),
        (games, "it holds 1 blocks of games"),
    ):
        for word in ("info", "validate"):
            assert main([word, str(path)]) == EXIT_FAILED
            assert reason in capsys.readouterr().err
