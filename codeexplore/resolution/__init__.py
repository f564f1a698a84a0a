"""Name resolution: the values that every expression of a language family may have, by a points-to analysis.

Entry point: `solve_family.FamilyAnalysis` analyses the files of one family. `program` numbers the symbols and scopes.
`assignments.Loader` turns facts into nodes and flow edges. `solver.PointsToSolver` moves values along the flow edges.
`evaluator.Evaluator` maps an expression to its node. `language_rules.Rules` describes a language.

Words used here:

- A *node* is a constraint variable: the values of a variable, field, result or expression. It is a number.
- An *entity* is an abstract value, such as a function or an instance of a class. It is a number too; see `values`.
- The *evidence* of an entity in a node is a level: the weakest way by which the entity got there. A smaller number is
  stronger; see `solver`.
- A *path* (access path) is the text of an expression. It has a root and *steps*: ``self.pool.get(x)`` has the root
  ``self`` and the steps ``.pool``, ``.get`` and ``()``.
- A *watcher* is a tuple (handler, …). The solver calls the handler for every value of a node, now and later.
- A *scope* is the number of a symbol whose body contains the expression.

Example: the call ``self.pool.get(x).run()`` in ``App.handle`` (see `codeexplore.graph`). Each prefix of the expression
has a node, with these values and their evidence::

    self                    instance of App         SELF     receiver of the method
    self.pool               instance of Pool        TYPE     assigned in __init__: self.pool = Pool()
    self.pool.get           method Pool.get         TYPE     bound to that instance
    self.pool.get()         instance of Worker      ELEMENT  get returns an element of self.items
    self.pool.get().run     method Worker.run       ELEMENT  bound to that instance
"""
