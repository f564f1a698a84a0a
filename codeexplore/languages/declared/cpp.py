"""C++: language record and extractor.

Example: ``class Queue { int grow() { return resize(); } };`` in ``src/queue.cpp`` becomes the class ``Queue`` and the
method ``Queue::grow``, with a call of ``resize``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language, words
from codeexplore.languages.declared.c import RULES, CExtractor, declared_name, name_node, wrappings
from codeexplore.languages.declared.grammar_shape import Shape, step_to
from codeexplore.languages.extraction import Definition
from codeexplore.types import CALLABLE_KINDS, Import, Reference, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

SHAPE = Shape(
    separator="::",
    global_names=True,
    roots=words("identifier this namespace_identifier type_identifier qualified_identifier template_function"),
    attributes={"field_expression": ("argument", "field")},
    calls={"call_expression": "function"},
    subscripts={"subscript_expression": "argument"},
    through={"parenthesized_expression": "", "pointer_expression": "argument", "cast_expression": "value"},
    literals={"string_literal": "%str", "number_literal": "%num", "char_literal": "%num"},
    wrappers=frozenset({"template_declaration"}),
    names={"namespace_definition": ("name",)},
    news={"new_expression": "type", "compound_literal_expression": "type"},
    declared={
        "field_declaration": (("declarator",), ("type",), ()),
        "declaration": (("declarator",), ("type",), ()),
        "init_declarator": (("declarator",), ("^", "type"), ("value",)),
    },
    elements={"for_range_loop": (("declarator",), ("type",), ("right",))},
    arguments={
        "call_expression": ("arguments",),
        "new_expression": ("arguments",),
        "compound_literal_expression": ("value",),
    },
    type_words=frozenset({"struct", "union", "enum", "const", "typename", "class", "volatile", "static", "inline"}),
    imports=re.compile(
        r'#\s*(?:include|import)\s*[<"](?P<module>[^>"]+)[>"]'
        r"|using\s+(?:namespace\s+)(?P<namespace>[\w:]+)|using\s+(?P<name>[\w:]+)"
    ),
)
_ARGUMENTS = re.compile(r"<[^<>]*>")
_CLASS_TYPES = frozenset({"type_identifier", "qualified_identifier", "template_type"})
_PURE = re.compile(rb"=\s*0\s*;?\s*$")
_SCOPES = re.compile(r"(?:::)?((?:[\w$]+::)*)(~?[\w$]+|operator.*)$", re.DOTALL)


class CppExtractor(CExtractor):
    """Extractor of C++: that of C, with members defined outside their class, operators, templates and namespaces."""

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name; "" if the definition is not a symbol.

        For a qualified name it is the last part, and for an operator ``operator`` followed by its signs. A declaration
        of a member is a symbol only if the member is pure virtual. A deleted function can't be called.
        """
        if kind == "method" or (kind == "function" and node.type == "function_definition"):
            is_symbol = (
                _PURE.search(self.data, node.start_byte, node.end_byte) is not None
                if kind == "method"  # a declaration in a class
                else step_to(node, "<delete_method_clause") is None
            )
            named = declared_name(node) if is_symbol else None
            return self.split(self.text(named))[1] if named is not None else ""
        if kind == "module":
            name = name_node(node)
            return "".join(self.text(name).split()) if name is not None else ""
        return super().definition_name(kind, node)

    def split(self, name: str) -> tuple[str, str]:
        """Return the scopes in a qualified name, and the name itself. Template arguments are removed."""
        name = " ".join(name.split())
        if "operator" not in name or name.partition("operator")[0].count("<"):
            head, mark, rest = name.partition("operator")
            while "<" in head and (shorter := _ARGUMENTS.sub("", head)) != head:
                head = shorter
            name = head + mark + rest
        found = _SCOPES.match(name.replace(" ::", "::").replace(":: ", "::"))
        return (found.group(1).removesuffix("::"), found.group(2)) if found is not None else ("", name)

    def owner_of(self, definition: Definition) -> str:
        """Return the class or namespace that qualifies the name of the definition, with dots; "" if there is none."""
        if definition.node.type != "function_definition" or definition.kind != "function":
            return ""
        named = declared_name(definition.node)
        if named is None or named.type not in ("qualified_identifier", "operator_cast"):
            return ""
        return self.split(self.text(named))[0].replace("::", ".")

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        super().adopt(placed)
        namespaces = {d.name: d.index for d in placed if d is not None and d.kind == "module"}
        for definition in placed:
            if definition is not None and definition.owner:
                found = namespaces.get(definition.owner.rpartition(".")[2], -1)
                if found >= 0:
                    definition.parent, definition.owner, definition.kind = found, "", "function"

    def on_binding_variable(self, scope: int, node: Node) -> None:
        """Add a binding, and the call of a constructor for a local variable of a class that has no ``=``."""
        super().on_binding_variable(scope, node)
        if self.symbols[scope].kind not in CALLABLE_KINDS:
            return
        declared, value = node, None
        if node.type == "init_declarator":
            value = node.child_by_field_name("value")
            declared = node.parent or node
        declarator = node.child_by_field_name("declarator")
        made = declared.child_by_field_name("type")
        if declarator is None or made is None or declarator.type != "identifier" or made.type not in _CLASS_TYPES:
            return
        if value is None or value.type in ("argument_list", "initializer_list"):
            args = tuple(self.paths.path_of(child) for child in value.named_children) if value is not None else ()
            path = self.paths.dotted(self.type_text(made))
            if path:
                self.references.append(Reference(scope, "new", path, node.start_point[0] + 1, args))

    def on_import(self, scope: int, node: Node) -> None:
        """Add an ``#include``, ``using namespace`` or ``using a::b``."""
        pattern = self.shape.imports
        found = pattern.match(self.text(node)) if pattern is not None else None
        if found is None:
            return
        line = node.start_point[0] + 1
        if name := found["name"]:
            module, _, member = name.rpartition("::")
            self.imports.append(Import(scope, member, module, member, line))
        else:
            self.imports.append(Import(scope, "*", found["module"] or found["namespace"] or "", "*", line))


CPP = Language(
    name="cpp",
    title="C++",
    level="symbols",
    extensions=(
        ".cpp",
        ".cc",
        ".cxx",
        ".c++",
        ".hpp",
        ".hh",
        ".hxx",
        ".h++",
        ".ipp",
        ".inl",
        ".tpp",
        ".cu",
        ".cuh",
        ".ino",
    ),
    grammar="cpp",
    separator="::",
    pygments="cpp",
    wrappings=wrappings,
    queries=(Path(__file__).with_suffix(".scm"),),
    extractor=lambda: CppExtractor(SHAPE),
    rules=RULES,
    visibility="words",
    private_words=("static",),
    plain_decorators=frozenset({"deprecated"}),
    conditional=True,
    test_files=re.compile(r"(?:.+_test|test[_-].+)\.(?:cc|cpp|cxx|c\+\+)"),
    test_names=("TEST", "TYPED_TEST", "BOOST_AUTO_TEST_CASE", "test", "Test"),
    parameter_names="behind type",
    result_first=True,
)
