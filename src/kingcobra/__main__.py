# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m kingcobra"""

import sys

from kingcobra.cli import main

if __name__ == "__main__":
    sys.exit(main())
