"""Haskell: language record and extractor.

Entry points: `spec.HASKELL` (the language record), `extractor.HaskellExtractor` (facts of a file).

Example: ``total p = sumOf p`` in ``src/Shop.hs`` becomes the function ``src/Shop.total``, with a call of ``sumOf``.
"""
