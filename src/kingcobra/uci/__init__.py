# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine's text interface: loop, protocol, options, streams.

Talking:    streams (lines in and out), loop (one line, one command), conversation (what a command
            has in its hands), patience (quit waits for no compilation), debug_log
Words:      protocol and go_words (text to values), options, opponent, position_value, commands/
Answers:    teller and info (what a search says), evaluation_report, evaluation_table and
            network_report (eval), environment (compiler), bench with bench_positions, speedtest
"""
