"""``python -m codeexplore.cli``."""

import sys

from codeexplore.cli import main

sys.exit(main())
