"""Language records of Markdown, reStructuredText, plain text and Jupyter notebooks, whose code cells are Python."""

from __future__ import annotations

from codeexplore.languages.base import Language

MARKDOWN = Language(
    name="markdown",
    title="Markdown",
    level="text",
    extensions=(".md", ".markdown", ".mdown", ".mdx"),
    pygments="markdown",
)
RST = Language(
    name="rst",
    title="reStructuredText",
    level="text",
    extensions=(".rst", ".rest"),
    pygments="rst",
)
TEXT = Language(
    name="text",
    title="plain text",
    level="text",
    extensions=(".txt", ".adoc", ".asciidoc", ".org"),
    filenames=("README", "CHANGELOG", "CHANGES", "NEWS", "HISTORY", "CONTRIBUTING", "AUTHORS", "TODO"),
)
DOCUMENTS = frozenset({MARKDOWN.name, RST.name, TEXT.name})
"""Names of the languages of texts that people read."""
NOTEBOOK = Language(
    name="notebook",
    title="Jupyter notebook",
    level="text",
    extensions=(".ipynb",),
    named_by=("__init__.py",),
    pygments="python",
)
