"""JavaScript: language record, extractor and resolution rules.

Entry points: `spec.JAVASCRIPT` (the language record), `spec.rules` (semantics for the resolver),
`extractor.JavaScriptExtractor` (facts of a file).

Example: ``export const total = (cart) => cart.sum()`` in ``src/cart.js`` becomes the function ``src/cart.total``,
with a call of ``cart.sum``.
"""
