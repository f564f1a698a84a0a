"""PHP: language record, extractor and resolution rules.

Entry points: `spec.PHP` (the language record), `extractor.PhpExtractor` (facts of a file), `resolve` (rules for the
resolver).

Example: ``<?php class Shop { function total() { return sum(); } }`` in ``src/Shop.php`` becomes the class ``Shop``
and the method ``Shop::total``, with a call of ``sum``.
"""
