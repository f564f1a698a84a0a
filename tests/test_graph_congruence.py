"""Edits that move no edge are told from those that may."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.graph.congruence import moved_lines
from codeexplore.types import FileFacts
from tests.same_index import assert_same

SOURCE = """'''A module.'''
import os


class Cart:
    '''Holds items.'''

    def total(self):
        handlers = {'x': lambda c: c.price(), 'y': [1, 2]}
        return handlers['x'](self) + unknown(handlers)

    def price(self):
        return os.getpid() + 1


TABLE = {'a': Cart, 'b': Cart().total}
"""


def facts(root: Path, text: str) -> FileFacts:
    root.mkdir(exist_ok=True)
    (root / "shop.py").write_text(text)
    return Workspace(root, cache=False)._current.files["shop.py"].facts


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    '''Holds items.'''\n", "    '''Holds items.\n\n    And more.\n    '''\n"),
        ("+ 1\n", "+ 2  # a comment\n"),
        ("    def price", "    # a comment\n\n    def price"),
        ("        handlers =", "\n        handlers   ="),
        ("\n\n\nTABLE", "\n\nTABLE"),
    ],
)
def test_such_edits_keep_the_edges(tmp_path: Path, old: str, new: str) -> None:
    assert old in SOURCE
    before, after = facts(tmp_path / "a", SOURCE), facts(tmp_path / "b", SOURCE.replace(old, new, 1))
    moved = moved_lines(before, after)
    assert moved is not None
    ws = Workspace(tmp_path / "a", cache=False)
    graph = ws.graph
    (tmp_path / "a" / "shop.py").write_text(SOURCE.replace(old, new, 1))
    stages: list[str] = []
    ws.refresh(progress=lambda stage, done, total: stages.append(stage))
    assert ws.graph is not graph
    assert ws.graph.adjacency is graph.adjacency  # used again: nothing was resolved
    assert_same(ws, Workspace(tmp_path / "a", cache=False))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("c.price()", "c.total()"),
        ("    def price(self):", "    def price(self, more=None):"),
        ("class Cart:", "class Basket:"),
        ("import os\n", ""),
        ("'a': Cart", "'c': Cart"),
        ("    def total(self):\n", "    def total(self):\n        self.price()\n"),
        ("    def total(self):", "    @property\n    def total(self):"),
    ],
)
def test_such_edits_are_resolved_anew(tmp_path: Path, old: str, new: str) -> None:
    assert old in SOURCE
    before, after = facts(tmp_path / "a", SOURCE), facts(tmp_path / "b", SOURCE.replace(old, new, 1))
    assert moved_lines(before, after) is None


def test_two_lines_that_swap_are_resolved_anew(tmp_path: Path) -> None:
    before = facts(tmp_path / "a", "x = 1\nx = 2\n\ndef f(): pass\n\ndef g(): pass\n")
    after = facts(tmp_path / "b", "x = 1\nx = 2\n\ndef g(): pass\n\ndef f(): pass\n")
    assert moved_lines(before, after) is None


def test_statements_that_join_on_one_line_are_resolved_anew(tmp_path: Path) -> None:
    before = facts(tmp_path / "a", "def f():\n    a = g()\n    b = a.h()\n")
    after = facts(tmp_path / "b", "def f():\n    a = g(); b = a.h()\n")
    assert moved_lines(before, after) is None
