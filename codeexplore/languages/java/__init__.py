"""Java: language record, extractor and resolution rules.

Entry points: `spec.JAVA` (the language record), `spec.rules` (semantics for the resolver), `extractor.JavaExtractor`
(facts of a file).

Example: ``package com.shop; class Cart { int total() { return sum(); } }`` in ``Shop.java`` becomes the class
``com.shop.Cart`` and the method ``com.shop.Cart.total``, with a call of ``sum``.
"""
