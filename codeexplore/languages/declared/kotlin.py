"""Kotlin: language record, extractor and resolution rules.

Example: ``class Shop { fun total() = sum() }`` in ``Shop.kt`` becomes the class ``Shop`` and the method
``Shop.total``, with a call of ``sum``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language, Wrapping, default_rules
from codeexplore.languages.conventions import (
    JUNIT_BASES,
    JUNIT_SETUP,
    JUNIT_TESTS,
    JVM_PLAIN_BASES,
    JVM_PLAIN_DECORATORS,
    TYPE_TESTS,
)
from codeexplore.languages.declared.extractor import SymbolsExtractor
from codeexplore.languages.declared.grammar_shape import Shape, step_to, walk
from codeexplore.languages.extraction import Definition
from codeexplore.types import Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node


SHAPE = Shape(
    global_names=True,
    packages=frozenset({"package_header"}),
    names={
        "package_header": ("",),
        "class_declaration": ("<type_identifier",),
        "object_declaration": ("<type_identifier",),
        "function_declaration": ("<simple_identifier",),
        "enum_entry": ("<simple_identifier",),
        "class_parameter": ("<simple_identifier",),
        "property_declaration": ("<variable_declaration", "<simple_identifier"),
        "type_alias": ("<type_identifier",),
        "secondary_constructor": (),
    },
    bodies={
        "class_declaration": "<class_body",
        "object_declaration": "<class_body",
        "function_declaration": "<function_body",
        "secondary_constructor": "<statements",
        "property_declaration": "<getter",
        "enum_entry": "<class_body",
    },
    computed={"property_declaration": ("<getter",)},
    receivers={"function_declaration": "receiver"},
    annotations=frozenset({"modifiers", "annotation"}),
    roots=frozenset({"simple_identifier", "this_expression", "super_expression"}),
    attributes={"navigation_expression": ("", "-")},
    calls={"call_expression": ""},
    subscripts={"indexing_expression": ""},
    through={"parenthesized_expression": "", "postfix_expression": "", "as_expression": ""},
    literals={"string_literal": "%str", "integer_literal": "%num"},
    parameters={
        "function_declaration": ("<function_value_parameters",),
        "class_declaration": ("<primary_constructor",),
        "secondary_constructor": ("<function_value_parameters",),
    },
    parameter={
        "parameter": (("<simple_identifier",), ("~_type",)),
        "class_parameter": (("<simple_identifier",), ("~_type",)),
    },
    declared={
        "property_declaration": (
            ("<variable_declaration", "<simple_identifier"),
            ("<variable_declaration", "~_type"),
            ("-",),
        ),
    },
    elements={
        "for_statement": (
            ("<variable_declaration", "<simple_identifier"),
            ("<variable_declaration", "~_type"),
            (">in",),
        ),
    },
    results={
        "function_declaration": (">function_value_parameters",),
        "property_declaration": ("<variable_declaration", "~_type"),
    },
    arguments={"call_expression": ("<call_suffix", "<value_arguments")},
    argument=frozenset({"value_argument"}),
    read_signature=re.compile(r"[^(]*"),
    imports=re.compile(r"import\s+(?P<module>\w+(?:\.\w+)*)(?P<star>\.\*)?(?:\s+as\s+(?P<alias>\w+))?"),
    import_members=True,
)
_UNKNOWN = re.compile(
    rb"\bby\s+[\w.]+(?:\([^()\n]*\))?(?=\s*\{)"  # class A : B by c { — is parsed as a lambda that is passed to c
    rb"|^[ \t]*context\([^()\n]*\)[ \t]*\r?$"  # context parameters
    rb"|(?<!\$)\$\$+(?=\")"  # strings with more than one $ for interpolation
    rb"|\bactual\b(?=[ \t]+va[lr]\b)",  # after an annotation
    re.MULTILINE,
)
_PRIMARY = re.compile(  # class A, and on a line of its own: @Inject internal constructor(
    rb"\bclass[ \t]+\w+(?:<[^<>\n]*>)?[ \t]*(?://[^\n]*)?\r?\n(?:[ \t]*//[^\n]*\n)*[ \t]*"
    rb"((?:(?:@[\w.]+(?:\([^()\n]*\))?|internal|private|protected|public|actual|expect)\s+)*constructor)(?=\s*\()"
)


def _wrappings(root: Node, data: bytes) -> list[Wrapping]:
    """Return the ranges of syntax that the grammar does not support, for files with syntax errors."""
    if not root.has_error:
        return []
    spans = [found.span() for found in _UNKNOWN.finditer(data)] + [found.span(1) for found in _PRIMARY.finditer(data)]
    return [Wrapping(start, end, end, end) for start, end in sorted(spans)]


MAX_STRINGS = 500  # levels; half of the scanner's limit, and source written by people has at most three
_TOKEN = re.compile(rb"\\.|\"\"\"|\"|\$\{|[{}]|//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])'", re.DOTALL)


def bears(data: bytes) -> bool:
    """Return True if at most `MAX_STRINGS` strings in `data` are nested in each other."""
    if data.count(b"${") <= MAX_STRINGS:
        return True
    around: list[bytes] = []  # open constructs: a string by its quote, a block, an expression in a string
    strings = 0
    for found in _TOKEN.finditer(data):
        token = found.group()
        inside = around[-1] if around else b""
        if inside[:1] == b'"':
            if token == inside:
                around.pop()
                strings -= 1
            elif token == b"${":
                around.append(token)
        elif token in (b'"', b'"""'):
            around.append(token)
            strings += 1
            if strings > MAX_STRINGS:
                return False
        elif token in (b"{", b"${"):
            around.append(b"{")
        elif token == b"}" and around:
            around.pop()
    return True


_PRIVATE = re.compile(r"(?:@?\w+\s+)*?private\s")


class KotlinExtractor(SymbolsExtractor):
    """Extractor of Kotlin.

    Its special cases are secondary constructors, parameters that are not properties, and bodies of enums.
    """

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name of a definition; "" if it is not a symbol.

        A secondary constructor is called ``constructor``. A parameter of a class is a symbol only if it has ``val`` or
        ``var``.
        """
        if node.type == "secondary_constructor":
            return "constructor"
        if node.type == "class_parameter" and step_to(node, "<binding_pattern_kind") is None:
            return ""
        return super().definition_name(kind, node)

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        definition = super()._definition(kind, node)
        if definition is not None and definition.body is not None and definition.body.type == "enum_class_body":
            definition.kind = "enum"
        return definition

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name. For a private top-level definition, it begins with the path of the file."""
        name = super().fqn(definition, parent)
        return f"{self.path}:{name}" if not definition.parent and _PRIVATE.match(self.signature(definition)) else name

    def result_type(self, definition: Definition) -> str:
        """Return the result type that is written after the parameters; "" for none."""
        steps = self.shape.results.get(definition.node.type)
        node = walk(definition.node, steps) if steps is not None else None
        return self.type_text(node) if node is not None and node.type.endswith("_type") else ""

    def body_of(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the body of a definition. An enum has a separate node type for its body."""
        return super().body_of(kind, node) or step_to(node, "<enum_class_body")


KOTLIN = Language(
    name="kotlin",
    title="Kotlin",
    level="symbols",
    extensions=(".kt", ".kts"),
    grammar="kotlin",
    pygments="kotlin",
    wrappings=_wrappings,
    bears=bears,
    queries=(Path(__file__).with_suffix(".scm"),),
    extractor=lambda: KotlinExtractor(SHAPE),
    rules=default_rules(
        "kotlin",
        constructors=("constructor",),
        scopes={"blocks_on_any": True},
        functions={"read_signature": SHAPE.read_signature},
        overloads=True,
    ),
    visibility="words",
    private_words=("private", "internal"),
    constructors=("constructor",),
    plain_decorators=JVM_PLAIN_DECORATORS,
    plain_bases=JVM_PLAIN_BASES,
    test_files=TYPE_TESTS,
    test_bases=JUNIT_BASES,
    test_decorators=JUNIT_TESTS,
    setup_decorators=JUNIT_SETUP,
    parameter_names="last",
    named_arguments=True,
)
