"""Input and output records of extraction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codeexplore.types import FileFacts, Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

record = tuple.__new__
"""Makes a named tuple from a tuple of its fields, at half the cost of calling its class: there are a million."""

Captures = Mapping[str, Sequence["Node"]]
Handler = Callable[[int, "Node"], None]


@dataclass(frozen=True, slots=True)
class Layout:
    """Input of a module's name besides its own file: the other paths, and the package that contains the root."""

    paths: frozenset[str] = frozenset()  # every discovered path
    prefix: str = ""  # dotted name of the root folder when the root is itself a package


@dataclass(frozen=True, slots=True)
class Expressions:
    """Node types of a grammar for the expressions that form access paths.

    Values are field names; if a grammar has no field, "" means the first named child.
    """

    attributes: Mapping[str, tuple[str, str]]  # node type → (object field, name field)
    calls: Mapping[str, str]  # node type → field of the callee
    methods: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # a.f(): node type → (receiver, name field)
    subscripts: Mapping[str, str] = field(default_factory=dict)  # node type → field of the container
    names: frozenset[str] = frozenset({"identifier"})
    transparent: frozenset[str] = frozenset({"parenthesized_expression", "await", "await_expression"})
    through: Mapping[str, str] = field(default_factory=dict)  # node type → field with the same value
    prefixes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # node type → operator → step it takes
    literals: Mapping[str, str] = field(default_factory=dict)  # node type → %root
    words: Mapping[str, str] = field(default_factory=dict)  # keyword that looks like a name → %root, or ""
    functions: frozenset[str] = frozenset()  # node types of anonymous functions
    branches: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # a or b, a if c else b → value fields
    holding: frozenset[str] = field(init=False)  # node types with the value of their child

    def __post_init__(self) -> None:
        object.__setattr__(self, "holding", self.transparent | self.through.keys() | self.branches.keys())


@dataclass(slots=True)
class Definition:
    """A symbol under construction, kept with its nodes until the chunker has read them."""

    kind: SymbolKind
    name: str
    node: Node  # the definition itself
    outer: Node  # with decorators, `export` and the like
    body: Node | None
    start: int  # bytes of `outer`
    end: int
    index: int = -1
    parent: int = 0  # index of the enclosing symbol
    symbol: Symbol | None = None
    lead_line: int = 0  # 1-based line where its leading comments begin
    leading: Sequence[Node] = ()
    decorations: Sequence[Node] = ()  # sibling nodes above that belong to it, in source order
    owner: str = ""  # the type of a method outside the type's body
    named: Node | None = None  # the node that carries its name
    qualifier: str = ""  # names between its parent's and its own, such as the keys of literals around it
    last: Node | None = (
        None  # the last of several nodes that make it up together: clauses, a signature and its equations
    )

    @property
    def tail(self) -> Node:
        """The node it ends with."""
        return self.last or self.outer

    @property
    def scope_start(self) -> int:
        """First byte whose uses belong to this scope: decorators, defaults and bases belong to the one around."""
        return self.body.start_byte if self.body is not None else self.end


@dataclass(frozen=True, slots=True)
class Extraction:
    """Facts, with the definitions (by symbol index; None for the module) for the chunker."""

    facts: FileFacts
    definitions: tuple[Definition | None, ...]
