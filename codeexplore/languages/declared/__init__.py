"""Languages of level ``symbols``, with or without declared types: a module with each record, its query beside it.

Change it to add a language with a `Shape`, and its record to `registry`.

Their common extractor reads a `Shape`, which describes a grammar as data. Entry points: `grammar_shape.Shape` (node
types and fields that contain names), `extractor.SymbolsExtractor`.

Words used here:

- A *step* selects a child of a syntax-tree node (see `Shape`).
- An *extension* is a block that adds members to a type which is defined elsewhere, such as Swift's ``extension`` and
  Haskell's ``instance``.

Example: ``class Shop { int Total(int[] p) { return Sum(p); } }`` in a C# file ``Shop.cs`` becomes the module ``Shop``,
the class ``Shop``, the method ``Shop.Total``, a call of ``Sum`` and a parameter ``p`` of type ``int[]``.
"""
