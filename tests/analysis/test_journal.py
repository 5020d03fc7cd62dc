# SPDX-License-Identifier: GPL-3.0-or-later
"""The file that an interrupted run is resumed from."""

import pytest

from kingcobra.analysis.journal import Journal, digest_of
from kingcobra.analysis.settings import AnnotationError
from kingcobra.analysis.work_item import GameOutcome

ABOUT = {"nodes": 100, "player": "é"}
DONE = GameOutcome({"pgn": "1. e4 → *\n\ud800"}, ("a", "b"))
BROKEN = GameOutcome(None, error="illegal")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "out.pgn.progress"


def test_outcomes_are_found_again(path):
    journal = Journal(path, ABOUT)
    journal.append(digest_of("one"), DONE)
    journal.append(digest_of("two"), BROKEN)
    assert journal.find(digest_of("one")) == DONE
    journal.close()
    again = Journal(path, ABOUT)
    assert len(again) == 2
    assert again.find(digest_of("one")) == DONE
    assert again.find(digest_of("two")) == BROKEN
    assert again.find(digest_of("three")) is None
    again.delete()
    assert not path.exists()


def test_a_cut_anywhere_costs_no_more_than_the_last_line(path):
    journal = Journal(path, ABOUT)
    ends = [path.stat().st_size]
    for number in range(3):
        journal.append(digest_of(str(number)), DONE)
        ends.append(path.stat().st_size)
    journal.close()
    whole = path.read_bytes()
    cuts = {*range(0, len(whole), 7), *(end + step for end in ends for step in (-1, 0, 1))}
    for cut in sorted(cuts):
        path.write_bytes(whole[:cut])
        again = Journal(path, ABOUT)
        kept = sum(end <= cut for end in ends[1:])
        assert len(again) == kept
        again.append(digest_of("new"), BROKEN)
        again.close()
        last = Journal(path, ABOUT)
        assert len(last) == kept + 1
        assert last.find(digest_of("new")) == BROKEN
        last.close()


def test_a_journal_without_games_is_not_left_behind(path):
    Journal(path, ABOUT).leave()
    assert not path.exists()
    journal = Journal(path, ABOUT)
    journal.append(digest_of("one"), DONE)
    journal.leave()
    assert path.exists()


def test_other_settings_are_named(path):
    Journal(path, ABOUT).close()
    with pytest.raises(AnnotationError, match=r"other settings \(nodes\)"):
        Journal(path, ABOUT | {"nodes": 200})


@pytest.mark.parametrize("content", ["nonsense", "nonsense\n", "{}\n", "[1]\n"])
def test_a_foreign_file_is_refused_and_kept(path, content):
    path.write_text(content)
    with pytest.raises(AnnotationError, match="not the file"):
        Journal(path, ABOUT)
    assert path.read_text() == content
