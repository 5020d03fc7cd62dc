# SPDX-License-Identifier: GPL-3.0-or-later
"""The scale of the classical evaluation, fitted by kingcobra.training.fit_wdl; not for editing."""

from kingcobra.networks.scale import Scale

CLASSICAL_SCALE = Scale(even=(294.725, -384.401, 189.093), spread=(65.844, 79.149, -2.106))
