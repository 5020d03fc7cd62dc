# SPDX-License-Identifier: GPL-3.0-or-later
"""The scale of the default network, fitted by kingcobra.training.fit_wdl; not for editing."""

from kingcobra.networks.scale import Scale

DIGITS = "d14e05df0343"
FITTED_SCALE = Scale(
    even=(181.623, -57.327, 52.321, -16.173), spread=(22.173, 30.693, -59.252, 38.972)
)
