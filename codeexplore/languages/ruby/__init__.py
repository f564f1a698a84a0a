"""Ruby: language record, extractor and resolution rules.

Entry points: `spec.RUBY` (the language record), `extractor.RubyExtractor` (facts of a file), `resolve` (rules for the
resolver).

Example: ``class Shop; def total; sum(1); end; end`` in ``lib/shop.rb`` becomes the class ``Shop`` and the method
``Shop#total``, with a call of ``sum``.
"""
