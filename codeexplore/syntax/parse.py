"""The only door to tree-sitter: text in, tree and captured nodes out."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query, Tree

    from codeexplore.languages.extraction import Captures

PARSE_SECONDS = 10.0
"""Longest a single file may take: no ordinary file of a megabyte comes near, a runaway grammar does."""

MATCH_LIMIT = 65_536
"""Query states kept at once; beyond it tree-sitter drops matches instead of growing without bound."""


class GrammarError(Exception):
    """A grammar can't be loaded or its query does not fit it; the language is left out with a warning."""


class ParseTimeout(Exception):
    """A file took longer than it may."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """A loaded grammar: one parser, one compiled query."""

    name: str
    parser: Parser
    query: Query


@cache
def grammar(language: Language) -> Grammar:
    """Load a language's grammar and query.

    Raises
    ------
    GrammarError
        The grammar is missing, or its query does not compile against it.
    """
    try:
        from tree_sitter import Parser, Query
        from tree_sitter_language_pack import get_language

        loaded = get_language(language.grammar)  # type: ignore[arg-type]
        return Grammar(language.grammar, Parser(loaded), Query(loaded, language.tags()))
    except Exception as error:  # whatever a grammar package raises, the other languages must still load
        raise GrammarError(f"grammar {language.grammar!r} for {language.title} can't be used: {error}") from error


def parse(grammar: Grammar, data: bytes, seconds: float = PARSE_SECONDS) -> Tree:
    """Parse UTF-8 bytes.

    Raises
    ------
    ParseTimeout
        It took longer than `seconds`; the parser is reset and the next file parses well.
    """
    if len(data) < 100_000:  # at worst a fraction of a second: the plain call is several times cheaper
        return grammar.parser.parse(data)
    deadline = time.monotonic() + seconds

    def read(offset: int, _point: object) -> bytes:
        return data[offset : offset + 65_536]

    def progress(_offset: int, _error: bool) -> bool:
        return time.monotonic() > deadline  # True stops the parse

    try:
        return grammar.parser.parse(read, progress_callback=progress)
    except ValueError as error:
        grammar.parser.reset()
        raise ParseTimeout(f"parsing took longer than {seconds:g} s") from error


def captures(grammar: Grammar, root: Node) -> Captures:
    """Every node of the tree that the language's query captures, by capture name."""
    from tree_sitter import QueryCursor

    return QueryCursor(grammar.query, match_limit=MATCH_LIMIT).captures(root)


def count_errors(root: Node) -> int:
    """Syntax errors below `root`: ERROR and MISSING nodes, not looking inside an ERROR."""
    if not root.has_error:
        return 0
    count, pending = 0, [root]
    while pending:
        node = pending.pop()
        if node.type == "ERROR" or node.is_missing:
            count += 1
        elif node.has_error:
            pending.extend(node.children)
    return count
