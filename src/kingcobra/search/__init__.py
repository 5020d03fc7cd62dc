# SPDX-License-Identifier: GPL-3.0-or-later
"""The search.

Compiled:   scores, table, repetition, histories, ordering, pruning, quiescence, node, think, and
            entries, which Python calls
Plain:      layout (the records), tunables (every number one may tune), clock (how long to
            think), worker (a thread's memory), pool (threads that think together)
"""
