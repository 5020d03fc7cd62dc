# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks in PyTorch: features, layers, whole numbers, and the way to and from `.nnue` files."""
