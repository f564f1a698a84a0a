"""Name resolution: the values that every expression of a language family may have, by a points-to analysis.

Entry point: `solve_family.FamilyAnalysis` analyses the files of one family. `program` numbers the symbols and scopes,
`assignments.Loader` turns facts into nodes and flow edges, `solver.PointsToSolver` moves values along them, and
`evaluator.Evaluator` maps an expression to its node. `language_rules.Rules` describes a language.

Example: the call ``self.pool.get(x).run()`` in ``App.handle`` (see `codeexplore.graph`). Each prefix of the expression
has a node; its values are entities with their evidence, a number that is smaller for stronger evidence::

    self                    instance of App         SELF     receiver of the method
    self.pool               instance of Pool        TYPE     assigned in __init__: self.pool = Pool()
    self.pool.get           method Pool.get         TYPE     bound to that instance
    self.pool.get()         instance of Worker      ELEMENT  get returns an element of self.items
    self.pool.get().run     method Worker.run       ELEMENT  bound to that instance
"""
