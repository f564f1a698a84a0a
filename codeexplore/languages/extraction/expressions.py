"""Records of extractors, and the conversion of expressions to access paths, as `Expressions` describes a language."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Literal

from tree_sitter import Node

from codeexplore.types import FileFacts, Symbol, SymbolKind

record = tuple.__new__
"""Makes a named tuple from a tuple of its fields, in half the time of calling its class. A load makes a million."""
Captures = Mapping[str, Sequence["Node"]]
Handler = Callable[[int, "Node"], None]


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of all files, and the package that contains the root. Module names depend on them."""

    paths: frozenset[str] = frozenset()  # every discovered path
    prefix: str = ""  # dotted name of the root folder, if the root is itself a package


@dataclass(frozen=True, slots=True, kw_only=True)
class Expressions:
    """Types of syntax-tree nodes for the expressions that form access paths, in one grammar.

    The values of the mappings are steps; see `step_to`.
    """

    roots: frozenset[str] = frozenset({"identifier"})  # names with which an access path may begin
    attributes: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # a.b: node type → steps to a and to b
    calls: Mapping[str, str] = field(default_factory=dict)  # f(): node type → step to f
    methods: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # a.f() in one node → steps to a and to f
    subscripts: Mapping[str, str] = field(default_factory=dict)  # a[i]: node type → step to a
    transparent: frozenset[str] = frozenset()  # node types with the value of their only child
    through: Mapping[str, str] = field(default_factory=dict)  # node type → step to the child with the same value
    # node type → operator → step of the access path
    prefixes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    literals: Mapping[str, str] = field(default_factory=dict)  # node type → %root
    words: Mapping[str, str] = field(default_factory=dict)  # keyword that looks like a name → %root, or ""
    functions: frozenset[str] = frozenset()  # node types of anonymous functions
    branches: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # a or b, a if c else b → value fields


@dataclass(slots=True)
class Definition:
    """A symbol during extraction, with its syntax-tree nodes, by which the file is divided into chunks later."""

    kind: SymbolKind
    name: str
    node: Node  # the definition itself
    outer: Node  # the node that includes decorators, `export` and similar syntax
    body: Node | None
    start: int = field(init=False)  # bytes of `outer`
    end: int = field(init=False)
    index: int = -1
    parent: int = 0  # index of the enclosing symbol
    symbol: Symbol | None = None
    lead_line: int = 0  # 1-based line where its leading comments begin
    leading: Sequence[Node] = ()
    decorations: Sequence[Node] = ()  # sibling nodes above it that belong to it, such as attributes; in source order
    owner: str = ""  # the type of a method outside the type's body
    named: Node | None = None  # the node that contains its name
    qualifier: str = ""  # names between the parent's name and its own, such as keys of the literals that contain it
    last: Node | None = None  # the last of several nodes of it: clauses, a signature and its equations
    remarks: str = ""  # comments in its head, which its signature leaves out
    made: bool = False  # a constant with a chunk of its own, because a call makes its value, often a function

    def __post_init__(self) -> None:
        self.start, self.end = self.outer.byte_range

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
    """Facts of a file, and its definitions by symbol index (None for the module), to divide it into chunks."""

    facts: FileFacts
    definitions: tuple[Definition | None, ...]


MAX_BRANCHES = 100  # sub-expressions that are examined for one expression, because the time grows with their square
MAX_PATH_STEPS = 40  # a longer chain of calls has no path: it would need deep recursion
SHORT_BYTES = 100  # bytes; the paths of shorter expressions are cached, which includes plain dotted names
MAX_KEPT_CHARS = 80  # longer arguments are not kept in an access path: they do not help to find or choose a definition
byte_range = attrgetter("byte_range")


def _letter(escape: re.Match[str]) -> str:
    code = int(next(filter(None, escape.groups()), "0"), 16)
    return chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else ""


class PathReader:
    """Reader of source text and access paths from the syntax-tree nodes of one file."""

    expressions = Expressions()
    normal_form: Literal["", "NFC", "NFKC"] = ""
    """Form to which the language converts names: names are equal if their forms are."""
    name_escape: re.Pattern[str] | None = None
    """Escapes in names, with the code of a letter in a group: ``f\\u0069nd``. A match without a group is left out."""
    normalised = frozenset(
        {"identifier", "property_identifier", "dotted_name", "type_identifier", "field_identifier", "type"}
    )  # node types
    simple_path = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")  # text that is its own access path

    def __init__(self) -> None:
        self.data = b""
        known = self.expressions
        self.holding: frozenset[str] = known.transparent | known.through.keys() | known.branches.keys()
        """Types of nodes whose values are those of nodes in them."""
        self._escaped = self._converts = False
        # caches for the current file, by source text: access paths, and access paths of a call's arguments
        self.known: dict[bytes, str] = {}
        self._arguments: dict[bytes, tuple[str, ...]] = {}

    def read_from(self, data: bytes) -> None:
        """Start to read another file. `data` is its UTF-8 text."""
        self.data = data
        escape = self.name_escape
        self._escaped = escape is not None and escape.search(data.decode("latin-1")) is not None
        self._converts = self._escaped or bool(self.normal_form)
        self.known.clear()
        self._arguments.clear()

    def first_byte(self, node: Node) -> int:
        """Return the first byte of the access path of an expression."""
        return node.start_byte

    # ----------------------------------------------------------------- text and access paths

    def text(self, node: Node | None) -> str:
        """Return the text of a node as written; "" for None."""
        if node is None:
            return ""
        start, end = node.byte_range
        text = self.data[start:end].decode("utf-8", "replace")
        if self._converts and (self._escaped or not text.isascii()) and node.type in self.normalised:
            text = self._as_name(text)
        return sys.intern(text)

    root_name = member_name = text  # the first name of an access path, and the others

    def _as_name(self, text: str) -> str:
        """Return a name in the form in which the language compares names."""
        if self._escaped and self.name_escape is not None:
            text = self.name_escape.sub(_letter, text)
        return unicodedata.normalize(self.normal_form, text) if self.normal_form and not text.isascii() else text

    def path_of(self, node: Node | None) -> str:
        """Return the access path of the expression `node`; "" for None or if it has no access path."""
        if node is None:
            return ""
        start, end = node.byte_range
        if end - start > SHORT_BYTES:
            return sys.intern(self._path(node))
        written = self.data[start:end]
        path = self.known.get(written)
        return self._new_path(node, written) if path is None else path

    def _new_path(self, node: Node, written: bytes) -> str:
        """Return the access path of the expression `node`, whose source text `written` is not in the cache."""
        expressions = self.expressions
        literal = expressions.literals.get(node.type)
        if literal is not None:
            return literal
        text = written.decode("utf-8", "replace")
        if self._converts:
            text = self._as_name(text)
        if text.isidentifier() or self.simple_path.fullmatch(text):
            path = sys.intern(expressions.words.get(text, text))
        else:
            path = sys.intern(self._path(node))
            if ":" in path:  # contains a position, so it is not cached
                return path
        self.known[written] = path
        return path

    def _path(self, node: Node) -> str:
        """Return the access path of a chain such as ``a.b().c``, followed in a loop, without recursion."""
        expressions = self.expressions
        steps: list[str] = []
        current: Node | None = node
        while current is not None and len(steps) <= MAX_PATH_STEPS:
            kind = current.type
            if kind in expressions.roots:
                return self.root_name(current) + "".join(reversed(steps))
            if kind in expressions.attributes:
                object_step, name_step = expressions.attributes[kind]
                name, inner = step_to(current, name_step), self.object_of(current, object_step)
                if name is None:
                    return ""
                if inner is None:  # ::name
                    return self.top_name(current, self.member_name(name)) + "".join(reversed(steps))
                steps.append("." + self.member_name(name))
                current = inner
            elif kind in expressions.calls:
                steps.append(self.call_step(current))
                current = step_to(current, expressions.calls[kind])
            elif kind in expressions.subscripts:
                steps.append(self.subscript(current))
                current = step_to(current, expressions.subscripts[kind])
            elif kind in expressions.transparent:
                current = next((c for c in current.named_children if c.type != "comment"), None)
            elif kind in expressions.through:
                current = step_to(current, expressions.through[kind])
            elif kind in expressions.methods or kind in expressions.prefixes:
                current, root = self._step(current, steps)
                if current is None:
                    return root + "".join(reversed(steps)) if root else ""
            else:
                root = self.root_of(current)
                return root + "".join(reversed(steps)) if root else ""
        return ""

    def _step(self, node: Node, steps: list[str]) -> tuple[Node | None, str]:
        """Append the step of a method call or prefix operator; return the node before it, or None and a root or ""."""
        if node.type in self.expressions.prefixes:
            step = self.expressions.prefixes[node.type].get(node.children[0].type)
            if step is None or not node.named_child_count:
                return None, ""
            steps.append(step)
            return node.named_children[0], ""
        receiver_step, name_step = self.expressions.methods[node.type]
        name, receiver = step_to(node, name_step), self.object_of(node, receiver_step)
        if name is None:
            return None, ""
        steps.append(self.call_step(node))
        if receiver is not None:
            steps.append("." + self.member_name(name))
            return receiver, ""
        return None, self.top_name(node, self.member_name(name))

    def top_name(self, node: Node, name: str) -> str:
        """Return the name of a member, `node`, without an object."""
        return name

    def object_of(self, node: Node, step: str) -> Node | None:
        """Return the object whose member `node` is, to which `step` leads."""
        return step_to(node, step)

    def call_step(self, node: Node) -> str:
        """Return the step of the call `node`. A language may include arguments on which the result depends."""
        return "()"

    def kept_call(self, kept: Sequence[str]) -> str:
        """Return the step of a call with the paths of its arguments, of which its result is made, if they are short."""
        text = ", ".join(kept)
        return f"({text})" if any(kept) and len(text) <= MAX_KEPT_CHARS else "()"

    def subscript(self, node: Node) -> str:
        """Return the step of the subscript `node`: ``[]``. A language may override this to include constant keys."""
        return "[]"

    def root_of(self, node: Node) -> str:
        """Return the root for a literal or an anonymous function, which begins with ``%``; "" for other nodes."""
        literal = self.expressions.literals.get(node.type)
        if literal is not None:
            return literal
        if node.type in self.expressions.functions:
            return anonymous_name(node)
        return ""

    def values_of(self, node: Node | None, limit: int = 8) -> list[str]:
        """Return the access paths of at most `limit` values that an expression may have: for ``a or b``, a and b."""
        expressions = self.expressions
        if node is None or node.type not in self.holding:
            path = self.path_of(node)
            return [path] if path else []
        values: list[str] = []
        pending = [node]
        for _ in range(MAX_BRANCHES):
            if not pending or len(values) == limit:
                break
            current = pending.pop()
            kind = current.type
            fields = expressions.branches.get(kind)
            if fields is not None:
                pending.extend(reversed(self.branches_of(current, fields)))
            elif kind in self.holding and (kind in expressions.through or current.named_child_count == 1):
                pending += filter(None, (step_to(current, expressions.through.get(kind, "")),))
            elif path := self.path_of(current):
                values.append(path)
        return values

    def branches_of(self, node: Node, fields: Sequence[str]) -> list[Node]:
        """Return the sub-expressions, in `fields`, from which the value of the branching expression `node` comes."""
        children = [node.child_by_field_name(name) for name in fields]
        return [child for child in children if child is not None]

    def cached_arguments(self, node: Node) -> tuple[str, ...]:
        """Return the result of `arguments`, from a cache if the call is short and no path contains a position."""
        start, end = node.byte_range
        written = self.data[start:end]
        args = self._arguments.get(written)
        if args is None:
            args = self.arguments(node)
            if end - start <= SHORT_BYTES and ":" not in "".join(args):
                self._arguments[written] = args
        return args

    def arguments(self, node: Node) -> tuple[str, ...]:
        """Return the access paths of a call's arguments by position, "" for one without a path, but not at the end."""
        literals, paths = self.expressions.literals, []
        for child in node.named_children:
            kind = child.type
            if kind in literals:
                paths.append(literals[kind])
            elif not child.is_extra:
                paths.append(self.argument(child))
        while paths and not paths[-1]:
            paths.pop()
        return tuple(paths)

    def argument(self, node: Node) -> str:
        """Return the access path of an argument. A language may override this to mark named and spread arguments."""
        return self.path_of(node)


def step_to(node: Node, step: str) -> Node | None:
    """Return the node that a step selects, starting at `node`.

    - the name of a field: the child in this field;
    - "": the first named child; "-": the last named child;
    - ``<type``: the first child of this node type; ``~end``: the first child whose type ends in ``end``;
    - ``>type``: the first child after a child of this type;
    - "^": the parent.
    """
    if step.isidentifier():
        return node.child_by_field_name(step)
    if step == "" or step == "-":
        last = node.named_child_count - 1
        for place in range(last + 1) if step == "" else range(last, -1, -1):  # one by one: there may be very many
            child = node.named_child(place)
            if not child.is_extra:
                return child
        return None
    mark, kind = step[0], step[1:]
    if mark == "^":
        return node.parent
    for child in node.children if mark == ">" else node.named_children:
        if child.type == kind or (mark == "~" and child.type.endswith(kind)):
            return child.next_named_sibling if mark == ">" else child
    return None


def walk(node: Node | None, *steps: str) -> Node | None:
    """Return the node to which several steps lead, starting at `node` itself; None if a step selects nothing."""
    for step in steps:
        if node is None:
            return None
        node = node.child_by_field_name(step) if step.isidentifier() else step_to(node, step)
    return node


def enclosing(node: Node | None, types: Container[str]) -> Node | None:
    """Return the first of `node` and the nodes around it that has one of some types; None if there is none."""
    while node is not None and node.type not in types:
        node = node.parent
    return node


def outside(node: Node | None, types: Container[str]) -> Node | None:
    """Return the first of `node` and the nodes around it that has none of some types; None if there is none."""
    while node is not None and node.type in types:
        node = node.parent
    return node


def children_of(node: Node | None, *steps: str) -> Sequence[Node]:
    """Return the named children of the node to which several steps lead; none if there is no such node."""
    found = walk(node, *steps)
    return found.named_children if found is not None else ()


def line_col(node: Node) -> str:
    """Return the position of `node` in access paths, ``LINE:COL``: the line 1-based, the column in bytes from 0."""
    row, column = node.start_point
    return f"{row + 1}:{column}"


def anonymous_name(node: Node) -> str:
    """Return the root of an anonymous function's access path, ``%fn:LINE:COL``."""
    return f"%fn:{line_col(node)}"


def is_traceable(path: str) -> bool:
    """Return True if the value of an access path may be a definition: it is known, and not plain data."""
    return bool(path) and (path[0] != "%" or ":" in path or path.startswith("%type"))


def outermost_reads(reads: Sequence[Node], calls: Sequence[Node]) -> list[Node]:
    """Return the nodes in `reads` that are neither part of a longer node in `reads` nor part of the callee of a call.

    A call begins at the first byte of its callee, so nodes are compared by their first bytes.
    """
    ends: dict[int, int] = {}  # first byte → end of the longest node there
    for start, end in map(byte_range, calls):
        if ends.get(start, 0) < end:
            ends[start] = end
    longest: dict[int, Node] = {}
    for node, (start, end) in zip(reads, map(byte_range, reads), strict=True):
        if ends.get(start, 0) < end:
            ends[start] = end
            longest[start] = node
    return list(longest.values())
