"""Where a use went whose line was rewritten."""

from __future__ import annotations

import pytest

from codeexplore.graph.incremental.edit_diff import REMOVED, Edited
from codeexplore.workspace.demand.line_map import aligned
from tests.graph_sources import facts_of

BEFORE = "def f(x):\n    return first(x) + second(x)\n\ndef g(x):\n    return third(x)\n"


def edited(after: str) -> Edited:
    (old,), (new,) = facts_of({"m.py": BEFORE}), facts_of({"m.py": after})
    return Edited.between(old, new, aligned(BEFORE.encode(), after.encode()), after.count("\n") + 1)


@pytest.mark.parametrize(("name", "line"), [("first", 3), ("second", 3), ("called_otherwise", 3)])
def test_a_use_goes_where_it_is_made_again(name: str, line: int) -> None:
    found = edited(BEFORE.replace("    return first(x) + ", "    log(x)\n    return x and first(x) + "))
    assert found.new_line_of(2, name) == line


@pytest.mark.parametrize(("name", "line"), [("first", 2), ("second", REMOVED), ("called_otherwise", REMOVED)])
def test_a_use_that_is_made_no_more_is_gone(name: str, line: int) -> None:
    """What an edge led to under another name is there as long as all uses of its line are."""
    assert edited(BEFORE.replace(" + second(x)", "")).new_line_of(2, name) == line


def test_a_use_made_in_another_function_is_another_one() -> None:
    found = edited(BEFORE.replace("first(x) + ", "").replace("third(x)", "first(x)"))
    assert found.new_line_of(2, "first") == REMOVED
    assert found.new_line_of(1, "first") == REMOVED


def test_the_last_line_is_among_the_new_ones() -> None:
    found = edited(BEFORE.replace("third(x)\n", "x or third(x)"))
    assert found.new_line_of(5, "third") == 5
