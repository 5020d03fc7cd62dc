# SPDX-License-Identifier: GPL-3.0-or-later
"""One thread of self-play as plain Python sees it."""

import ctypes
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kingcobra.core.network.architectures import OUTPUT_SCALE
from kingcobra.core.objects import CORE
from kingcobra.core.search.layout import BUCKET_BYTES
from kingcobra.core.selfplay.layout import BUFFER_FULL, GAME_OVER, PERMILLE, STOPPED, Player
from kingcobra.core.selfplay_objects import SELF_PLAY
from kingcobra.engine.endgame_tables import EndgameTables
from kingcobra.engine.search_thread import SearchThread
from kingcobra.kernel.build import Builder, OnProgress
from kingcobra.kernel.objects import LoadedObject
from kingcobra.kernel.system.memory import Memory
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.networks.loading import LoadedNetwork, ThreadMemory, file_digest, load
from kingcobra.networks.network_files import find_network
from kingcobra.networks.network_scales import raw_per_pawn
from kingcobra.text_values import quoted
from kingcobra.training.selfplay.book import StartPositions
from kingcobra.training.selfplay.settings import HARVEST, SelfPlayError, SelfPlaySettings
from kingcobra.version import __version__

__all__ = [
    "BUFFER_FULL",
    "GAME_OVER",
    "STOPPED",
    "Objects",
    "SelfPlayer",
    "Teacher",
    "open_endgame_tables",
]

# Labels of the classical evaluation, in the unit of a typical network.
CLASSICAL_RAW_PER_PAWN = 225 * OUTPUT_SCALE
# Names of evaluations that are no files.
CLASSICAL, DEFAULT, TEACHER = "classical", "default", "teacher"
BUFFER_BYTES = 1 << 21
KIB = 1024


@dataclass(frozen=True)
class Objects:
    """The machine code of a run."""

    core: LoadedObject
    selfplay: LoadedObject

    @classmethod
    def obtain(cls, report: OnProgress) -> "Objects":
        """Compiled where they are missing. Raises what compiling may raise."""
        return cls(Builder(CORE, report).obtain(), Builder(SELF_PLAY, report).obtain())


def open_endgame_tables(core: LoadedObject, path: str, report: OnProgress) -> EndgameTables | None:
    """The tables of a path, None for a blank one; SelfPlayError where there are none."""
    if not path.strip():
        return None
    tables = EndgameTables(core, report)
    tables.open(path)
    if not tables.men:
        raise SelfPlayError(f"no tablebase files in {quoted(path)}")
    return tables


class Teacher:
    """Who evaluates: a network, or the classical evaluation."""

    def __init__(self, network: LoadedNetwork | None = None) -> None:
        self._network = network
        self.name = network.name if network else CLASSICAL
        self.path = network.path if network else None
        self.digest = file_digest(network.path) if network and network.digest else ""
        self.raw_per_pawn = (
            raw_per_pawn(network.architecture, network.digest)
            if network
            else CLASSICAL_RAW_PER_PAWN
        )

    @classmethod
    def from_file(cls, name: str, report: OnProgress) -> "Teacher":
        """The network of that name; raises what loading may raise."""
        return cls(load(find_network(name), report))

    @classmethod
    def named(cls, name: str, report: OnProgress) -> "Teacher":
        """The network of that name, the default one, or the classical evaluation; raises what
        loading may raise."""
        if name == CLASSICAL:
            return cls()
        return cls.from_file(DEFAULT_NETWORK if name == DEFAULT else name, report)

    def connect(self, thread: SearchThread) -> None:
        """Has a thread of the search evaluate with it. New threads evaluate classically."""
        if self._network is not None:
            memory = ThreadMemory(self._network, thread.address)
            evaluate = self._network.code.addresses["evaluate_network"]
            thread.use_evaluation(evaluate, memory.address, memory)

    def connect_labels(self, player: Player, classical: int) -> ThreadMemory | None:
        """Has it label what somebody else evaluates. `classical` is the address of the classical
        evaluation; what is returned must stay as long as the player."""
        worker = ctypes.addressof(player.worker)
        if self._network is None:
            player.harvest.label = classical
            player.harvest.label_argument = worker
            player.harvest.label_network = 0
            return None
        memory = ThreadMemory(self._network, worker)
        player.harvest.label = self._network.code.addresses["evaluate_small"]
        player.harvest.label_argument = player.harvest.label_network = memory.address
        return memory


def origin_of(
    settings: SelfPlaySettings,
    teacher: Teacher,
    book: StartPositions | None,
    students: Sequence[Teacher] = (),
) -> dict[str, Any]:
    """What data says of where it comes from."""
    origin = {
        **settings.origin(),
        "program": f"Kingcobra {__version__}",
        "teacher": teacher.name,
        "teacher_sha256": teacher.digest,
        "raw_per_pawn": teacher.raw_per_pawn,
        "book": book.name if book else "",
    }
    if students:
        origin["students"] = [student.name for student in students]
    return origin


def students_named(names: Sequence[str], teacher: Teacher, report: OnProgress) -> list[Teacher]:
    """Who plays while the teacher labels; nobody where it plays itself. Raises what loading may
    raise."""
    known = {TEACHER: teacher}
    for name in names:
        if name not in known:
            known[name] = Teacher.named(name, report)
    return [known[name] for name in names]


def players_in_turn(
    students: Sequence[Teacher], teacher: Teacher, threads: int
) -> Iterator[Teacher]:
    """Who plays in each thread."""
    return itertools.islice(itertools.cycle(students or [teacher]), threads)


class SelfPlayer:
    """Plays games in compiled code. Used by one thread at a time, `stop` apart."""

    def __init__(
        self,
        objects: Objects,
        settings: SelfPlaySettings,
        teacher: Teacher,
        book: StartPositions | None = None,
        opponent: Teacher | None = None,
        endgame_tables: EndgameTables | None = None,
        student: Teacher | None = None,
    ) -> None:
        """A student plays harvested games while the teacher labels. Threads may share endgame
        tables."""
        self._objects = objects
        self._endgame_tables = endgame_tables
        self._settings = settings
        self._book = book
        self._memory = Memory.anonymous(ctypes.sizeof(Player))
        self._tables: list[Memory] = []
        self._buffer = Memory.anonymous(BUFFER_BYTES)
        self.record = self._memory.record(Player)
        self._thread = self._new_thread(student or teacher, self._memory)
        self._set_up_record()
        if settings.kind == HARVEST:
            self._set_up_harvest(teacher, is_evaluating=student is None or student is teacher)
        else:
            self.record.writes_games = 1
        if opponent is not None:
            worker = Memory.anonymous(ctypes.sizeof(type(self._thread.record)))
            self._opponent = self._new_thread(opponent, worker)
            self.record.opponent = self._opponent.address

    def _new_thread(self, teacher: Teacher, memory: Memory) -> SearchThread:
        core = self._objects.core
        thread = SearchThread(core, 0, core.addresses["evaluate_classical"], memory)
        teacher.connect(thread)
        if self._endgame_tables is not None:
            self._endgame_tables.connect(thread.record, is_used=True)
        table = Memory.anonymous(self._settings.hash_kib * KIB // BUCKET_BYTES * BUCKET_BYTES)
        thread.use_table(table, 0)
        self._tables.append(table)
        return thread

    def _set_up_record(self) -> None:
        record, settings = self.record, self._settings
        record.think = self._objects.core.addresses["think"]
        record.buffer = self._buffer.address
        record.room = self._buffer.size
        for name, value in settings.rules().items():
            setattr(record.rules, name, value)
        if self._book is not None:
            record.rules.book = self._book.address
            record.rules.book_count = self._book.count

    def _set_up_harvest(self, teacher: Teacher, is_evaluating: bool) -> None:
        record, settings = self.record, self._settings
        if is_evaluating:
            record.harvest.label_network = record.worker.network
        else:
            classical = self._objects.core.addresses["evaluate_classical"]
            self._labels = teacher.connect_labels(record, classical)
        record.harvest.evaluate = record.worker.evaluate
        record.worker.evaluate = self._objects.selfplay.addresses["evaluate_and_harvest"]
        record.harvest.one_in = settings.one_in
        record.harvest.noisy_share = round(settings.noisy_share * PERMILLE)
        record.harvest.game_share = round(settings.game_share * PERMILLE)
        record.harvest.raw_per_pawn = teacher.raw_per_pawn
        record.harvest.max_raw = round(settings.max_pawns * teacher.raw_per_pawn)

    def set_tunables(self, own: dict[str, int], opponent: dict[str, int]) -> None:
        """Sets parameters of the search, on both sides of a match. Those not named stay as they
        are."""
        self._thread.set_tunables(own)
        self._opponent.set_tunables(opponent)

    def begin(self, game_number: int, games: int = 1) -> None:
        """The next game will be this one, with those behind it if there are to be several; one in
        progress is dropped."""
        self.record.game_number = game_number
        self.record.games_wanted = games
        self.record.games_over = 0
        self.record.playing = self.record.retries = 0

    @property
    def soft_nodes(self) -> int:
        """After about so many nodes a search ends."""
        return self._settings.soft_nodes

    @property
    def games_over(self) -> int:
        """How many of the games since `begin` are over."""
        return int(self.record.games_over)

    def play_on(self) -> int:
        """Plays until the games are over (GAME_OVER), `take` is due (BUFFER_FULL) or `stop` was
        called (STOPPED). Other Python threads run meanwhile."""
        return self._objects.selfplay.play_on(self._memory.address)

    def stop(self) -> None:
        """Ends `play_on` after the present move; callable from any thread."""
        self.record.stop = 1

    @property
    def waiting_bytes(self) -> int:
        """How much `take` would return."""
        return int(self.record.count)

    def take(self) -> bytes:
        """What was written since the last time: packed positions, or finished games."""
        data = ctypes.string_at(self._buffer.address, self.record.count)
        self.record.count = 0
        return data
