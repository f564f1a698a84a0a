"""Kotlin: language record, extractor and resolution rules.

Example: ``class Shop { fun total() = sum() }`` in ``Shop.kt`` becomes the class ``Shop`` and the method
``Shop.total``, with a call of ``sum``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from codeexplore.languages.base import SLASHES, default_rules, replacing, table, words
from codeexplore.languages.conventions import JVM
from codeexplore.languages.declared.extractor import SymbolsExtractor, declared
from codeexplore.languages.declared.grammar_shape import Shape
from codeexplore.languages.extraction import Definition, step_to, walk
from codeexplore.types import TRAILING, Symbol, SymbolKind

_VARIABLE = (("<variable_declaration", "<simple_identifier"), ("<variable_declaration", "~_type"))  # name, type
SHAPE = Shape(
    global_names=True,
    packages=frozenset({"package_header"}),
    names={
        **dict.fromkeys(
            words("function_declaration enum_entry class_parameter variable_declaration parameter"),
            ("<simple_identifier",),
        ),
        **dict.fromkeys(("class_declaration", "object_declaration", "type_alias"), ("<type_identifier",)),
        "package_header": ("",),
        "property_declaration": ("<variable_declaration", "<simple_identifier"),
        "secondary_constructor": (),
    },
    bodies=table(
        {
            "~class_body": "class_declaration object_declaration object_literal enum_entry",
            "<function_body": "function_declaration",
            "<statements": "secondary_constructor",
            "<getter": "property_declaration",
        }
    ),
    anonymous=frozenset({"object_literal"}),
    computed={"property_declaration": ("<getter",)},
    receivers={"function_declaration": "receiver", "property_declaration": "receiver"},
    annotations=frozenset({"modifiers", "annotation"}),
    roots=frozenset({"simple_identifier", "type_identifier", "this_expression", "super_expression"}),
    attributes={"navigation_expression": ("", "-"), "callable_reference": ("<type_identifier", "<simple_identifier")},
    calls={"call_expression": ""},
    subscripts={"indexing_expression": ""},
    operators={
        "additive_expression": ("", {"+": "plus", "-": "minus"}),
        "multiplicative_expression": ("", {"*": "times", "/": "div", "%": "rem"}),
        "range_expression": ("", {"..": "rangeTo", "..<": "rangeUntil"}),
        "comparison_expression": ("", {"": "compareTo"}),
        "equality_expression": ("", {"==": "equals", "!=": "equals"}),
        "check_expression": ("-", {"in": "contains", "!in": "contains"}),
        "range_test": ("-", {"": "contains"}),
        "prefix_expression": ("-", {"+": "unaryPlus", "-": "unaryMinus", "!": "not", "++": "inc", "--": "dec"}),
        "postfix_expression": ("", {"++": "inc", "--": "dec"}),
        "indexing_expression": ("", {"": "get"}),
        "for_statement": (">in", {"": "iterator iterator().hasNext iterator().next"}),
        "property_delegate": ("-", {"": "provideDelegate getValue"}),
    },
    through={"parenthesized_expression": "", "postfix_expression": ""},
    casts={"as_expression": "-"},
    literals={"string_literal": "%str", "integer_literal": "%num"},
    parameters={
        "function_declaration": ("<function_value_parameters",),
        "class_declaration": ("<primary_constructor",),
        "secondary_constructor": ("<function_value_parameters",),
    },
    parameter=dict.fromkeys(("parameter", "class_parameter"), (("<simple_identifier",), ("~_type",))),
    declared={
        "type_parameter": (("<type_identifier",), ("~_type",), ()),
        "property_declaration": (*_VARIABLE, ("-",)),
    },
    elements={"for_statement": (*_VARIABLE, (">in",))},
    blocks=dict.fromkeys(
        words(
            "statements lambda_literal for_statement when_expression catch_block control_structure_body "
            "anonymous_function class_body"
        ),
        "",
    ),
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
    rb"|(?<=\.\.)<(?=[ \t]*[\w(])"  # a..<b
    rb"|\bactual\b(?=[ \t]+va[lr]\b)",  # after an annotation
    re.MULTILINE,
)
_PRIMARY = re.compile(  # class A, and on a line of its own: @Inject internal constructor(
    rb"\bclass[ \t]+\w+(?:<[^\n(){}]*>)?[ \t]*(?://[^\n]*)?\r?\n"
    rb"(?:[ \t]*(?://[^\n]*|/\*(?:[^*]|\*(?!/))*\*/[ \t]*\r?)\n)*[ \t]*"
    rb"((?:(?:@[\w.]+(?:\([^()\n]*\))?|internal|private|protected|public|actual|expect)\s+)*constructor)(?=\s*\()"
)
_MODIFIERS = (
    rb"(abstract|annotation|const|crossinline|dynamic|enum|external|final|infix|inline|inner|internal|lateinit|noinline|open"
    rb"|operator|override|private|protected|public|sealed|suspend|tailrec|vararg)\b"
)
_NAMES = re.compile(  # soft keywords where a modifier cannot be: they are names
    rb"\b(?:fun|va[lr])[ \t]+(?:<[^<>\n]*>[ \t]*)?(?:\w+\??\.)*" + _MODIFIERS + rb"(?=[ \t]*[(:=])"
    rb"|(?:^|[{;(,]|->)[ \t]*" + _MODIFIERS + rb"(?=[ \t]*(?:\{|\?\.|[.:\[]|->|[-+*/%]?=(?!=))|\()",
    re.MULTILINE,
)
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


_PATH = re.compile(r"\w+(?:(?:\?|!!)?\.\w+)*")
_ASSIGNING = {
    "+=": "plusAssign plus",
    "-=": "minusAssign minus",
    "*=": "timesAssign times",
    "/=": "divAssign div",
    "%=": "remAssign rem",
}
_SUPERS = {
    "String": words("CharSequence Comparable"),
    **dict.fromkeys(words("Int Long Short Byte Float Double"), words("Number Comparable")),
    "Collection": words("Iterable"),
    "MutableIterable": words("Iterable"),
    **dict.fromkeys(words("List Set"), words("Collection Iterable")),
    **{
        f"{prefix}{kind}": words(f"{kind} Mutable{kind} MutableCollection MutableIterable Collection Iterable")
        for kind in ("List", "Set")
        for prefix in ("Mutable", "Array", "Hash", "LinkedHash")
    },
    **dict.fromkeys(words("MutableMap HashMap LinkedHashMap"), words("Map MutableMap")),
    **dict.fromkeys(words("CharRange IntRange LongRange"), words("ClosedRange Iterable")),
}
_PRIVATE = re.compile(r"(?:(?!class|interface|object|fun|va[lr]|typealias)@?\w+\s+)*?private\s")


class KotlinExtractor(SymbolsExtractor):
    """Extractor of Kotlin, with secondary constructors, parameters that are properties, and bodies of enums."""

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return ``constructor`` for a secondary one, "" for a parameter of a class without ``val`` or ``var``."""
        if node.type == "secondary_constructor":
            return "constructor"
        if node.type == "class_parameter" and step_to(node, "<binding_pattern_kind") is None:
            return ""
        return super().definition_name(kind, node)

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        definition = super()._definition(kind, node)
        if definition is not None and definition.body is not None and definition.body.type == "enum_class_body":
            definition.kind = "enum"
        if definition is not None and node.type == "property_declaration":
            accessors = list(self._accessors_below(node))
            if any(step_to(each, "<function_body") is not None for each in accessors):
                definition.last, definition.end = accessors[-1], accessors[-1].end_byte
                definition.body = definition.body or accessors[0]
                definition.kind = "method" if kind == "field" or definition.owner else "function"
        return definition

    def _accessors_below(self, node: Node) -> Iterator[Node]:
        """Yield the accessors of a property in lines of their own, which the grammar puts behind the property."""
        while (following := node.next_named_sibling) is not None and following.type in ("getter", "setter"):
            yield (node := following)

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name. For a private top-level definition, it begins with the path of the file."""
        name = super().fqn(definition, parent)
        return f"{self.path}:{name}" if not definition.parent and _PRIVATE.match(self.signature(definition)) else name

    def on_reference_assigned(self, scope: int, node: Node) -> None:
        """Add the calls of ``a[i] = v``, ``a[i] += v`` and ``a += v``, and the use of ``b`` in ``a.b = v``."""
        target, value = step_to(node, ""), step_to(node, "-")
        sign = next((self.text(child) for child in node.children if not child.is_named), "")
        if target is None or value is None:
            return
        index = target.named_children[-1] if target.named_child_count else target
        indexed = index.type == "indexing_suffix"
        end = index.start_byte if indexed else target.end_byte
        written = self.data[target.start_byte : end].decode("utf-8", "replace")
        path = re.sub(r"[?!]+(?=\.)", "", written) if _PATH.fullmatch(written) else ""
        if "." in path:
            self.refer(scope, "read", path, target)
        if indexed:
            self.operate(scope, path, "set" if sign == "=" else "get set", node, ("", self.path_of(value)))
        elif sign in _ASSIGNING:
            self.operate(scope, path, _ASSIGNING[sign], node, (self.path_of(value),))

    def is_variadic(self, node: Node) -> bool:
        before = node.prev_named_sibling
        return before is not None and before.type == "parameter_modifiers" and "vararg" in self.text(before)

    def arguments_of(self, node: Node) -> tuple[str, ...]:
        """Return the arguments of a call, with the function behind its parentheses."""
        behind = walk(node, "<call_suffix", "<annotated_lambda")
        return (*super().arguments_of(node), *((TRAILING,) if behind is not None else ()))

    def on_reference_infix(self, scope: int, node: Node) -> None:
        """Add the call of an infix function: ``a to b``."""
        left, name, right = node.named_children[0], node.named_children[1], node.named_children[-1]
        path = self.path_of(left) or "%"
        manner = "operator" if path[0] == "%" else "call"
        self.refer(scope, manner, f"{path}.{self.text(name)}", name, (self.path_of(right),))

    def on_reference_operator(self, scope: int, node: Node) -> None:
        left = node.named_children[0] if node.named_child_count else node
        if self.data[left.end_byte : node.end_byte].lstrip().startswith(b"..<"):
            self.operate(scope, self.path_of(left), "rangeUntil", node)
            return
        super().on_reference_operator(scope, node)
        if node.type == "property_delegate" and self.text(walk(node, "^", "<binding_pattern_kind")) == "var":
            self.operate(scope, self.path_of(node.named_children[-1]), "setValue", node)

    def bound_by(self, scope: int, node: Node) -> tuple[int, tuple[str, ...]]:
        """Return where the name is known. The subject of ``when`` is known behind its value."""
        parent, around = node.parent, walk(node, "^", "^")
        if parent is not None and around is not None and parent.type == "multi_variable_declaration":
            place = 1 + [child.id for child in parent.named_children].index(node.id)
            value = walk(around, *SHAPE.declared[around.type][2]) if around.type in SHAPE.declared else None
            path = self.path_of(value)
            self.operate(scope, path, f"component{place}", node)
            return node.end_byte, (f"{path}.component{place}()",) if path else ()
        if parent is None or parent.type != "when_subject":
            return super().bound_by(scope, node)
        value = step_to(parent, "-")
        return parent.end_byte, (self.path_of(value),) if value is not None and value != node else ()

    def result_type(self, definition: Definition) -> str:
        """Return the result type that is written after the parameters, or after those of a getter; "" for none."""
        steps = self.shape.results.get(definition.node.type)
        found = walk(definition.node, *steps) if steps is not None else None
        getter = definition.body if definition.body is not None and definition.body.type == "getter" else None
        typed = next((n for n in (found, getter and step_to(getter, "~_type")) if n and n.type.endswith("_type")), None)
        return self.type_text(typed)


KOTLIN = replace(
    declared("kotlin", "Kotlin", lambda: KotlinExtractor(SHAPE)),
    extensions=(".kt", ".kts"),
    wrappings=replacing({_NAMES: b"a", _UNKNOWN: b"", _PRIMARY: b""}),
    bears=bears,
    functional=re.compile(r"\bfun\s+interface\b"),
    start_names=("main",),
    rules=default_rules(
        "kotlin",
        constructors=("constructor",),
        modules={"imports_apart": True, "linked": True, "platforms": True},
        scopes={"blocks_on_any": True},
        classes={"instance_names": frozenset({"this"}), "super_names": frozenset({"super"}), "variants": True},
        functions={"read_signature": SHAPE.read_signature, "extensions": "named", "values": False},
        special_methods={"call": ("invoke",), "iterate": ("iterator",), "next": ("next",), "index": ("get",)},
        overloading={
            "outside_supers": _SUPERS,
            "literals": {"%str": "String", "%num": "Int"},
            "decides": True,
            "phases": True,
        },
        construction={"primary": True},
    ),
    visibility="words",
    private_words=("private", "internal"),
    file_words=frozenset({"private"}),
    constructors=("constructor",),
    overriding=re.compile(r"\boverride\b"),
    called_signatures=re.compile(r"^[^(=]*\b(?:operator|actual|JvmName|JvmStatic)\s"),
    called_because="an operator, another syntax, a library or another platform may call {}",
    parameter_names="last",
    checked_types=True,
    comment_start=SLASHES,
    named_arguments=True,
    **{
        **JVM,
        "plain_decorators": JVM["plain_decorators"]
        | words(
            "JvmField JvmInline JvmName JvmOverloads JvmStatic JvmSynthetic OptIn Suppress Synchronized Throws "
            "DslMarker MustBeDocumented PublishedApi Repeatable RequiresOptIn Retention Target"
        ),
    },
)
