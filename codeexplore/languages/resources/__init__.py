"""Files that are not code, but that engineers ask about: configuration, schemas, templates, styles and build files.

Entry points: `spec.RESOURCES` (a `Language` for each format), `spec.OTHER` (text of a format that is not listed). Each
has a `base.Structure`: data that says which parts of a file are symbols. `syntax.structure` reads files by it.

Example: ``services:`` with ``web:`` below it in ``compose.yaml`` becomes the module ``compose.yaml`` and the symbols
``compose.yaml#services`` and ``compose.yaml#services#web`` of kind ``key``.
"""
