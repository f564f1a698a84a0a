"""Two workspaces of the same files must be alike in everything that can be asked."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from codeexplore import Workspace

QUESTIONS = (
    "price of the items in a cart",
    "what calls total?",
    "total",
    "where is a token checked, and what if it is missing",
    "callers of the code that loads a session",
)


def assert_same(one: Workspace, other: Workspace, questions: tuple[str, ...] = QUESTIONS) -> None:
    """Compare records, graph, summary and answers; times, warnings and the place of the sources aside."""
    assert tuple(one.catalog.symbols) == tuple(other.catalog.symbols)
    assert tuple(one.catalog.chunks) == tuple(other.catalog.chunks)
    assert one.files == other.files
    assert [one.file(path) for path in one.files] == [other.file(path) for path in one.files]
    assert list(one.graph.edges) == list(other.graph.edges)
    assert list(one.graph.unresolved) == list(other.graph.unresolved)
    assert list(one.graph.externals) == list(other.graph.externals)
    assert one.graph.ranks == other.graph.ranks
    left, right = (
        replace(ws.summary, stages=(), warnings=(), root="", name="", skipped_files=()) for ws in (one, other)
    )
    assert left == right
    assert Counter(one.summary.skipped_files) == Counter(other.summary.skipped_files)
    for name in {symbol.name for symbol in one.catalog.symbols}:
        assert one.catalog.find(name) == other.catalog.find(name)
        assert one.catalog.nearest(name[:-1]) == other.catalog.nearest(name[:-1])
    for question in questions:
        answers = [ws.search(question, timeout=60.0).result for ws in (one, other)]
        assert answers[0].hits == answers[1].hits, question
        assert answers[0].plan == answers[1].plan
        assert [(r.lane, r.hits, r.status) for r in answers[0].rankings] == [
            (r.lane, r.hits, r.status) for r in answers[1].rankings
        ]
