"""``python -m codeexplore.cli`` is the command ``codeexplore``."""

import sys

from codeexplore.cli import main

sys.exit(main())
