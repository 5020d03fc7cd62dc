# SPDX-License-Identifier: GPL-3.0-or-later
"""Games between engines and what they are worth: matches, SPRT, suites. Engines are processes.

Commands:   match_tool, sprt_tool, suite_tool, tune_tool; contest_tool, game_options, sprt_options
            and complaints are what they share
Contests:   contest (what a match and a tuning have in common), match, tuning with spsa,
            tuning_path and defaults_diff; suite with epd
Games:      game, time_control, adjudication, openings, schedule; record and state keep them
Engines:    engine_spec, engine_check, pipes (the process), watched (its protocol), answers
Workers:    worker (plays games), pool and ray_pool (many of them), runner (keeps them at play)
Programs:   api is what notebooks and scripts import
Figures:    statistics, likelihood (SPRT), ratings with bradley_terry, standing, progress
"""
