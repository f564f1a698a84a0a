"""The command line as a module: ``python -m codeexplore`` is the command ``codeexplore``."""

import sys

from codeexplore.cli import main

sys.exit(main())
