"""Go: language record, extractor and resolution rules.

Entry points: `spec.GO` (the language record), `extractor.GoExtractor` (facts of a file), `resolve` (rules for the
resolver).

Example: ``package shop; func (c *Cart) Total() int { return c.sum() }`` in ``shop/cart.go`` becomes the method
``shop.Cart.Total``, with a call of ``c.sum``.
"""
