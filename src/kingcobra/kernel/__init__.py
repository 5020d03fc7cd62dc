# SPDX-License-Identifier: GPL-3.0-or-later
"""How Python becomes machine code. This room knows no chess.

mode       which of the ways compiled code runs in this process
compiled   the one decorator for compiled functions, and the one for entry points
machine    operations that are single instructions, each with a plain twin
bits       bit operations, raw memory, clock, prefetch, call through an address
simd       vectors as values of compiled code
statics    tables that live inside the compiled object
records    C-like records: described once, seen by ctypes, NumPy and Numba
memory     big memory: aligned, huge pages, anonymous or mapped from a file
levels     CPU feature levels
numa       which CPUs a thread may run on
container  how much memory the container around the process allows
host       whatever differs between Linux, macOS and Windows
objects    compiled objects: their key, their file, where they lie, how they load
emit       the child process that compiles one object
build      obtaining an object: found, or compiled once while others wait
"""
