"""Extractor for languages of level ``symbols``. It is driven by data about the grammar, a `Shape`, instead of code.

Entry points: `grammar_shape.Shape` (node types and fields that contain names), `extractor.SymbolsExtractor`.

Words used here: a *step* selects a child of a node (see `Shape`); an *extension* is a block that adds members to a type
which is defined elsewhere (Swift's ``extension``, Haskell's ``instance``).

Example: ``class Shop { int Total(int[] p) { return Sum(p); } }`` in a C# file ``Shop.cs`` becomes the module ``Shop``,
the class ``Shop``, the method ``Shop.Total``, a call of ``Sum`` and a parameter ``p`` of type ``int[]``.
"""
