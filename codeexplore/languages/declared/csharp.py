"""C#: language record, extractor and resolution rules.

Example: ``class Shop { int Total() { return Sum(); } }`` in ``Shop.cs`` becomes the class ``Shop`` and the method
``Shop.Total``, with a call of ``Sum``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language, default_rules, words
from codeexplore.languages.conventions import TYPE_TESTS
from codeexplore.languages.declared.extractor import SymbolsExtractor
from codeexplore.languages.declared.grammar_shape import Shape
from codeexplore.languages.extraction import Definition
from codeexplore.types import SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node


SHAPE = Shape(
    global_names=True,
    packages=frozenset({"namespace_declaration", "file_scoped_namespace_declaration"}),
    names={
        "variable_declarator": ("name",),
        "indexer_declaration": ("parameters",),
        "operator_declaration": ("operator",),
    },
    bodies={
        "property_declaration": "accessors",
        "indexer_declaration": "accessors",
        "variable_declarator": "name",
    },
    wrappers=frozenset({"variable_declaration", "field_declaration", "event_field_declaration"}),
    annotations=frozenset({"attribute_list", "attribute"}),
    roots=frozenset({"identifier", "qualified_name", "this", "base", "predefined_type"}),
    attributes={
        "member_access_expression": ("expression", "name"),
        "conditional_access_expression": ("condition", "-"),
        "member_binding_expression": ("", "name"),
    },
    calls={"invocation_expression": "function"},
    news={"object_creation_expression": "type"},
    subscripts={"element_access_expression": "expression"},
    through={
        "parenthesized_expression": "",
        "await_expression": "",
        "generic_name": "",
        "postfix_unary_expression": "",
    },
    literals={"string_literal": "%str", "interpolated_string_expression": "%str", "integer_literal": "%num"},
    parameters={
        **dict.fromkeys(
            (
                "method_declaration",
                "constructor_declaration",
                "local_function_statement",
                "operator_declaration",
                "indexer_declaration",
                "delegate_declaration",
            ),
            ("parameters",),
        ),
        "record_declaration": ("<parameter_list",),
        "class_declaration": ("<parameter_list",),
        "struct_declaration": ("<parameter_list",),
    },
    parameter={"parameter": (("name",), ("type",))},
    declared={
        "variable_declarator": (("name",), ("^", "type"), ("-",)),
        "property_declaration": (("name",), ("type",), ("value",)),
        "declaration_pattern": (("name",), ("type",), ()),
    },
    elements={"foreach_statement": (("left",), ("type",), ("right",))},
    results={
        "method_declaration": ("returns",),
        "local_function_statement": ("type",),
        "property_declaration": ("type",),
        "operator_declaration": ("type",),
        "indexer_declaration": ("type",),
    },
    arguments={"invocation_expression": ("arguments",), "object_creation_expression": ("arguments",)},
    argument=frozenset({"argument"}),
    type_words=frozenset({"ref", "scoped", "readonly"}),
    read_signature=re.compile(r"[^(]*(?:=>.*)?"),
    imports=re.compile(r"(?:global\s+)?using\s+(?:static\s+)?(?:(?P<alias>\w+)\s*=\s*)?(?P<module>[\w.]+)"),
)
_XML = re.compile(r"</?[a-z]\w*(?:\s[^<>]*)?/?>")
_NAMED = re.compile(r"<(?:see|seealso|paramref|typeparamref)\s+\w+=\"(?:\w:)?([^\"]*)\"\s*/>")
_CODE = re.compile(rb"=>|\b(?:get|set|init|add|remove)\s*\{")
_CODE_BYTES = 2000  # first bytes of a property, in which its accessors begin
_KEYWORDS = frozenset({"if", "for", "foreach", "while", "switch", "catch", "using", "lock", "return", "fixed"})


class CSharpExtractor(SymbolsExtractor):
    """Extractor of C#, with special cases for operators, indexers, properties with code, and XML documentation."""

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name: ``operator +`` for an operator, ``this[]`` for an indexer, ``~Name`` for a finalizer."""
        name = self.name_node(kind, node)
        if node.type == "operator_declaration":
            return f"operator {self.text(name)}" if name is not None else ""
        if node.type == "indexer_declaration":
            return "this[]"
        written = super().definition_name(kind, node)
        if written in _KEYWORDS:  # parsed as a local function after a syntax error
            return ""
        return f"~{written}" if node.type == "destructor_declaration" else written

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        definition = super()._definition(kind, node)
        if definition is not None and node.type == "property_declaration":
            end = min(node.end_byte, node.start_byte + _CODE_BYTES)
            if _CODE.search(self.data, node.start_byte, end):
                definition.kind = "method"
        return definition

    def doc_of(self, definition: Definition, leading: str) -> str:
        """Return the text of the comments above the definition, without XML tags."""
        doc = super().doc_of(definition, leading)
        if "<" in doc:
            doc = _XML.sub("", _NAMED.sub(r"\1", doc))
        return "\n".join(line for line in (row.strip() for row in doc.split("\n")) if line)


CSHARP = Language(
    name="csharp",
    title="C#",
    level="symbols",
    extensions=(".cs", ".csx"),
    grammar="csharp",
    pygments="csharp",
    queries=(Path(__file__).with_suffix(".scm"),),
    extractor=lambda: CSharpExtractor(SHAPE),
    rules=default_rules(
        "csharp",
        constructors=(),
        modules={"outer_packages": True},
        classes={"open_types": True},
        functions={"read_signature": SHAPE.read_signature, "signature_roles": {"static": "static"}},
        overloads=True,
    ),
    visibility="words",
    public_words=("public", "protected"),
    plain_bases=frozenset({"object", "Exception", "Enum"}),
    conditional=True,
    test_files=TYPE_TESTS,
    test_names=(),
    test_decorators=words("Test TestCase TestCaseSource Theory Fact TestMethod DataTestMethod"),
    setup_decorators=words(
        "SetUp TearDown OneTimeSetUp OneTimeTearDown TestInitialize TestCleanup ClassInitialize ClassCleanup"
    ),
    parameter_names="behind type",
    result_first=True,
    named_arguments=True,
)
