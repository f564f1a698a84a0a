"""Solidity: language record, extractor and resolution rules.

Entry points: `spec.SOLIDITY` (the language record), `extractor.SolidityExtractor` (facts of a file), `resolve` (rules
for the resolver).

Example: ``contract Shop { function total() public { sum(); } }`` in ``Shop.sol`` becomes the class ``Shop`` and the
method ``Shop.total``, with a call of ``sum``.
"""
