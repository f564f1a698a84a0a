"""Traces: the calls that happened while the user's own code ran, recorded and compared with the call graph.

A *collector* counts calls while a block, a cell or a test suite runs (`collector`; `monitor_hook` on Python 3.12 and
newer, `profile_hook` on 3.11). It returns a *trace* of plain records (`records`), which a file can store
(`trace_file`). `symbol_map` finds the symbol of each traced function, and `comparison` puts the observed calls beside
the static edges.

A trace has only calls of functions of the workspace. If code outside calls such a function, the caller is the nearest
function of the workspace below it on the stack, and the call has a *bridge*: the outside functions between the two.
For ``app.handle`` that calls ``sorted(rows, key=by_price)``, the call ``app.handle → app.by_price`` has the bridge
``sorted``.

Nothing of the explored repository runs because of this package: it observes code that the user runs.
"""
