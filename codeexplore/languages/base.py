"""The `Language` record: one language as data, plus the few functions that data can't express.

A language is a folder: ``spec.py`` with its `Language`, ``tags.scm`` with its tree-sitter query, and an
``extractor.py`` or ``resolve.py`` only if it differs from the defaults. `registry.py` lists them all in one tuple.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

    from codeexplore.languages.extraction import Extractor
    from codeexplore.resolution.language_rules import Rules


class Wrapping(NamedTuple):
    """A macro around definitions that its grammar does not parse: byte ranges of its opening and its closing."""

    start: int
    inner_start: int
    inner_end: int
    end: int
    opening: bytes = b""  # text for the parser in place of the opening, of the same length; else spaces


class Dialect(NamedTuple):
    """Another language of files with an extension, recognised by their text: headers in C++."""

    language: str
    extensions: tuple[str, ...]  # of the files that may be in it
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Language:
    """Properties of one language that other packages need.

    `level` is the depth of support: ``full`` (symbols, facts, resolution), ``symbols`` (definitions and calls by
    name) or ``text`` (sections). `extractor` and `rules` are called at their first use, so that importing the
    registry loads no grammar.
    """

    name: str
    title: str  # as people write it
    level: Literal["full", "symbols", "text"]
    extensions: tuple[str, ...]  # with the dot, lowercase
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()  # names in a shebang line
    grammar: str = ""  # name in tree-sitter-language-pack; "" for text
    folder: Path | None = None  # folder of tags.scm
    shared_tags: tuple[Path, ...] = ()  # queries of related languages, placed before its own
    separator: str = "."  # between the parts of an fqn
    pygments: str = ""  # lexer alias for display, "" for plain text
    dialects: tuple[Dialect, ...] = ()
    wrappings: Callable[[Node, bytes], list[Wrapping]] | None = None  # macros to look into, by the root of the tree
    bears: Callable[[bytes], bool] | None = None  # whether its grammar survives a text: some end the process
    named_by: tuple[str, ...] = ()  # endings of other paths whose coming or going may rename this language's modules
    manifests: tuple[str, ...] = ()  # names of files, no sources, that its `rules` read
    extractor: Callable[[], Extractor] | None = None
    rules: Callable[[], Rules] | None = None

    def tags(self) -> str:
        """The tree-sitter query that finds definitions and references. Raises ValueError where there is none."""
        if self.folder is None:
            raise ValueError(f"language {self.name} has no tags.scm")
        return "\n".join(path.read_text("utf-8") for path in (*self.shared_tags, self.folder / "tags.scm"))
