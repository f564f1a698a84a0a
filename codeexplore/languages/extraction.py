"""Captured syntax-tree nodes of one file → its symbols and facts.

`tags.scm` of a language says *which* nodes matter, an `Extractor` what they mean. A capture's name selects its handler:

=====================  ====================================================================================
``@definition.KIND``   a symbol; its name, parameters and body are fields of the node
``@reference.KIND``    a use of a name
``@binding.MANNER``    a name given a value
``@import`` ``@export`` ``@return`` ``@yield`` ``@base``  as the language's handlers say
``@comment``           leading comments, which belong to the symbol below them
``@decorator``         attributes that stand above a definition as its siblings and belong to it
=====================  ====================================================================================

One node a pattern keeps the query at the cost of one pass over the tree: tree-sitter hands over a capture in a tenth of
the time it takes to build a match. Definitions are placed first, as a tree of scopes; every other node then goes to its
handler in source order, outermost first, together with the innermost scope around it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, cast

from codeexplore.types import (
    TYPE_KINDS,
    Base,
    Binding,
    Export,
    FileFacts,
    Import,
    Reference,
    Return,
    Span,
    Symbol,
    SymbolKind,
)

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = Mapping[str, Sequence["Node"]]
Handler = Callable[[int, "Node"], None]

_SHORT_BYTES = 100  # plain dotted names are shorter
_REMEMBERED_PATHS = 200_000  # some tens of megabytes at most
_first = itemgetter(0)
_SPACE = re.compile(r"\s+")
_GAP = re.compile(rb"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)  # between a sibling decorator and what it is for
SIGNATURE_CHARS = 300
DOC_CHARS = 2000
MAX_BRANCHES = 100  # sub-expressions looked at for the values of one: chains of thousands would cost their square
MAX_PATH_STEPS = 40  # a longer chain of calls has no path: nobody could follow it, and it would cost a deep recursion


@dataclass(frozen=True, slots=True)
class Layout:
    """What a module's name depends on besides its own file: the other paths, and the package the root lies in."""

    paths: frozenset[str] = frozenset()  # every discovered path
    prefix: str = ""  # dotted name of the root folder when the root is itself a package


@dataclass(frozen=True, slots=True)
class Expressions:
    """How a grammar writes the expressions that access paths are made of.

    Values are field names; where a grammar gives none, "" means the first named child.
    """

    attributes: Mapping[str, tuple[str, str]]  # node type → (object field, name field)
    calls: Mapping[str, str]  # node type → field of what is called
    methods: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # a.f(): node type → (receiver, name field)
    subscripts: Mapping[str, str] = field(default_factory=dict)  # node type → field of the container
    names: frozenset[str] = frozenset({"identifier"})
    transparent: frozenset[str] = frozenset({"parenthesized_expression", "await", "await_expression"})
    through: Mapping[str, str] = field(default_factory=dict)  # node type → field that holds the same value
    prefixes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # node type → operator → step it takes
    literals: Mapping[str, str] = field(default_factory=dict)  # node type → %root
    words: Mapping[str, str] = field(default_factory=dict)  # keyword that looks like a name → %root, or ""
    functions: frozenset[str] = frozenset()  # node types of anonymous functions
    branches: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # a or b, a if c else b → value fields


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
    owner: str = ""  # the type a method belongs to when it does not stand in the type's body
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


class Extractor:
    """Turns one language's matches into facts. One instance serves many files, one file at a time."""

    expressions = Expressions(attributes={}, calls={})
    separator = "."
    wrappers: frozenset[str] = frozenset()  # parent node types that belong to a definition (decorators, export)
    class_methods = True  # a function directly inside a type is a method
    scope_kinds: frozenset[str] = frozenset(TYPE_KINDS | {"function", "method", "lambda"})
    parent_kinds: frozenset[str] = scope_kinds  # what stands inside these is their child
    simple_path = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")  # what is its own access path as written

    def __init__(self) -> None:
        self._paths: dict[bytes, str] = {}  # plain dotted paths by what is written, across files

    # ----------------------------------------------------------------- what a language overrides

    def module_name(self, path: str, root: Node, layout: Layout) -> str:
        """The module's name by the language's rule; here the path without its suffix."""
        stem, dot, _ = path.rpartition(".")
        return stem if dot else path

    def doc_of(self, definition: Definition, leading: str) -> str:
        """The documentation of a definition, given the text of the comments above it (markers included)."""
        return clean_comment(leading)

    def module_doc(self, root: Node) -> str:
        """The documentation of the module itself."""
        return ""

    def name_node(self, kind: SymbolKind, node: Node) -> Node | None:
        """The node that carries a definition's name."""
        return node.child_by_field_name("name")

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """The simple name of a definition; one without a name is no symbol. Lambdas are called by their place."""
        if kind == "lambda":
            return f"<lambda:{anonymous_name(node)[4:]}>"
        name = self.name_node(kind, node)
        return self.text(name) if name is not None else ""

    def body_of(self, kind: SymbolKind, node: Node) -> Node | None:
        """The node that holds a definition's body."""
        return node.child_by_field_name("body")

    def outer_of(self, kind: SymbolKind, node: Node) -> Node:
        """The node that holds a definition with its decorators, `export` and the like."""
        while self.wrappers and (parent := node.parent) is not None and parent.type in self.wrappers:
            node = parent
        return node

    def scope_start(self, definition: Definition) -> int:
        """First byte whose uses belong to a definition's scope."""
        return definition.scope_start

    def belongs(self, definition: Definition, around: Definition | None) -> bool:
        """Whether a definition is a symbol, given the one that it stands in."""
        return True

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        """Correct the parents of definitions that do not stand inside what they belong to."""

    def module_symbol_name(self, root: Node) -> str:
        """The simple name of the module's symbol; here the last part of its qualified name."""
        return self.module.rpartition(self.separator)[2] or self.module

    def on_definition(self, definition: Definition, scope: int) -> None:
        """Add the facts that a definition itself states: parameters, return type, bases. `scope` is its own index."""

    def finish(self, placed: Sequence[Definition | None]) -> None:
        """Correct facts that only the whole file can tell, once every node has been handled."""

    # ----------------------------------------------------------------- the run over one file

    def extract(
        self, path: str, language: str, data: bytes, root: Node, captures: Captures, layout: Layout
    ) -> Extraction:
        """Build the facts of one file. `data` is the UTF-8 text the tree was parsed from."""
        self.path, self.language, self.data = path, language, data
        self.imports: list[Import] = []
        self.exports: list[Export] = []
        self.bindings: list[Binding] = []
        self.returns: list[Return] = []
        self.references: list[Reference] = []
        self.bases: list[Base] = []
        self.consumed: set[int] = set()  # first bytes of expressions that a node around them has told
        if len(self._paths) > _REMEMBERED_PATHS:
            self._paths.clear()
        self.module = self.module_name(path, root, layout)
        placed = self._place(self._definitions(captures), captures)
        self.adopt(placed)
        self.symbols = self._symbols(placed, root)
        for definition in placed[1:]:
            if definition is not None:
                definition.symbol = self.symbols[definition.index]
                self.on_definition(definition, definition.index)
        self._dispatch(captures, placed)
        self.finish(placed)
        facts = FileFacts(
            path, language, self.module, tuple(self.symbols), tuple(self.imports), tuple(self.exports),
            tuple(self.bindings), tuple(self.returns), tuple(self.references), tuple(self.bases),
        )  # fmt: skip
        return Extraction(facts, tuple(placed))

    def _definitions(self, captures: Captures) -> list[Definition]:
        """Every named definition, in source order, outer before inner."""
        found: dict[tuple[int, int, str], Definition] = {}
        for capture, nodes in captures.items():
            if capture.startswith("definition."):
                kind = cast("SymbolKind", capture[11:])
                for node in nodes:
                    definition = self._definition(kind, node)
                    if definition is not None:
                        key = (definition.node.start_byte, definition.node.end_byte, definition.name)
                        found.setdefault(key, definition)
        return sorted(found.values(), key=lambda d: (d.start, -d.end, d.node.start_byte))

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        name = self.definition_name(kind, node)
        if not name:
            return None
        outer = self.outer_of(kind, node)
        body, named = self.body_of(kind, node), self.name_node(kind, node)
        return Definition(kind, name, node, outer, body, outer.start_byte, outer.end_byte, named=named)

    def _place(self, definitions: Sequence[Definition], captures: Captures) -> list[Definition | None]:
        """Give each definition its index and its parent, and find the comments above it."""
        placed: list[Definition | None] = [None]
        stack: list[Definition] = []
        leads = _Leads(captures.get("comment", ()), captures.get("decorator", ()), self.data)
        seen: set[tuple[int, str]] = set()
        for definition in definitions:
            while stack and stack[-1].end <= definition.start:
                stack.pop()
            around = stack[-1] if stack else None
            if not self.belongs(definition, around):
                continue
            definition.parent = around.index if around is not None else 0
            if definition.kind in ("constant", "field"):
                key = (definition.parent, definition.name)
                if key in seen:  # a rebinding is not a second definition
                    continue
                seen.add(key)
            definition.index = len(placed)
            leads.give(definition)
            placed.append(definition)
            if definition.kind in self.parent_kinds:
                stack.append(definition)
        return placed

    def _symbols(self, placed: Sequence[Definition | None], root: Node) -> list[Symbol]:
        lines = self.data.count(b"\n") + (0 if self.data.endswith(b"\n") or not self.data else 1)
        module = Symbol(
            f"{self.path}:{self.module}", self.module, self.module_symbol_name(root), "module", self.path,
            Span(1, max(lines, 1), 0, len(self.data)), 1, self.language, None, "", self.module_doc(root)[:DOC_CHARS],
        )  # fmt: skip
        symbols: list[Symbol | None] = [module, *[None] * (len(placed) - 1)]
        ordinals: dict[str, int] = {module.id: 1}
        for definition in placed[1:]:
            pending = [definition]  # a method may stand before the type it belongs to
            while (last := pending[-1]) is not None and symbols[last.parent] is None:
                pending.append(placed[last.parent])
            for last in reversed(pending):
                if last is not None and symbols[last.index] is None:
                    symbols[last.index] = self._symbol(last, cast("Symbol", symbols[last.parent]), ordinals)
        return cast("list[Symbol]", symbols)

    def _symbol(self, definition: Definition, parent: Symbol, ordinals: dict[str, int]) -> Symbol:
        kind = definition.kind
        if kind == "function" and self.class_methods and parent.kind in TYPE_KINDS:
            kind = "method"
        fqn = self.fqn(definition, parent)
        symbol_id = f"{self.path}:{fqn}"
        number = ordinals[symbol_id] = ordinals.get(symbol_id, 0) + 1
        if number > 1:
            symbol_id = f"{symbol_id}#{number}"
        outer = definition.outer
        first = definition.decorations[0] if definition.decorations else outer
        named = definition.named or definition.node
        leading = "\n".join(self.text(node).rstrip("\n") for node in definition.leading)
        return Symbol(
            symbol_id, fqn, definition.name, kind, self.path,
            Span(first.start_point[0] + 1, _end_line(definition.tail), first.start_byte, definition.tail.end_byte),
            named.start_point[0] + 1, self.language, parent.id,
            self.signature(definition), self.doc_of(definition, leading)[:DOC_CHARS], self.decorators(definition),
        )  # fmt: skip

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """The qualified name of a definition inside `parent`."""
        if definition.qualifier:
            return f"{parent.fqn}{self.separator}{definition.qualifier}{self.separator}{definition.name}"
        return f"{parent.fqn}{self.separator}{definition.name}"

    def signature(self, definition: Definition) -> str:
        """The head of a definition on one line."""
        node, body = definition.node, definition.body
        end = body.start_byte if body is not None else node.end_byte
        head = self.data[node.start_byte : min(end, node.start_byte + 4 * SIGNATURE_CHARS)].decode("utf-8", "replace")
        if body is None:
            head = head.partition("\n")[0]
        return _SPACE.sub(" ", head).strip().rstrip("{:=").rstrip()[:SIGNATURE_CHARS]

    def decorators(self, definition: Definition) -> tuple[str, ...]:
        """Access paths of the decorators or annotations, outermost first."""
        return ()

    def _dispatch(self, captures: Captures, placed: Sequence[Definition | None]) -> None:
        """Walk nodes and scopes together in source order, an outer node before those inside it."""
        queue: list[tuple[int, int, Handler, Node]] = []
        for capture, nodes in captures.items():
            handler = getattr(self, "on_" + capture.replace(".", "_"), None)
            if handler is not None:
                # one integer to sort by: first byte ascending, then length descending
                queue.extend(
                    ((start << 32) - node.end_byte, start, handler, node)
                    for node, start in [(node, node.start_byte) for node in nodes]
                )
            elif capture not in ("comment", "decorator") and not capture.startswith(("definition.", "_")):
                raise ValueError(f"tags.scm of {self.language} captures @{capture}, which has no handler")
        queue.sort(key=_first)
        own = [d for d in placed if d is not None and d.kind in self.scope_kinds]
        scopes = sorted((self.scope_start(d), d.end, d.index) for d in own)
        scopes.append((len(self.data) + 1, 0, 0))
        stack = [(len(self.data) + 1, 0)]
        position, entry = 0, scopes[0][0]
        for _, start, handler, node in queue:
            while entry <= start:
                while stack[-1][0] <= entry:
                    stack.pop()
                stack.append(scopes[position][1:])
                position += 1
                entry = scopes[position][0]
            while stack[-1][0] <= start:
                stack.pop()
            handler(stack[-1][1], node)

    # ----------------------------------------------------------------- common handlers

    def on_reference_call(self, scope: int, node: Node) -> None:
        """A call: its callee's access path, with the paths of its arguments."""
        callee = node.child_by_field_name(self.expressions.calls[node.type])
        if callee is not None:
            self.consumed.add(callee.start_byte)
            path = self.path_of(callee)
            if path:
                arguments = node.child_by_field_name("arguments")
                args = self.arguments(arguments) if arguments is not None else ()
                self.references.append(Reference(scope, "call", path, node.start_point[0] + 1, args))

    def on_reference_read(self, scope: int, node: Node) -> None:
        """A name or attribute read as a value. Chains start where their prefixes do: the longest one tells them all."""
        start = node.start_byte
        if start not in self.consumed:
            self.consumed.add(start)
            path = self.path_of(node)
            if path and path[0] != "%":
                self.references.append(Reference(scope, "read", path, node.start_point[0] + 1))

    def on_return(self, scope: int, node: Node) -> None:
        """A returned value; each branch of a conditional one."""
        for value in self.values_of(node):
            self.returns.append(Return(scope, value, "return"))

    def arguments(self, node: Node) -> tuple[str, ...]:
        """Access paths of a call's arguments; trailing arguments without one are left out."""
        paths = [self.path_of(child) for child in node.named_children if child.type != "comment"]
        while paths and not paths[-1]:
            paths.pop()
        return tuple(paths)

    # ----------------------------------------------------------------- text and access paths

    def text(self, node: Node) -> str:
        """The source text of a node."""
        return sys.intern(self.data[node.start_byte : node.end_byte].decode("utf-8", "replace"))

    def path_of(self, node: Node) -> str:
        """The access path of an expression (see FileFacts), "" when it has none."""
        start, end = node.start_byte, node.end_byte
        if end - start > _SHORT_BYTES:
            return sys.intern(self._path(node))
        written = self.data[start:end]
        path = self._paths.get(written)
        if path is None:
            literal = self.expressions.literals.get(node.type)
            if literal is not None:
                return literal
            text = written.decode("utf-8", "replace")
            if self.simple_path.fullmatch(text):
                path = sys.intern(self.expressions.words.get(text, text))
            else:
                path = sys.intern(self._path(node))
                if ":" in path:  # holds a place: not to be remembered
                    return path
            self._paths[written] = path
        return path

    def _path(self, node: Node) -> str:
        """Follow a chain from its last step to its root, without recursion."""
        expressions = self.expressions
        steps: list[str] = []
        current: Node | None = node
        while current is not None and len(steps) <= MAX_PATH_STEPS:
            kind = current.type
            if kind in expressions.names:
                return self.text(current) + "".join(reversed(steps))
            if kind in expressions.attributes:
                object_field, name_field = expressions.attributes[kind]
                name = current.child_by_field_name(name_field)
                if name is None:
                    return ""
                inner = current.child_by_field_name(object_field)
                if inner is None:  # ::name
                    return self.text(name) + "".join(reversed(steps))
                steps.append("." + self.text(name))
                current = inner
            elif kind in expressions.calls:
                steps.append(self.call_step(current))
                current = child_of(current, expressions.calls[kind])
            elif kind in expressions.subscripts:
                steps.append(self.subscript(current))
                current = child_of(current, expressions.subscripts[kind])
            elif kind in expressions.transparent:
                current = next((c for c in current.named_children if c.type != "comment"), None)
            elif kind in expressions.through:
                current = child_of(current, expressions.through[kind])
            elif kind in expressions.methods or kind in expressions.prefixes:
                current, root = self._step(current, steps)
                if current is None:
                    return root + "".join(reversed(steps)) if root else ""
            else:
                root = self.root_of(current)
                return root + "".join(reversed(steps)) if root else ""
        return ""

    def _step(self, node: Node, steps: list[str]) -> tuple[Node | None, str]:
        """Take the steps of a method call or a prefix operator: the node to go on from, else the path's root."""
        if node.type in self.expressions.prefixes:
            step = self.expressions.prefixes[node.type].get(node.children[0].type)
            if step is None or not node.named_child_count:
                return None, ""
            steps.append(step)
            return node.named_children[0], ""
        receiver_field, name_field = self.expressions.methods[node.type]
        name, receiver = node.child_by_field_name(name_field), node.child_by_field_name(receiver_field)
        if name is None:
            return None, ""
        steps.append(self.call_step(node))
        if receiver is not None:
            steps.append("." + self.text(name))
            return receiver, ""
        return None, self.text(name)

    def call_step(self, node: Node) -> str:
        """The step of a call; languages keep the arguments where the result depends on them."""
        return "()"

    def subscript(self, node: Node) -> str:
        """The step of a subscript; languages may tell constant keys apart."""
        return "[]"

    def root_of(self, node: Node) -> str:
        """The %root of a literal or anonymous function, "" for anything else. Languages add their own forms here."""
        literal = self.expressions.literals.get(node.type)
        if literal is not None:
            return literal
        if node.type in self.expressions.functions:
            return anonymous_name(node)
        return ""

    def values_of(self, node: Node, limit: int = 8) -> list[str]:
        """Access paths of every value an expression may have: both sides of ``or``, both branches of a conditional."""
        values: list[str] = []
        pending = [node]
        expressions = self.expressions
        for _ in range(MAX_BRANCHES):
            if not pending or len(values) == limit:
                break
            current = pending.pop()
            kind = current.type
            fields = expressions.branches.get(kind)
            if fields is not None:
                pending.extend(reversed(self.branches_of(current, fields)))
            elif kind in expressions.transparent and current.named_child_count == 1:
                pending.append(current.named_children[0])
            elif kind in expressions.through:
                inner = child_of(current, expressions.through[kind])
                if inner is not None:
                    pending.append(inner)
            else:
                path = self.path_of(current)
                if path:
                    values.append(path)
        return values

    def branches_of(self, node: Node, fields: Sequence[str]) -> list[Node]:
        """The sub-expressions whose values a branching expression may have."""
        children = [node.child_by_field_name(name) for name in fields]
        return [child for child in children if child is not None]

    def bind(self, scope: int, name: str, manner: str, type_text: str, values: Sequence[str], line: int) -> None:
        """Add one binding a value, or one without a value when only the name or its type is known."""
        for value in values or ("",):
            self.bindings.append(Binding(scope, name, manner, type_text, value, line))  # type: ignore[arg-type]


class _Leads:
    """Comments by the line they end on, sibling decorators by what they stand before, to be found without a walk."""

    def __init__(self, comments: Sequence[Node], decorators: Sequence[Node], data: bytes) -> None:
        self._comments = {_end_line(node) - 1: node for node in comments}
        self._data = data
        self._taken: set[int] = set()  # first bytes of comments that a definition on the same line has
        self._decorators: dict[int, Node] = {}  # first byte of what follows → node
        for node in decorators:
            gap = _GAP.match(data, node.end_byte)
            self._decorators[gap.end() if gap is not None else node.end_byte] = node

    def _stands_above(self, comment: Node, top: int) -> bool:
        """Whether a comment that ends on the line above `top` has its lines for itself."""
        row, column = comment.start_point
        start = comment.start_byte
        return row < top and not self._data[start - column : start].strip()

    def give(self, definition: Definition) -> None:
        """Set the decorators before a definition, and the unbroken run of own-line comments above and among them."""
        top = definition.outer.start_point[0]
        comments: list[Node] = []
        decorators: list[Node] = []
        decorator = self._decorators.get(definition.start)
        while True:
            comment = self._comments.get(top - 1)
            if comment is not None and not self._stands_above(comment, top):
                comment = None
            if comment is not None and (decorator is None or comment.start_byte >= decorator.end_byte):
                comments.append(comment)
                top = comment.start_point[0]
            elif decorator is not None:
                decorators.append(decorator)
                top = decorator.start_point[0]
                decorator = self._decorators.get(decorator.start_byte)
            else:
                break
        if comments and comments[-1].start_byte in self._taken:  # they belong to what this one stands in
            comments = []
            top = decorators[-1].start_point[0] if decorators else definition.outer.start_point[0]
        elif comments:
            self._taken.add(comments[-1].start_byte)
        definition.lead_line = top + 1
        definition.leading = comments[::-1]
        if decorators:
            definition.decorations = decorators[::-1]
            definition.start = decorators[-1].start_byte


def child_of(node: Node, field_name: str) -> Node | None:
    """A child by field, or the first named one when the grammar has no field for it and `field_name` is empty."""
    if field_name:
        return node.child_by_field_name(field_name)
    return next((child for child in node.named_children if not child.is_extra), None)


def anonymous_name(node: Node) -> str:
    """The root of an anonymous function's access path, from its 1-based line and 0-based byte column."""
    row, column = node.start_point
    return f"%fn:{row + 1}:{column}"


def _end_line(node: Node) -> int:
    """Last line of a node, 1-based; one that ends at the start of a line does not hold that line."""
    row, column = node.end_point
    return row + 1 if column > 0 or row == node.start_point[0] else row


_COMMENT_MARKS = re.compile(
    r"^[ \t]*(?:/\*+!?|\*+/|///?!?|//!|\*(?!/)|#+!?|--+\[*\|?|;+|\{-\|?|%+)[ \t]?|[ \t]*(?:\*+/|-\})[ \t]*$",
    re.MULTILINE,
)


def clean_comment(text: str) -> str:
    """Comment text without its markers, paragraphs kept."""
    if not text:
        return ""
    lines = [line.rstrip() for line in _COMMENT_MARKS.sub("", text).split("\n")]
    return "\n".join(lines).strip()
