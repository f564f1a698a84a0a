"""C#: language record, extractor and resolution rules.

Example: ``class Shop { int Total() { return Sum(); } }`` in ``Shop.cs`` becomes the class ``Shop`` and the method
``Shop.Total``, with a call of ``Sum``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter

from tree_sitter import Node

from codeexplore.languages.base import SLASHES, Called, Wrapping, calling_only, default_rules, replacing, table, words
from codeexplore.languages.conventions import CONDITION, TYPE_TESTS, dividing_conditions
from codeexplore.languages.declared.closures import ClosurePaths, value_given
from codeexplore.languages.declared.extractor import SymbolsExtractor, declared
from codeexplore.languages.declared.grammar_shape import QUALIFIED, Shape
from codeexplore.languages.extraction.expressions import Captures, Definition, children_of, outside, walk
from codeexplore.resolution.type_syntax import simple
from codeexplore.types import TYPE_KINDS, Binding, Export, SymbolKind

SHAPE = Shape(
    global_names=True,
    unevaluated="nameof",
    packages=frozenset({"namespace_declaration", "file_scoped_namespace_declaration"}),
    names={"indexer_declaration": ("parameters",), "operator_declaration": ("operator",)},
    bodies={"property_declaration": "accessors", "indexer_declaration": "accessors", "variable_declarator": "name"},
    wrappers=frozenset({"variable_declaration", "field_declaration", "event_field_declaration"}),
    annotations=frozenset({"attribute_list", "attribute"}),
    roots=frozenset({"identifier", "qualified_name", "alias_qualified_name", "this", "base", "predefined_type"}),
    attributes={
        "member_access_expression": ("expression", "name"),
        "conditional_access_expression": ("condition", "-"),
        "member_binding_expression": ("", "name"),
    },
    calls={"invocation_expression": "function"},
    news={"object_creation_expression": "type", "primary_constructor_base_type": "type"},
    subscripts={"element_access_expression": "expression"},
    through=dict.fromkeys(words("parenthesized_expression await_expression generic_name postfix_unary_expression"), ""),
    casts={"cast_expression": "type", "as_expression": "right"},
    literals=table(
        {
            "%str": "string_literal verbatim_string_literal raw_string_literal interpolated_string_expression",
            "%num": "integer_literal",
            "%float": "real_literal",
            "%bool": "boolean_literal",
            "%char": "character_literal",
            "%null": "null_literal",
        }
    ),
    literal_receivers=True,
    parameters=table(
        {
            ("parameters",): "method_declaration constructor_declaration local_function_statement operator_declaration"
            " indexer_declaration delegate_declaration",
            ("<parameter_list",): "record_declaration class_declaration struct_declaration",
        }
    ),
    parameter={"parameter": (("name",), ("type",)), "parameter_list": (("name",), ("type", "type"))},
    variadic=frozenset({"parameter_list"}),
    declared={
        "variable_declarator": (("name",), ("^", "type"), ("-",)),
        "property_declaration": (("name",), ("type",), ("value",)),
        "type_parameter": (("name",), (), ()),
        "type_parameter_constraints_clause": (("",), ("<type_parameter_constraint", ""), ()),
        **dict.fromkeys(
            ("declaration_pattern", "recursive_pattern", "declaration_expression", "catch_declaration", "parameter"),
            (("name",), ("type",), ()),
        ),
    },
    elements={"foreach_statement": (("left",), ("type",), ("right",)), "from_clause": (("name",), ("type",), ("-",))},
    closures={"lambda_expression": "parameter_list"},
    tuples=frozenset({"tuple_pattern"}),
    blocks=dict.fromkeys(
        words(
            """
        block lambda_expression anonymous_method_expression for_statement foreach_statement while_statement
        using_statement fixed_statement catch_clause switch_section switch_expression_arm query_expression
        declaration_list arrow_expression_clause
        """
        ),
        "",
    ),
    results=table(
        {
            ("returns",): "method_declaration",
            ("type",): "local_function_statement property_declaration operator_declaration indexer_declaration",
        }
    ),
    arguments=table(
        {
            ("arguments",): "invocation_expression object_creation_expression",
            ("<argument_list",): """
            implicit_object_creation_expression constructor_initializer primary_constructor_base_type
            """,
        }
    ),
    argument=frozenset({"argument"}),
    type_words=frozenset({"ref", "scoped", "readonly"}),
    read_signature=re.compile(r"[^(]*(?:=>.*)?"),
    imports=re.compile(
        r"(?:global\s+)?using\s+(?:(?:static|unsafe)\s+)*(?:(?P<alias>\w+)\s*=\s*)?(?:global\s*::\s*)?(?P<module>[\w.]+)"
    ),
)
_MAIN = re.compile(
    r"\bstatic\b.*\s(?:void|int|(?:[\w.]+\.)?Task(?:<int>)?) Main ?"
    r"\( ?(?:(?:params )?[\w.]*[sS]tring ?\[ ?\]\??(?: \w+)? ?)?\)"
)
_OF_COMPILER = re.compile(r"System\.(?:Runtime\.CompilerServices|Diagnostics\.CodeAnalysis)")
"""A namespace whose types the compiler finds by their names, wherever they are defined."""
_OF_PLATFORM = re.compile(r"(?:System|Microsoft)\b")  # the namespace of a type that other builds have from outside
_GLOBAL = re.compile(r"\bglobal\s*::\s*")
_ITEMS = re.compile(r"^(?:[\w.]+<(.+)>|(.+)\[\])\??$")  # the type of a parameter with ``params``
_XML = re.compile(r"</?[a-z]\w*(?:\s[^<>]*)?/?>")
_NAMED = re.compile(r"<(?:see|seealso|paramref|typeparamref)\s+\w+=\"(?:\w:)?([^\"]*)\"\s*/>")
_CODE = re.compile(rb"=>|\b(?:get|set|init|add|remove)\s*\{")
_CODE_BYTES = 2000  # first bytes of a property, in which its accessors begin
_BUILT_IN = {name: name.lower() for name in words("String Object Double Char Byte Decimal")} | {
    "Int16": "short",
    "Int32": "int",
    "Int64": "long",
    "UInt32": "uint",
    "Boolean": "bool",
    "Single": "float",
}
_LITERALS = {"%str": "string", "%num": "int", "%float": "double", "%bool": "bool", "%char": "char", "%null": "null"}
_WIDER = {
    "sbyte": "short int long float double decimal",
    "byte": "short ushort int uint long ulong float double decimal",
    "short": "int long float double decimal",
    "ushort": "int uint long ulong float double decimal",
    "int": "long float double decimal",
    "uint": "long ulong float double decimal",
    "long": "float double decimal",
    "ulong": "float double decimal",
    "char": "ushort int uint long ulong float double decimal",
    "float": "double",
}
"""Implicit numeric conversions (C# specification, 10.2.3)."""
_LISTS = "IList ICollection IReadOnlyList IReadOnlyCollection IEnumerable"
_ABOVE = {
    "string": "IEnumerable IComparable IEquatable",
    "List": _LISTS,
    "[]": f"Array {_LISTS}",
    "Array": _LISTS,
    **dict.fromkeys(("HashSet", "SortedSet"), "ISet ICollection IReadOnlyCollection IEnumerable"),
    **dict.fromkeys(("Dictionary", "SortedDictionary"), "IDictionary IReadOnlyDictionary ICollection IEnumerable"),
    **dict.fromkeys(("IList", "ISet", "IDictionary", "Queue", "Stack"), "ICollection IEnumerable"),
    **dict.fromkeys(("ICollection", "IReadOnlyList", "IReadOnlyCollection", "IQueryable"), "IEnumerable"),
}
_VALUES = frozenset({*_WIDER, "double", "decimal", "bool", "DateTime", "Guid", "TimeSpan", "CancellationToken"})


def fit(wanted: str, given: str) -> float:
    """Return the score of an argument of the type `given` for a parameter of the type `wanted`; below 0 for no fit."""
    wanted, given = _BUILT_IN.get(wanted, wanted), _BUILT_IN.get(given, given)
    if wanted == given:
        return 4.0
    if given == "null":
        return -4.0 if wanted in _VALUES else 2.0
    if given in _WIDER and wanted in (wider := _WIDER[given].split()):
        return 3.5 - 0.1 * wider.index(wanted)
    above = _ABOVE.get("[]" if given.endswith("[]") else given, "").split()
    if wanted in above:
        return 3.0 - 0.1 * above.index(wanted)
    return 1.0 if wanted in ("object", "dynamic") or re.fullmatch(r"[A-Z]\d?|T[A-Z]\w*", wanted) else -4.0


def related(wanted: str, given: str) -> bool:
    """Return True if the outside type `given` may be a subtype of the outside type `wanted`."""
    closed = (*_VALUES, "string")
    return wanted not in closed and given not in closed and not wanted.endswith("[]") and not given.endswith("[]")


_CALLED = {
    Called("`foreach` calls {}"): "GetEnumerator GetAsyncEnumerator MoveNext MoveNextAsync Current",
    Called("`await` calls {}"): "GetAwaiter GetResult",
    Called("`await` calls {}", re.compile(r"NotifyCompletion\b")): "OnCompleted UnsafeOnCompleted",
    Called("`using` calls {}", re.compile(r"Disposable\b|\bref struct\b")): "Dispose",
    Called("`await using` calls {}"): "DisposeAsync",
    Called("`(a, b) = x` calls {}"): "Deconstruct",
    Called("`fixed` calls {}"): "GetPinnableReference",
    Called("a text with values in braces calls {}"): "AppendLiteral AppendFormatted",
    Called("`new X {{ a, b }}` calls {}", re.compile(r"Enumerable\b|Collection\b|List\b|Set\b|Dictionary\b")): "Add",
    Called("texts that are joined or shown call {}"): "ToString",
    Called("comparisons and hash tables call {}"): "Equals GetHashCode",
    Called("sorting calls {}", re.compile(r"Comparable\b")): "CompareTo",
}
"""Members of the patterns by which statements and libraries call."""
_PLAIN_ATTRIBUTES = words(
    """
    Obsolete MethodImpl EditorBrowsable DebuggerStepThrough DebuggerHidden DebuggerNonUserCode DebuggerDisplay
    DebuggerBrowsable ExcludeFromCodeCoverage SuppressMessage Conditional CLSCompliant Pure MustUseReturnValue CanBeNull
    NotNull NotNullWhen MaybeNullWhen MemberNotNull DoesNotReturn return Flags Serializable RequiresUnreferencedCode
    RequiresDynamicCode UnconditionalSuppressMessage SupportedOSPlatform UnsupportedOSPlatform
    StructLayout SkipLocalsInit DllImport LibraryImport
    """
)
_TYPE_PLACES = words(
    """
    nullable_type generic_name type_argument_list array_type pointer_type ref_type base_list qualified_name
    typeof_expression attribute name_colon tuple_element type_parameter_constraint
    """
)
_ENDING = "Attribute"  # which uses of an attribute leave out
_VALUE_OF = words("variable_declarator arrow_expression_clause return_statement block")
_KEYWORDS = frozenset({"if", "for", "foreach", "while", "switch", "catch", "using", "lock", "return", "fixed"})


class CSharpPaths(ClosurePaths):
    """Reader of access paths of C#, in which ``global::`` and ``@`` before a name mean nothing else than the name."""

    name_escape = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})|@(?=[^\W\d])")

    def dotted(self, text: str) -> str:
        return super().dotted(_GLOBAL.sub("", text))


class CSharpExtractor(SymbolsExtractor):
    """Extractor of C#, with special cases for operators, indexers, properties with code, and XML documentation."""

    reader = CSharpPaths

    def begin(self, captures: Captures) -> None:
        super().begin(captures)
        self._named_as_types: set[str] = set()  # members that have the name of their type
        self._variables: dict[int, set[str]] = {}  # scope → its variables
        self._members: set[tuple[int, str, SymbolKind]] | None = None  # of each type, once they are asked for
        self._blocks = _extension_blocks(self.data)

    def _package(self, root: Node) -> str:
        """Return the namespace of the file, which may be under a condition with all code of the file."""
        held = (walk(node, "<file_scoped_namespace_declaration") for node in root.children if node.type == "preproc_if")
        within = next((node.parent for node in held if node is not None), None)
        return super()._package(within or root)

    def on_import(self, scope: int, node: Node) -> None:
        """Add the imports of a ``using``. A ``global using`` holds in each file."""
        before = len(self.imports)
        super().on_import(scope, node)
        if self.data.startswith(b"global", node.start_byte):
            self.exports += [Export("*", "*", row.module, row.line) for row in self.imports[before:] if row.name == "*"]

    def on_binding_assigned(self, scope: int, node: Node) -> None:
        """Add the value of an event, or of a delegate: ``button.Click += OnClick``, ``changed = this.OnChanged``."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or right.type not in ("identifier", "member_access_expression"):
            return
        name, value = self.path_of(left), self.path_of(right)
        added = self.data[left.end_byte : right.start_byte].strip() == b"+="
        held = added or self._is_member(scope, value.removeprefix("this."), "method")
        if not held or QUALIFIED.fullmatch(name) is None:
            return
        name = name if "." in name or self._is_local(scope, name) else f"this.{name}"
        self.bind(scope, name, "field" if "." in name else "variable", "", (value,), node.start_point[0] + 1)

    def call(self, scope: int, path: str, node: Node, line: int = 0) -> None:
        """Add a call; that of an event or delegate by its bare name, ``Changed(1)``, is one of a member of ``this``."""
        name = path.partition(".")[0]
        held = path in (name, f"{name}.Invoke") and not self._is_local(scope, name)
        super().call(scope, f"this.{path}" if held and self._is_member(scope, name, "field") else path, node, line)

    def _is_local(self, scope: int, name: str) -> bool:
        return name in self._variables.get(scope, ()) or (scope, name) in self.locals.parameters

    def _is_member(self, scope: int, name: str, kind: SymbolKind) -> bool:
        """Return True if the type around a member has another member of this name, in this file."""
        if self._members is None:
            members = zip(self.parents, self.symbols, strict=True)
            self._members = {(parent, each.name, each.kind) for parent, each in members}
        return (self.parents[scope], name, kind) in self._members

    def bind(self, scope: int, name: str, manner: str, type_text: str, values: Sequence[str], line: int) -> None:
        if manner != "field":
            self._variables.setdefault(scope, set()).add(name)
        super().bind(scope, name, manner, type_text, values, line)

    def values_given(self, node: Node) -> Sequence[str]:
        """Return the value of a parameter of a closure, or of ``out var item`` in ``table.TryGetValue(key, out …)``."""
        if node.type != "declaration_expression":
            return super().values_given(node)
        element = value_given(self.paths, node, 0)
        return [element.removesuffix("[*]") + "[]"] if element else []

    def type_text(self, node: Node | None) -> str:
        return _GLOBAL.sub("", super().type_text(node))

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name: ``operator +`` for an operator, ``this[]`` for an indexer, ``~Name`` for a finalizer."""
        name = self.name_node(kind, node)
        if node.type == "operator_declaration":
            return f"operator {self.text(name)}" if name is not None else ""
        if node.type == "indexer_declaration":
            return "this[]"
        if (written := super().definition_name(kind, node)) in _KEYWORDS:  # a local function after a syntax error
            return ""
        return f"~{written}" if node.type == "destructor_declaration" else written

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        definition = super()._definition(kind, node)
        if definition is not None and node.type == "property_declaration":
            end = min(node.end_byte, node.start_byte + _CODE_BYTES)
            if _CODE.search(self.data, node.start_byte, end):
                definition.kind = "method"
        return definition

    def signature(self, definition: Definition) -> str:
        """Return the head of the definition. A member of an extension block has its receiver as first parameter."""
        head = super().signature(definition)
        if not (receiver := self._receiver(definition)):
            return head
        start, _, end = head.partition("(")
        return f"{start}(this {receiver}{'' if end[:1] == ')' else ', '}{end}"

    def decorators(self, definition: Definition) -> tuple[str, ...]:
        """Return the attributes, and a mark for a type of the platform's.

        It is ``#if`` for one that only some builds define, and ``#compiler`` for one that the compiler uses.
        """
        found, around = super().decorators(definition), definition.node.parent
        if definition.kind not in TYPE_KINDS:
            return found
        name, is_conditional = self.module if self._in_package else "", False
        while around is not None:
            is_conditional |= around.type == "preproc_if"
            if around.type == "namespace_declaration" and not self._in_package:
                name = self.text(around.child_by_field_name("name"))
            around = around.parent
        if is_conditional and _OF_PLATFORM.match(name):
            return (*found, CONDITION)
        return (*found, "#compiler") if _OF_COMPILER.fullmatch(name) else found

    def _receiver(self, definition: Definition) -> str:
        """Return the receiver of a method in an extension block as written, ``Box box``; "" if it has none."""
        start = definition.node.start_byte
        place = bisect_right(self._blocks, start, key=attrgetter("inner_start")) - 1
        around = self._blocks[place] if place >= 0 and start < self._blocks[place].inner_end else None
        if around is None or definition.node.type != "method_declaration":
            return ""
        static = any(self.text(child) == "static" for child in definition.node.children if child.type == "modifier")
        found = _TOKEN.match(self.data, around.start)
        return "" if found is None or static else " ".join(found[1].decode("utf-8", "replace").split())

    def _parameters(self, definition: Definition, scope: int, fields: bool = False) -> None:
        kind, _, name = self._receiver(definition).rpartition(" ")
        if kind:
            self.bindings.append(Binding(scope, name, "parameter", kind, "", definition.node.start_point[0] + 1))
        super()._parameters(definition, scope, fields)

    def on_reference_bare(self, scope: int, node: Node) -> None:
        around = node.parent
        kind = around.type if around is not None else ""
        if around is not None and kind in ("attribute", "attribute_argument"):
            self._attribute(scope, node, around)
            if kind == "attribute_argument" and node == around.child_by_field_name("name"):
                return
        within = around.parent if around is not None and kind == "assignment_expression" else None
        if around is not None and within is not None and within.type == "initializer_expression":
            made = walk(within, "^", "type") or self._held(within.parent)
            if node == around.child_by_field_name("left"):  # new Data { Kind = 3 }, Data data = new() { Kind = 3 }
                whole = (
                    self.text(made) if made is not None and made.type == "identifier" else self._given(within.parent)
                )
                if whole:
                    self.refer(scope, "read", f"{whole}.{self.text(node)}", node)
                return
        if around is not None and self._names_type(node, around, kind):
            self.refer(scope, "type", self.text(node), node)
        else:
            super().on_reference_bare(scope, node)

    def _attribute(self, scope: int, node: Node, around: Node) -> None:
        """Add the full name of an attribute, ``KindAttribute`` for ``[Kind]``, or of its property that is set there."""
        name = walk(around, *(("^", "^") if around.type == "attribute_argument" else ()), "name")
        short = self.text(name) if name is not None and name.type == "identifier" else ""
        full = short if short.endswith(_ENDING) else f"{short}{_ENDING}"
        if short and node == around.child_by_field_name("name") and around.type == "attribute_argument":
            self.refer(scope, "read", f"{full}.{self.text(node)}", node)
        elif short and node == name and full != short:
            self.refer(scope, "type", full, node)

    def _names_type(self, node: Node, around: Node, kind: str) -> bool:
        """Return True if a name is in the place of a type, or may be the type of the property that it also names.

        ``Color.Red`` means the type if ``Red`` is its member (C# specification, 12.8.7.2).
        """
        if kind in _TYPE_PLACES:
            return True
        if kind == "member_access_expression" and self.text(node) in self._named_as_types:
            return True
        if kind == "as_expression":
            return node == around.child_by_field_name("right")
        return node in (around.child_by_field_name("type"), around.child_by_field_name("returns"))

    def on_definition(self, definition: Definition, scope: int) -> None:
        super().on_definition(definition, scope)
        if definition.name == simple(self.result_type(definition)):
            self._named_as_types.add(definition.name)

    def on_reference_made(self, scope: int, node: Node) -> None:
        """Add a construction ``new(x)``, whose type is that of the declaration that it is the value of."""
        held = self._held(node)
        if (made := self.type_text(held)) and held is not None:
            self.refer(scope, "new", self.paths.dotted(made.rstrip("?")), node, self.arguments_of(node))

    def _given(self, made: Node | None) -> str:
        """Return the access path of the parameter that a construction ``new()`` is an argument for; "" for none."""
        argument = made.parent if made is not None else None
        call = walk(argument, "^", "^")
        if argument is None or call is None or argument.type != "argument":
            return ""
        callee = call.child_by_field_name("function") or call.child_by_field_name("type")
        name, path = argument.child_by_field_name("name"), self.path_of(callee)
        beside = [each for each in children_of(argument.parent) if each.type == "argument"]
        return f"%given({path},'{self.text(name) if name is not None else beside.index(argument)}')" if path else ""

    def _held(self, made: Node | None) -> Node | None:
        """Return the declared type of what has a construction ``new(x)`` as its value."""
        around = outside(made.parent, _VALUE_OF) if made is not None else None
        return walk(around, "type") or walk(around, "returns")

    def on_reference_initializer(self, scope: int, node: Node) -> None:
        """Add the call ``this(x)`` or ``base(x)`` of another constructor."""
        own = walk(node, "^", "name")
        word = next((child.type for child in node.children if child.type in ("this", "base")), "")
        if word and own is not None:
            self.call(scope, "base" if word == "base" else self.text(own), node)

    def parameter_nodes(self, definition: Definition) -> Iterator[Node]:
        """Yield the nodes of parameters. The list itself has the name and type of a parameter with ``params``."""
        yield from super().parameter_nodes(definition)
        held = walk(definition.node, *self.shape.parameters.get(definition.node.type, ("parameters",)))
        if held is not None and held.child_by_field_name("name") is not None:
            yield held

    def parameter(self, node: Node) -> tuple[str, str]:
        """Return (name, type) of the parameter; with ``params``, the type of an item: T for ``T[]`` and ``Span<T>``."""
        name, written = super().parameter(node)
        return name, _ITEMS.sub(r"\1\2", written) if self.is_variadic(node) else written

    def doc_of(self, definition: Definition, leading: str) -> str:
        """Return the text of the comments above the definition, without XML tags."""
        doc = super().doc_of(definition, leading)
        if "<" in doc:
            doc = _XML.sub("", _NAMED.sub(r"\1", doc))
        return "\n".join(line for line in (row.strip() for row in doc.split("\n")) if line)


_TOKEN = re.compile(  # a comment, a text, the head of an extension block with its receiver, or a brace
    rb"""//[^\n]*|/\*.*?(?:\*/|\Z)|@?"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'"""
    rb"""|\bextension\b\s{0,80}(?:<[^(){};]{0,200}>\s{0,80})?\(([^(){};]{0,400})\)"""
    rb"""[^(){};]{0,400}(?:\(\)[^(){};]{0,400})?\{|[{}]""",
    re.DOTALL,
)


def _extension_blocks(data: bytes) -> list[Wrapping]:
    """Return the blocks ``extension(Box box) { … }``, whose members are members of the type around the block."""
    found, opened = list[Wrapping](), list[re.Match[bytes] | None]()  # None for another block
    for token in _TOKEN.finditer(data) if b"extension" in data else ():
        if token[0] == b"}":
            if opened and (head := opened.pop()) is not None:
                found.append(Wrapping(head.start(), head.end(), *token.span()))
        elif token[0] == b"{" or token.lastindex:
            opened.append(token if token.lastindex else None)
    return sorted(found)


_ASSIGNED = re.compile(rb"(\?)(?=[.\[][^\s;,(){}=]{0,200}[ \t]?(?:[-+*/%&|^]|\?\?|<<|>>)?=(?![=>]))")
"""Question mark of an assignment to a member of an object that may be null (C# 14): ``button?.Click += f``."""


def _wrappings(root: Node, data: bytes) -> list[Wrapping]:
    conditions = dividing_conditions(data) if root.has_error else []
    return _extension_blocks(data) + conditions + replacing({_ASSIGNED: b""})(root, data)


CSHARP = replace(
    declared("csharp", "C#", lambda: CSharpExtractor(SHAPE)),
    extensions=(".cs", ".csx"),
    wrappings=_wrappings,
    rules=default_rules(
        "csharp",
        constructors=(),
        scopes={"types_apart": True},
        modules={"outer_packages": True, "linked": True, "imports_apart": True, "stars_everywhere": True},
        namespaces=True,
        builtins={"literals": {"%given": "given"}, "functions": {"given": "given"}},
        classes={"open_types": True, "part_word": "partial"},
        functions={
            "read_signature": SHAPE.read_signature,
            "own_methods": frozenset({"Invoke"}),
            "signature_roles": {"static": "static"},
            "extension_signature": re.compile(r"\(\s*this\s"),
            "explicit_signature": re.compile(r"^[^(=]*[\w>]\.\w+(?:<[^()]*>)?\s*[(\[{=]"),
            "rest_by_one": True,
        },
        overloads=True,
        overloading={
            "fit": fit,
            "related": related,
            "phases": True,
            "narrows": False,
            "literals": _LITERALS,
            "build_marks": frozenset({CONDITION}),
            "one_runs": True,
            "access_words": words("public internal protected"),
        },
    ),
    parts=re.compile(r"[^(]*\bpartial\b"),
    visibility="words",
    public_words=("public", "protected"),
    file_words=frozenset({"private"}),
    start_names=("Main",),
    comment_start=SLASHES,
    start_signature=_MAIN,
    implicit_members=re.compile(r"~\w+|operator .+|this\[\]"),
    base_calls=calling_only(
        {
            "IAsyncDisposable": "DisposeAsync",
            "ICloneable": "Clone",
            "IComparable": "CompareTo",
            "IComparer": "Compare",
            "IDisposable": "Dispose",
            "IEnumerable": "GetEnumerator",
            "IEqualityComparer": "Equals GetHashCode",
            "IEquatable": "Equals",
        }
    ),
    called_methods=table(_CALLED),
    called_signatures=re.compile(
        r"\(SerializationInfo \w+, StreamingContext"
        r"|\bstatic\b[^(]*\b[GS]et[A-Z]\w*\((?:this )?"
        r"(?:(?:Dependency|Bindable|Avalonia)Object|(?:UI|Framework|Visual|Input|Styled)Element|\w*Control"
        r"|(?:Text|Password|List|Combo|Check)Box|Visual|Window|Panel|Grid) \w+[,)]"
    ),
    called_because="a serializer, or XAML that sets an attached property, calls {}",
    extending=re.compile(r"\(\s*this\s|^\s*extension\b\s*[<(]", re.MULTILINE),
    overriding=re.compile(r"\b(?:override|public)\b|^[^(=]*\w\.\w+\s*[<(]"),
    platform="net",
    hooks=re.compile(
        r"ShouldSerialize[A-Z]\w*|(?:Application|Session|Page)_\w+|Configure(?:\w*Services|\w*Container)?"
    ),
    generating=re.compile(r":\s*(?:\w+,\s*)*I(?:Incremental|Source)Generator\b"),
    mark_noun="attribute",
    plain_decorators=_PLAIN_ATTRIBUTES | {CONDITION},
    plain_bases=frozenset({"object", "Exception", "Enum"}),
    computed_types=re.compile(r"""\bType\.GetType\(\s*(?!["'])"""),
    scanning=re.compile(
        r"Get(?:Exported)?Types(?:ToRegister)?\(|(?:Defined|Exported)Types\b"
        r"|(?:From|Register|Scan)Assembl(?:y|ies)\w*[<(]|Assembly(?:Containing\w*|Of)[<(]"
    ),
    reflection=re.compile(
        r"""\.\s*(?:(Get(?:Runtime)?)|Declared)"""
        r"""(?:(?P<methods>Methods?)|(?P<properties>Propert(?:y|ies))|(?P<fields>Fields?)|Members?)"""
        r"""(?(1)\((?!\s*(?:"|nameof))|\b)"""
    ),
    reflected={
        "methods": re.compile(r"\("),
        "properties": re.compile(r"^[^(]*(?:\{|=>)"),
        "fields": re.compile(r"^[^({]*$"),
    },
    reflection_of_unknown=re.compile(
        r"^(?!.*\btypeof\(\s*(?!(?:[A-Z]\d?|T[A-Z]\w*)\s*\))[\w.:<>, ]+\)(?:\.GetTypeInfo\(\))?\s*\.\s*"
        r"(?:Get[MPF]|Declared))"
        r".*(?:(?:\b\w*[tT]ype\w*(?:\(\w*\))?)\s*[?!]?\s*\.\s*(?:Get(?:Runtime)?(?:Method|Proper|Field|Member)|Declared)"
        r"|\.\s*Get(?:Runtime)?(?:Methods|Properties|Fields|Members)\()"
    ),
    reflection_of_public=re.compile(r"\.Get(?:M|Prop|Field)\w+\(\s*\)|^(?!.*NonPublic).*\bBindingFlags\.Public"),
    layout_decorators=frozenset({"StructLayout", "InlineArray", "ComImport", "GeneratedComInterface"}),
    handing=r"^\s*\[.*\btypeof\(\s*(?:\w+\.)*{}\b",
    type_values=re.compile(r"(?<=typeof\()\w+(?=\))|(?<=<)[A-Z]\w*(?=>\()|(?<=\bnew )[A-Z]\w*"),
    conditional=True,
    test_files=TYPE_TESTS,
    test_names=(),
    test_decorators=words("Test TestCase TestCaseSource Theory Fact TestMethod DataTestMethod"),
    setup_decorators=words(
        "SetUp TearDown OneTimeSetUp OneTimeTearDown TestInitialize TestCleanup ClassInitialize ClassCleanup"
    ),
    parameter_names="behind type",
    checked_types=True,
    same_types={"Int32": "int", "Int64": "long", "String": "string", "Boolean": "bool", "Object": "object"},
    optional_types=frozenset({"Nullable"}),
    result_first=True,
    named_arguments=True,
)
