# SPDX-License-Identifier: GPL-3.0-or-later
"""A UCI engine that plays a random legal move, well or, from its n-th move of the process on, in
the bad way that its first argument names. `python misbehaving_engine.py MANNER [N [FILE]]`; the
number of its process is added to the file. One that waits does so until the file is there."""

import os
import random
import sys
import time
from pathlib import Path

import chess

FLOOD_LINES = 200_000
SLOW_S = 1.0
FOREVER_S = 3600
POLL_S = 0.02

INFO_BY_MANNER = {
    "bound-first": "info depth 7 score cp 33 lowerbound wdl 1 2 3 nodes 5 pv e2e4",
    "chatty": "info depth 7 score cp 33 nodes 5 pv e2e4\ninfo string depth 9 score cp -999",
    "bound-last": "info depth 7 score cp 33 wdl 1 2 3 lowerbound nodes 5 pv e2e4",
    "losing": "info depth 9 score cp -900 nodes 10",
    "drawish": "info depth 9 score cp 3 nodes 10",
    "mated": "info depth 9 score mate -2 nodes 10",
}


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def misbehave(manner, board):
    """True if the manner has already given the answer."""
    if manner == "crash":
        sys.stderr.write("out of luck\n")
        sys.stderr.flush()
        os._exit(3)
    elif manner == "hang":
        time.sleep(FOREVER_S)
    elif manner == "waits":
        while not Path(sys.argv[3]).exists():
            time.sleep(POLL_S)
    elif manner == "slow":
        time.sleep(SLOW_S)
    elif manner == "almost-a-word":
        say("bestmovee2e4")
        time.sleep(SLOW_S)
    elif manner == "illegal":
        say("bestmove a1a1")
        return True
    elif manner == "null":
        say("bestmove 0000")
        return True
    elif manner == "none":
        say("bestmove (none)")
        return True
    elif manner == "impossible":
        # Well-formed, but the opponent's move.
        board.push(chess.Move.null())
        say(f"bestmove {next(iter(board.legal_moves)).uci()}")
        return True
    elif manner == "garbage":
        sys.stdout.buffer.write(
            b"\xff\xfe\x00 info score cp x\ninfo depth\nbest move\ninfo score\n"
        )
        sys.stdout.buffer.write(b"bestmovee2e4x\n\n   \ninfo string bestmove a1a1\n")
        sys.stdout.buffer.flush()
    elif manner == "flood":
        sys.stdout.write("chatter without end\ninfo depth 1 score cp 1\n" * FLOOD_LINES)
        sys.stderr.write("more of it\n" * FLOOD_LINES)
    return False


def main():
    manner = sys.argv[1] if len(sys.argv) > 1 else "well"
    bad_from = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    if len(sys.argv) > 3 and manner != "waits":
        with Path(sys.argv[3]).open("a") as pid_file:
            pid_file.write(f"{os.getpid()}\n")
    source = random.Random(f"{manner}")
    board = chess.Board()
    moves = 0
    is_960 = False
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            if manner == "crash-at-start":
                os._exit(4)
            if manner == "deaf":
                time.sleep(FOREVER_S)
            say("id name Misbehaving " + manner)
            say("option name UCI_Chess960 type check default false")
            say("option name Hash type spin default 1 min 1 max 64")
            say("option name OwnBook type check default true")
            say("uciok")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "setoption" and words[2] == "UCI_Chess960":
            is_960 = words[-1] == "true"
        elif words[0] == "setoption" and manner == "knows-no-tunables":
            say(f"No such option: {words[2]}")
        elif words[0] == "setoption" and manner == "notes-options":
            with Path(sys.argv[3]).open("a") as notes:
                notes.write(f"{os.getpid()} {words[2]} {words[4]}\n")
        elif words[0] == "position":
            moves_at = words.index("moves") if "moves" in words else len(words)
            fen = chess.STARTING_FEN if words[1] == "startpos" else " ".join(words[2:moves_at])
            board = chess.Board(fen, chess960=is_960)
            for move in words[moves_at + 1 :]:
                board.push_uci(move)
        elif words[0] == "go":
            moves += 1
            if manner == "notes-go":
                with Path(sys.argv[3]).open("a") as notes:
                    notes.write(line)
            if moves >= bad_from and misbehave(manner, board):
                continue
            say(INFO_BY_MANNER.get(manner, "info depth 2 score cp 100 nodes 20"))
            say("bestmove " + board.uci(source.choice(sorted(board.legal_moves, key=str))))
        elif words[0] == "quit" and manner != "stubborn":
            return
    if manner == "stubborn":
        time.sleep(FOREVER_S)


if __name__ == "__main__":
    main()
