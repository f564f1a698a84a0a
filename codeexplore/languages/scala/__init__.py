"""Scala: language record and resolution rules.

Entry points: `spec.SCALA` (the language record), `resolve` (rules for the resolver).

Example: ``class Shop { def total(p: Int) = sum(p) }`` in ``Shop.scala`` becomes the class ``Shop`` and the method
``Shop.total``, with a call of ``sum``.
"""
