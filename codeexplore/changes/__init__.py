"""What a change touches: symbols of two states matched, what they reach, and the tests to run.

`match` compares the symbols of two `Side`s, `impact.Impact` walks both graphs from those that differ, and
`tests.select` chooses tests. `workspace.change_base` makes the two sides; `results.changes` shows the records.

>>> from codeexplore.changes.signatures import parameters
>>> from codeexplore.types import Span, Symbol
>>> f = Symbol("m.py:m.f", "m.f", "f", "function", "m.py", Span(1, 2, 0, 9), 1, "python", None, "def f(a, *, b=1)")
>>> [(each.name, each.required, each.keyword) for each in parameters(f)]
[('a', True, False), ('b', False, True)]
"""
