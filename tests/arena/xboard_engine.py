# SPDX-License-Identifier: GPL-3.0-or-later
"""An XBoard engine that plays the first legal move. `python xboard_engine.py [WORD …]`; the words
are commands of the protocol that it does not know: setboard, sd, depth, nps. Told a depth, it
reports that depth with every move."""

import sys

import chess


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main():
    unknown = set(sys.argv[1:])
    board = chess.Board()
    depth = 1
    forced = False

    def move():
        chosen = min(board.legal_moves, key=str)
        say(f"{depth} 15 1 20 {chosen}")
        board.push(chosen)
        say(f"move {chosen}")

    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word in unknown:
            say(f"Illegal move: {line.strip()}")
        elif word == "protover":
            setboard = int("setboard" not in unknown)
            say(f'feature setboard={setboard} ping=1 usermove=1 colors=0 myname="Fake" done=1')
        elif word == "new":
            board, forced = chess.Board(), False
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
        elif word in ("sd", "depth"):
            depth = int(rest)
        elif word == "quit":
            return


if __name__ == "__main__":
    main()
