# SPDX-License-Identifier: GPL-3.0-or-later
"""Every parameter of the search that can be tuned: one row feeds the record, the hidden UCI
options, the tuner and the documentation.

A unit is an internal one: PAWN_UNITS of them make a pawn.
"""

from typing import NamedTuple


class Tunable(NamedTuple):
    """One parameter: its default, its range and the smallest step that makes a difference."""

    name: str
    default: int
    low: int
    high: int
    step: int
    meaning: str


TUNABLES = (
    # Aspiration windows.
    Tunable("window_start", 12, 2, 40, 3, "Aspiration: first half-width, units."),
    Tunable(
        "window_variance",
        4500,
        2000,
        40000,
        1500,
        "Aspiration: squared mean score per extra unit of width.",
    ),
    Tunable(
        "window_growth",
        50,
        15,
        150,
        12,
        "Aspiration: growth of the window at each failure, percent.",
    ),
    # Correction of the static evaluation.
    Tunable("correct_pawn", 80, 0, 200, 10, "Correction by pawn structure, parts of 2048."),
    Tunable("correct_minor", 60, 0, 200, 10, "Correction by minor pieces, parts of 2048."),
    Tunable("correct_non_pawn", 70, 0, 200, 10, "Correction by each side's pieces, parts of 2048."),
    Tunable(
        "correct_continuation", 50, 0, 200, 10, "Correction by the last two moves, parts of 2048."
    ),
    # Razoring.
    Tunable("razor_base", 177, 80, 600, 30, "Razoring: units below alpha at depth 0."),
    Tunable("razor_square", 121, 40, 500, 25, "Razoring: units per squared depth."),
    # Reverse futility.
    Tunable("reverse_depth", 13, 3, 16, 1, "Reverse futility: greatest depth."),
    Tunable("reverse_margin", 42, 21, 160, 7, "Reverse futility: units above beta per ply."),
    Tunable("reverse_improving", 48, 0, 160, 8, "Reverse futility: units less when improving."),
    # Null move.
    Tunable("null_base", 5, 2, 7, 1, "Null move: reduction at depth 0, plies."),
    Tunable("null_divisor", 3, 2, 8, 1, "Null move: depth per further ply of reduction."),
    Tunable("null_margin", 89, 44, 400, 20, "Null move: units above beta per further ply."),
    Tunable(
        "null_depth_margin",
        7,
        0,
        60,
        4,
        "Null move: units that the evaluation may lack per ply of depth.",
    ),
    Tunable("null_offset", 140, 0, 400, 20, "Null move: units that it must exceed at depth 0."),
    Tunable(
        "null_history", 14000, 4000, 40000, 2000, "Null move: greatest record of the last move."
    ),
    Tunable("null_verify_depth", 14, 8, 24, 1, "Null move: verified from this depth on."),
    # Internal iterative reduction.
    Tunable("iir_depth", 6, 2, 8, 1, "Internal reduction without a hash move from this depth on."),
    # ProbCut.
    Tunable("probcut_depth", 3, 2, 9, 1, "ProbCut: least depth."),
    Tunable("probcut_margin", 84, 35, 400, 20, "ProbCut: units above beta."),
    Tunable("probcut_improving", 22, 0, 150, 8, "ProbCut: units less when improving."),
    # Pruning of moves.
    Tunable("late_base", 4, 1, 8, 1, "Late moves: moves before quiet ones are skipped."),
    Tunable("futility_depth", 12, 3, 14, 1, "Futility: greatest reduced depth."),
    Tunable("futility_base", 56, 28, 260, 12, "Futility: units below alpha at depth 0."),
    Tunable("futility_margin", 45, 22, 200, 8, "Futility: units per ply."),
    Tunable("capture_futility_base", 93, 46, 400, 20, "Futility of captures: units at depth 0."),
    Tunable("capture_futility_margin", 88, 44, 400, 20, "Futility of captures: units per ply."),
    Tunable("history_prune", 3600, 1000, 9000, 400, "History pruning: badness per ply."),
    Tunable("history_prune_depth", 5, 2, 9, 1, "History pruning: greatest reduced depth."),
    Tunable("see_base", 0, 0, 60, 5, "Exchange pruning of quiet moves: units at depth 0."),
    Tunable("see_quiet", 13, 6, 60, 3, "Exchange pruning of quiet moves: units per squared ply."),
    Tunable("see_capture", 74, 37, 220, 9, "Exchange pruning of captures: units per ply."),
    # Extensions.
    Tunable("singular_depth", 6, 4, 10, 1, "Singular extension: least depth."),
    Tunable(
        "singular_margin",
        27,
        13,
        160,
        8,
        "Singular extension: margin per ply, 64ths of a unit.",
    ),
    Tunable(
        "singular_was_pv",
        33,
        0,
        120,
        8,
        "Singular extension: more where a principal variation was but is no longer.",
    ),
    Tunable(
        "double_pv", 88, 0, 250, 12, "Double extension: units more in the principal variation."
    ),
    Tunable("double_quiet", 20, 0, 200, 10, "Double extension: units less for a quiet move."),
    Tunable("triple_margin", 40, 0, 150, 10, "Triple extension: units below the double one."),
    Tunable("check_depth", 10, 5, 20, 1, "Extension of checks: least depth."),
    # Late moves, in plies.
    Tunable("reduce_depth", 2, 1, 6, 1, "Reductions: least depth."),
    Tunable(
        "raised_reduction", 2, 0, 4, 1, "Plies less for the moves after one that has raised alpha."
    ),
    # Reductions, in 1024ths of a ply.
    Tunable("reduce_base", 700, 0, 1600, 80, "Reductions: for every late move."),
    Tunable(
        "reduce_slope", 480, 250, 800, 25, "Reductions: times the logarithms of depth and number."
    ),
    Tunable(
        "reduce_window",
        700,
        0,
        1600,
        60,
        "Reductions: less by the window's share of the root's window.",
    ),
    Tunable(
        "reduce_not_pv", 600, 0, 1600, 100, "Reductions: more outside the principal variation."
    ),
    Tunable("reduce_cut", 1400, 0, 2800, 140, "Reductions: more where a cut is expected."),
    Tunable("reduce_not_improving", 700, 0, 1600, 100, "Reductions: more when not improving."),
    Tunable(
        "reduce_noisy_hash", 700, 0, 1600, 100, "Reductions: more when the hash move is a capture."
    ),
    Tunable(
        "reduce_was_pv",
        1000,
        0,
        2000,
        100,
        "Reductions: less where a principal variation once was.",
    ),
    Tunable("reduce_check", 600, 0, 1600, 100, "Reductions: less for moves that give check."),
    Tunable("reduce_cutoffs", 900, 0, 2000, 100, "Reductions: more where the next ply cut often."),
    Tunable("reduce_history", 9200, 3000, 20000, 700, "Reductions: history that is worth one ply."),
    Tunable(
        "deeper_margin", 17, 8, 120, 8, "After a reduced success, a ply deeper above this margin."
    ),
    # The order of quiet moves, in units of history.
    Tunable("killer_bonus", 16384, 0, 40000, 2000, "Order: for the killer move."),
    Tunable("second_killer_bonus", 12288, 0, 40000, 2000, "Order: for the killer move before it."),
    Tunable("check_bonus", 8192, 0, 30000, 1500, "Order: for checks."),
    # Histories.
    Tunable("bonus_slope", 170, 60, 320, 15, "History: bonus per ply."),
    Tunable("bonus_offset", 110, 0, 300, 15, "History: bonus at depth 0, negative."),
    Tunable("bonus_limit", 1700, 700, 3000, 120, "History: greatest bonus."),
    Tunable("malus_slope", 200, 60, 400, 15, "History: malus per ply."),
    Tunable("malus_offset", 110, 0, 300, 15, "History: malus at depth 0, negative."),
    Tunable("malus_limit", 1600, 700, 3000, 120, "History: greatest malus."),
    Tunable("malus_tried", 30, 0, 100, 10, "History: malus less for each quiet move tried."),
    Tunable("history_kept", 62, 30, 100, 8, "History: what the next search keeps, percent."),
    Tunable(
        "research_bonus",
        900,
        0,
        2500,
        100,
        "History: bonus for a quiet move that was better than its reduction.",
    ),
    # Quiescence.
    Tunable(
        "delta_margin",
        160,
        60,
        350,
        15,
        "Quiescence: units that a capture must come near alpha.",
    ),
    Tunable(
        "quiescence_loss",
        30,
        0,
        120,
        10,
        "Quiescence: the most that a capture's exchange may lose; a knight for a bishop is 10.",
    ),
    # Time. These count only on a clock.
    Tunable("time_share", 121, 40, 300, 12, "Time: soft share of what is left, 10,000ths."),
    Tunable("time_growth", 36, 0, 100, 5, "Time: growth of that share with the ply, 10,000ths."),
    Tunable("time_most", 40, 15, 80, 4, "Time: the hard limit at first, tenths of the soft one."),
    Tunable("time_fallen", 53, 0, 150, 8, "Time: thousandths more for a unit below the last move."),
    Tunable(
        "time_fallen_lately",
        25,
        0,
        100,
        5,
        "Time: thousandths more for a unit below the score of four iterations ago.",
    ),
    Tunable("time_unstable", 1850, 0, 4000, 200, "Time: thousandths more for each new best move."),
    Tunable("time_dominant", 770, 300, 1000, 50, "Time: thousandths that a dominant move needs."),
)

DEFAULTS = {tunable.name: tunable.default for tunable in TUNABLES}
