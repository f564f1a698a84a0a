"""C#: language record, extractor and resolution rules.

Entry points: `spec.CSHARP` (the language record), `extractor.CSharpExtractor` (facts of a file), `resolve` (rules for
the resolver).

Example: ``class Shop { int Total() { return Sum(); } }`` in ``Shop.cs`` becomes the class ``Shop`` and the method
``Shop.Total``, with a call of ``Sum``.
"""
