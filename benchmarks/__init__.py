# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed, start-up and memory, measured side by side with a peer: python -m benchmarks

perft          leaves a second, beside Stockfish where it is installed
levels         the same at each CPU level
nodes          nodes a second of the search, classical evaluation
networks       the same with a network; how long an architecture takes to compile
threads        the same of two threads and more, and their time to a depth, beside one
movetime       how late a move comes while every core is busy
compiling      an empty cache until the object is there
startup        launch until readyok, beside `import numpy`; the first answer after it
resident       memory after readyok
arena          what the runner of matches costs a move
tables         nodes a second with and without endgame tables; probes a second
selfplay       positions that self-play harvests, and moves that it plays, a second
endings        won endings won, drawn ones held, with endgame tables; not run with the others
ladder         a gauntlet against other engines; not run with the others
strength       the matches that judge network and search; not run with the others

clock          how everything is timed: contenders in turn, round after round
compiled_core  the compiled core in this process
engines        a UCI engine as a child process
figures        the results: rows of a table, lines of the results file
"""
