"""Edits that move no edge are told from those that may."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.graph.line_shift import line_shift
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
VERSION = '1.0'


def taxed(price, rate: int = 19):
    return price.total() * rate
"""


def facts(root: Path, text: str) -> FileFacts:
    root.mkdir(exist_ok=True)
    (root / "shop.py").write_text(text)
    return Workspace(root, cache=False)._holder.current.files["shop.py"].facts


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    '''Holds items.'''\n", "    '''Holds items.\n\n    And more.\n    '''\n"),
        ("+ 1\n", "+ 2  # a comment\n"),
        ("    def price", "    # a comment\n\n    def price"),
        ("        handlers =", "\n        handlers   ="),
        ("\n\n\nTABLE", "\n\nTABLE"),
        ("VERSION = '1.0'", "VERSION = '1.1.dev'"),
    ],
)
def test_such_edits_keep_the_edges(tmp_path: Path, old: str, new: str) -> None:
    assert old in SOURCE
    before, after = facts(tmp_path / "a", SOURCE), facts(tmp_path / "b", SOURCE.replace(old, new, 1))
    moved = line_shift(before, after)
    assert moved is not None
    ws = Workspace(tmp_path / "a", cache=False)
    graph = ws.graph
    (tmp_path / "a" / "shop.py").write_text(SOURCE.replace(old, new, 1))
    stages: list[str] = []
    ws.refresh(progress=lambda stage, done, total: stages.append(stage))
    assert ws.graph is not graph
    assert ws.graph._incoming is graph._incoming  # used again: nothing was resolved
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
        ("rate: int = 19", "rate: float = 19"),
        ("rate: int = 19", "rate: int = 20"),
        ("VERSION = '1.0'", "VERSION = Cart"),
        ("VERSION = '1.0'", "VERSION: str = '1.0'"),
    ],
)
def test_such_edits_are_resolved_anew(tmp_path: Path, old: str, new: str) -> None:
    assert old in SOURCE
    before, after = facts(tmp_path / "a", SOURCE), facts(tmp_path / "b", SOURCE.replace(old, new, 1))
    assert line_shift(before, after) is None


def test_two_lines_that_swap_are_resolved_anew(tmp_path: Path) -> None:
    before = facts(tmp_path / "a", "x = 1\nx = 2\n\ndef f(): pass\n\ndef g(): pass\n")
    after = facts(tmp_path / "b", "x = 1\nx = 2\n\ndef g(): pass\n\ndef f(): pass\n")
    assert line_shift(before, after) is None


def test_statements_that_join_on_one_line_are_resolved_anew(tmp_path: Path) -> None:
    before = facts(tmp_path / "a", "def f():\n    a = g()\n    b = a.h()\n")
    after = facts(tmp_path / "b", "def f():\n    a = g(); b = a.h()\n")
    assert line_shift(before, after) is None


SIGNATURES = {
    "a.ts": ("export class A { static n = 1; m(x = 1) { return this.n; } }\nexport function f(a: A) { a.m(); A.n; }\n",
             [("n = 1", "n = 2")],
             [("x = 1", "x = 22"), ("static n", "n"), ("m(x", "get m(x")]),
    "A.java": ("interface I { default int m() { return 1; } }\n"
               "public class A implements I { static final int N = 1; abstract int k(); "
               "int f() { return m() + N; } }\n",
               [("N = 1", "N = 2")],
               [("default int m", "int m"), ("static final", "final"), ("public class", "class"), ("abstract ", "")]),
    "a.go": ("package a\n\nconst Limit = 1\n\ntype A struct{}\n\nfunc (a A) M() int { return Limit }\n",
             [("Limit = 1", "Limit = 20")],
             [("const Limit = 1", "const Limit = Other"), ("const", "var")]),
    "a.kt": ("class A {\n  val size: Int get() = 1\n  fun m(n: Int = 1): Int = size\n}\nval limit = 1\n",
             [("limit = 1", "limit = 2")],
             [("n: Int = 1", "n: Int = 3"), ("fun m(n: Int = 1)", "fun m()"), ("val limit", "private val limit")]),
    "A.scala": ("object A {\n  def size = 1\n  def m(n: Int = 1) = size\n  val limit = 1\n}\n",
                [("limit = 1", "limit = 2")],
                [("n: Int = 1", "n: Int = 3"), ("object A", "class A"), ("m(n", "m(implicit n"),
                 ("def size", "def size()")]),
    "A.cs": ("class A {\n  const int Limit = 1;\n  int Size => Limit;\n  int M(int n = 1) { return Size; }\n}\n",
             [("Limit = 1", "Limit = 2")],
             [("n = 1", "n = 3"), ("int M(", "static int M("), ("int Size =>", "int Size() =>")]),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", SIGNATURES)
def test_of_signatures_only_what_resolution_reads_counts(tmp_path: Path, name: str) -> None:
    text, same, other = SIGNATURES[name]
    (tmp_path / name).write_text(text)
    ws = Workspace(tmp_path, cache=False)
    for old, new in (*same, *other):
        assert old in text
        (tmp_path / name).write_text(text)
        ws.refresh()
        graph, before = ws.graph, ws._holder.current.files.facts(name)
        (tmp_path / name).write_text(text.replace(old, new, 1))
        ws.refresh()
        kept = ws.graph.edges.source is graph.edges.source
        assert kept == ((old, new) in same), (old, new)
        assert kept == (line_shift(before, ws._holder.current.files.facts(name)) is not None)
        assert_same(ws, Workspace(tmp_path, cache=False))
