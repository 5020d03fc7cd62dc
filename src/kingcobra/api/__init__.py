# SPDX-License-Identifier: GPL-3.0-or-later
"""What `import kingcobra` offers."""
