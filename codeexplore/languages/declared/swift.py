"""Swift: language record, extractor and resolution rules.

Example: ``class Cart { func total() -> Int { return sum() } }`` in ``Sources/Shop/Cart.swift`` becomes the class
``Shop.Cart`` and the method ``Shop.Cart.total``, with a call of ``sum``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from tree_sitter import Node

from codeexplore.languages.base import SLASHES, Called, default_rules, replacing, table, words
from codeexplore.languages.conventions import TYPE_TESTS
from codeexplore.languages.declared.closures import ClosurePaths
from codeexplore.languages.declared.extractor import SymbolsExtractor, declared
from codeexplore.languages.declared.grammar_shape import Shape, clean_name
from codeexplore.languages.extraction.expressions import (
    Captures,
    Definition,
    Extraction,
    Layout,
    children_of,
    outside,
    step_to,
    walk,
)
from codeexplore.resolution.access_paths import closing, split_top
from codeexplore.types import TRAILING, Symbol, SymbolKind

_SIGNS = {sign: sign for sign in words("+ - * / % == != < > <= >= && || & | ^ << >> &+ &- &* ! ~ ?? ~=")}
SHAPE = Shape(
    global_names=True,
    names={
        "property_declaration": ("name", "bound_identifier"),
        "simple_identifier": (),
        "protocol_property_declaration": ("name", "bound_identifier"),
        "macro_declaration": ("<simple_identifier",),
    },
    bodies={
        "property_declaration": "computed_value",
        "simple_identifier": "-",
        "subscript_declaration": "<computed_property",
    },
    wrappers=frozenset({"enum_entry"}),
    computed={"property_declaration": ("computed_value",)},
    extended={"class_declaration": ("name",)},
    annotations=frozenset({"modifiers", "attribute"}),
    roots=frozenset({"simple_identifier", "self_expression", "super_expression", "user_type"}),
    attributes={"navigation_expression": ("target", "suffix"), "prefix_expression": ("operation", "target")},
    calls={"call_expression": "", "constructor_expression": "constructed_type"},
    operators={
        **dict.fromkeys(("additive_expression", "multiplicative_expression", "bitwise_operation"), ("lhs", _SIGNS)),
        **dict.fromkeys(("comparison_expression", "equality_expression", "infix_expression"), ("lhs", _SIGNS)),
        **dict.fromkeys(("range_expression", "nil_coalescing_expression"), ("lhs", _SIGNS)),
        "prefix_expression": ("target", _SIGNS),
        "for_statement": ("collection", {"": "makeIterator makeIterator().next"}),
    },
    through={
        "try_expression": "expr",
        "await_expression": "expr",
        "tuple_expression": "",
        "postfix_expression": "target",
        "optional_chain_marker": "",
    },
    casts={"as_expression": "name"},
    literals={"line_string_literal": "%str", "integer_literal": "%num", "array_literal": "%list"},
    parameters=dict.fromkeys(
        ("function_declaration", "init_declaration", "subscript_declaration", "protocol_function_declaration"), ()
    ),
    parameter={"parameter": (("name",), ("~_type",))},
    declared={
        "property_declaration": (("name", "bound_identifier"), ("<type_annotation", "~_type"), ("value",)),
        "protocol_property_declaration": (("name", "bound_identifier"), ("<type_annotation", "~_type"), ()),
        "type_parameter": (("<type_identifier",), ("~_type",), ()),
    },
    elements={"for_statement": (("item", "bound_identifier"), ("<type_annotation", "~_type"), ("collection",))},
    closures={"lambda_literal": "lambda_function_type_parameters"},
    implicit=("$0", "$1"),
    tuples=frozenset({"pattern"}),
    blocks=dict.fromkeys(
        words("statements lambda_literal for_statement while_statement switch_entry catch_block class_body"), ""
    )
    | {"if_statement": "else"},
    results={
        **dict.fromkeys(
            ("function_declaration", "protocol_function_declaration", "subscript_declaration"), ("~_type",)
        ),
        "property_declaration": ("<type_annotation", "~_type"),
    },
    arguments={"call_expression": ("<call_suffix", "<value_arguments")},
    argument=frozenset({"value_argument"}),
    type_words=frozenset({"any", "some", "inout", "@escaping", "@Sendable", "@autoclosure", "borrowing", "consuming"}),
    read_signature=re.compile(r"[^(]*"),
    imports=re.compile(
        r"(?:@\w+\s+)*import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(?P<module>[\w.]+)"
    ),
)
_UNREAD = re.compile(
    rb"(?m)^[ \t]*#(?:if|elseif|else|endif|error|warning)\b[^\n]*$|(#)(?=_\w)|@\w+(\([ \t]*\))"
    rb"|\bthrows(\([\w.: \t]*\))|\bfor[ \t]+((?:try[ \t]+)?await)\b|\btry[?!]?[ \t]+(await)\b|\bnonisolated(\(unsafe\))"
    rb"|(?:\breturn[ \t]+|(?<=\())(\(\))(?=[,)\s])|:[ \t]*(sending|isolated)\b|(#)(?=isolation\b)"
)
"""Syntax that the grammar lacks.

It is ``#if``, ``#_macro``, ``@Option()``, ``throws(Failure)``, ``for try await``, ``try await`` in a condition,
``nonisolated(unsafe)``, ``()`` as a value, ``sending``, ``isolated`` and ``#isolation``.
"""
_TARGET = re.compile(r"(?:^|/)(?:Sources|Tests)/([^/]+)/")
_PRIVATE = re.compile(r"(?:[\w@]+\s+)*?(?:file)?private\s")
_OF_ARRAY = words("Collection Sequence MutableCollection RandomAccessCollection BidirectionalCollection")
_SUPERS = {
    "String": words("StringProtocol Collection Sequence BidirectionalCollection Hashable Equatable Comparable"),
    "Substring": words("StringProtocol Collection Sequence BidirectionalCollection Hashable Equatable Comparable"),
    "Array": _OF_ARRAY,
    "[]": _OF_ARRAY | {"Array"},
    "{}": words("Dictionary Collection Sequence"),
    **dict.fromkeys(words("Set Dictionary"), words("Collection Sequence")),
    "Int": words("BinaryInteger FixedWidthInteger SignedInteger Numeric Hashable Equatable Comparable"),
    **dict.fromkeys(words("Double Float"), words("BinaryFloatingPoint FloatingPoint Numeric Comparable Equatable")),
}
_CONDITIONS = frozenset({"if_statement", "guard_statement", "while_statement"})
_IN_PATTERN = _CONDITIONS | {"pattern"}
_BINDING = frozenset({"for_statement", "lambda_parameter", "capture_list_item"})
_CASES = frozenset({"pattern", "switch_pattern", "switch_entry"})
_MARKED = frozenset({"try_expression", "await_expression"})
_OPERATIONS = frozenset({"additive_expression", "multiplicative_expression", "prefix_expression"})
_KEYWORDS = {"init_declaration": "init", "deinit_declaration": "deinit", "subscript_declaration": "subscript"}


@lru_cache(maxsize=8)
def _targets(layout: Layout) -> frozenset[str]:
    """Return the names of the targets of a package, which may stand before the names of their types."""
    return frozenset(found[1] for found in map(_TARGET.search, layout.paths) if found is not None)


_LITERAL_TYPES = frozenset({"array_literal", "dictionary_literal"})
MAX_TYPE = 80
"""Characters of a type that is written as a literal."""


def is_subscript(call: Node, data: bytes) -> bool:
    """Return True for ``items[0]``, which is a call to the grammar."""
    suffix = step_to(call, "<call_suffix")
    return suffix is not None and data.startswith(b"[", suffix.start_byte)


class SwiftPaths(ClosurePaths):
    targets: frozenset[str] = frozenset()

    def container_made(self, node: Node, written: bytes) -> str:
        """Return the path of a new container; that of ``[Item]()`` too, whose callee is a literal to the grammar."""
        callee = step_to(node, "") if node.type == "call_expression" else None
        if callee is not None and callee.type in _LITERAL_TYPES and callee.end_byte - callee.start_byte < MAX_TYPE:
            return f"%type({self.text(callee)})"
        return super().container_made(node, written)

    def plain_name(self, text: str) -> str:
        return text if text in SHAPE.implicit else super().plain_name(text)

    def root_of(self, node: Node) -> str:
        r"""Return an instance of the type for a key path: ``Info()`` for ``\Info.title``, ``_`` for ``\.title``."""
        if node.type != "key_path_expression":
            return super().root_of(node)
        name = self.dotted(self.text(node).lstrip("\\"))
        return f"{name}()" if name else "_"

    def dotted(self, text: str) -> str:
        """Return a name as written without type arguments, and without the target of this repository before it."""
        name = super().dotted(_ARGUMENTS.sub("", text[:200]))
        target, dot, rest = name.partition(".")
        return rest if dot and target in self.targets else name

    def object_of(self, node: Node, step: str) -> Node | None:
        """Return the object of a member. The grammar takes ``a + b`` for it in ``a + b.c``, and ``!b`` in ``!b.c``."""
        inner = step_to(node, step)
        while inner is not None and inner.type in _OPERATIONS and not self.data.startswith(b".", inner.start_byte):
            inner = step_to(inner, "-")
        return inner

    def call_step(self, node: Node) -> str:
        if is_subscript(node, self.data):
            return "[]"
        return super().call_step(node) if self.closed(node) is None else ""

    def closed(self, node: Node) -> Node | None:
        """Return the call ``f(1)`` if it is the callee of ``f(1) { $0 }``, as the grammar takes it behind ``=``."""
        behind, inner = walk(node, "<call_suffix", ""), step_to(node, "")
        while inner is not None and inner.type in _MARKED:
            inner = step_to(inner, "expr")
        whole = behind is not None and behind.type == "lambda_literal" and inner is not None
        return inner if whole and walk(inner, "~_suffix", "<value_arguments") is not None else None

    def first_byte(self, node: Node) -> int:
        current: Node | None = node
        while current is not None and current.type in ("navigation_expression", "call_expression"):
            node, current = current, self.object_of(current, "")
        return (current or node).start_byte


_ARGUMENTS = re.compile(r"(?<=\w)<[^<>]+(?:<[^<>]*>[^<>]*)*>")
_ACCESS = words("public open internal package private fileprivate")
_BOUND = "bound_identifier"


class SwiftExtractor(SymbolsExtractor):
    """Extractor of Swift, with members named by a keyword, subscripts, private names, and closures after a call."""

    paths: SwiftPaths
    reader = SwiftPaths

    def outline(
        self, path: str, language: str, data: bytes, root: Node, captures: Captures, layout: Layout
    ) -> Extraction:
        """Return the symbols of one file. The names in conditions, ``if let name``, are not captured but added.

        A pattern for them takes 25 ms to compile for each statement, in every process.
        """
        bound = [each for node in captures.get("_condition", ()) for each in node.children_by_field_name(_BOUND)]
        names = [*captures.get("binding.local", ()), *(each for each in bound if each.type == "simple_identifier")]
        return super().outline(path, language, data, root, {**captures, "binding.local": names}, layout)

    def begin(self, captures: Captures) -> None:
        self._with_binding: dict[int, bool] = {}  # pattern → `_has_binding`
        super().begin(captures)

    def signature(self, definition: Definition) -> str:
        """Return the head of the definition. Members of a ``public extension`` are public, if they do not say else."""
        head, body = super().signature(definition), definition.node.parent
        above = body.parent if body is not None and body.type == "class_body" else None
        first = definition.node.start_byte if above is None else above.start_byte
        access, word, _ = self.data[first : definition.node.start_byte].partition(b"{")[0].partition(b"extension ")
        opened = bool(word) and b"public" in access.split()
        return f"public {head}" if opened and not _ACCESS.intersection(head.split()) else head

    def decorators(self, definition: Definition) -> tuple[str, ...]:
        """Return the attributes before the name. Those behind it belong to parameters."""
        found = super().decorators(definition)
        head = self.data[definition.node.start_byte : (definition.named or definition.node).start_byte]
        return tuple(each for each in found if f"@{each}".encode() in head)

    def on_reference_attribute(self, scope: int, node: Node) -> None:
        """Add the uses of a type that is an attribute: a property wrapper of a field, or a builder of results."""
        around = node.parent if node.parent is None or node.parent.type != "modifiers" else node.parent.parent
        name = self.paths.dotted(self.text(node.named_children[0])) if node.named_child_count else ""
        if around is None or not name[:1].isupper():
            return
        self.refer(scope, "type", name, node)
        if around.type == "property_declaration" and step_to(around, "computed_value") is None:
            self.refer(scope, "read", f"{name}().wrappedValue", node)
        else:
            self.operate(scope, name, "buildBlock", node)

    def on_reference_operator(self, scope: int, node: Node) -> None:
        """Add the call of an operator, which is a function of the type of one of its operands."""
        step, methods = self.shape.operators[node.type]
        operand, sign = step_to(node, step), node.child_by_field_name("op") or node.child_by_field_name("operation")
        if step == "collection" or operand is None or sign is None:
            super().on_reference_operator(scope, node)
            return
        operands = tuple(self.path_of(each) for each in (operand, node.child_by_field_name("rhs")) if each is not None)
        path = next((each for each in operands if each and each[0] != "%"), "")
        self.operate(scope, path, methods.get(self.text(sign), ""), node, operands)

    def on_reference_call(self, scope: int, node: Node) -> None:
        """Add a call. A subscript ``items[0]`` is parsed as a call by the grammar."""
        callee = step_to(node, "")
        if self.paths.closed(node) is not None:
            return
        if is_subscript(node, self.data):
            self.operate(scope, self.path_of(callee), "subscript", node, self.arguments_of(node))
        elif callee is not None and callee.type == "prefix_expression" and self.text(callee)[:1] == ".":
            self.call(scope, f"_.{clean_name(self.text(callee))}", node, callee.start_point[0] + 1)
        else:
            super().on_reference_call(scope, node)

    def on_reference_bare(self, scope: int, node: Node) -> None:
        """Add a name without arguments. With a dot before it, a case compares with a member: ``case .circle:``."""
        super().on_reference_bare(scope, node)
        around = node.parent if self.data[node.start_byte - 1 : node.start_byte] == b"." else None
        if around is not None and around.type == "prefix_expression":
            self.refer(scope, "read", f"_.{self.text(node)}", node)
        around = outside(around, _CASES)
        if around is not None and around.type == "switch_statement":
            self.read_case(scope, around.child_by_field_name("expr"), node)

    def binds(self, node: Node) -> bool:
        """Return False for a name in an expression that the pattern compares, and for a name that keeps its value.

        ``[weak self, count]`` and ``guard let self`` name what is known around them.
        """
        pattern, binds = node.parent, False
        kept = pattern is not None and pattern.type == "capture_list_item" and node.next_sibling is None
        if kept or self.text(node) == "self" or self.data[node.start_byte - 1 : node.start_byte] == b".":
            return False
        around = pattern.parent if pattern is not None and pattern.type == "pattern" else None
        alone = around is not None and node.prev_named_sibling is None and node.next_named_sibling is None
        if alone and around is not None and around.type not in _IN_PATTERN:  # the name of a variable or loop
            return False
        while pattern is not None and pattern.type in ("pattern", "switch_pattern"):
            binds = binds or self._has_binding(pattern)
            pattern = pattern.parent
        if pattern is None:
            return False
        return binds or pattern.type in _BINDING or self._has_binding(pattern)

    def _has_binding(self, pattern: Node) -> bool:
        """Return True if a pattern has the word ``let`` or ``var``. All names of a tuple ask for it."""
        known = self._with_binding.get(pattern.id)
        if known is None:
            known = self._with_binding[pattern.id] = step_to(pattern, "<value_binding_pattern") is not None
        return known

    def bound_by(self, scope: int, node: Node) -> tuple[int, tuple[str, ...]]:
        """Return where ``let name = value`` and ``let name`` of a condition are known, and their values."""
        parent = node.parent
        if parent is None or parent.type == "pattern" or parent.type not in _CONDITIONS:
            return super().bound_by(scope, node)
        after = node.next_sibling
        while after is not None and after.type not in ("=", ",", "{", "else"):
            after = after.next_sibling
        value = after.next_sibling if after is not None and after.type == "=" else None
        if value is None:  # if let name {
            return node.end_byte, (self.text(node),)
        return value.end_byte, (self.path_of(value),)

    def parameter_nodes(self, definition: Definition) -> Iterator[Node]:
        if definition.node.type in self.shape.parameters:
            yield from (child for child in definition.node.named_children if child.type == "parameter")

    def arguments_of(self, node: Node) -> tuple[str, ...]:
        """Return the arguments of a call with their labels. Functions behind the parentheses are arguments too."""
        suffix, around = step_to(node, "~_suffix"), outside(node.parent, _MARKED)
        if suffix is None:
            return ()
        found, functions = [], suffix.named_children
        for child in children_of(suffix, "<value_arguments"):
            label, path = step_to(child, "<value_argument_label"), self.path_of(child.child_by_field_name("value"))
            found.append(path if label is None else f"{self.text(label)}={path}")
        if around is not None and around.type == "call_expression" and self.paths.closed(around) == node:
            functions = [*functions, *children_of(around, "<call_suffix")]
        behind = (each.prev_named_sibling for each in functions if each.type == "lambda_literal")
        labels = (self.text(each) if each and each.type == "simple_identifier" else "" for each in behind)
        return (*found, *(f"{label}={TRAILING}" if label else TRAILING for label in labels))

    def module_name(self, path: str, root: Node, layout: Layout) -> str:
        """Return the name of the target: the folder below ``Sources`` or ``Tests`` that contains the file."""
        target, self.paths.targets = _TARGET.search(path), _targets(layout)
        stem = super().module_name(path, root, layout)
        self._in_package = target is not None
        return target.group(1) if target is not None else stem

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name. For a private top-level definition, it begins with the path of the file."""
        name = super().fqn(definition, parent)
        top = definition.parent == 0 and not definition.owner
        if top and _PRIVATE.match(self.signature(definition)):
            return f"{self.path}:{definition.name}"
        return name

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the keyword for ``init``, ``deinit`` and ``subscript``, and the sign for an operator."""
        keyword = _KEYWORDS.get(node.type)
        if keyword is not None:
            return keyword
        name = self.name_node(kind, node)
        if name is not None and (not name.is_named or self.text(name) == "`self`"):  # not the receiver
            return self.text(name)
        return super().definition_name(kind, node)


@lru_cache(maxsize=10_000)
def _written(signature: str) -> tuple[list[list[str]], bool]:
    """Return the parameters in a signature as label and rest, and False if the signature was cut."""
    opening = signature.find("(")
    end = closing(signature, opening)
    parts = split_top(signature[opening + 1 : end - 1 if end >= 0 else None])
    return [part.split(None, 1) for part in (parts if end >= 0 else parts[:-1]) if part.strip()], end >= 0


def takes(signature: str, args: Sequence[str]) -> bool:
    """Return True if a call may be of the function, by labels, defaults and order. A signature may be cut."""
    if "(" not in signature:
        return True
    parameters, whole = _written(signature)
    place, collecting = 0, False
    for arg in args:
        label = arg.partition("=")[0] if "=" in arg else "_"
        if collecting and label == "_" and arg != TRAILING:
            continue
        while place < len(parameters) and not _matches(parameters[place], label, arg == TRAILING):
            if not _is_optional(parameters[place]):
                return False
            place += 1
        if place == len(parameters):
            return not whole
        collecting = "..." in parameters[place][-1]
        place += 1
    return all(_is_optional(each) for each in parameters[place:])


def _matches(parameter: list[str], label: str, trailing: bool) -> bool:
    return (
        (trailing and not _is_optional(parameter))
        or parameter[0].rstrip(":").strip("`") == label
        or (trailing and "->" in parameter[-1])
    )


def _is_optional(parameter: list[str]) -> bool:
    return "=" in parameter[-1].replace("==", "") or "..." in parameter[-1]


_NO_CLOSURE = "func|init|deinit|if|for|while|switch|guard|else|do|catch|repeat|defer|get|set|willSet|didSet|subscript"
_CLOSURES = re.compile(
    rf"(?:.*[{{}};])?(?![^{{}};\n]*\b(?:{_NO_CLOSURE})\b|[^={{}};\n]*\bvar\b[^={{}};\n]*\{{)"
    r"[^{};\n]*[\w)=(,:][ \t]*\{"
)
SWIFT = replace(
    declared("swift", "Swift", lambda: SwiftExtractor(SHAPE)),
    extensions=(".swift",),
    interpreters=("swift",),
    comment_start=SLASHES,
    wrappings=replacing({_UNREAD: b""}),  # the code of both branches of ``#if`` is kept
    start_names=("main",),
    rules=default_rules(
        "swift",
        constructors=("init",),
        modules={"linked": True},
        classes={"own_type_names": frozenset({"Self"}), "super_names": frozenset({"super"}), "variants": True},
        functions={"read_signature": SHAPE.read_signature, "extensions": "everywhere", "labels": True},
        special_methods={
            "call": ("callAsFunction",),
            "iterate": ("makeIterator",),
            "next": ("next",),
            "index": ("subscript",),
        },
        overloading={
            "outside_supers": _SUPERS,
            "literals": {"%str": "String", "%num": "Int"},
            "decides": True,
            "takes": takes,
        },
        types={"Self": "self"},
    ),
    visibility="words",
    public_words=("public", "open"),
    file_words=frozenset({"private", "fileprivate"}),
    constructors=("init",),
    called_methods=table(
        {
            Called("an attribute of its type, or other syntax, calls {} without its name"): """
            wrappedValue projectedValue callAsFunction dynamicallyCall buildArray buildBlock buildEither buildExpression
            buildFinalResult buildLimitedAvailability buildOptional buildPartialBlock subscript appendLiteral
            appendInterpolation
            """,
            Called("{} runs when an object is freed"): "deinit",
            Called("`for` calls {}", re.compile(r"Sequence\b|Collection\b|IteratorProtocol\b")): """
            makeIterator makeAsyncIterator next
            """,
            Called("sets and dictionaries call {}", re.compile(r"Hashable\b|OptionSet\b|Identifiable\b")): "hash",
            Called("encoders call {}", re.compile(r"Encodable\b|Codable\b")): "encode",
            Called("texts that are joined or shown call {}"): "description debugDescription",
        }
    ),
    called_signatures=re.compile(r"\bfunc\s+[^\w\s(<`]"),
    called_because="an attribute, an operator, another syntax or a library may call {}",
    mark_noun="attribute",
    plain_decorators=frozenset({"inline", "frozen"}),
    conditional=True,
    closures=_CLOSURES,
    tool_files=re.compile(r"(?:^|/)Package(?:@swift-[\d.]+)?\.swift$"),
    test_files=TYPE_TESTS,
    test_names=("test",),
    test_decorators=frozenset({"Test"}),
    parameter_names="last",
    checked_types=True,
    optional_types=frozenset({"Optional"}),
    named_arguments=True,
)
