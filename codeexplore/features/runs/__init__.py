"""Runs: what really ran, recorded from a block, a cell or the tests, beside the calls of the graph.

Change it to add a reason for a call that the graph lacks.
"""

from codeexplore.types.features import Feature, Magics

FEATURE = Feature(
    name="runs",
    title="what really ran, beside the call graph",
    accessor="codeexplore.features.runs.accessor:Runs",
    names=("codeexplore.features.runs.answers:TraceRun",),
    magics=(Magics(("trace",), "codeexplore.features.runs.notebook.magics:TraceMagics"),),
)
