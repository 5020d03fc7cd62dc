# SPDX-License-Identifier: GPL-3.0-or-later
"""The search.

Compiled:   scores, table, histories, ordering, pruning, steps, quiescence, node, mate, root, think,
            and entries, which Python calls
Plain:      layout (the records), tunables (every number one may tune), core (what the object is
            made of), limits and clock (how long to think), worker (a thread's memory), pool
            (threads that think together), evaluator (what they evaluate with), skill (weaker play)
"""
