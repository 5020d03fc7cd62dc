# SPDX-License-Identifier: GPL-3.0-or-later
"""SearchEngine: owns the game, the hash table and the threads that work for the user."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.basics import WHITE
from kingcobra.core.search.layout import MOST_GIVEN
from kingcobra.core.search.scores import EVALUATION_LIMIT
from kingcobra.engine.background import Action, BackgroundWork, Job
from kingcobra.engine.clock import NS_PER_MS, Budget, NodeClock, budget
from kingcobra.engine.evaluator import Evaluator
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.reports import SearchListener
from kingcobra.engine.search import Search, SearchTask
from kingcobra.engine.search_threads import SearchThreads
from kingcobra.engine.skill import FULL_LEVEL, Skill, skill_of_elo
from kingcobra.kernel.host import monotonic_ns
from kingcobra.kernel.objects import Core
from kingcobra.kernel.system.memory import Memory, OutOfMemory
from kingcobra.networks.classical_scale import CLASSICAL_SCALE

if TYPE_CHECKING:
    from kingcobra.kernel.system.numa import Policy
    from kingcobra.networks.loading import LoadedNetwork

MEBIBYTE = 1024 * 1024
DEFAULT_HASH_MB = 16
DEFAULT_OVERHEAD_MS = 10
LOWEST_ELO, HIGHEST_ELO = 1320, 3190

Say = Callable[[str], None]


class TooManyValues(ValueError):
    """More positions with a value of the user's than there is room for."""


class SearchEngine:
    """One engine as a user sees it. Its methods are called from one thread."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.chess960 = False
        self.lines = 1
        self.overhead_ms = DEFAULT_OVERHEAD_MS
        self.may_ponder = False
        self.analyse_mode = False
        self.skill_level = FULL_LEVEL
        self.limits_strength = False
        self.elo = LOWEST_ELO
        self.shows_wdl = False
        self.shows_current_line = False
        self.shows_refutations = False
        self.scale = CLASSICAL_SCALE
        # Of the side to move, by the positions' keys.
        self._position_values_cp: dict[int, int] = {}
        self.node_clock = NodeClock()
        # Hears what the engine does; for whoever debugs it.
        self.note: Say = lambda _text: None
        # Hears what whoever uses the engine should know.
        self.report: Say = lambda _text: None
        # Hears that something takes long, and how far it is; from the thread that does it.
        self.progress: Say = lambda _text: None
        # Called whenever a job has ended, from its thread.
        self.on_idle: Action = lambda: None
        self._numa_policy: Policy | None = None
        self._placed_threads = 1
        self.board = PositionHandle(core)
        self.table = Memory.anonymous(DEFAULT_HASH_MB * MEBIBYTE)
        self._threads = SearchThreads(core, core.addresses["evaluate_classical"])
        self.evaluator = Evaluator(core)
        self._search: Search | None = None
        self._work = BackgroundWork(self._report_fault, lambda: self.on_idle())

    # --- the game -----------------------------------------------------------------------------

    def new_game(self) -> None:
        """The start position; nothing is left of what was learnt before."""
        self.board = PositionHandle(self.core, chess960=self.chess960)
        self.node_clock.reset()
        self.clear_hash()

    def set_position(self, fen: str) -> None:
        """Sets up a position. On FenError the previous one stays."""
        self.board.set_fen(fen, self.chess960)

    # --- options: what threads at work use is changed only when they rest -----------------------

    def set_threads(self, count: int) -> None:
        """How many threads search together."""
        self.stop()
        self._threads.set_count(count)
        self._place_threads()
        self.note(f"{count} threads search")

    def set_hash_mb(self, size_mb: int) -> None:
        """An empty table of that size. On OutOfMemory the old one stays."""
        self.stop()
        table = _new_table(size_mb)
        self._threads.disconnect_table()
        self.table.release()
        self.table = table
        self.note(f"hash table of {size_mb} MiB")

    def lend(self, threads: int, hash_mb: int) -> Action:
        """Puts fresh threads and an empty table in the place of those of the game; returns what
        restores these as they were. On OutOfMemory nothing changes."""
        self.stop()
        table = _new_table(hash_mb)
        try:
            restore_threads = self._threads.replace(threads)
        except OutOfMemory:
            table.release()
            raise
        kept, self.table = self.table, table

        def restore() -> None:
            restore_threads()
            self.table = kept
            table.release()

        return restore

    def clear_hash(self) -> None:
        """Forgets all positions and all that the histories have learnt."""
        self.stop()
        self.clear_learnt()

    def clear_learnt(self) -> None:
        """The same from within work of one's own, between two searches."""
        self.table.clear()
        self._threads.forget()

    def set_chess960(self, chess960: bool) -> None:
        """How the positions to come are read and written."""
        self.chess960 = chess960

    def set_lines(self, lines: int) -> None:
        """How many best lines a search shows."""
        self.lines = lines

    def set_overhead_ms(self, overhead_ms: int) -> None:
        """Time that is lost between this engine and the clock, for each move."""
        self.overhead_ms = overhead_ms

    def set_may_ponder(self, may_ponder: bool) -> None:
        """Whether the opponent's time will be ours too: the clock is then spent more freely."""
        self.may_ponder = may_ponder

    def set_analyse_mode(self, analyse_mode: bool) -> None:
        """Whether a game is analysed rather than played: then nothing weakens or shortens the
        search, which uses all the time that it may."""
        self.analyse_mode = analyse_mode

    def set_numa_policy(self, policy: "Policy") -> None:
        """Which CPUs the threads of the searches to come run on."""
        self._numa_policy = policy
        self._placed_threads = 0
        self._place_threads()

    def set_skill_level(self, level: int) -> None:
        """How well it plays, from zero to FULL_LEVEL."""
        self.skill_level = level

    def set_limits_strength(self, limits_strength: bool) -> None:
        """Whether the rating decides how well it plays, rather than the level."""
        self.limits_strength = limits_strength

    def set_elo(self, elo: int) -> None:
        """The rating to play at when strength is limited."""
        self.elo = elo

    @property
    def skill(self) -> Skill:
        """How well it plays at present: analysis holds nothing back."""
        if self.analyse_mode:
            return Skill()
        return skill_of_elo(self.elo) if self.limits_strength else Skill(self.skill_level)

    def set_nodestime(self, nodes_per_ms: int) -> None:
        """How many nodes stand for a millisecond; zero for real time."""
        self.node_clock = NodeClock()
        self.node_clock.nodes_per_ms = nodes_per_ms

    def set_shows_wdl(self, shows: bool) -> None:
        """Whether scores come with chances to win, draw and lose."""
        self.shows_wdl = shows

    def set_shows_current_line(self, shows: bool) -> None:
        """Whether the line under way is shown every second."""
        self.shows_current_line = shows

    def set_shows_refutations(self, shows: bool) -> None:
        """Whether it is shown what refutes the other moves."""
        self.shows_refutations = shows

    def set_tunable(self, name: str, value: int) -> None:
        """Sets one parameter of the search."""
        self._threads.set_tunable(name, value)

    def set_position_value(self, fen: str, white_cp: int | None) -> None:
        """Gives a position a value that the search believes, or (None) takes it away. FenError for
        what is no position, TooManyValues when there is no room."""
        board = PositionHandle(self.core, fen, self.chess960)
        values = dict(self._position_values_cp)
        values.pop(board.key, None)
        if white_cp is not None:
            if len(values) == MOST_GIVEN:
                raise TooManyValues(f"{MOST_GIVEN} positions have values; clear some first")
            values[board.key] = white_cp if board.record.side == WHITE else -white_cp
        self._take_position_values(values)

    def given_white_cp(self, board: PositionHandle) -> int | None:
        """The value that the user gave to a position, from White's view; None if he gave none."""
        mover_cp = self._position_values_cp.get(board.key)
        if mover_cp is None:
            return None
        return mover_cp if board.record.side == WHITE else -mover_cp

    def clear_position_values(self) -> None:
        """All positions are evaluated again."""
        self._take_position_values({})

    def _take_position_values(self, values_cp: dict[int, int]) -> None:
        """What the search has learnt with other values is forgotten."""
        self.stop()
        self._position_values_cp = values_cp
        self._give_position_values()
        self.clear_hash()

    def _give_position_values(self) -> None:
        """The workers get them in the units of the evaluation in use."""
        scores = {key: self.scale.units(cp) for key, cp in self._position_values_cp.items()}
        self._threads.set_position_values(
            {
                key: max(-EVALUATION_LIMIT, min(score, EVALUATION_LIMIT))
                for key, score in scores.items()
            }
        )

    # --- options: the evaluation --------------------------------------------------------------

    def set_network(self, name: str) -> None:
        """The network that evaluates, none for an empty name. On EvaluatorError the old one stays,
        here and below."""
        self._change_evaluation(network=self._loaded(name))

    def set_small_network(self, name: str) -> None:
        """The network that has first say in lopsided positions, none for an empty name."""
        self._change_evaluation(small=self._loaded(name))

    def set_evaluation(self, mode: str) -> None:
        """One of evaluator.MODES."""
        self._change_evaluation(mode=mode)

    def _loaded(self, name: str) -> "LoadedNetwork | None":
        network = self.evaluator.load(name, self.progress)
        if network is not None:
            # Not at the start: the classical evaluation needs none.
            from kingcobra.networks.network_files import IDENTIFIED_BY_CONTENT

            architecture = network.architecture
            text = f"{network.name} read as {architecture.name}: Stockfish {architecture.stockfish}"
            if network.identified_by == IDENTIFIED_BY_CONTENT:
                self.report(f"{text}, by its content: another version has the same header")
            else:
                self.note(text)
        return network

    def _change_evaluation(self, **changes: Any) -> None:
        """Nothing is kept that was learnt with another evaluation."""
        self.stop()
        self.evaluator.change(self._threads, **changes)
        self.scale = self.evaluator.scale
        self._give_position_values()
        self.clear_learnt()

    # --- work ---------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether a job is running; see BackgroundWork."""
        return self._work.busy

    @property
    def awaits_stop(self) -> bool:
        """Whether a job is running that ends only when it is stopped."""
        return self._work.awaits_stop

    @property
    def is_measuring(self) -> bool:
        """Whether a job is running whose end later requests wait for."""
        return self._work.is_measuring

    def start(self, job: Job) -> None:
        """Runs a job in the background. The job before it is stopped first, and has its say."""
        self.stop()
        self._work.start(job)

    def search(
        self,
        position: PositionHandle,
        limits: SearchLimits,
        listener: SearchListener,
        asked_ns: int = 0,
    ) -> Search:
        """A search of the position, ready to run; no other one may be running. Time counts from
        `asked_ns`, zero meaning now."""
        budget = self._budget(limits)
        self.note(f"time: soft limit {_in_ms(budget.soft_ns)}, hard limit {_in_ms(budget.hard_ns)}")
        self._place_threads()
        self._threads.connect_table(self.table)
        task = SearchTask(
            position,
            limits,
            budget,
            started_ns=asked_ns or monotonic_ns(),
            lines=self.lines,
            skill=self.skill,
            shows_refutations=self.shows_refutations,
            shows_current_lines=self.shows_current_line,
        )
        spend = self.node_clock.spend if budget.most_nodes else None
        self._search = Search(self.core, self._threads, task, listener, self._report_fault, spend)
        return self._search

    def ponderhit(self) -> None:
        """The expected move was played."""
        if self.busy and self._search is not None:
            self._search.ponderhit()

    def hashfull_permille(self) -> int:
        """How full the hash table of the last search is."""
        return self._threads.hashfull_permille()

    def _budget(self, limits: SearchLimits) -> Budget:
        """The time for one move; analysis uses all of it."""
        if self.node_clock.nodes_per_ms:
            found = self.node_clock.budget(limits)
        else:
            found = budget(limits, self.overhead_ms, self.may_ponder)
        return found._replace(soft_ns=0) if self.analyse_mode else found

    def _place_threads(self) -> None:
        """Tells each thread which CPUs are its own, unless that is known already. Without a wish of
        the user a single thread is left to the system."""
        threads = len(self._threads.members)
        if threads == self._placed_threads:
            return
        from kingcobra.kernel.system import numa  # a single thread does without

        self._placed_threads = threads
        policy = self._numa_policy or numa.Policy(numa.AUTO)
        self._threads.placement = numa.Placement(numa.places(policy, threads), self.note)

    def _report_fault(self, error: Exception) -> None:
        self.report(f"error: internal, at work: {type(error).__name__}: {error}")

    def stop(self) -> None:
        """Ends the running job and waits until its closing action is done."""
        self._work.stop()

    def shut_down(self) -> None:
        """Ends all that is under way, a compilation in another thread too. Nothing follows."""
        self.evaluator.cancel()
        self.stop()


def _new_table(size_mb: int) -> Memory:
    try:
        return Memory.anonymous(size_mb * MEBIBYTE)
    except OutOfMemory as error:
        raise OutOfMemory(f"Hash {size_mb} MiB cannot be had: {error}") from None


def _in_ms(time_ns: int) -> str:
    return f"{time_ns // NS_PER_MS} ms" if time_ns else "none"
