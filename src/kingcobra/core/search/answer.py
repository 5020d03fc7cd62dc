# SPDX-License-Identifier: GPL-3.0-or-later
"""What a search answers when it ends, and what it then still reports."""

import numpy as np

from kingcobra.core.rules.basics import NO_MOVE
from kingcobra.core.rules.position import present
from kingcobra.core.search.layout import EXACT
from kingcobra.core.search.reports import report_line, report_news
from kingcobra.core.search.root import BEST_LINE, copy_root, line_count
from kingcobra.core.search.scores import INFINITE, NO_SCORE, is_loss
from kingcobra.core.search.steps import given_score, without_noise
from kingcobra.core.search.table_lines import continue_line
from kingcobra.kernel.compiled import compiled

# The best line has at least its move and the answer to it, if the hash table knows one.
MOVE_AND_PONDER = 2


@compiled
def settle_draws(worker):
    """The scores of the lines without the noise of draws, which has done its work by now."""
    for index in range(line_count(worker)):
        root_move = worker.root[index]
        root_move.score = without_noise(root_move.score)


@compiled
def limit_scores(worker, given):
    """The best line is worth what the user has said of the position, and no other is worth more."""
    for index in range(line_count(worker)):
        root_move = worker.root[index]
        if index == BEST_LINE or root_move.score > given:
            root_move.score = given
            root_move.bound = EXACT


@compiled
def reply_in(root_move):
    """The answer to a root move in its line, NO_MOVE where that ends before."""
    return np.int64(root_move.pv[1]) if root_move.pv_length > 1 else np.int64(NO_MOVE)


@compiled
def doubt_loss(worker):
    """A search that stopped when its best move had just turned out to lose, or to lose sooner, has
    not looked at the others: what the last finished iteration found still stands. Whether that was
    so."""
    best, finished = worker.root[0], worker.finished_best
    has_looked_at_all = worker.line > BEST_LINE or worker.completed_depth == worker.root_depth
    if (
        has_looked_at_all
        or best.move != finished.move
        or best.score >= finished.score
        or not is_loss(best.score)
    ):
        return False
    copy_root(best, finished)
    return True


@compiled
def finish(worker):
    """Makes the best line and its score what the search answers. What an unfinished iteration has
    changed of the best move or the answer to it has not been reported yet, and a loss that is in
    doubt may have been: the line that stands is reported last. Of several lines, all that have
    changed are."""
    is_reported = not doubt_loss(worker)
    best, finished = worker.root[0], worker.finished_best
    if best.move != finished.move or reply_in(best) != reply_in(finished):
        is_reported = False
    settle_draws(worker)
    if best.pv_length == 1:
        continue_line(worker, best, MOVE_AND_PONDER)
    if worker.stopped and worker.lines > 1:
        report_news(worker)
    elif worker.stopped and not is_reported and best.score != -INFINITE:
        report_line(worker, BEST_LINE)
    given = given_score(worker, present(worker.position).key)
    if given != NO_SCORE:
        limit_scores(worker, given)
