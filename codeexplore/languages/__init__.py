"""The supported languages: one folder each, from syntax nodes to symbols and facts.

Entry points: `registry` (the tuple `LANGUAGES`, and the language of a file by path or first line), `base.Language` (the
record of one language), `extraction` (base classes of extractors), `declarative` (extractor driven by a grammar's
`Shape`, for languages at the level of symbols).

Example: ``registry.by_path("src/app.py").name`` is ``"python"``, ``registry.by_shebang(b"#!/bin/sh").name`` is
``"bash"``. To add a language, write a folder with ``spec.py`` and ``tags.scm`` and add it to ``LANGUAGES``.
"""
