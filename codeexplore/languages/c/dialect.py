"""The parts in which the extractor of C++ differs from the extractor of C."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from codeexplore.languages.declarative.grammar_shape import Shape
from codeexplore.languages.declarative.paths import ShapedPaths
from codeexplore.languages.extraction import Definition
from codeexplore.types import Import, Reference, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node


class Dialect:
    """Base class of the dialects of `CExtractor`. It is the dialect of C, and its methods change nothing.

    The extractor calls the methods where dialects may differ. The dialect of C++ (`cpp.dialect`) overrides them.

    Parameters
    ----------
    shape
        Shape of the grammar.
    paths
        Reader of access paths.
    type_text
        The method `SymbolsExtractor.type_text`.
    imports, references
        The extractor's lists of imports and references, to which a dialect adds.
    """

    def __init__(
        self,
        shape: Shape,
        paths: ShapedPaths,
        type_text: Callable[[Node | None], str],
        imports: list[Import],
        references: list[Reference],
    ) -> None:
        self._shape, self._paths, self._type_text = shape, paths, type_text
        self._imports, self._references = imports, references

    def name(self, kind: SymbolKind, node: Node) -> str | None:
        """Return the name of a definition in this dialect.

        "" means that the definition is not a symbol, None that it is named as in C.
        """
        return None

    def owner_of(self, definition: Definition) -> str:
        """Return the class or namespace of a definition that is written outside of it; "" for other definitions."""
        return ""

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        """Make a class or namespace the parent of its members that are written outside of it."""

    def construct(self, scope: int, node: Node) -> None:
        """Add the call of a constructor, if the declaration of a local variable makes one."""
