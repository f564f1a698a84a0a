"""Name resolution: the values that every expression of a language family may have, by a points-to analysis.

Change it to change how calls are resolved.

Entry point: `solve_family.FamilyAnalysis` analyses the files of one family, which is a set of languages that are
resolved together, such as JavaScript and TypeScript. `program` numbers the symbols and scopes. `solve_family.Loader`
turns facts into constraint variables and flow edges. `solver.PointsToSolver` moves values along the flow edges.
`evaluator.Evaluator` maps an expression to its constraint variable. `language_rules.Rules` describes a language.

Words used here:

- A *constraint variable* stands for the values of a variable, a field, a function's result or an expression. It is a
  number. In the code it is called a *node*.
- An *abstract value* stands for things that exist at run time, such as a function or the instances of a class. It is a
  number too; see `solver`. In the code it is called an *entity*.
- The *provenance* of an abstract value says by which way it got into a constraint variable. It is a level: that of the
  weakest flow edge on the way. A smaller number is stronger; see `solver`. In the code it is called *evidence*.
- A *path* (access path) is the text of an expression. It has a root and *steps*: ``self.pool.get(x)`` has the root
  ``self`` and the steps ``.pool``, ``.get`` and ``()``.
- A *watcher* is a tuple whose first item is a function, the handler. The solver calls the handler for every value that
  a constraint variable has or gets.
- A *scope* is the number of a symbol whose body contains an expression. A *unit* is the number of a module.
- *Outside* means outside the repository, such as a class of the standard library.

Example: the call ``self.pool.get(x).run()`` in ``App.handle`` (see `codeexplore.graph`). Each prefix of the expression
has a constraint variable, with these values and their provenance::

    self                    instance of App         SELF     receiver of the method
    self.pool               instance of Pool        TYPE     assigned in __init__: self.pool = Pool()
    self.pool.get           method Pool.get         TYPE     bound to that instance
    self.pool.get()         instance of Worker      ELEMENT  get returns an element of self.items
    self.pool.get().run     method Worker.run       ELEMENT  bound to that instance
"""
