"""Comparison of two states of a repository: changed symbols, what the changes may affect, and the tests to run.

`match` compares the symbols of two states (`records.Side`) and finds moved and renamed symbols. `impact.Impact` follows
the edges of both graphs from the changed symbols, and `tests.select` chooses tests. `signatures` and `public` find
changes that may break callers. `workspace.change_base` compares two states, and `results.changes` has the answers.

>>> from codeexplore.changes.signatures import parameters
>>> from codeexplore.types import Span, Symbol
>>> f = Symbol("m.py:m.f", "m.f", "f", "function", "m.py", Span(1, 2, 0, 9), 1, "python", None, "def f(a, *, b=1)")
>>> [(each.name, each.required, each.keyword) for each in parameters(f)]
[('a', True, False), ('b', False, True)]
"""
