"""Extractor for languages at the level of symbols, driven by a `Shape` of the grammar instead of code.

Entry points: `grammar_shape.Shape` (node types and fields that carry names), `extractor.SymbolsExtractor`.

Example: ``class Shop { int Total(int[] p) { return Sum(p); } }`` in a C# file ``Shop.cs`` becomes the module ``Shop``,
the class ``Shop``, the method ``Shop.Total``, a call of ``Sum`` and a parameter ``p`` of type ``int[]``.
"""
