"""C: language record, extractor and resolution rules.

Entry points: `spec.C` (the language record), `extractor.CExtractor` (facts of a file), `resolve` (rules for the
resolver).

Example: ``static int grow(struct queue *q) { return resize(q); }`` in ``src/queue.c`` becomes the function
``src/queue.c:grow``, with a call of ``resize``.
"""
