"""Swift: language record, extractor and resolution rules.

Entry points: `spec.SWIFT` (the language record), `extractor.SwiftExtractor` (facts of a file), `resolve` (rules for
the resolver).

Example: ``class Cart { func total() -> Int { return sum() } }`` in ``Sources/Shop/Cart.swift`` becomes the class
``Shop.Cart`` and the method ``Shop.Cart.total``, with a call of ``sum``.
"""
