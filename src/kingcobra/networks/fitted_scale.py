# SPDX-License-Identifier: GPL-3.0-or-later
"""The scale of the default network, fitted by kingcobra.training.fit_wdl; not for editing."""

from kingcobra.networks.scale import Scale

DIGITS = "5c3e345d09b7"
FITTED_SCALE = Scale(even=(259.005, -257.314, 103.572), spread=(29.604, 44.307, -16.646))
