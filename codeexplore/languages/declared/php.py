"""PHP: language record, extractor and resolution rules.

Example: ``<?php class Shop { function total() { return sum(); } }`` in ``src/Shop.php`` becomes the class ``Shop``
and the method ``Shop::total``, with a call of ``sum``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language, default_rules
from codeexplore.languages.conventions import JUNIT_SETUP, SCRIPT_TESTS, TYPE_TESTS
from codeexplore.languages.declared.extractor import SymbolsExtractor
from codeexplore.languages.declared.grammar_shape import Shape
from codeexplore.languages.extraction import Definition
from codeexplore.types import Binding

if TYPE_CHECKING:
    from tree_sitter import Node


SHAPE = Shape(
    separator="\\",
    member_separator="::",
    global_names=True,
    packages=frozenset({"namespace_definition"}),
    names={"const_element": ("",), "property_promotion_parameter": ("name",)},
    bodies={"property_element": "name", "const_element": ""},
    wrappers=frozenset({"property_declaration", "const_declaration"}),
    annotations=frozenset({"attribute_list", "attribute_group", "attribute"}),
    roots=frozenset({"name", "variable_name", "relative_scope", "qualified_name"}),
    attributes={
        "member_access_expression": ("object", "name"),
        "nullsafe_member_access_expression": ("object", "name"),
        "scoped_property_access_expression": ("scope", "name"),
        "class_constant_access_expression": ("", "-"),
    },
    calls={"function_call_expression": "function"},
    methods={
        "member_call_expression": ("object", "name"),
        "nullsafe_member_call_expression": ("object", "name"),
        "scoped_call_expression": ("scope", "name"),
    },
    news={"object_creation_expression": ""},
    subscripts={"subscript_expression": ""},
    through={"parenthesized_expression": "", "clone_expression": ""},
    literals={"string": "%str", "encapsed_string": "%str", "integer": "%num", "array_creation_expression": "%list"},
    parameters={"method_declaration": ("parameters",), "function_definition": ("parameters",)},
    parameter={
        **dict.fromkeys(
            ("simple_parameter", "variadic_parameter", "property_promotion_parameter"), (("name",), ("type",))
        ),
    },
    variadic=frozenset({"variadic_parameter"}),
    declared={
        "property_element": (("name",), ("^", "type"), ()),
        "property_promotion_parameter": (("name",), ("type",), ()),
        "assignment_expression": (("left",), (), ("right",)),
        "catch_clause": (("name",), ("type",), ()),
    },
    results={"method_declaration": ("return_type",), "function_definition": ("return_type",)},
    arguments=dict.fromkeys(
        (
            "function_call_expression",
            "member_call_expression",
            "nullsafe_member_call_expression",
            "scoped_call_expression",
        ),
        ("arguments",),
    )
    | {"object_creation_expression": ("<arguments",)},
    argument=frozenset({"argument"}),
    imports=re.compile(
        r"use\s+(?:function\s+|const\s+)?\\?(?P<module>[\w\\]*\w)\\?\s*(?P<names>\{[^}]*\})?(?:\s*as\s+(?P<alias>\w+))?"
    ),
    import_members=True,
)
_PROMOTED = "property_promotion_parameter"


class PhpExtractor(SymbolsExtractor):
    """Extractor of PHP.

    It handles promoted parameters of constructors, which are parameters and fields at the same time.
    """

    def belongs(self, definition: Definition, around: Definition | None) -> bool:
        """Return True if the definition becomes a symbol.

        A promoted parameter does, although it is declared in a method.
        """
        return definition.node.type == _PROMOTED or super().belongs(definition, around)

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        super().adopt(placed)
        for definition in placed:
            if definition is not None and definition.node.type == _PROMOTED:
                constructor = placed[definition.parent]
                definition.parent = constructor.parent if constructor is not None else 0

    def on_binding_variable(self, scope: int, node: Node) -> None:
        """Add a binding for the field of a promoted parameter. Its value is the parameter."""
        if node.type == _PROMOTED:
            name, type_text = self.parameter(node)
            self.bindings.append(Binding(scope, f"this.{name}", "field", type_text, name, node.start_point[0] + 1))
        else:
            super().on_binding_variable(scope, node)


PHP = Language(
    name="php",
    title="PHP",
    level="symbols",
    extensions=(".php", ".phtml"),
    interpreters=("php",),
    grammar="php",
    pygments="php",
    queries=(Path(__file__).with_suffix(".scm"),),
    extractor=lambda: PhpExtractor(SHAPE),
    rules=default_rules(
        "php",
        constructors=("__construct",),
        modules={"linked": True},
        types={"self": "self", "static": "self"},
    ),
    visibility="words",
    public_words=("public",),
    constructors=("__construct",),
    plain_decorators=frozenset({"Override", "Deprecated"}),
    plain_bases=frozenset({"Exception", "Serializable"}),
    test_files=re.compile(f"{TYPE_TESTS.pattern}|{SCRIPT_TESTS.pattern}"),
    test_decorators=frozenset({"Test"}),
    setup_decorators=JUNIT_SETUP,
    parameter_names="behind type",
    named_arguments=True,
)
