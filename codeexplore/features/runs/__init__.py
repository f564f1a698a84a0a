"""Runs: what really ran, recorded from a block, a cell or the tests, beside the calls of the graph.

`accessor.Runs` is ``ws.runs``. A trace takes these steps, a module each:

- `recorder` begins and ends it, in this process and in the processes that it starts. `codeexplore_pytest`, beside the
  package, does it for the tests.
- `hooks` receive the events of the interpreter and hand them to `collector`, which counts the calls of each place, and
  to `call_tree`. The result is a `records.Trace` of plain values, which a file can store.
- `comparison` finds the symbol of each function that ran. It gives each call a status beside the graph, and the likely
  reason if the graph lacks it.
- `answers.TraceRun` is the run, with its graph, its coverage, its difference from another run, and its marks on later
  answers. `call_tree_block` draws the flame graph.

`notebook` has the magic ``%%trace``.

Change it to add a reason for a call that the graph lacks. Reasons are in `comparison.REASON_WORDS`, and chosen in
`comparison.likely_reason`; a form of a place of a call is added in `collector`.

>>> from codeexplore.features.runs.comparison import REASON_WORDS, ObservedCall, likely_reason
>>> from codeexplore.features.runs.records import Bridge, CallSite
>>> from codeexplore.types import Site, Span, Symbol
>>> price = Symbol("shop.py:shop.price", "shop.price", "price", "function", "shop.py", Span(1, 2, 0, 9), 1, "python")
>>> place = Site("shop.py", 7), CallSite(7, "subscript", "rules"), Bridge(), 3  # rules[key](basket), three times
>>> call = ObservedCall("shop.py:shop.total", price.id, 3, (place,))
>>> REASON_WORDS[likely_reason(call, price, is_generator=False, is_local=False)]
'it was taken out of a container'
"""

from codeexplore.types.features import Feature, Magics

FEATURE = Feature(
    name="runs",
    title="what really ran, beside the call graph",
    accessor="codeexplore.features.runs.accessor:Runs",
    names=("codeexplore.features.runs.answers:TraceRun",),
    magics=(Magics(("trace",), "codeexplore.features.runs.notebook.magics:TraceMagics"),),
)
