"""Extraction of symbols and facts from the captured syntax-tree nodes of one file.

Entry points: `extractor.Extractor` (base class of a language's extractor, method `extract`), and in `expressions` its
result `Extraction` and the expressions of a grammar, as data (`Expressions`).

The query of a language selects the nodes, an `Extractor` interprets them. A capture's name selects its handler:

- ``@definition.KIND``: a symbol. Its name, parameters and body are fields of the node.
- ``@reference.KIND``: a use of a name. ``@reference.bare`` is any identifier; one that is captured as ``@_named`` too
  declares a name or belongs to another capture, and is left out.
- ``@binding.MANNER``: a name to which a value is bound.
- ``@comment``: a comment above a definition, which belongs to it.
- ``@decorator``: an attribute above a definition. In the tree it is a sibling of the definition.
- ``@import``, ``@export``, ``@return``, ``@yield``, ``@base``: defined by the handlers of the language.

Words used here and in the folders of the languages:

- A *node* is a node of the tree-sitter syntax tree.
- A *scope* is the index of the innermost symbol whose body contains a node; 0 is the module.
- A *binding* records that a name has a value or a type in a scope. Its *manner* is the kind of binding, such as
  ``parameter`` or ``variable``. To *bind* a name means to add such a record (`types.Binding`).
- An *access path* is a short text for an expression, such as ``self.pool.get()[0]``. It consists of a *root*
  (``self``) and *steps* (``.pool``, ``.get``, ``()``, ``[0]``). A value without a name has a root that begins with
  ``%``, such as ``%list:3:8`` for the list literal at line 3, byte column 8. See `types.FileFacts`.

Each pattern captures one node. So the query takes less than twice the time of a walk over the tree. Capturing a node's
fields too would cost more than reading the needed fields from the node.

First, the definitions are arranged as a tree of scopes. Then every other node is passed to its handler, in source order
and outermost first, together with its scope.

Example: ``def total(cart: Cart): return cart.sum()`` in ``app.py`` is captured as ``@definition.function``,
``@reference.call`` and others. The results are the symbol ``app.total``, a binding of ``cart`` with type ``Cart``, and
a reference of kind ``call`` with the path ``cart.sum`` in the scope of ``total``.
"""
