"""Python: symbols, bindings, implicit calls, ``match`` patterns, and resolution of imports.

Entry points: `spec.PYTHON` (the language record), `extractor.PythonExtractor` (facts of a file), `locate` (the file
that an import refers to), `resolve.rules` (semantics for the resolver).

Example: ``def total(cart: Cart): return cart.sum()`` in ``app.py`` becomes the function ``app.total``, a parameter
``cart`` of type ``Cart``, a use of the type ``Cart`` and a call of ``cart.sum``.
"""
