"""TypeScript: language record and extractor.

Entry points: `spec.TYPESCRIPT` (the language record), `extractor.TypeScriptExtractor` (facts of a file).

Example: ``export function total(cart: Cart) { return cart.sum() }`` in ``src/cart.ts`` becomes the function
``src/cart.total``, with a call of ``cart.sum``.
"""
