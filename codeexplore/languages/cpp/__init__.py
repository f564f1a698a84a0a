"""C++: language record and extractor.

Entry points: `spec.CPP` (the language record), `dialect.CppDialect` (differences of its extractor from that of C).

Example: ``class Queue { int grow() { return resize(); } };`` in ``src/queue.cpp`` becomes the class ``Queue`` and the
method ``Queue::grow``, with a call of ``resize``.
"""
