"""``python -m webshop``."""

import sys

from webshop.cli import main

if __name__ == "__main__":
    sys.exit(main())
