# SPDX-License-Identifier: GPL-3.0-or-later
"""Syzygy files: found, opened at first use, owned and probed.

names      file names and material keys
folders    which files a path has
files      TablebaseFiles: the records that compiled code probes
prober     TableProber: what one thread needs to ask them
"""
