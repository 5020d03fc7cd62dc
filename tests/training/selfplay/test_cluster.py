# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-play on a Ray cluster of this machine."""

import dataclasses
import itertools
import pickle
from types import SimpleNamespace

import pytest

from kingcobra.core.selfplay.game import HARVEST_RESERVE
from kingcobra.core.selfplay.layout import POSITION_BYTES
from kingcobra.networks.file import write_network
from kingcobra.training.data.games import games_in
from kingcobra.training.selfplay import cluster
from kingcobra.training.selfplay.book import load_book
from kingcobra.training.selfplay.cluster import (
    ActorTask,
    ClusterRun,
    SelfPlayActor,
    sent,
)
from kingcobra.training.selfplay.player import Teacher
from kingcobra.training.selfplay.run_output import RunLimits, RunOutput
from kingcobra.training.selfplay.settings import GAMES, SelfPlayError, SelfPlaySettings
from tests.training.selfplay.playing import played

SETTINGS = SelfPlaySettings(kind=GAMES, soft_nodes=40)
SOON_S = 60.0
CLASSICAL = sent(Teacher())


def sorted_games(data):
    return sorted((game.start_fen, game.plies.tobytes()) for game in games_in(data))


def run_on_cluster(task, games, tell=lambda _run: None):
    parts = []
    output = RunOutput(RunLimits(games=games), harvests=False, take=parts.append)
    run = ClusterRun(task, size=2, address="local", output=output)
    run.run(lambda: tell(run))
    return b"".join(parts), output.progress


def test_a_cluster_plays_the_games_of_one_thread(objects, network, tmp_path):
    pytest.importorskip("ray", reason="Ray is not installed")
    path = tmp_path / "teacher.nnue"
    write_network(network, path)
    teacher = Teacher.from_file(str(path), print)
    task = ActorTask(SETTINGS, sent(teacher), (), None)
    data, progress = run_on_cluster(task, games=5)
    assert progress.games == 5
    assert sorted_games(data) == sorted_games(played(objects, SETTINGS, teacher, games=5))


def test_the_games_of_a_lost_actor_are_played_again(objects, monkeypatch):
    pytest.importorskip("ray", reason="Ray is not installed")
    monkeypatch.setattr(cluster, "TURN_S", 0.01)
    lost = []

    def lose_one(run):
        if not lost:
            run._ray.kill(run._actors[0])
            lost.append(run._actors[0])

    data, progress = run_on_cluster(ActorTask(SETTINGS, CLASSICAL, (), None), 6, lose_one)
    assert lost
    assert progress.games == 6
    assert sorted_games(data) == sorted_games(played(objects, SETTINGS, Teacher(), games=6))


def test_only_finished_games_are_handed_on(objects, monkeypatch):
    """Otherwise the harvest of a game would come twice when its actor is lost."""
    settings = SelfPlaySettings(soft_nodes=40, one_in=1)
    actor = SelfPlayActor(ActorTask(settings, CLASSICAL, (), None), first=0, step=1, end=2)
    # The buffer is full after a move, and a turn is over whenever somebody looks at the clock.
    actor._player.record.room = HARVEST_RESERVE + POSITION_BYTES
    ticks = itertools.count()
    monkeypatch.setattr(cluster, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    turns = [actor.play(1.5)]
    while not turns[-1].is_done:
        turns.append(actor.play(1.5))
    assert sum(turn.games == 0 for turn in turns) > 10
    assert all(bool(turn.data) == bool(turn.games) for turn in turns)
    expected = played(objects, settings, Teacher(), games=2)
    assert b"".join(turn.data for turn in turns) == expected


def test_a_cluster_that_is_not_there_is_one_clear_line():
    pytest.importorskip("ray", reason="Ray is not installed")
    output = RunOutput(RunLimits(games=1), harvests=False, take=print)
    with pytest.raises(SelfPlayError, match="--cluster 127"):
        ClusterRun(ActorTask(SETTINGS, CLASSICAL, (), None), 1, "127.0.0.1:1", output)


def test_an_actor_plays_its_share_and_travels_with_its_book(objects, tmp_path):
    path = tmp_path / "book.epd"
    path.write_text("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\n")
    book = load_book(path, objects.core, print)
    settings = dataclasses.replace(SETTINGS, book_share=1.0)
    task = pickle.loads(pickle.dumps(ActorTask(settings, CLASSICAL, (CLASSICAL,), book)))
    games = []
    for first in range(2):
        made = SelfPlayActor(task, first, step=2, end=5).play(SOON_S)
        assert made.is_done
        assert made.games == len(sorted_games(made.data)) == 3 - first
        games += sorted_games(made.data)
    expected = sorted_games(played(objects, settings, Teacher(), games=5, book=book))
    assert sorted(games) == expected
