# SPDX-License-Identifier: GPL-3.0-or-later
"""SearchEngine: owns the game, the hash table and the threads that work for the user."""

from typing import TYPE_CHECKING

from kingcobra.board.position_handle import PositionHandle
from kingcobra.engine.background import Action, BackgroundWork, Job
from kingcobra.engine.clock import NS_PER_MS, Budget, NodeClock, Situation, budget
from kingcobra.engine.endgame_tables import EndgameTables
from kingcobra.engine.engine_listener import EngineListener
from kingcobra.engine.evaluator import CLASSICAL, EvaluationChoice, Evaluator
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.own_book import OwnBook
from kingcobra.engine.position_values import PositionValues
from kingcobra.engine.reports import SearchListener
from kingcobra.engine.search import Search, SearchTask
from kingcobra.engine.search_threads import SearchThreads
from kingcobra.engine.settings import EngineSettings
from kingcobra.kernel.host import monotonic_ns
from kingcobra.kernel.objects import LoadedObject
from kingcobra.kernel.system.memory import Memory, OutOfMemory, available_bytes
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.networks.scale import Scale

if TYPE_CHECKING:
    from kingcobra.kernel.system.numa import Policy
    from kingcobra.networks.loading import LoadedNetwork

MEBIBYTE = 1024 * 1024
DEFAULT_HASH_MB = 16
CLASSICAL_NAME = "the classical evaluation"


class SearchEngine:
    """One engine as a user sees it. Its methods are called from one thread. It evaluates
    classically until `prepare` or `set_network` is called."""

    def __init__(self, core: LoadedObject, listener: EngineListener | None = None) -> None:
        self.core = core
        self.settings = EngineSettings()
        self.board = PositionHandle(core)
        self.book = OwnBook()
        self.evaluator = Evaluator(core)
        # Whether a network, or none, was asked for.
        self._is_network_chosen = False
        self.table = Memory.anonymous(DEFAULT_HASH_MB * MEBIBYTE)
        self.node_clock = NodeClock()
        self._listener = listener or EngineListener()
        self.tables = EndgameTables(core, self._listener.on_tables)
        self._position_values = PositionValues()
        self._threads = SearchThreads(core, core.addresses["evaluate_classical"])
        self._numa_policy: Policy | None = None
        self._placed_threads = 1
        self._search: Search | None = None
        self._work = BackgroundWork(self._listener.on_fault, self._listener.on_idle)
        # Whether table and threads may hold what a search has learnt.
        self._has_learnt = False

    # --- the game -----------------------------------------------------------------------------

    def new_game(self) -> None:
        """The start position; nothing is left of what was learnt before."""
        self.board = PositionHandle(self.core, chess960=self.settings.chess960)
        self.node_clock.reset()
        self.clear_hash()

    def set_position(self, fen: str) -> None:
        """Sets up a position. On FenError the previous one stays."""
        self.board.set_fen(fen, self.settings.chess960)

    # --- threads and hash table: changed only when no job is running --------------------------

    def set_threads(self, count: int) -> None:
        """How many threads search together."""
        self.stop()
        self._threads.set_count(count)
        self._place_threads()
        self._listener.on_threads(count)

    def set_hash_mb(self, size_mb: int) -> None:
        """An empty table of that size. On OutOfMemory the old one stays, empty if its pages were
        given up for the new one."""
        self.stop()
        try:
            table = _new_table(size_mb)
        except OutOfMemory:
            if not self._makes_room(size_mb * MEBIBYTE):
                raise
            table = _new_table(size_mb)
        self._threads.disconnect_table()
        self.table.release()
        self.table = table
        self._listener.on_hash(size_mb)

    def _makes_room(self, size: int) -> bool:
        """Gives the pages of the table back where so much might be allocated with them; whether
        it did."""
        available = available_bytes()
        return (
            available is not None and size <= available + self.table.size and self.table.discard()
        )

    def lend(self, threads: int | None = None, hash_mb: int | None = None) -> Action:
        """Puts fresh threads and an empty table in the place of those of the game, as many and as
        large unless given; returns what restores these as they were. On OutOfMemory nothing
        changes."""
        self.stop()
        table = _new_table(hash_mb or self.table.size // MEBIBYTE)
        try:
            restore_threads = self._threads.replace(threads or len(self._threads.members))
        except OutOfMemory:
            table.release()
            raise
        kept, self.table = self.table, table
        had_learnt, self._has_learnt = self._has_learnt, False

        def restore() -> None:
            restore_threads()
            self.table = kept
            self._has_learnt = had_learnt
            table.release()

        return restore

    def clear_hash(self) -> None:
        """Empties the hash table and the histories."""
        self.stop()
        self.clear_learnt()

    def clear_learnt(self) -> None:
        """The same from within a job, between two searches. Where nothing was searched, nothing is
        touched: pages of a table belong to the memory of the thread that first writes to them."""
        if self._has_learnt:
            self._threads.forget(self.table)
        self._has_learnt = False

    def set_numa_policy(self, policy: "Policy") -> None:
        """Which CPUs the threads of the searches to come run on."""
        self._numa_policy = policy
        self._placed_threads = 0
        self._place_threads()

    def set_tables(self, path: str) -> None:
        """The endgame tables in these folders. What was learnt with others is forgotten."""
        self.stop()
        self.tables.open(path)
        self.clear_learnt()

    def set_fifty_rule(self, counts: bool) -> None:
        """Whether the fifty-move rule counts when endgame tables are asked. What was learnt with
        the other rule is forgotten."""
        self.stop()
        self.tables.is_fifty_rule = counts
        self.clear_learnt()

    def set_nodestime(self, nodes_per_ms: int) -> None:
        """How many nodes stand for a millisecond; zero for real time."""
        self.node_clock = NodeClock()
        self.node_clock.nodes_per_ms = nodes_per_ms

    def set_tunable(self, name: str, value: int) -> None:
        """Sets one parameter of the search."""
        self._threads.set_tunable(name, value)

    # --- the evaluation -----------------------------------------------------------------------

    @property
    def scale(self) -> Scale:
        """What the scores of the evaluation in use mean."""
        return self.evaluator.scale

    def set_position_value(self, fen: str, white_cp: int | None) -> None:
        """Gives a position a value that the search believes, or (None) takes it away. FenError for
        a FEN that is not a position, TooManyValues when there is no room."""
        position = PositionHandle(self.core, fen, self.settings.chess960)
        self.stop()
        self._position_values.set(position, white_cp)
        self._use_position_values()

    def given_white_cp(self, board: PositionHandle) -> int | None:
        """The value that the user gave to a position, from White's view; None if there is none."""
        return self._position_values.white_cp(board)

    def clear_position_values(self) -> None:
        """All positions are evaluated again."""
        self.stop()
        self._position_values.clear()
        self._use_position_values()

    def _use_position_values(self) -> None:
        """Nothing is kept that was learnt with other values."""
        self._threads.set_position_values(self._position_values.scores(self.scale))
        self.clear_learnt()

    @property
    def is_prepared(self) -> bool:
        """Whether `prepare` has nothing to do."""
        return self._is_network_chosen or self.evaluator.mode == CLASSICAL

    def prepare(self) -> None:
        """Loads the default network, unless another one, none, or the classical evaluation was
        chosen. To be called before anything is evaluated, and after options that say which network:
        loading is for nothing otherwise. On EvaluatorError the classical evaluation is in use, and
        it is not tried again."""
        if not self.is_prepared:
            try:
                self.set_network(DEFAULT_NETWORK)
            finally:
                self._is_network_chosen = True

    def set_network(self, name: str) -> None:
        """The network that evaluates, none for an empty name. On EvaluatorError the old one stays,
        here and below."""
        network = self._loaded(name)
        self._use_evaluation(self.evaluator.choice._replace(network=network))
        self._is_network_chosen = True
        if network is None:
            self._listener.on_no_network()

    def set_small_network(self, name: str) -> None:
        """The network that has first say in lopsided positions, none for an empty name."""
        small = self._loaded(name)
        self._use_evaluation(self.evaluator.choice._replace(small=small))

    def set_evaluation(self, mode: str) -> None:
        """One of evaluator.MODES."""
        self._use_evaluation(self.evaluator.choice._replace(mode=mode))

    @property
    def evaluation_name(self) -> str:
        """What evaluates, or will as soon as something is to be evaluated."""
        if not self.is_prepared:
            return DEFAULT_NETWORK
        network = self.evaluator.network
        return network.name if network and self.evaluator.uses_network else CLASSICAL_NAME

    def _loaded(self, name: str) -> "LoadedNetwork | None":
        network = self.evaluator.load(name, self._listener.on_compiling)
        if network is not None:
            self._listener.on_network(network)
        return network

    def _use_evaluation(self, choice: EvaluationChoice) -> None:
        self.stop()
        self.evaluator.use(choice, self._threads)
        self._use_position_values()

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
        started_ns: int = 0,
    ) -> Search:
        """A search of the position, ready to run; no other one may be running. Time counts from
        `started_ns`, zero meaning now."""
        budget = self._budget(limits, position)
        self._listener.on_budget(budget)
        self._place_threads()
        self._threads.connect_table(self.table)
        self._has_learnt = True
        task = SearchTask(
            position,
            limits,
            budget,
            started_ns=started_ns or monotonic_ns(),
            lines=self.settings.lines,
            skill=self.settings.skill,
            shows_refutations=self.settings.shows_refutations,
            shows_current_lines=self.settings.shows_current_lines,
            tables=self.tables,
            line_ns=self._line_ns(budget),
        )
        spend = self.node_clock.spend if budget.most_nodes else None
        self._search = Search(
            self.core, self._threads, task, listener, self._listener.on_fault, spend
        )
        return self._search

    def ponderhit(self) -> None:
        """The expected move was played."""
        if self.busy and self._search is not None:
            self._search.ponderhit()

    def hashfull_permille(self) -> int:
        """How full the hash table of the last search is."""
        return self._threads.hashfull_permille()

    def _budget(self, limits: SearchLimits, position: PositionHandle) -> Budget:
        """The time for one move; analysis uses all of it."""
        situation = Situation(
            self.settings.overhead_ms,
            self.settings.may_ponder,
            position.record.game_ply,
            self._threads.clock_tuning,
        )
        if self.node_clock.nodes_per_ms:
            found = self.node_clock.budget(limits, situation)
        else:
            found = budget(limits, situation)
        return found._replace(soft_ns=0) if self.settings.analyse_mode else found

    def _line_ns(self, budget: Budget) -> int:
        """How long the tables may take to continue a line: on a clock, half of what is reserved for
        the way of a move to its clock, else as long as it takes."""
        return max(self.settings.overhead_ms * NS_PER_MS // 2, 1) if budget.hard_ns else 0

    def _place_threads(self) -> None:
        """Tells each thread which CPUs are its own, unless that is known already. Without a wish of
        the user a single thread is left to the system."""
        threads = len(self._threads.members)
        if threads == self._placed_threads:
            return
        from kingcobra.kernel.system import numa  # a single thread does without

        self._placed_threads = threads
        policy = self._numa_policy or numa.Policy(numa.AUTO)
        self._threads.placement = numa.Placement(
            numa.places(policy, threads), self._listener.on_thread_bound
        )

    def stop(self) -> None:
        """Ends the running job and waits until its closing action is done."""
        self._work.stop()

    def shut_down(self) -> None:
        """Ends all that is under way, a compilation in another thread too. Nothing follows."""
        self.evaluator.cancel()
        self.stop()

    def release(self) -> None:
        """The same, and returns the memory at once; the engine is of no use afterwards."""
        self.shut_down()
        self.table.release()
        self._threads.release()


def _new_table(size_mb: int) -> Memory:
    try:
        return Memory.anonymous(size_mb * MEBIBYTE)
    except OutOfMemory as error:
        raise OutOfMemory(f"cannot allocate {size_mb} MiB for Hash: {error}") from None
