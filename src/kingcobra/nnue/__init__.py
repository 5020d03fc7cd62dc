# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluations: the classical one, and networks.

Classical:  terms, weights, credit, pawns, activity, kings, classical; breakdown for people
Networks:   architectures, network, finding, file, leb128 (the file); network_layout, input_rows,
            accumulators, layers, network_entries (compiled); prepared, loading; plain (NumPy)
Both:       layout (the record that evaluations take), scale (what their values mean)
"""
