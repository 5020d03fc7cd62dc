# SPDX-License-Identifier: GPL-3.0-or-later
"""Games for the tests of annotation, and what annotates them quickly."""

from kingcobra.analysis.annotating import annotate_text
from kingcobra.analysis.game_files import read_game_texts
from kingcobra.analysis.settings import AnnotationSettings
from tests.paths import DATA

GAMES = DATA / "games.pgn"
NODES = 300
SETTINGS = AnnotationSettings(nodes=NODES, hash_mb=1)


def game_texts():
    """The games of the file, one text for each."""
    return [game.text for game in read_game_texts(GAMES)]


def record_of(text, searcher, settings=SETTINGS):
    """The annotated game; fails for a broken one."""
    found = annotate_text(text, searcher, settings)
    assert found.record is not None, found.error
    return found.record
