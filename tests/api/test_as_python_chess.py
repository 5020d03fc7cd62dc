# SPDX-License-Identifier: GPL-3.0-or-later
"""Each use of an engine that python-chess documents, once with its own engine on our command, once
with ours: the same code, the same answers. The process also shows that bots can use our command."""

import asyncio
import sys
from contextlib import asynccontextmanager

import chess
import chess.engine
import pytest
from chess.engine import INFO_ALL, INFO_BASIC, INFO_SCORE, Cp, Limit, Mate, PovScore

import kingcobra

COMMAND = [sys.executable, "-m", "kingcobra"]
PATIENCE_S = 600.0
UCI_DEFAULT_HASH_MB = 16
MATE_IN_1 = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
# As in python-chess's documentation.
KNIGHT_UP = "r1bqkbnr/p1pp1ppp/1pn5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 4"
CHESS960 = "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w KQkq - 0 1"
CASTLES_960 = "1r4kr/8/8/8/8/8/8/1R4KR w KQkq - 0 1"
FEW_NODES = Limit(nodes=2000)


def in_process():
    return kingcobra.Engine(hash_mb=UCI_DEFAULT_HASH_MB)


def by_pipes():
    return chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=PATIENCE_S)


@pytest.fixture(scope="module", params=[in_process, by_pipes])
def engine(request):
    with request.param() as engine:
        yield engine


def test_playing(engine):
    board = chess.Board("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1")
    while not board.is_game_over():
        result = engine.play(board, Limit(nodes=500))
        board.push(result.move)
    assert board.result() == "1-0"


def test_play_returns_a_move_a_reply_and_what_was_asked_for(engine):
    board = chess.Board()
    plain = engine.play(board, FEW_NODES)
    assert plain.info == {}
    assert not plain.draw_offered
    assert not plain.resigned
    told = engine.play(board, FEW_NODES, info=INFO_ALL)
    assert told.move == told.info["pv"][0]
    assert told.ponder == told.info["pv"][1]


@pytest.mark.parametrize("fen", [KNIGHT_UP, MATE_IN_1])
def test_analysing_and_evaluating(engine, fen):
    board = chess.Board(fen)
    info = engine.analyse(board, Limit(depth=6))
    assert isinstance(info["score"], PovScore)
    assert info["score"].white() > Cp(20)
    assert info["depth"] >= 6
    assert info["pv"][0] in board.legal_moves
    assert info["nodes"] > 0
    assert info["time"] >= 0


def test_mates_have_their_scores(engine):
    info = engine.analyse(chess.Board(MATE_IN_1), FEW_NODES)
    assert info["score"] == PovScore(Mate(1), chess.WHITE)
    mated = chess.Board(MATE_IN_1)
    mated.push_uci("a1a8")
    assert engine.analyse(mated, FEW_NODES)["score"] == PovScore(Mate(0), chess.BLACK)
    assert engine.play(mated, FEW_NODES).move is None


def test_several_lines(engine):
    lines = engine.analyse(chess.Board(), Limit(depth=5), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    scores = [line["score"].relative for line in lines]
    assert scores == sorted(scores, reverse=True)


def test_indefinite_analysis(engine):
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5 and "pv" in info:
                break
    best = analysis.wait()
    assert best.move in chess.Board().legal_moves
    assert analysis.info["depth"] >= 5
    assert analysis.multipv[0]["depth"] >= 5


def test_an_analysis_read_step_by_step(engine):
    analysis = engine.analysis(chess.Board(), Limit(depth=4))
    assert analysis.get()
    analysis.wait()
    while analysis.next() is not None:
        pass
    assert analysis.empty()
    assert not analysis.would_block()
    with pytest.raises(chess.engine.AnalysisComplete):
        analysis.get()
    assert analysis.info["depth"] == 4


def test_an_analysis_that_is_stopped(engine):
    analysis = engine.analysis(chess.Board(), multipv=2)
    analysis.get()
    analysis.stop()
    assert analysis.wait().move is not None
    assert list(analysis) is not None
    assert len(analysis.multipv) == 2


def test_root_moves(engine):
    moves = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    info = engine.analyse(chess.Board(), FEW_NODES, root_moves=moves)
    assert info["pv"][0] in moves
    assert engine.play(chess.Board(), FEW_NODES, root_moves=moves[:1]).move == moves[0]


@pytest.mark.parametrize(
    "limit",
    [
        Limit(time=0.01),
        Limit(depth=3),
        Limit(nodes=300),
        Limit(mate=1),
        Limit(white_clock=0.2, black_clock=0.2),
        Limit(white_clock=0.2, black_clock=0.2, white_inc=0.01, black_inc=0.01),
        Limit(white_clock=0.2, black_clock=0.2, remaining_moves=5, clock_id="a"),
        Limit(depth=40, nodes=300),
        Limit(depth=0),
    ],
    ids=repr,
)
def test_limits_of_every_kind(engine, limit):
    board = chess.Board(MATE_IN_1)
    assert engine.play(board, limit).move == chess.Move.from_uci("a1a8")


def test_info_selects(engine):
    board = chess.Board()
    basic = engine.analyse(board, FEW_NODES, info=INFO_BASIC)
    assert "depth" in basic
    assert not {"score", "pv"} & set(basic)
    score = engine.analyse(board, FEW_NODES, info=INFO_SCORE)
    assert "score" in score
    assert "pv" not in score


def test_options(engine):
    assert engine.options["Hash"].default == UCI_DEFAULT_HASH_MB
    assert engine.options["hash"].type == "spin"
    assert (engine.options["Hash"].min, engine.options["Threads"].max) == (1, 1024)
    assert engine.options["Evaluation"].var == ["nnue", "hybrid", "classical"]
    engine.configure({"Hash": 8})
    engine.configure({"Hash": UCI_DEFAULT_HASH_MB})
    with pytest.raises(chess.engine.EngineError, match="Hash"):
        engine.configure({"Hash": 0})
    with pytest.raises(chess.engine.EngineError, match="Hashish"):
        engine.configure({"Hashish": 1})
    with pytest.raises(chess.engine.EngineError, match="MultiPV"):
        engine.configure({"MultiPV": 2})


def test_options_of_one_call(engine):
    board = chess.Board()
    engine.configure({"UCI_ShowWDL": True})
    assert "wdl" in engine.analyse(board, FEW_NODES)
    assert "wdl" not in engine.analyse(board, FEW_NODES, options={"UCI_ShowWDL": False})
    assert "wdl" in engine.analyse(board, FEW_NODES)


def test_wdl_is_of_the_side_to_move(engine):
    engine.configure({"UCI_ShowWDL": True})
    info = engine.analyse(chess.Board(MATE_IN_1), FEW_NODES)
    assert info["wdl"] == chess.engine.PovWdl(chess.engine.Wdl(1000, 0, 0), chess.WHITE)


def test_chess960(engine):
    board = chess.Board(CASTLES_960, chess960=True)
    castling = chess.Move.from_uci("g1h1")
    assert engine.play(board, FEW_NODES, root_moves=[castling]).move == castling
    info = engine.analyse(chess.Board(CHESS960, chess960=True), Limit(depth=6))
    board = chess.Board(CHESS960, chess960=True)
    for move in info["pv"]:
        board.push(board.find_move(move.from_square, move.to_square, move.promotion))


def test_castling_in_standard_chess(engine):
    board = chess.Board("4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1")
    castling = chess.Move.from_uci("e1g1")
    assert engine.play(board, FEW_NODES, root_moves=[castling]).move == castling


def test_a_game_with_pondering(engine):
    board, game = chess.Board(), object()
    for _ in range(3):
        result = engine.play(board, Limit(depth=4), game=game, ponder=True)
        board.push(result.move)
        board.push(result.ponder or next(iter(board.legal_moves)))
    other = next(move for move in board.legal_moves if move != result.ponder)
    board.push(other)
    assert engine.play(board, Limit(depth=4), game=game, ponder=True).move in board.legal_moves
    engine.send_game_result(board, winner=None, game_ending="agreed")


def test_a_repetition_is_known_from_the_moves_played(engine):
    board = chess.Board("7k/8/8/8/8/8/q7/7K b - - 0 1")
    assert engine.analyse(board, FEW_NODES)["score"].black() > Cp(300)
    for text in ("a2b2", "h1g1", "b2a2", "g1h1", "a2b2", "h1g1", "b2a2"):
        board.push_uci(text)
    info = engine.analyse(board, Limit(depth=1), root_moves=[chess.Move.from_uci("g1h1")])
    assert info["score"].relative == Cp(0)


def test_opponents_pings_and_names(engine):
    opponent = chess.engine.Opponent("Novice", title="FM", rating=2100, is_engine=False)
    engine.send_opponent_information(opponent=opponent)
    engine.play(chess.Board(), FEW_NODES, opponent=opponent)
    engine.ping()
    assert engine.id["name"].startswith("Kingcobra ")
    assert engine.id["author"]


@pytest.mark.parametrize("start", [in_process, by_pipes])
def test_after_the_end_every_call_raises(start):
    engine = start()
    engine.quit()
    engine.close()
    with pytest.raises(chess.engine.EngineTerminatedError):
        engine.play(chess.Board(), FEW_NODES)
    with pytest.raises(chess.engine.EngineTerminatedError):
        engine.ping()


def test_both_find_the_same_at_fixed_nodes():
    """Scores, lines and node counts, one game after another."""
    boards = [chess.Board(), chess.Board(KNIGHT_UP), chess.Board(CHESS960, chess960=True)]
    with in_process() as ours, by_pipes() as theirs:
        theirs.configure({"UCI_ShowWDL": True})
        for board in boards:
            for limit in (Limit(nodes=3000), Limit(depth=7)):
                mine = ours.analyse(board, limit, multipv=2, game=board.fen())
                other = theirs.analyse(board, limit, multipv=2, game=board.fen())
                wanted = ("score", "pv", "nodes", "depth", "seldepth", "wdl", "multipv", "hashfull")
                assert [[line[key] for key in wanted] for line in mine] == [
                    [line[key] for key in wanted] for line in other
                ]


# --- with an event loop -----------------------------------------------------------------------


@asynccontextmanager
async def async_in_process():
    async with kingcobra.AsyncEngine(hash_mb=UCI_DEFAULT_HASH_MB) as engine:
        yield engine


@asynccontextmanager
async def async_by_pipes():
    _transport, engine = await chess.engine.popen_uci(COMMAND)
    yield engine
    await engine.quit()


@pytest.mark.parametrize("start", [async_in_process, async_by_pipes])
def test_coroutines(start):
    async def use() -> None:
        async with start() as engine:
            board = chess.Board(MATE_IN_1)
            assert (await engine.play(board, FEW_NODES)).move == chess.Move.from_uci("a1a8")
            info = await engine.analyse(board, FEW_NODES)
            assert info["score"].white() == Mate(1)
            assert len(await engine.analyse(chess.Board(), FEW_NODES, multipv=2)) == 2
            await engine.configure({"Hash": 8})
            await engine.ping()
            assert engine.options["Hash"].max
            with await engine.analysis(chess.Board()) as analysis:
                async for info in analysis:
                    if info.get("depth", 0) >= 4:
                        break
            assert (await analysis.wait()).move is not None
            limited = await engine.analysis(board, Limit(depth=2))
            assert await limited.get()
            await limited.wait()
            while await limited.next() is not None:
                pass
            assert limited.empty()
            await engine.send_game_result(board)

    asyncio.run(use())
