# SPDX-License-Identifier: GPL-3.0-or-later
"""What the operating system gives: memory, CPUs, and the limits of a container."""
