"""Syntax of one file: parsing, extraction of facts, and chunks for search.

Change it to change what a chunk is.

Entry points: `analyse.analyse` (from a `SourceFile` to its `FileIndex`), `parse` (parser and queries of tree-sitter),
`chunking.make_chunks`, `structure.analyse_text` (files without a grammar).

Example: ``def total(prices): return sum(prices)`` in ``app.py`` becomes the symbols ``app`` and ``app.total``, a call
of ``sum`` with the argument ``prices``, and one chunk with the lines of ``app.total``.
"""
