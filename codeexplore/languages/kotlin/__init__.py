"""Kotlin: language record, extractor and resolution rules.

Entry points: `spec.KOTLIN` (the language record), `extractor.KotlinExtractor` (facts of a file), `resolve` (rules for
the resolver).

Example: ``class Shop { fun total() = sum() }`` in ``Shop.kt`` becomes the class ``Shop`` and the method
``Shop.total``, with a call of ``sum``.
"""
