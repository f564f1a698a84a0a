"""Scala: language record and resolution rules.

Example: ``class Shop { def total(p: Int) = sum(p) }`` in ``Shop.scala`` becomes the class ``Shop`` and the method
``Shop.total``, with a call of ``sum``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language, default_rules, words
from codeexplore.languages.conventions import (
    JUNIT_BASES,
    JUNIT_SETUP,
    JUNIT_TESTS,
    JVM_PLAIN_BASES,
    JVM_PLAIN_DECORATORS,
    TYPE_TESTS,
)
from codeexplore.languages.declared.extractor import SymbolsExtractor
from codeexplore.languages.declared.grammar_shape import Shape

if TYPE_CHECKING:
    from tree_sitter import Node

SHAPE = Shape(
    global_names=True,
    packages=frozenset({"package_clause"}),
    names={
        "val_definition": ("pattern",),
        "var_definition": ("pattern",),
        "val_declaration": ("name",),
        "var_declaration": ("name",),
        "identifier": (),
    },
    wrappers=frozenset({"identifiers", "val_definition", "var_definition"}),
    bodies={"val_definition": "value", "var_definition": "value"},
    annotations=frozenset({"annotation"}),
    roots=frozenset({"identifier", "type_identifier", "stable_type_identifier"}),
    attributes={"field_expression": ("value", "field")},
    calls={"call_expression": "function"},
    news={"instance_expression": ""},
    through={"parenthesized_expression": "", "generic_function": "function"},
    literals={"string": "%str", "integer_literal": "%num", "interpolated_string_expression": "%str"},
    parameters={
        "function_definition": ("parameters",),
        "function_declaration": ("parameters",),
        "class_definition": ("class_parameters",),
    },
    parameter={"parameter": (("name",), ("type",)), "class_parameter": (("name",), ("type",))},
    declared={
        "val_definition": (("pattern",), ("type",), ("value",)),
        "var_definition": (("pattern",), ("type",), ("value",)),
        "val_declaration": (("name",), ("type",), ()),
        "var_declaration": (("name",), ("type",), ()),
        "typed_pattern": (("pattern",), ("type",), ()),
        "given_definition": (("name",), ("return_type",), ()),
    },
    elements={"enumerator": (("",), (), ("-",))},
    blocks=dict.fromkeys(words("case_clause lambda_expression for_expression block indented_block template_body"), ""),
    results={"function_definition": ("return_type",), "function_declaration": ("return_type",)},
    arguments={"call_expression": ("arguments",), "instance_expression": ("<arguments",)},
    read_signature=re.compile(r"[^(]*(?:\((?:implicit|using)\b.*)?"),
    imports=re.compile(
        r"import\s+(?P<module>\w+(?:\.(?!_\b)\w+)*)(?:\.(?P<names>\{[^}]*\})|(?P<star>\.[_*]))?(?:\s+as\s+(?P<alias>\w+))?"
    ),
    import_members=True,
)


class ScalaExtractor(SymbolsExtractor):
    """Extractor of Scala. Its special case are names in patterns: only those with a small initial bind a value."""

    def on_binding_local(self, scope: int, node: Node) -> None:
        if self.text(node)[:1].islower():
            super().on_binding_local(scope, node)


SCALA = Language(
    name="scala",
    title="Scala",
    level="symbols",
    extensions=(".scala", ".sc", ".sbt"),
    grammar="scala",
    pygments="scala",
    queries=(Path(__file__).with_suffix(".scm"),),
    extractor=lambda: ScalaExtractor(SHAPE),
    rules=default_rules(
        "scala",
        modules={"outer_packages": True, "linked": True},
        classes={"object_word": "object"},
        functions={"read_signature": SHAPE.read_signature},
        overloads=True,
    ),
    visibility="words",
    private_words=("private",),
    plain_decorators=JVM_PLAIN_DECORATORS | {"inline"},
    plain_bases=JVM_PLAIN_BASES,
    test_files=TYPE_TESTS,
    test_bases=JUNIT_BASES,
    test_decorators=JUNIT_TESTS,
    setup_decorators=JUNIT_SETUP,
    named_arguments=True,
)
