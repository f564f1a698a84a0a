"""Values that Python programs hand on: through ``*args``, items, defaults, tables of functions, fields of subclasses."""

from __future__ import annotations

import pytest

from codeexplore.types import settings
from tests.graph_sources import calls

CLASSES = """
class A:
    def run(self): pass
class B:
    def run(self): pass
"""


def resolved(source: str) -> set[tuple[str, str]]:
    """Callers and callees of the edges that count as resolved."""
    sure = settings.RESOLVED_CONFIDENCE - 1e-6
    return {pair for pair, edge in calls(source).items() if edge.confidence >= sure}


# ---------------------------------------------------------------- items and parameters


@pytest.mark.parametrize("test", ["if part is None: part = A()", "if not part:\n        part = A()"])
def test_a_parameter_that_gets_a_default_and_is_returned(test: str) -> None:
    found = resolved(f"""{CLASSES}
def made(part=None):
    {test}
    return part
def go(): made().run()
def other(): made(B()).run()
""")
    assert {("m.go", "m.A.run"), ("m.other", "m.A.run"), ("m.other", "m.B.run")} <= found
