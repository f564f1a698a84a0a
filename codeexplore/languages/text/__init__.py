"""Languages without a grammar: Markdown, reStructuredText, plain text and Jupyter notebooks.

Entry point: `spec`, with a `Language` record for each of them. `syntax.sections` and `syntax.analyse` divide the
files into chunks.

Example: a ``README.md`` with the headings ``# Shop`` and ``## Install`` becomes the module ``README.md`` and the
sections ``README.md#Shop`` and ``README.md#Shop#Install``.
"""
