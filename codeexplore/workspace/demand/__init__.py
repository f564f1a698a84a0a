r"""Graph answers on demand: edges in question are resolved alone, while the graph of the whole repository is not ready.

`questions.GraphQuestions` answers who calls a symbol, what it calls and what implements it. It collects the places that
may contain the edges, by the texts of the files, and lets `graph.demand.ProgramSlice` collect what these places depend
on; `slice_edges.SliceEdges` resolves that. `edited_edges` does the same for the scopes of an edit. `edits` finds the
scopes that an edit changed, and `base_classes.with_changed_bases` removes edges that an edit of supertypes may have
made wrong. `line_map.aligned` maps old lines to new lines.

An inserted first line moves each line by one, also the empty last line. Entry 0 stays 0:

>>> from codeexplore.workspace.demand.line_map import aligned
>>> aligned(b"a\nb\n", b"new\na\nb\n").tolist()
[0, 2, 3, 4]
"""
