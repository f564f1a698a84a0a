"""Rust: language record, extractor and resolution rules.

Entry points: `spec.RUST` (the language record), `spec.rules` (semantics for the resolver), `extractor.RustExtractor`
(facts of a file).

Example: ``impl Cart { fn total(&self) -> u32 { self.sum() } }`` in ``src/cart.rs`` becomes the method
``crate::cart::Cart::total``, with a call of ``self.sum``.
"""
