"""Code graph: symbols as vertices, and typed edges between them, each with its rule, confidence and sites.

Change it to add a walk or a survey. `workspace.graph_update` decides which edges stay after an edit.

Entry points:

- `build.resolve.build_graph` builds a `model.CodeGraph` from the facts of all files.
- `queries.walk` finds callers, callees, uses, implementors, impact of symbols.
- `traversal.PathSearch` and `explain_edge` connect two symbols, `surveys` analyse the whole graph.
- `usage` judges missing edges: absence, dead code, entry points. `line_shift` tells if a file
  changed only in its lines, and `merge` renumbers and joins the edges that an edit keeps.

Example: two modules, ``shop/pool.py`` and ``shop/app.py``::

    class Worker:                            class App:
        def run(self): ...                       def __init__(self):
                                                     self.pool = Pool()
    class Pool:
        def add(self, name):                     def handle(self, x):
            self.items[name] = Worker()              return self.pool.get(x).run()

        def get(self, name):
            return self.items[name]

``queries.walk(graph, "callees", …)`` from ``App.handle`` returns two edges of kind CALLS, both with confidence 0.9. One
leads to ``Pool.get`` by rule "type", because the type of ``self.pool`` is known. The other leads to ``Worker.run`` by
rule "element", because ``get`` returns an element of ``self.items``.
"""
