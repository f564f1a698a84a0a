"""TSX: language record.

Entry point: `spec.TSX` (the language record).

Example: ``export function Total() { return <Sum/> }`` in ``src/cart.tsx`` becomes the function ``src/cart.Total``,
with a call of ``Sum``.
"""
