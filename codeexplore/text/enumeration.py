"""Lists of names in a sentence, shortened.

>>> shortened(["a.py", "b.py", "c.py"], 2)
'a.py, b.py and 1 more'
"""

from __future__ import annotations

from collections.abc import Sequence

from codeexplore.types import Site


def shortened(names: Sequence[str], most: int) -> str:
    """Return names separated by commas, at most `most`, and the number of the others."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def places(sites: Sequence[Site], most: int = 3) -> str:
    """Return sites as ``path:line``, as `shortened` returns names."""
    return shortened([f"{site.path}:{site.line}" for site in sites], most)
