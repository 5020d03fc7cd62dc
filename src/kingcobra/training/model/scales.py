# SPDX-License-Identifier: GPL-3.0-or-later
"""What the trainer's one is in an exported network's integers."""

from kingcobra.networks.plain import (
    ACTIVATION_MAX,
    ACTIVATION_SHIFT,
    FORWARDED_FACTOR,
    PAIR_SHIFT,
    SQUARE_SHIFT,
)

# Rows and biases of the feature transformer, and every activation.
ROW_ONE = ACTIVATION_MAX
# Weights and biases of the hidden layers.
HIDDEN_ONE = 1 << ACTIVATION_SHIFT
HIDDEN_BIAS_ONE = ACTIVATION_MAX * HIDDEN_ONE
# The raw output, PSQT and last bias; and the last weights, which meet an activation.
OUTPUT_ONE = FORWARDED_FACTOR
OUTPUT_WEIGHT_ONE = OUTPUT_ONE / ACTIVATION_MAX

INT8_LIMIT = 127
HIDDEN_LIMIT = INT8_LIMIT / HIDDEN_ONE
OUTPUT_LIMIT = INT8_LIMIT / OUTPUT_WEIGHT_ONE
# Products of two activations are divided by 128 instead of 127.
SHIFT_LOSS = ACTIVATION_MAX / (1 << PAIR_SHIFT)
# What the engine's shifts drop: parts of an activation's unit, before the shift.
PAIR_PARTS = 1 << PAIR_SHIFT
ACTIVATION_PARTS = 1 << ACTIVATION_SHIFT
SQUARE_PARTS = 1 << SQUARE_SHIFT
