# SPDX-License-Identifier: GPL-3.0-or-later
"""The scale of the default network, fitted by kingcobra.training.fit_wdl; not for editing."""

from kingcobra.networks.scale import Scale

DIGITS = "5c3e345d09b7"
FITTED_SCALE = Scale(even=(315.275, -392.103, 187.134), spread=(76.504, -74.558, 52.854))
