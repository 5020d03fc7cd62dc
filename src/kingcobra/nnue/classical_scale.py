# SPDX-License-Identifier: GPL-3.0-or-later
"""The scale of the classical evaluation, fitted by kingcobra.train.fit_wdl; not for editing."""

from kingcobra.nnue.scale import Scale

CLASSICAL_SCALE = Scale(even=(100.0,), spread=(60.0,))
