"""Go: language record, extractor and resolution rules.

Entry points: `spec.GO` (the language record), `spec.rules` (semantics for the resolver), `extractor.GoExtractor`
(facts of a file).

Example: ``package shop; func (c *Cart) Total() int { return c.sum() }`` in ``shop/cart.go`` becomes the method
``shop.Cart.Total``, with a call of ``c.sum``.
"""
