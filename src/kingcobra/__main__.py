# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m kingcobra"""

import sys

from kingcobra.exit_codes import EXIT_INTERRUPTED

try:
    from kingcobra.cli import main
except KeyboardInterrupt:
    sys.exit(EXIT_INTERRUPTED)

if __name__ == "__main__":
    sys.exit(main())
