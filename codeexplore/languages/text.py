"""Language records of Markdown, reStructuredText, plain text and Jupyter notebooks, whose code cells are Python."""

from __future__ import annotations

from dataclasses import replace

from codeexplore.languages.base import Language
from codeexplore.languages.python.spec import PYTHON

MARKDOWN = Language(
    name="markdown",
    title="Markdown",
    level="text",
    extensions=(".md", ".markdown", ".mdown", ".mdx"),
    pygments="markdown",
)
RST = Language(name="rst", title="reStructuredText", level="text", extensions=(".rst", ".rest"), pygments="rst")
TEXT = Language(
    name="text",
    title="plain text",
    level="text",
    extensions=(".txt", ".adoc", ".asciidoc", ".org"),
    filenames=("README", "CHANGELOG", "CHANGES", "NEWS", "HISTORY", "CONTRIBUTING", "AUTHORS", "TODO"),
)
DOCUMENTS = frozenset({MARKDOWN.name, RST.name, TEXT.name})
"""Names of the languages of texts that people read."""
NOTEBOOK = replace(
    PYTHON,
    name="notebook",
    title="Jupyter notebook",
    level="text",
    extensions=(".ipynb",),
    interpreters=(),
    grammar="",
    queries=(),
    extractor=None,
    test_files=None,
)
