"""The supported languages. Each has a language record and, if needed, its extractor and rules.

Change it to add a language.

Words used here:

- language record: a `base.Language`, the properties of one language as data.
- facts: the symbols of a file, the uses of names in it, its imports and more; see `types.FileFacts`.
- extractor: a class that turns the syntax tree of a file into facts.
- rules: the resolution rules of a language, by which the resolver finds the target of a reference.
- level: the depth of support: ``full``, ``symbols`` or ``text``.
- module resolver (Locator): a class that finds the module to which an import refers.

Entry points: `registry` (the tuple `LANGUAGES`, and the language of a file by path or first line), `base.Language`,
`extraction` (base classes of extractors), `declared` (a module and a query file for each language of level
``symbols``, with an extractor that reads the `Shape` of a grammar). A language of level ``full`` has a folder.
`file_roles` decides from the path whether a file is a test, generated or vendored; `PathRoles` adds the folders that
the settings name.

Example: ``registry.by_path("src/app.py").name`` is ``"python"``, ``registry.by_shebang(b"#!/bin/sh").name`` is
``"bash"``.
"""
