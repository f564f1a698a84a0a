"""Builder of the code graph: resolves every reference and writes the results as edges.

Change it to add a rule for edges.

Entry points: `resolve.build_graph` returns the graph, `resolve.resolve` the tables behind it, with the edges of each
reference. `calls` and `overloads` are its parts for calls, `implicit_calls` for those that syntax makes, and `uses`.
`edge_writer.DeclarationEdges` writes edges that need no values. `rules.RULES` lists the rules with their confidences.

Words used here:

- A *node* is the number of a constraint variable of `resolution.solver`. The solver computes the set of values of each
  node. An expression such as ``self.pool.get`` has a node.
- A *value* (entity) is a number in `resolution.solver.AbstractValues`: a function, a bound method, a class, an
  instance of a class, a container or an outside name.
- The *provenance* of a value is the weakest way by which the value reached the node, such as SCOPE, TYPE or FLOW.
  `resolution.solver` lists the levels, strongest first.
- The *manner* of an edge is the way in which the source uses the target, such as "call", "new" or "property".
- A *scope* is the number of the symbol whose body contains a reference. A *site* is a file and a line, packed into one
  number. A *row* is the position of a symbol in the whole repository's symbol table.
- A language *family* is a set of languages whose files are resolved together, such as JavaScript and TypeScript.

Example: in ``return self.pool.get(x).run()`` of ``App.handle`` (see `codeexplore.graph`) the node of ``self.pool.get``
has one value, the method ``Pool.get`` bound to an instance of ``Pool``, with the provenance TYPE. `calls.Callees`
writes it as ::

    Edge(source="shop/app.py:shop.app.App.handle", target="shop/pool.py:shop.pool.Pool.get", kind="CALLS",
         confidence=0.9, rule="type", manner="call", sites=(Site("shop/app.py", 9),), in_test=False)
"""
