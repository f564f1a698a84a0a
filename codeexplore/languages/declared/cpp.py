"""C++: language record and extractor.

Example: ``class Queue { int grow() { return resize(); } };`` in ``src/queue.cpp`` becomes the class ``Queue`` and the
method ``Queue::grow``, with a call of ``resize``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language
from codeexplore.languages.declared.c import CDialect, CExtractor, declared_name, name_node, rules, wrappings
from codeexplore.languages.declared.grammar_shape import Shape, step_to
from codeexplore.languages.extraction import Definition
from codeexplore.types import Import, Reference, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

SHAPE = Shape(
    separator="::",
    global_names=True,
    roots=frozenset(
        {
            "identifier",
            "this",
            "namespace_identifier",
            "type_identifier",
            "qualified_identifier",
            "template_function",
        }
    ),
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


class CppDialect(CDialect):
    """The dialect C++, with handlers for the captures in ``cpp.scm`` that C does not have."""

    def name(self, kind: SymbolKind, node: Node) -> str | None:
        """Return the name of a definition in C++.

        "" means that the definition is not a symbol, None that it is named as in C. For a qualified name it is the last
        part, and for an operator ``operator`` followed by its signs. A declaration of a member is a symbol only if the
        member is pure virtual.
        """
        if kind == "method":  # a declaration in a class
            if not _PURE.search(self._paths.data, node.start_byte, node.end_byte):
                return ""
            named = declared_name(node)
            return self.split(self._paths.text(named))[1] if named is not None else ""
        if kind == "function" and node.type == "function_definition":
            if step_to(node, "<delete_method_clause") is not None:  # a deleted function can't be called
                return ""
            named = declared_name(node)
            return self.split(self._paths.text(named))[1] if named is not None else ""
        if kind == "module":
            name = name_node(node)
            return "".join(self._paths.text(name).split()) if name is not None else ""
        return None

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
        return self.split(self._paths.text(named))[0].replace("::", ".")

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        """Make a class or namespace in the same file the parent of its members that are written outside of it."""
        namespaces = {d.name: d.index for d in placed if d is not None and d.kind == "module"}
        for definition in placed:
            if definition is not None and definition.owner:
                found = namespaces.get(definition.owner.rpartition(".")[2], -1)
                if found >= 0:
                    definition.parent, definition.owner, definition.kind = found, "", "function"

    def construct(self, scope: int, node: Node) -> None:
        """Add the call of a constructor for a local variable whose type is a class and which has no ``=``."""
        declared, value = node, None
        if node.type == "init_declarator":
            value = node.child_by_field_name("value")
            declared = node.parent or node
        declarator = node.child_by_field_name("declarator")
        made = declared.child_by_field_name("type")
        if declarator is None or made is None or declarator.type != "identifier" or made.type not in _CLASS_TYPES:
            return
        if value is None or value.type in ("argument_list", "initializer_list"):
            args = tuple(self._paths.path_of(child) for child in value.named_children) if value is not None else ()
            path = self._paths.dotted(self._type_text(made))
            if path:
                self._references.append(Reference(scope, "new", path, node.start_point[0] + 1, args))

    def on_import(self, scope: int, node: Node) -> None:
        """Add an ``#include``, ``using namespace`` or ``using a::b``."""
        pattern = self._shape.imports
        found = pattern.match(self._paths.text(node)) if pattern is not None else None
        if found is None:
            return
        line = node.start_point[0] + 1
        if name := found["name"]:
            module, _, member = name.rpartition("::")
            self._imports.append(Import(scope, member, module, member, line))
        else:
            self._imports.append(Import(scope, "*", found["module"] or found["namespace"] or "", "*", line))


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
    extractor=lambda: CExtractor(SHAPE, CppDialect),
    rules=rules,
    visibility="words",
    private_words=("static",),
    plain_decorators=frozenset({"deprecated"}),
    conditional=True,
    test_files=re.compile(r"(?:.+_test|test[_-].+)\.(?:cc|cpp|cxx|c\+\+)"),
    parameter_names="behind type",
    result_first=True,
)
