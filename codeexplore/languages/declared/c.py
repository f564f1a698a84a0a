"""C: language record, extractor and resolution rules.

Example: ``static int grow(struct queue *q) { return resize(q); }`` in ``src/queue.c`` becomes the function
``src/queue.c:grow``, with a call of ``resize``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codeexplore.languages.base import Dialect, Language, Wrapping, default_rules, words
from codeexplore.languages.declared.extractor import SymbolsExtractor
from codeexplore.languages.declared.grammar_shape import Shape, Steps, step_to
from codeexplore.languages.extraction import Captures, Definition
from codeexplore.types import Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node


SHAPE = Shape(
    global_names=True,
    roots=frozenset({"identifier", "this"}),
    attributes={"field_expression": ("argument", "field")},
    calls={"call_expression": "function"},
    subscripts={"subscript_expression": "argument"},
    through={"parenthesized_expression": "", "pointer_expression": "argument", "cast_expression": "value"},
    literals={"string_literal": "%str", "number_literal": "%num", "char_literal": "%num"},
    declared={
        "field_declaration": (("declarator",), ("type",), ()),
        "declaration": (("declarator",), ("type",), ()),
        "init_declarator": (("declarator",), ("^", "type"), ("value",)),
    },
    elements={"for_range_loop": (("declarator",), ("type",), ("right",))},
    arguments={"call_expression": ("arguments",), "new_expression": ("arguments",)},
    type_words=frozenset({"struct", "union", "enum", "const", "typename", "class", "volatile", "static", "inline"}),
    imports=re.compile(r'#\s*(?:include|import)\s*[<"](?P<module>[^>"]+)[>"]'),
)
_CPP = re.compile(
    r"^[ \t]*(?:class\s+\w[^;()]*\{|namespace\b[\w: \t]*\{?|template\s*<|using\s+[\w:]+\s*[=;]|"
    r"(?:public|private|protected)\s*:|"
    r"#\s*include\s*<(?:algorithm|array|atomic|cstd\w+|functional|iostream|iterator|limits|map|memory|mutex|optional|set|"
    r"string|string_view|tuple|type_traits|unordered_map|utility|vector)>)",
    re.MULTILINE,
)
"""Pattern of syntax that is valid only in C++, to recognise C++ headers."""
NAMES: Final = words(
    """
    identifier field_identifier type_identifier qualified_identifier destructor_name operator_name operator_cast
    template_function template_type namespace_identifier nested_namespace_specifier
    """
)
"""Types of the nodes of names."""
MAX_DECLARATORS: Final = 20
"""Most declarators around a name; ``int (*(*f)(int))[3]`` has four."""


def name_node(node: Node) -> Node | None:
    """Return the node of the name that a definition declares; None if there is none."""
    if node.type.endswith("_specifier"):
        name = node.child_by_field_name("name")
        parent = node.parent if name is None else None
        return declared_name(parent) if parent is not None and parent.type == "type_definition" else name
    return declared_name(node) or node.child_by_field_name("name")


def declared_name(node: Node) -> Node | None:
    """Return the node of the name inside the declarator `node` and the declarators in it; None if there is none."""
    current: Node | None = node
    for _ in range(MAX_DECLARATORS):
        if current is None or current.type in NAMES:
            return current
        inner = current.child_by_field_name("declarator")
        if inner is None:
            if not current.type.endswith("_declarator"):
                return None
            inner = step_to(current, "-")
        current = inner
    return None


def declares_function(node: Node) -> bool:
    """Return True if the declarator `node` declares a function.

    For a variable that points to a function, return False.
    """
    current: Node | None = node
    for _ in range(MAX_DECLARATORS):
        if current is None:
            return False
        if current.type == "function_declarator":
            inner = current.child_by_field_name("declarator")
            return inner is not None and inner.type != "parenthesized_declarator"
        if current.type not in ("pointer_declarator", "reference_declarator", "init_declarator"):
            return False
        current = current.child_by_field_name("declarator") or step_to(current, "-")
    return False


_MACRO = rb"[A-Z][A-Z0-9_]{3,}"
_BEFORE_NAME = re.compile(  # class API Name {
    rb"\b(?:class|struct|union|enum(?:[ \t]+(?:class|struct))?)[ \t]+(" + _MACRO + rb"(?:\([^()\n]*\))?)[ \t]+"
    rb"(?=[A-Za-z_]\w*[ \t]*(?:final[ \t]*)?(?:[:{<]|\r?$))",
    re.MULTILINE,
)
_ALONE = re.compile(  # LIB_BEGIN_NAMESPACE
    rb"^[ \t]*([A-Z][A-Z0-9_]*(?:BEGIN|END|NAMESPACE|DECLS|EXTERN_C|PUSH|POP|DISABLE|ENABLE|RESTORE|OBJECT)[A-Z0-9_]*)"
    rb"[ \t]*\r?$",
    re.MULTILINE,
)
_BEFORE_TYPE = re.compile(  # API int name(
    rb"^[ \t]*(?:(?:static|inline|extern|constexpr|virtual|friend|explicit)[ \t]+)*("
    + _MACRO
    + rb"(?:\([^()\n]*\))?)[ \t]+(?=(?:[A-Za-z_][\w:<>,]*[ \t*&]+)+~?[A-Za-z_][\w:]*[ \t]*\()",
    re.MULTILINE,
)
_BEFORE_CONSTRUCTOR = re.compile(  # API Name(int a) : a_(a) {
    rb"^[ \t]*(?:(?:inline|constexpr|explicit)[ \t]+)*("
    + _MACRO
    + rb"(?:\([^()\n]*\))?)[ \t]+(?=~?[A-Za-z_]\w*[ \t]*\([^;{}]{0,400}\)[ \t\n]*(?:noexcept[ \t\n]*)?:[^:])",
    re.MULTILINE,
)
_ABOVE_DEFINITION = re.compile(  # API_TEMPLATE above class Name {
    rb"^[ \t]*("
    + _MACRO
    + rb"(?:\([^()\n]*\))?)[ \t]*\r?\n(?=[ \t]*(?:class|struct|union|enum|template|namespace|using|typedef|"
    rb"static|inline|constexpr|extern|virtual|friend|explicit)\b)",
    re.MULTILINE,
)
_IN_TEMPLATE = re.compile(  # template <typename T, API_ENABLE_IF(condition)>
    rb"(,[ \t\n]*[A-Z][A-Z0-9_]{3,}\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))(?=[ \t\n]*[,>])"
)
_KEYWORD = re.compile(  # LIB_TRY { } LIB_CATCH (...) { }, LIB_PRIVATE_UNLESS_TESTED:
    rb"\b[A-Z][A-Z0-9_]*_(?:(TRY)(?=\s*\{)|(CATCH)(?=\s*\()|(PUBLIC|PROTECTED|PRIVATE)\w*(?=[ \t]*:[ \t]*\r?$))",
    re.MULTILINE,
)
_PATTERNS = (_BEFORE_NAME, _ALONE, _BEFORE_TYPE, _BEFORE_CONSTRUCTOR, _ABOVE_DEFINITION, _IN_TEMPLATE)


def wrappings(root: Node, data: bytes) -> list[Wrapping]:
    """Return the macros to replace in a file with syntax errors: by the keyword in their name, or by blanks.

    They are names in capitals at places where the grammar allows no name.
    """
    if not root.has_error:
        return []
    spans = {found.span(1) for pattern in _PATTERNS for found in pattern.finditer(data)}
    blanks = [Wrapping(start, end, end, end) for start, end in spans]
    words = [
        Wrapping(found.start(), found.end(), found.end(), found.end(), word.lower().ljust(len(found.group())))
        for found in _KEYWORD.finditer(data)
        if (word := found.group(found.lastindex or 0))
    ]
    return sorted(blanks + words)


_MOST_SPECIFIERS = 4  # most specifiers that are examined before a type
_HEADERS = (".h", ".hpp", ".hh", ".hxx", ".h++", ".inl", ".ipp", ".tpp", ".cuh")
_PARAMETERS = words("parameter_declaration optional_parameter_declaration variadic_parameter_declaration")
_PLAIN_NAMES = frozenset({"identifier", "field_identifier"})
_DECLARED = frozenset({"function_definition", "declaration", "field_declaration", "type_definition"})


class CExtractor(SymbolsExtractor):
    """Extractor of C. The definition of a function is a symbol, its prototype is not."""

    def name_node(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the node of the name.

        It is inside a declarator, in a struct or enum, or in the typedef of an unnamed type.
        """
        return name_node(node)

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name; "" if the definition is not a symbol.

        Prototypes, include guards, ``extern`` variables, and typedefs that repeat the name of a struct are not symbols.
        """
        if kind == "field" and declares_function(node):
            return ""
        if node.type == "preproc_def" and node.child_by_field_name("value") is None:
            return ""
        if kind == "constant" and node.parent is not None and self.data.startswith(b"extern ", node.parent.start_byte):
            return ""
        name = super().definition_name(kind, node)
        if node.type == "type_definition":
            tagged = node.child_by_field_name("type")
            tag = tagged.child_by_field_name("name") if tagged is not None else None
            body = tagged.child_by_field_name("body") if tagged is not None else None
            if body is not None and (tag is None or self.text(tag) == name):
                return ""
        return name

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name.

        A name that is visible only in its file begins with the file's path: ``src/queue.c:grow``. A definition in a
        header is visible in every file that includes the header.
        """
        name = super().fqn(definition, parent)
        internal = parent.kind == "module" and self._is_internal(definition) and not self.path.endswith(_HEADERS)
        return f"{self.path}:{name}" if internal and not name.startswith(self.path) else name

    def _is_internal(self, definition: Definition) -> bool:
        """Return True for a ``static`` function or variable, and for every definition in an unnamed namespace."""
        if any(start <= definition.start < end for start, end in self._unnamed):
            return True
        if definition.kind not in ("function", "constant"):
            return False
        node = definition.outer if definition.kind == "constant" else definition.node
        words = node.children[:_MOST_SPECIFIERS]
        return any(word.type == "storage_class_specifier" and self.text(word) == "static" for word in words)

    def _definitions(self, captures: Captures) -> list[Definition]:
        self._unnamed = [(node.start_byte, node.end_byte) for node in captures.get("_unnamed", ())]
        return super()._definitions(captures)

    def parameter_nodes(self, definition: Definition) -> Iterator[Node]:
        current = definition.node.child_by_field_name("declarator")
        if definition.node.type == "preproc_function_def":
            return
        for _ in range(MAX_DECLARATORS):
            if current is None:
                return
            if current.type == "function_declarator":
                inner = current.child_by_field_name("declarator")
                if inner is None or inner.type != "parenthesized_declarator":
                    break
            current = current.child_by_field_name("declarator") or step_to(current, "-")
        held = current.child_by_field_name("parameters") if current is not None else None
        for child in held.named_children if held is not None else ():
            if child.type in _PARAMETERS:
                yield child

    def parameter(self, node: Node) -> tuple[str, str]:
        """Return (name, type) of a parameter. A parameter without a name gets a name, so that it is counted."""
        declarator = node.child_by_field_name("declarator")
        named = declared_name(node) if declarator is not None else None
        type_text = self.type_text(node.child_by_field_name("type"))
        if declarator is not None and declarator.type == "function_declarator":
            type_text = ""  # this is only the result type: the parameter is a function
        if named is None or named.type != "identifier":
            return ("" if type_text == "void" else f"unnamed {node.start_byte}"), type_text
        return self.text(named), type_text

    def is_variadic(self, node: Node) -> bool:
        """Return True if the parameter `node` is a parameter pack."""
        return node.type.startswith("variadic")

    def result_type(self, definition: Definition) -> str:
        """Return the result type, which is written before the declarator or after an arrow; "" for none."""
        node = definition.node
        if node.type != "function_definition" and definition.kind != "method":
            return ""
        written = self.type_text(node.child_by_field_name("type"))
        if written:
            return written
        declarator = node.child_by_field_name("declarator")
        while declarator is not None and declarator.type != "function_declarator":
            declarator = declarator.child_by_field_name("declarator") or step_to(declarator, "-")
        trailing = step_to(declarator, "<trailing_return_type") if declarator is not None else None
        return self.type_text(step_to(trailing, "")) if trailing is not None else ""

    def _name_at(self, node: Node, steps: Steps) -> str:
        """Return the name of the variable in a declaration; "" if it declares a function."""
        declarator = node.child_by_field_name("declarator")
        if declarator is None or (node.type != "init_declarator" and declarator.type == "init_declarator"):
            return ""
        if declares_function(declarator):
            return ""
        named = declared_name(declarator) if declarator.type not in NAMES else declarator
        return self.text(named) if named is not None and named.type in _PLAIN_NAMES else ""

    def outer_of(self, kind: SymbolKind, node: Node) -> Node:
        """Return the declaration that contains a declarator; for an unnamed type, its typedef."""
        parent = node.parent
        if parent is None:
            return node
        if kind in ("field", "constant") and parent.type in _DECLARED:
            return parent
        if node.type.endswith("_specifier") and parent.type == "type_definition":
            return parent
        return super().outer_of(kind, node)

    def signature(self, definition: Definition) -> str:
        """Return the signature. For variables and fields it is the whole declaration."""
        if definition.kind in ("field", "constant") and definition.outer is not definition.node:
            text = self.code_of(definition.outer).partition("\n")[0]
            return " ".join(text.split()).rstrip(";{ ")[:300]
        if definition.outer.type == "type_definition" and definition.node is not definition.outer:
            return f"typedef {super().signature(definition)} {definition.name}"
        return super().signature(definition).rstrip(";")


RULES = default_rules(
    "c",
    constructors=(),
    modules={"linked": True},
    classes={"open_types": True},
    overloads=True,
)

C = Language(
    name="c",
    title="C",
    level="symbols",
    extensions=(".c", ".h"),
    grammar="c",
    pygments="c",
    wrappings=wrappings,
    dialects=(Dialect("cpp", (".h",), _CPP),),
    queries=(Path(__file__).with_suffix(".scm"),),
    extractor=lambda: CExtractor(SHAPE),
    rules=RULES,
    visibility="words",
    private_words=("static",),
    plain_decorators=frozenset({"deprecated"}),
    conditional=True,
    test_files=re.compile(r"(?:.+_test|test[_-].+)\.c"),
    parameter_names="behind type",
    result_first=True,
)
