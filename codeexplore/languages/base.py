"""The `Language` record: the properties of one language as data, with functions where data is not enough.

A language whose grammar is described by a `Shape` is one module and one query file in `declared`. A language of level
``full`` has a folder, with its record in ``spec.py``. `registry.py` lists all languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from codeexplore.types import SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codeexplore.languages.extraction import Extractor
    from codeexplore.resolution.language_rules import Rules
    from codeexplore.types import Symbol


class Wrapping(NamedTuple):
    """A macro around definitions that the grammar cannot parse, given by byte ranges.

    The opening of the macro is ``start:inner_start``, the definitions are ``inner_start:inner_end``, and the closing is
    ``inner_end:end``. A word that the grammar does not know is an opening without definitions.
    """

    start: int
    inner_start: int
    inner_end: int
    end: int
    opening: bytes = b""  # text of the same length that the parser gets instead of the opening; b"": spaces


class Dialect(NamedTuple):
    """Another language that files with the same extension may contain, such as C++ in a ``.h`` file.

    The text of a file decides whether it contains the dialect.
    """

    language: str
    extensions: tuple[str, ...]  # of the files that may have this language
    pattern: re.Pattern[str]


class Part(NamedTuple):
    """A part of a file that is not code, which is a symbol: its kind, and where its node contains the name.

    `steps` are steps as in `declared.grammar_shape.Shape`. Without steps the name is the text before the first
    brace; `joint` then separates its words.
    """

    kind: SymbolKind
    steps: tuple[str, ...] = ()
    joint: str = " "


class Place(NamedTuple):
    """A part of a text that was found without a grammar. It ends at the next part of the same or a higher level."""

    line: int  # 1-based
    level: int  # 1 for a part of the file, 2 for a part of such a part
    kind: SymbolKind
    name: str


@dataclass(frozen=True, slots=True)
class Structure:
    """Parts of a file that is not code.

    `patterns` are pairs of a kind and a regular expression with the group ``name``, for formats without a grammar. A
    pattern for several kinds has a mapping from its group ``word``, in lower case, to the kind.
    """

    parts: Mapping[str, Part] = field(default_factory=dict)  # node type → part
    patterns: tuple[tuple[SymbolKind | Mapping[str, SymbolKind], re.Pattern[str]], ...] = ()
    scan: Callable[[str], Iterator[Place]] | None = None  # finds the parts in place of patterns
    levels: int = 1  # levels of nested parts that are symbols
    apart: bool = False  # True if parts of a small file are chunks of their own: declarations
    data: bool = False  # True if large files of the format are data


@dataclass(frozen=True, slots=True)
class Language:
    """Properties of one language that other packages need.

    `level` is the depth of support: ``full`` (symbols, facts and resolution), ``symbols`` (definitions, and calls by
    name) or ``text`` (sections). `extractor` and `rules` are functions that are called at the first use, so that
    importing the registry loads no grammar.
    """

    name: str
    title: str  # as people write it
    level: Literal["full", "symbols", "text"]
    extensions: tuple[str, ...]  # with the dot, lowercase
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()  # names in a shebang line
    grammar: str = ""  # name in tree-sitter-language-pack; "" for text
    queries: tuple[Path, ...] = ()  # files with the tree-sitter queries of the language, in order
    separator: str = "."  # between the parts of a qualified name
    pygments: str = ""  # lexer alias for display, "" for plain text
    dialects: tuple[Dialect, ...] = ()
    wrappings: Callable[[Node, bytes], list[Wrapping]] | None = None  # (root of the tree, text) → macros to remove
    bears: Callable[[bytes], bool] | None = None  # False for a text at which the grammar would end the process
    # endings of paths; adding or removing such a file may rename modules of this language
    named_by: tuple[str, ...] = ()
    manifests: tuple[str, ...] = ()  # names of files, other than source files, that its `rules` read
    extractor: Callable[[], Extractor] | None = None
    rules: Callable[[], Rules] | None = None
    structure: Structure | None = field(default=None, hash=False)  # of a file that is not code
    is_overload_head: Callable[[Symbol, str], bool] | None = None
    """Returns True for a definition, given its text, that declares a form of the function of its name further down."""

    def tags(self) -> str:
        """Return the tree-sitter query that finds definitions and references; "" for a file that is not code.

        Raises ValueError if the language has no query file, and OSError if one cannot be read.
        """
        if self.structure is not None:
            return ""
        if not self.queries:
            raise ValueError(f"language {self.name} has no query file")
        return "\n".join(path.read_text("utf-8") for path in self.queries)
