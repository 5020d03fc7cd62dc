# SPDX-License-Identifier: GPL-3.0-or-later
"""Which CPUs a thread may run on: on large machines memory is nearer to some than to others.

A node is a set of CPUs that share memory. A policy says which nodes there are; threads are spread
over them, and each binds itself to the CPUs of its node when it begins to work.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from kingcobra.text_values import parse_integer

NONE, SYSTEM, AUTO, HARDWARE = "none", "system", "auto", "hardware"
NAMES = (NONE, SYSTEM, AUTO, HARDWARE)
CUSTOM = "custom"

NODE_FOLDER = Path("/sys/devices/system/node")
# No system has a CPU of a higher number; it keeps a mistyped range from filling the memory.
MAX_CPU = 65_535
NODE_SEPARATOR, CPU_SEPARATOR, RANGE_SEPARATOR = ":", ",", "-"

Cpus = frozenset[int]
Nodes = tuple[Cpus, ...]


class NumaError(ValueError):
    """A policy that cannot be read or applied; the message says why."""


class Policy(NamedTuple):
    """One of NAMES, or CUSTOM with the user's nodes."""

    name: str
    nodes: Nodes = ()


# --- text -------------------------------------------------------------------------------------


def parse_policy(text: str) -> Policy:
    """A name such as `auto`, or a list of CPUs for each node: `0-3,8:4-7,9`. NumaError for anything
    else, for a CPU named twice and for one that this machine does not have."""
    if text in NAMES:
        return Policy(text)
    nodes = tuple(parse_cpus(part) for part in text.split(NODE_SEPARATOR))
    seen: set[int] = set()
    for cpus in nodes:
        if seen & cpus:
            raise NumaError(f"CPU {min(seen & cpus)} is in two nodes")
        seen |= cpus
    missing = seen - all_cpus()
    if missing:
        raise NumaError(f"this machine has no CPU {min(missing)}")
    return Policy(CUSTOM, nodes)


def parse_cpus(text: str) -> Cpus:
    """The numbers of a list such as `0-3,8`."""
    cpus: set[int] = set()
    for part in text.split(CPU_SEPARATOR):
        first_text, dash, last_text = part.partition(RANGE_SEPARATOR)
        first = _cpu(first_text, part)
        last = _cpu(last_text, part) if dash else first
        if last < first:
            raise NumaError(f"{part!r} goes backwards")
        named = range(first, last + 1)
        if not cpus.isdisjoint(named):
            raise NumaError(f"{part!r} repeats a CPU")
        cpus.update(named)
    return frozenset(cpus)


def _cpu(digits: str, part: str) -> int:
    cpu = parse_integer(digits, 0, MAX_CPU)
    if cpu is None:
        raise NumaError(f"{part!r} is not a CPU or a range of CPUs")
    return cpu


def format_cpus(cpus: Cpus) -> str:
    """The inverse of parse_cpus."""
    parts: list[str] = []
    for cpu in sorted(cpus):
        if cpu - 1 in cpus:
            continue
        last = cpu
        while last + 1 in cpus:
            last += 1
        parts.append(str(cpu) if last == cpu else f"{cpu}{RANGE_SEPARATOR}{last}")
    return CPU_SEPARATOR.join(parts)


# --- the machine ------------------------------------------------------------------------------


def can_bind() -> bool:
    """Whether this system can bind threads to CPUs."""
    return hasattr(os, "sched_setaffinity")


def allowed_cpus() -> Cpus:
    """The CPUs that this process may use. The first thread, which is never bound, tells."""
    if can_bind():
        return frozenset(os.sched_getaffinity(os.getpid()))
    return frozenset(range(os.cpu_count() or 1))


def hardware_nodes(folder: Path = NODE_FOLDER) -> Nodes:
    """The nodes that the system lists; where it lists none, one node of all CPUs."""
    nodes = []
    for path in sorted(folder.glob("node[0-9]*"), key=lambda path: int(path.name[len("node") :])):
        try:
            text = (path / "cpulist").read_text("ascii").strip()
        except OSError:
            continue
        if text:  # a node may have memory and no CPU
            nodes.append(parse_cpus(text))
    return tuple(nodes) or (frozenset(range(os.cpu_count() or 1)),)


def all_cpus() -> Cpus:
    """Every CPU of the machine, whether this process may use it or not."""
    return frozenset().union(*hardware_nodes())


# --- threads to nodes -------------------------------------------------------------------------


def places(policy: Policy, threads: int, folder: Path = NODE_FOLDER) -> list[Cpus]:
    """The CPUs of each thread; empty when the threads are not to be bound.

    `auto` binds when there are several nodes and the threads do not fit into one of them: fewer
    are better left to the system, which keeps them close to each other."""
    if policy.name == NONE:
        return []
    if policy.name == CUSTOM:
        return spread(policy.nodes, threads)
    nodes = hardware_nodes(folder)
    if policy.name == HARDWARE:
        return spread(nodes, threads)
    usable = allowed_cpus()
    nodes = tuple(cpus & usable for cpus in nodes if cpus & usable)
    if policy.name == AUTO and (len(nodes) < 2 or threads <= max(map(len, nodes))):
        return []
    return spread(nodes, threads) if nodes else []


def spread(nodes: Nodes, threads: int) -> list[Cpus]:
    """Each thread goes to the node with the fewest threads per CPU, the first of equals."""
    counts = [0] * len(nodes)
    chosen = []
    for _ in range(threads):
        node = min(range(len(nodes)), key=lambda index: (counts[index] + 1) / len(nodes[index]))
        counts[node] += 1
        chosen.append(nodes[node])
    return chosen


class Placement:
    """Binds the thread that enters it: `with placement(number): …`. Outside the block the thread
    may run where it could before. `on_bound` gets the thread's number, its CPUs and, where the
    system refused, the error."""

    def __init__(
        self, cpus_of_threads: list[Cpus], on_bound: Callable[[int, Cpus, OSError | None], None]
    ) -> None:
        self._cpus = cpus_of_threads
        self._on_bound = on_bound

    @contextmanager
    def __call__(self, number: int) -> Iterator[None]:
        """Where the system refuses, the thread runs unbound."""
        if not (self._cpus and can_bind()):
            yield
            return
        cpus = self._cpus[number]
        before = os.sched_getaffinity(0)
        try:
            os.sched_setaffinity(0, cpus)
        except OSError as error:
            self._on_bound(number, cpus, error)
            yield
            return
        self._on_bound(number, cpus, None)
        try:
            yield
        finally:
            with suppress(OSError):  # the CPUs may have been taken away in the meantime
                os.sched_setaffinity(0, before)
