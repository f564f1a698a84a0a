"""Builder of the code graph: resolves every reference and writes the results as edges.

Entry points: `code_graph.build_graph` returns the graph, `resolve.resolve` the tables behind it. `references` handles
each reference, with `calls`, `dispatch`, `overloads` and `callbacks` for calls; `declarations` writes edges that need
no values. `rules.RULES` lists the rules with their confidences.

Example: in ``return self.pool.get(x).run()`` of ``App.handle`` (see `codeexplore.graph`) the callee ``self.pool.get``
has one value, the method ``Pool.get`` bound to an instance of ``Pool``. `calls.Callees` writes it as ::

    Edge(source="shop/app.py:shop.app.App.handle", target="shop/pool.py:shop.pool.Pool.get", kind="CALLS",
         confidence=0.9, rule="type", manner="call", sites=(Site("shop/app.py", 9),), in_test=False)
"""
