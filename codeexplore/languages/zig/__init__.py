"""Zig: language record and extractor.

Entry points: `spec.ZIG` (the language record), `extractor.ZigExtractor` (facts of a file).

Example: ``fn total() u32 { return sum(); }`` in ``src/cart.zig`` becomes the function ``cart.total``, with a call of
``sum``.
"""
