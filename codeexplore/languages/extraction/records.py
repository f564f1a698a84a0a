"""Records that extractors take as input and return as output."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codeexplore.types import FileFacts, Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

record = tuple.__new__
"""Makes a named tuple from a tuple of its fields, in half the time of calling its class. A load makes a million."""

Captures = Mapping[str, Sequence["Node"]]
Handler = Callable[[int, "Node"], None]
"""`Extractor.bind`: scope, name, kind of binding, type as written, values, line."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of all files, and the package that contains the root. Module names depend on them."""

    paths: frozenset[str] = frozenset()  # every discovered path
    prefix: str = ""  # dotted name of the root folder, if the root is itself a package


@dataclass(frozen=True, slots=True)
class Expressions:
    """Types of syntax-tree nodes for the expressions that form access paths, in one grammar.

    The values of the mappings are names of node fields. "" means the first named child, for grammars without such a
    field.
    """

    attributes: Mapping[str, tuple[str, str]]  # node type → (object field, name field)
    calls: Mapping[str, str]  # node type → field of the callee
    methods: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # a.f(): node type → (receiver, name field)
    subscripts: Mapping[str, str] = field(default_factory=dict)  # node type → field of the container
    names: frozenset[str] = frozenset({"identifier"})
    transparent: frozenset[str] = frozenset({"parenthesized_expression", "await", "await_expression"})
    through: Mapping[str, str] = field(default_factory=dict)  # node type → field with the same value
    # node type → operator → step of the access path
    prefixes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    literals: Mapping[str, str] = field(default_factory=dict)  # node type → %root
    words: Mapping[str, str] = field(default_factory=dict)  # keyword that looks like a name → %root, or ""
    functions: frozenset[str] = frozenset()  # node types of anonymous functions
    branches: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # a or b, a if c else b → value fields
    holding: frozenset[str] = field(init=False)  # node types with the value of their child

    def __post_init__(self) -> None:
        object.__setattr__(self, "holding", self.transparent | self.through.keys() | self.branches.keys())


@dataclass(slots=True)
class Definition:
    """A symbol during extraction.

    It refers to its syntax-tree nodes, which are needed later to divide the file into chunks.
    """

    kind: SymbolKind
    name: str
    node: Node  # the definition itself
    outer: Node  # the node that includes decorators, `export` and similar syntax
    body: Node | None
    start: int  # bytes of `outer`
    end: int
    index: int = -1
    parent: int = 0  # index of the enclosing symbol
    symbol: Symbol | None = None
    lead_line: int = 0  # 1-based line where its leading comments begin
    leading: Sequence[Node] = ()
    decorations: Sequence[Node] = ()  # sibling nodes above it that belong to it, such as attributes; in source order
    owner: str = ""  # the type of a method outside the type's body
    named: Node | None = None  # the node that contains its name
    qualifier: str = ""  # names between the parent's name and its own, such as keys of the literals that contain it
    last: Node | None = (
        None  # the last of several nodes that make it up together: clauses, a signature and its equations
    )
    remarks: str = ""  # comments in its head, which its signature leaves out

    @property
    def tail(self) -> Node:
        """Return the syntax-tree node at which the definition ends."""
        return self.last or self.outer

    @property
    def scope_start(self) -> int:
        """Return the first byte of the definition's scope: uses from this byte on belong to the definition.

        Decorators, defaults and bases are before this byte and belong to the enclosing scope.
        """
        return self.body.start_byte if self.body is not None else self.end


@dataclass(frozen=True, slots=True)
class Extraction:
    """Facts of a file, and its definitions by symbol index (None for the module).

    The definitions are needed to divide the file into chunks.
    """

    facts: FileFacts
    definitions: tuple[Definition | None, ...]
