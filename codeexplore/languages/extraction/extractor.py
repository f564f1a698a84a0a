"""Base class of extractors, which turn the captured nodes of a file into facts.

An extractor first finds the definitions of a file and arranges them as a tree of scopes. Then it handles all uses in
source order. `codeexplore.languages.extraction` explains its words: node, scope, binding, access path.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from itertools import compress, pairwise, repeat
from operator import itemgetter
from types import MappingProxyType
from typing import Literal, cast

from tree_sitter import Node

from codeexplore.languages.extraction.expressions import (
    Captures,
    Definition,
    Extraction,
    Handler,
    Layout,
    PathReader,
    byte_range,
    enclosing,
    line_col,
    outermost_reads,
    record,
    step_to,
)
from codeexplore.languages.extraction.leading_trivia import LeadingTrivia, clean_comment, end_line, without
from codeexplore.languages.extraction.local_names import Assigned, LocalNames
from codeexplore.languages.extraction.narrowing_ranges import Conditions
from codeexplore.types import (
    CALLABLE_KINDS,
    LOCAL_MARK,
    NOT,
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
from codeexplore.types.facts import binds

CONTINUATION = re.compile(r"\\(?=\r?\n)")  # the sign that a line goes on in the next one
_CHAIN = re.compile(rb"[\w$@]+(?:\s*(?:\.|\?\.|!!?\.|->|\?->|::)\s*[\w$]+)+")
_NAME = re.compile(rb"[\w$@]+")
_PLAIN_UNION = re.compile(r"[\w.]+(?:\s*\|\s*[\w.]+)+")
SIGNATURE_CHARS = 300
DOC_CHARS = 2000
_first = itemgetter(0)
_Queued = tuple[int, Handler, Node]
_EVALUATED = frozenset({"call", "new", "read", "access", "operator"})
_CHAINS = frozenset({"reference.call", "reference.read"})  # captures of nodes that may have several names


def _key(start: int) -> int:
    return (start << 32) - 0xFFFFFFFF


class Extractor:
    """Base class of all extractors. It turns the captured nodes of a file into facts.

    One instance is used for many files, one file at a time. A language overrides methods and adds handlers.
    """

    separator = "."
    wrappers: frozenset[str] = frozenset()  # node types around a definition that belong to it (decorators, export)
    class_methods = True  # True if a function directly inside a type is a method
    callee_first = False  # True if a call begins with its callee, so that names read there are part of the call
    # node type that contains all uses of a name declared in it → type of the child at which they end; "" for none
    blocks: Mapping[str, str] = MappingProxyType({})
    conditions = Conditions()  # of the language
    locals_called = True  # False if a called name never means a local
    qualified_types: frozenset[str] = frozenset()  # node types of names of types with several parts
    quiet_types: frozenset[str] = frozenset()  # paths of types whose uses are left out
    type_parameters: Collection[str] = ()  # those of the file, which do not refer to a type of their name
    scope_kinds: frozenset[str] = frozenset(TYPE_KINDS | {"function", "method", "lambda"})
    parent_kinds: frozenset[str] = scope_kinds  # a definition inside one of these kinds is its child
    # captures that `outline` reads besides those of definitions
    outline_captures: frozenset[str] = frozenset({"comment", "decorator"})

    def __init__(self, paths: PathReader) -> None:
        self.paths = paths
        self.text, self.path_of, self.values_of = paths.text, paths.path_of, paths.values_of
        self.arguments, self.cached_arguments = paths.arguments, paths.cached_arguments
        self.expressions = paths.expressions
        self.imports: list[Import] = []
        self.exports: list[Export] = []
        self.bindings: list[Binding] = []
        self.returns: list[Return] = []
        self.references: list[Reference] = []
        self.bases: list[Base] = []
        self.locals = LocalNames(self.bindings, self.references, self.returns, self.locals_called)
        self.assigned = Assigned()
        self.consumed: set[int] = set()  # first bytes of expressions recorded with an outer node
        self.parts: tuple[object, ...] = ()  # objects with more handlers

    # ----------------------------------------------------------------- methods that a language overrides

    def begin(self, captures: Captures) -> None:
        """Start with the next file, whose `path` and `data` are set: forget what the previous file left."""

    def module_name(self, path: str, root: Node, layout: Layout) -> str:
        """Return the module's name by the language's rule. The default is the path without its suffix."""
        stem, dot, _ = path.rpartition(".")
        return stem if dot else path

    def doc_of(self, definition: Definition, leading: str) -> str:
        """Return the documentation. `leading` is the text of the comments above, with comment markers."""
        return clean_comment(leading)

    def module_doc(self, root: Node) -> str:
        return ""

    def name_node(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the node that contains a definition's name; None if there is none."""
        return node.child_by_field_name("name")

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the simple name of a definition; "" if it is not a symbol. A lambda is named by its position."""
        if kind == "lambda":
            return f"<lambda:{line_col(node)}>"
        return self.text(self.name_node(kind, node))

    def body_of(self, kind: SymbolKind, node: Node) -> Node | None:
        return node.child_by_field_name("body")

    def outer_of(self, kind: SymbolKind, node: Node) -> Node:
        """Return the node that contains the definition `node` with its decorators, `export` and similar syntax."""
        while self.wrappers and (parent := node.parent) is not None and parent.type in self.wrappers:
            node = parent
        return node

    def scope_start(self, definition: Definition) -> int:
        """Return the first byte of the definition's scope; see `Definition.scope_start`."""
        return definition.scope_start

    def belongs(self, definition: Definition, around: Definition | None) -> bool:
        """Return True if the definition becomes a symbol. `around` is the definition that encloses it."""
        return True

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        """Set the parents of definitions that are written outside the type or module to which they belong."""

    def module_symbol_name(self, root: Node) -> str:
        """Return the simple name of the module's symbol. By default it is the last part of its qualified name."""
        return self.module.rpartition(self.separator)[2] or self.module

    def on_definition(self, definition: Definition, scope: int) -> None:
        """Add the facts in the head: parameters, return type, bases. `scope` is the definition's own scope."""

    def finish(self, placed: Sequence[Definition | None]) -> None:
        """Correct facts that depend on the whole file. This method is called after all nodes were handled."""

    # ----------------------------------------------------------------- the run over one file

    def outline(
        self, path: str, language: str, data: bytes, root: Node, captures: Captures, layout: Layout
    ) -> Extraction:
        """Return the symbols of one file and its definitions, without all other facts.

        The captures of definitions and those in `outline_captures` are enough. `data` is the UTF-8 text from which the
        tree was parsed.
        """
        self.path, self.language, self.layout = path, language, layout
        self.data, self.captures = data, captures
        self._comments = sorted(map(byte_range, captures.get("comment", ())))
        self.code = without(data, self._comments)
        self.paths.read_from(data)
        for rows in (self.imports, self.exports, self.bindings, self.returns, self.references, self.bases):
            rows.clear()
        self.consumed.clear()
        self.assigned.rows.clear()
        self.begin(captures)
        self.module = self.module_name(path, root, layout)
        placed = self.placed = self._place(self._definitions(captures), captures)
        self.adopt(placed)
        self.symbols = self._symbols(placed, root)
        for definition in placed[1:]:
            if definition is not None:
                definition.symbol = self.symbols[definition.index]
        return Extraction(FileFacts(path, language, self.module, tuple(self.symbols)), tuple(placed))

    def extract(
        self, path: str, language: str, data: bytes, root: Node, captures: Captures, layout: Layout
    ) -> Extraction:
        """Return the facts of one file and its definitions; see `outline`. It needs all captures."""
        found = self.outline(path, language, data, root, captures, layout)
        placed = found.definitions
        for definition in placed[1:]:
            if definition is not None:
                self.on_definition(definition, definition.index)
        self.parents = [0 if each is None else each.parent for each in placed]
        self.locals.begin(self.data)
        self._dispatch(self.captures, placed)
        self.captures = {}  # frees the tree
        self.locals.settle(self.symbols, self.parents)
        self.finish(placed)
        self._drop_locals(placed)
        facts = FileFacts(
            path,
            language,
            self.module,
            found.facts.symbols,
            tuple(self.imports),
            tuple(self.exports),
            tuple(self.bindings),
            tuple(self.returns),
            tuple(self.references),
            tuple(self.bases),
        )
        return Extraction(facts, placed)

    def _definitions(self, captures: Captures) -> list[Definition]:
        """Return the named definitions in source order, an outer one before those in it."""
        found: dict[tuple[tuple[int, int], str], Definition] = {}
        for capture, nodes in captures.items():
            if capture.startswith("definition."):
                kind = cast("SymbolKind", capture[11:])
                for node in nodes:
                    definition = self._definition(kind, node)
                    if definition is not None:
                        found.setdefault((definition.node.byte_range, definition.name), definition)
        return sorted(found.values(), key=lambda d: (d.start, -d.end, d.node.start_byte))

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        name = self.definition_name(kind, node)
        if not name:
            return None
        body, named = self.body_of(kind, node), self.name_node(kind, node)
        return Definition(kind, name, node, self.outer_of(kind, node), body, named=named)

    def _place(self, definitions: Sequence[Definition], captures: Captures) -> list[Definition | None]:
        """Set the index and the parent of each definition, and find the comments above it."""
        placed: list[Definition | None] = [None]
        stack: list[Definition] = []
        trivia = LeadingTrivia(captures.get("comment", ()), captures.get("decorator", ()), self.data)
        seen: set[tuple[int, str, str]] = set()
        for definition in definitions:
            while stack and stack[-1].end <= definition.start:
                stack.pop()
            around = stack[-1] if stack else None
            if not self.belongs(definition, around):
                continue
            definition.parent = around.index if around is not None else 0
            if definition.kind in ("constant", "field"):
                key = (definition.parent, definition.qualifier, definition.name)
                if key in seen:  # the name is bound again: this is not a second definition
                    continue
                seen.add(key)
            definition.index = len(placed)
            trivia.attach(definition)
            placed.append(definition)
            if definition.kind in self.parent_kinds:
                stack.append(definition)
        return placed

    def _symbols(self, placed: Sequence[Definition | None], root: Node) -> list[Symbol]:
        lines = self.data.count(b"\n") + (0 if self.data.endswith(b"\n") or not self.data else 1)
        module = Symbol(
            f"{self.path}:{self.module}",
            self.module,
            self.module_symbol_name(root),
            "module",
            self.path,
            Span(1, max(lines, 1), 0, len(self.data)),
            1,
            self.language,
            None,
            "",
            self.module_doc(root)[:DOC_CHARS],
        )
        symbols, ordinals = {0: module}, {module.id: 1}
        for definition in filter(None, placed):
            pending = [definition] if definition.index not in symbols else []
            # the method of a type may precede the type
            while pending and (number := pending[-1].parent) not in symbols:
                above = placed[number]
                if above is None or any(above is each for each in pending):  # after macros, two may contain each other
                    pending[-1].parent = 0
                else:
                    pending.append(above)
            for each in reversed(pending):
                symbols[each.index] = self._symbol(each, symbols[each.parent], ordinals)
        return [symbols[number] for number in range(len(placed))]

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
        definition.remarks = self._remarks(definition)
        above = definition.leading
        leading = "\n".join([self.text(node).rstrip("\n") for node in above]) if above else ""
        lines = first.start_point[0] + 1, end_line(definition.tail)
        return Symbol(
            symbol_id,
            fqn,
            definition.name,
            kind,
            self.path,
            record(Span, (*lines, definition.start, definition.end)),
            named.start_point[0] + 1,
            self.language,
            parent.id,
            self.signature(definition),
            self.doc_of(definition, leading)[:DOC_CHARS],
            self.decorators(definition),
        )

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name of the definition inside `parent`."""
        if definition.qualifier:
            return f"{parent.fqn}{self.separator}{definition.qualifier}{self.separator}{definition.name}"
        return f"{parent.fqn}{self.separator}{definition.name}"

    def signature(self, definition: Definition) -> str:
        """Return the head of the definition on one line, without comments."""
        node, body = definition.node, definition.body
        end = body.start_byte if body is not None else node.end_byte
        head = self.code[node.start_byte : min(end, node.start_byte + 4 * SIGNATURE_CHARS)].decode("utf-8", "replace")
        head = head if body is not None else head.partition("\n")[0]
        return " ".join(CONTINUATION.sub("", head).split()).rstrip("{:=").rstrip()[:SIGNATURE_CHARS]

    def _remarks(self, definition: Definition) -> str:
        """Return the comments in the head of a definition: those between its parameters, or beside a field."""
        if not self._comments:
            return ""
        first, end = definition.outer.start_byte, definition.scope_start
        at = bisect_left(self._comments, (first, 0))
        if at == len(self._comments) or self._comments[at][0] >= end:
            return ""
        if definition.body is None:  # without a body, the signature is one line
            end = min(end, first + len(self.data[first:end].partition(b"\n")[0]))
        found = self._comments[at : bisect_left(self._comments, (end, 0))]
        return b"\n".join(self.data[start:stop] for start, stop in found)[:SIGNATURE_CHARS].decode("utf-8", "replace")

    def code_of(self, node: Node) -> str:
        """Return the text of a node with spaces in place of comments."""
        return self.code[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def decorators(self, definition: Definition) -> tuple[str, ...]:
        """Return the access paths of the decorators or annotations, outermost first."""
        return ()

    def handler(self, capture: str) -> Handler | None:
        """Return the handler of a capture: the method ``on_CAPTURE`` of the extractor, or of one of its parts."""
        name = "on_" + capture.replace(".", "_")
        return next((found for part in (self, *self.parts) if (found := getattr(part, name, None))), None)

    def handles(self, capture: str) -> bool:
        """Return True if the extractor knows what a capture means."""
        known = capture in ("comment", "decorator") or capture.startswith(("definition.", "_"))
        return known or self.handler(capture) is not None

    def _dispatch(self, captures: Captures, placed: Sequence[Definition | None]) -> None:
        """Pass each captured node with its scope to its handler, in source order, an outer node before inner ones."""
        queue: list[_Queued] = []
        if self.callee_first and "reference.read" in captures:
            reads = outermost_reads(captures["reference.read"], captures.get("reference.call", ()))
            captures = {**captures, "reference.read": reads}
        if "reference.bare" in captures:
            named = {node.start_byte for node in captures.get("_named", ())}
            declared = {d.named.start_byte for d in placed if d is not None and d.named is not None}
            named |= declared
            bare = [node for node in captures["reference.bare"] if node.start_byte not in named]
            reads = [node for node in captures.get("reference.read", ()) if node.start_byte not in declared]
            captures = {**captures, "reference.bare": bare, "reference.read": reads}
        chains: list[_Queued] = []
        find = self.data.find
        for capture, nodes in captures.items():
            handler = self.handler(capture)
            if handler is not None:
                # the sort key is one integer: first byte ascending, then length descending
                ranges = list(map(byte_range, nodes))
                keys = [(start << 32) - end for start, end in ranges]
                queue += zip(keys, repeat(handler), nodes)
                if capture in _CHAINS:
                    several = [find(b"\n", start, end) >= 0 for start, end in ranges]  # on several lines
                    chains += compress(zip(keys, repeat(self._on_chain), nodes), several)
            elif not self.handles(capture):
                raise ValueError(f"the query of {self.language} captures @{capture}, which has no handler")
        queue = self._only_named(queue, self.unevaluated(captures))
        queue += chains  # after the handler of the same node
        queue.sort(key=_first)
        # The start and end of a scope are such integers too. A longer node at a scope's first byte encloses it: the
        # call in ``function () {}()``.
        own = [d for d in placed if d is not None and d.kind in self.scope_kinds]
        bounds = sorted(((self.scope_start(d) << 32) - d.end, _key(d.end), d.index) for d in own)
        never = _key(len(self.data) + 1)
        bounds.append((never, 0, 0))
        stack = [(never, 0)]
        position, (entry, _, _) = 0, bounds[0]
        leave, scope = stack[0]
        known = self.locals
        for key, handler, node in queue:
            while entry <= key:
                while stack[-1][0] <= entry:
                    stack.pop()
                stack.append(bounds[position][1:])
                leave, scope = stack[-1]
                position += 1
                entry = bounds[position][0]
            while leave <= key:
                stack.pop()
                leave, scope = stack[-1]
            handler(scope, node)
            if key < known.until:
                known.log(node.start_byte)

    def unevaluated(self, captures: Captures) -> Sequence[Node]:
        """Return the nodes whose code never runs, so that names in it are only named."""
        return captures.get("_unevaluated", ())

    def _only_named(self, queue: list[_Queued], nodes: Sequence[Node]) -> list[_Queued]:
        """Return the queue with handlers whose references only name something, for code in `nodes`: it never runs."""
        unevaluated = list[tuple[int, int]]()  # without those in others
        for span in sorted(map(byte_range, nodes), key=lambda span: (span[0], -span[1])):
            if not unevaluated or span[0] >= unevaluated[-1][1]:
                unevaluated.append(span)

        def naming(handler: Handler, node: Node) -> Handler:
            at = bisect_left(unevaluated, (node.start_byte + 1, 0)) - 1
            if at < 0 or node.end_byte > unevaluated[at][1]:
                return handler

            def name(scope: int, node: Node) -> None:
                first = len(self.references)
                handler(scope, node)
                for number, row in enumerate(self.references[first:], first):
                    if row.kind in _EVALUATED:
                        self.references[number] = row._replace(kind="name", args=())

            return name

        return [(key, naming(handler, node), node) for key, handler, node in queue] if unevaluated else queue

    # ----------------------------------------------------------------- constants and fields

    def on_reference_bare(self, scope: int, node: Node) -> None:
        """Add a name that stands alone. `_drop_locals` removes it if it means a local."""
        name = self.text(node)
        if (scope, name) not in self.locals.parameters:
            self.access(scope, name, node)

    def read_case(self, scope: int, subject: Node | None, name: Node) -> None:
        """Add the read of a member of the type of a switched value, which a case names alone: ``case RED:``."""
        if subject is not None and (path := self.path_of(subject)):
            known = Reference(scope, "receiver", path, subject.end_point[0] + 1)
            self.references += known, Reference(scope, "read", f"{path}.{self.text(name)}", name.start_point[0] + 1)

    def store(self, scope: int, target: Node) -> None:
        """Add the use of a member to which a value is assigned. It is not read, but in ``a.b[i] = x`` ``a.b`` is."""
        if target.type not in self.expressions.subscripts:
            self.consumed.add(target.start_byte)
        if target.type in self.expressions.attributes:
            self.access(scope, self.path_of(target), target)

    def target(self, left: Node) -> str:
        """Return the access path of the target of an assignment; that of an element has its key."""
        if left.type != "index_expression" or left.named_child_count != 2:
            return self.path_of(left)
        path, key = self.path_of(left.named_children[0]), self.text(left.named_children[1])
        return f"{path}[{key}]" if path and "\n" not in key else ""

    def refer(self, scope: int, kind: str, path: str, node: Node, args: tuple[str, ...] = ()) -> None:
        """Add the use of a name, on the line of `node`."""
        self.references.append(record(Reference, (scope, kind, path, node.start_point[0] + 1, args)))

    def access(self, scope: int, path: str, node: Node) -> None:
        if path and (path[0] != "%" or path[:6] == "%type("):
            self.refer(scope, "access", path, node)

    def _on_chain(self, scope: int, node: Node) -> None:
        self.split_chain(node.start_byte, node.end_byte, node.start_point[0] + 1)

    def split_chain(self, start: int, end: int, line: int) -> None:
        """Give each name of a chain its line, if the last reference is that chain: ``rows⏎.map(f)``."""
        written = _CHAIN.match(self.code, start, end) if self.references else None
        if written is None or b"\n" not in written[0]:
            return
        row, found = self.references[-1], [*_NAME.finditer(written[0])]
        names = row.path.split(".")
        found = found[: len(names)]
        lines = [line + written[0].count(b"\n", 0, name.start()) for name in found]
        if row.kind in ("call", "read") and len(found) == len(names) and found[-1][0] == names[-1].encode():
            ends = [number for number, (one, below) in enumerate(pairwise(lines), 1) if one != below]
            above = (Reference(row.scope, "receiver", ".".join(names[:end]), lines[end - 1]) for end in ends)
            self.references[-1:] = [*above, row._replace(line=lines[-1])]

    def _drop_locals(self, placed: Sequence[Definition | None]) -> None:
        """Remove the names alone that a function around them binds."""
        bound = {(row.scope, row.name) for row in self.bindings if binds(row)}
        bound -= {(d.parent, d.name) for d in placed if d is not None and d.kind == "constant"}  # of a function
        names = {name for _, name in bound}
        self.references[:] = [
            row
            for row in self.references
            if row[1] != "access" or not ((row[2] in names and self._is_bound(row, bound)) or LOCAL_MARK in row[2])
        ]

    def _is_bound(self, row: Reference, bound: Collection[tuple[int, str]]) -> bool:
        scope, name = row.scope, row.path
        while scope > 0 and "." not in name:
            if (scope, name) in bound and self.symbols[scope].kind in CALLABLE_KINDS:
                return True
            scope = self.parents[scope]
        return False

    # ----------------------------------------------------------------- parts of expressions

    def arguments_of(self, node: Node) -> tuple[str, ...]:
        """Return the access paths of the arguments of the call `node`."""
        arguments = node.child_by_field_name("arguments")
        return self.cached_arguments(arguments) if arguments is not None else ()

    def line_called(self, callee: Node) -> int:
        """Return the line of the name that is called. In a chain over several lines, each call has its own line."""
        named = callee
        if callee.start_point[0] != callee.end_point[0] and callee.type in self.expressions.attributes:
            named = step_to(callee, self.expressions.attributes[callee.type][1]) or callee
            while named.named_child_count == 1 and named.start_point[0] != named.end_point[0]:
                named = named.named_children[0]  # behind a mark and a line break
        return named.start_point[0] + 1

    def on_reference_read(self, scope: int, node: Node) -> None:
        """Add a name that is read as a value. For a chain ``a.b.c`` only the whole chain is added, if it has a path."""
        start = self.paths.first_byte(node)
        if start not in self.consumed and (path := self.path_of(node)):
            self.consumed.add(start)
            if path[0] != "%" or path[:6] == "%type(":
                self.refer(scope, "read", path, node)

    def on_reference_type(self, scope: int, node: Node) -> None:
        """Add the use of a type, unless it was recorded with an outer node, is very common, or is a type parameter."""
        if node.start_byte in self.consumed:
            return
        if node.type in self.qualified_types:
            self.consume_type(node)
        path = self.path_of(node)
        if path and path not in self.quiet_types and path not in self.type_parameters:
            self.refer(scope, "type", path, node)

    def consume_type(self, node: Node) -> None:
        """Mark the parts of a type's name as recorded, but not the names in its type arguments."""
        self.consumed.add(node.start_byte)
        if (name := node.child_by_field_name("name")) is not None:
            self.consumed.add(name.start_byte)

    def on_return(self, scope: int, node: Node) -> None:
        """Add the returned value."""
        if node.named_child_count:
            self.give_back(scope, node.named_children[0])

    def give_back(self, scope: int, value: Node, manner: Literal["return", "yield"] = "return", step: str = "") -> None:
        """Add a returned or yielded value. For a conditional expression, add the value of each branch."""
        self.returns.extend(Return(scope, path + step, manner) for path in self.values_of(value))

    def narrow(self, scope: int, test: Node, name: str, type_text: str, holds: bool = True) -> None:
        """Add the type of a name on the lines on which `test` is known to be true, or its own; of a member, on all.

        If not `holds`, the name has the type where the test is false.
        """
        line = test.start_point[0] + 1
        lines = self.conditions.lines(test, holds) if name.isidentifier() else None
        first, last = lines if lines is not None else (line, line if name.isidentifier() else 0)
        self.bindings.append(Binding(scope, name, "pattern", type_text, "", first, last))
        self.narrow_others(scope, test, name, type_text, not holds)

    def narrow_others(self, scope: int, test: Node, name: str, type_text: str, holds: bool) -> None:
        """Add the other types of a name where `test` is true, or if not `holds`, false.

        They are listed if the name is a parameter with a union type. Otherwise the tested type is excluded, on lines
        where the opposite of the test is not known.
        """
        declared = self.locals.parameters.get((scope, name), "")
        tested = type_text.split(" | ")
        types = [each.strip() for each in declared.split("|")] if _PLAIN_UNION.fullmatch(declared) else []
        others = [each for each in types if each not in tested]
        lines = self.conditions.lines(test, holds) if name.isidentifier() else None
        if lines is None:
            return
        if others and len(others) < len(types):
            self.bindings.append(Binding(scope, name, "pattern", " | ".join(others), "", lines.first, lines.last))
        elif (opposite := self.conditions.lines(test, not holds)) is not None and type_text:
            first = max(lines.first, opposite.last + 1) if opposite.first <= lines.first else lines.first
            if first <= lines.last:
                self.bindings.append(Binding(scope, name, "pattern", f"{NOT}{type_text}", "", first, lines.last))

    def declare_local(self, scope: int, name: str, node: Node, first: int) -> None:
        """Note a local that `node` declares, known from byte `first` to the end of its block. Its rows come next."""
        if (current := enclosing(node, self.blocks)) is not None:
            self.locals.declare(scope, name, first, self.end_of_block(current))

    def end_of_block(self, block: Node) -> int:
        """Return the byte at which the locals of a block end, which may be before its own end."""
        until = self.blocks[block.type]
        ends = (child.start_byte for child in block.children if child.type == until) if until else ()
        return min(ends, default=block.end_byte)

    def bind_item(self, scope: int, name: str, value: Node | None, step: str = "") -> None:
        """Add an item of a literal under a name, or with a step the items of a spread value."""
        if value is not None and value.type in ("identifier", "shorthand_property_identifier"):
            self.refer(scope, "read", self.text(value), value)
        if value is not None and (values := self.values_of(value)):
            self.bind(scope, name, "field", "", [path + step for path in values], value.start_point[0] + 1)

    def bind(self, scope: int, name: str, manner: str, type_text: str, values: Sequence[str], line: int) -> None:
        """Add one binding for each of `values`; without values, one that only records the name and its type."""
        for value in values or ("",):
            self.bindings.append(record(Binding, (scope, name, manner, type_text, value, line, 0)))


class Part:
    """A part of an extractor, with handlers of its own. It adds facts to the lists of the extractor."""

    def __init__(self, extractor: Extractor) -> None:
        self.paths = extractor.paths
        self.text, self.path_of, self.values_of = extractor.text, extractor.path_of, extractor.values_of
        self.imports, self.exports, self.bases = extractor.imports, extractor.exports, extractor.bases
        self.bindings, self.returns, self.references = extractor.bindings, extractor.returns, extractor.references
        self.consumed, self.refer = extractor.consumed, extractor.refer
        self.bind, self.bind_item = extractor.bind, extractor.bind_item
