"""Properties that hold for any bytes: `python -m fuzz` hunts for what breaks one, the tests replay the worst."""

import os

from codeexplore.faults import STRICT

os.environ[STRICT] = "1"  # a fault is what is looked for
