# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed, start-up and memory, measured side by side with a peer: python -m benchmarks

perft      leaves a second, beside Stockfish where it is installed
levels     the same at each CPU level
compiling  an empty cache until the object is there
startup    launch until readyok, beside `import numpy`; the first answer after it
resident   memory after readyok

clock      the one way of timing: contenders in turn, round after round
machines   the compiled core in this process
engines    a UCI engine as a child process
figures    what a benchmark gives: rows of a table, lines of the results file
"""
