# SPDX-License-Identifier: GPL-3.0-or-later
"""An XBoard engine that plays the first legal move. `python xboard_engine.py [WORD …]`; the words
are commands of the protocol that it does not know: setboard, sd, depth, nps. With notes=FILE it
writes its input to the file; with late it prints its features late, and with unmentioned
it says nothing about setboard. Given a depth, it reports that depth with every move, but as some
real engines do: without a clock it has no time for more than one ply, and a clock after
the depth cancels the depth. Of its options Learn and Depth it refuses the depth 9."""

import sys
import time
from pathlib import Path

import chess

LATE_S = 2.5


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main():
    unknown = {word for word in sys.argv[1:] if "=" not in word}
    notes = [word.partition("=")[2] for word in sys.argv[1:] if word.startswith("notes=")]
    board = chess.Board()
    depth = 1
    has_clock = forced = False

    def move():
        chosen = min(board.legal_moves, key=str)
        say(f"{depth if has_clock else 1} 15 1 20 {chosen}")
        board.push(chosen)
        say(f"move {chosen}")

    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        for file in notes:
            with Path(file).open("a") as copy:
                copy.write(line)
        if word in unknown:
            say(f"Illegal move: {line.strip()}")
        elif word == "protover":
            time.sleep(LATE_S if "late" in unknown else 0)
            setboard = f"setboard={int('setboard' not in unknown)}"
            setboard = "" if "unmentioned" in unknown else setboard
            say('feature option="Depth -spin 1 1 9" option="Learn -check 1"')
            say(f'feature {setboard} ping=1 usermove=1 colors=0 myname="Fake" done=1')
        elif line.strip() == "option Depth=9":
            say(f"Error (bad value): {line.strip()}")
        elif word == "new":
            board, forced = chess.Board(), False
            has_clock = False
        elif word == "setboard":
            board = chess.Board(rest)
        elif word == "ping":
            say(f"pong {rest}")
        elif word == "force":
            forced = True
        elif word == "usermove":
            board.push_uci(rest)
            if not forced:
                move()
        elif word == "go":
            forced = False
            move()
        elif word == "level":
            has_clock, depth = True, 1
        elif word in ("sd", "depth"):
            depth = int(rest)
        elif word == "quit":
            return


if __name__ == "__main__":
    main()
