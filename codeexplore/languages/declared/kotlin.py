"""Kotlin: language record, extractor and resolution rules.

Example: ``class Shop { fun total() = sum() }`` in ``Shop.kt`` becomes the class ``Shop`` and the method
``Shop.total``, with a call of ``sum``.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from codeexplore.languages.base import SLASHES, Wrapping, default_rules, replacing, table, words
from codeexplore.languages.conventions import JVM
from codeexplore.languages.declared.closures import ClosurePaths, place_in, value_of_parameter
from codeexplore.languages.declared.extractor import SymbolsExtractor, declared
from codeexplore.languages.declared.grammar_shape import Shape
from codeexplore.languages.extraction.expressions import Captures, Definition, enclosing, outside, step_to, walk
from codeexplore.languages.extraction.narrowing_ranges import Conditions
from codeexplore.types import TRAILING, Binding, Symbol, SymbolKind

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
    closures={"lambda_literal": "lambda_parameters"},
    implicit=("it",),
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
    rb"\bby\s+[\w.]+(?:\((?:[^()\n]|\([^()\n]*\))*\))?(?=\s*\{)"  # class A : B by c { … c gets a lambda
    rb"|^[ \t]*context\([^()\n]*\)[ \t]*\r?$"  # context parameters
    rb"|(?<!\$)\$\$+(?=\")"  # strings with more than one $ for interpolation
    rb"|(?<=\.\.)<(?=[ \t]*[\w(])"  # a..<b
    rb"|\bactual\b(?=[ \t]+va[lr]\b)",  # after an annotation
    re.MULTILINE,
)
_ENTRY = re.compile(rb"^[ \t]*([ \t])(?=!?in\b[^\n]*->)", re.MULTILINE)  # an entry of ``when`` that continues no line
_MARK = re.compile(r"@(?:\w+:)?([\w.]+)(?:[ \t]*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?\s*")
_MARKS = re.compile(rf"(?:{_MARK.pattern})+\Z")
_DECLARING = re.compile(rb"(?:[a-z]+\s+)*?(?:class|interface|object|fun|va[lr]|typealias)\b")
_ANNOTATION_BYTES = 600  # most bytes of the annotations of a definition
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
_REPLACED = replacing({_NAMES: b"a", _UNKNOWN: b"", _PRIMARY: b"", _ENTRY: b";"})


def wrappings(root: Node, data: bytes) -> list[Wrapping]:
    """Return the words that the grammar does not know, and annotations with which it reads a class as an expression.

    It reads ``@A @B(1) interface C { … }`` as a call of an infix function ``C`` with a lambda.
    """
    found = _REPLACED(root, data)
    for node in root.named_children:
        while node.type == "prefix_expression" and node.named_child_count and node.children[0].type == "annotation":
            mark, node = node.children[0], node.named_children[-1]  # noqa: PLW2901 - what is annotated
            if _DECLARING.match(data, node.start_byte) or node.type == "prefix_expression":
                found.append(Wrapping(mark.start_byte, mark.end_byte, mark.end_byte, mark.end_byte))
    return sorted(found)


MAX_BLOCKS = 16  # blocks around a call, and before it, that are looked at
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
_CONDITIONS = Conditions(
    joined=frozenset({"conjunction_expression", "disjunction_expression"}),
    negated=frozenset({"prefix_expression"}),
    through=frozenset({"parenthesized_expression", "when_condition"}),
    branching={"if_expression": "consequence"},
    whole=frozenset({"when_entry", "while_statement"}),
    leaving=frozenset({"jump_expression"}),
    inside=frozenset({"statements"}),
)
_RUN_ON = re.compile(r"[(\s]*(?:(?:suspend|@[\w.]+(?:\([^()]*\))?)\s+)*([\w.]+)(?:<[^()]*>)?\??\.\(")  # T.() -> R
_CONTRACTS = words("require check assertTrue")  # functions that return only if their argument is true
_GIVEN = words(
    "check_expression conjunction_expression parenthesized_expression value_argument value_arguments call_suffix"
)
_SCOPING = frozenset({"apply", "run"})  # functions of every object that run a block on it
_GROUPED = frozenset({"as_expression", "parenthesized_expression"})
_RUN_APART = words(
    "statements conjunction_expression disjunction_expression elvis_expression control_structure_body function_body"
    " lambda_literal class_body"
)
_PRIVATE = re.compile(r"(?:(?!class|interface|object|fun|va[lr]|typealias)@?\w+\s+)*?private\s")


class KotlinExtractor(SymbolsExtractor):
    """Extractor of Kotlin, with secondary constructors, parameters that are properties, and bodies of enums."""

    reader = ClosurePaths
    conditions = _CONDITIONS

    def begin(self, captures: Captures) -> None:
        """Note the blocks behind calls: first and last byte, the path of what each may run on, and the block around."""
        super().begin(captures)
        self._blocks: list[tuple[int, int, str, int]] = []
        around: list[int] = []
        for first, end, path in sorted(filter(None, map(self._block, captures.get("_block", ())))):
            while around and self._blocks[around[-1]][1] <= first:
                around.pop()
            self._blocks.append((first, end, path, around[-1] if around else -1))
            around.append(len(self._blocks) - 1)
        self._heads: dict[int, int] = {}  # scope → its first byte

    def _block(self, node: Node) -> tuple[int, int, str] | None:
        """Return the first and last byte of the block behind a call, and the path of what it may run on."""
        block, called = walk(node, "<call_suffix", "<annotated_lambda"), self.path_of(step_to(node, ""))
        before, _, name = called.rpartition(".")
        if name in _SCOPING and before:
            path = before
        elif called == "with":
            path = self.arguments_of(node)[0]
        else:
            path = f"{called}[&]" if called else ""
        plain = path[:1] == "%" and not path.startswith("%type(")
        return (*block.byte_range, path) if block is not None and path and not plain else None

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

    def decorators(self, definition: Definition) -> tuple[str, ...]:
        """Return the annotations, those that the grammar puts before the definition too."""
        found, start = super().decorators(definition), definition.node.start_byte
        above = self.data[max(start - _ANNOTATION_BYTES, 0) : start].decode("utf-8", "replace")
        if found or definition.parent or "@" not in above or (marks := _MARKS.search(above)) is None:
            return found
        return tuple(_MARK.findall(marks.group()))

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name. For a private top-level definition, it begins with the path of the file."""
        name = super().fqn(definition, parent)
        return f"{self.path}:{name}" if not definition.parent and _PRIVATE.match(self.signature(definition)) else name

    def on_reference_assigned(self, scope: int, node: Node) -> None:
        """Add the calls of ``a[i] = v``, ``a[i] += v`` and ``a += v``, and the use of ``b`` in ``a.b = v``."""
        target, value = step_to(node, ""), step_to(node, "-")
        sign = self._sign(node)
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

    def _sign(self, node: Node) -> str:
        return next((self.text(child) for child in node.children if not child.is_named), "")

    def is_variadic(self, node: Node) -> bool:
        before = node.prev_named_sibling
        return before is not None and before.type == "parameter_modifiers" and "vararg" in self.text(before)

    def arguments_of(self, node: Node) -> tuple[str, ...]:
        """Return the arguments of a call, with the function behind its parentheses."""
        behind = walk(node, "<call_suffix", "<annotated_lambda")
        return (*super().arguments_of(node), *((TRAILING,) if behind is not None else ()))

    def on_definition(self, definition: Definition, scope: int) -> None:
        self._heads[scope] = definition.node.start_byte
        super().on_definition(definition, scope)

    def call(self, scope: int, path: str, node: Node, line: int = 0) -> None:
        """Add a call, after what a bare name means on the objects on which the blocks around it run."""
        found, place = list[str](), bisect_left(self._blocks, (node.start_byte,)) - 1
        for _ in range(MAX_BLOCKS) if path.isidentifier() and not path[0].isupper() else ():
            if place < 0 or self._blocks[place][0] < self._heads.get(scope, 0):
                break
            _, end, receiver, place = self._blocks[place]
            found += [f"{receiver}.{path}"] if end > node.start_byte else []
        for meant in reversed(found):
            self.refer(scope, "within", meant, node)
        super().call(scope, path, node, line)

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
            place = 1 + place_in(parent, node)
            if not place:
                return node.end_byte, ()
            if around.type in SHAPE.elements:
                held = self.path_of(walk(around, *SHAPE.elements[around.type][2]))
                path = f"{held}[*]" if held else ""
            else:
                value = walk(around, *SHAPE.declared[around.type][2]) if around.type in SHAPE.declared else None
                path = self.path_of(value) or value_of_parameter(self.paths, parent)
            self.operate(scope, path, f"component{place}", node)
            return node.end_byte, (f"{path}.component{place}()",) if path else ()
        if parent is None or parent.type != "when_subject":
            return super().bound_by(scope, node)
        value = step_to(parent, "-")
        return parent.end_byte, (self.path_of(value),) if value is not None and value != node else ()

    def on_binding_tested(self, scope: int, node: Node) -> None:
        """Narrow the type of ``x`` by ``x is T``, also in ``require(x is T)`` (Kotlin specification, smart casts)."""
        tested, kind, sign = step_to(node, ""), self.type_text(step_to(node, "-")), self._sign(node)
        call = outside(node, _GIVEN)
        if sign == "is" and call is not None and self.text(step_to(call, "")) in _CONTRACTS:
            self._cast(scope, tested, kind, node, _end_of_block(call))
        elif sign in ("is", "!is"):
            self.narrow(scope, node, self.path_of(tested).removeprefix("this."), kind, sign == "is")

    def on_binding_case(self, scope: int, node: Node) -> None:
        """Narrow the type of ``x`` in ``when (x) { is T, is U -> … }``."""
        subject = walk(node, "^", "<when_subject")
        tests = [step_to(child, "<type_test") for child in node.named_children if child.type == "when_condition"]
        types = [self.type_text(step_to(each, "-")) for each in tests if each and each.children[0].type == "is"]
        if subject is not None and len(types) == len(tests):
            name = walk(subject, "<variable_declaration", "") or step_to(subject, "-")
            self._cast(scope, name, " | ".join(types), node, node.end_point[0] + 1)

    def on_binding_cast(self, scope: int, node: Node) -> None:
        """Narrow the type of ``x`` below ``x as T``, and below ``x as? T ?: return``."""
        around, kind = outside(node, _GROUPED), self.type_text(step_to(node, "-"))
        last = step_to(around, "-") if around is not None and around.type == "elvis_expression" else None
        if self._sign(node) == "as":
            self._cast(scope, step_to(node, ""), kind, node, _end_of_block(node))
        elif last is not None and last.type == "jump_expression":
            self._cast(scope, step_to(node, ""), kind, node, _end_of_block(last.parent))

    def _cast(self, scope: int, named: Node | None, type_text: str, node: Node, last: int) -> None:
        """Add the type that a name has from the first line of `node` to the line `last`."""
        name = self.path_of(named).removeprefix("this.")
        if name.isidentifier() and type_text:
            self.bindings.append(Binding(scope, name, "pattern", type_text, "", node.start_point[0] + 1, last))

    def result_type(self, definition: Definition) -> str:
        """Return the result type that is written after the parameters, or after those of a getter; "" for none."""
        steps = self.shape.results.get(definition.node.type)
        found = walk(definition.node, *steps) if steps is not None else None
        getter = definition.body if definition.body is not None and definition.body.type == "getter" else None
        typed = next((n for n in (found, getter and step_to(getter, "~_type")) if n and n.type.endswith("_type")), None)
        return self.type_text(typed)


def _end_of_block(node: Node | None) -> int:
    """Return the last line of the code that runs after `node` whenever `node` runs."""
    around = enclosing(node.parent, _RUN_APART) if node is not None else None
    return around.end_point[0] + 1 if around is not None else 0


KOTLIN = replace(
    declared("kotlin", "Kotlin", lambda: KotlinExtractor(SHAPE)),
    extensions=(".kt", ".kts"),
    wrappings=wrappings,
    bears=bears,
    functional=re.compile(r"\bfun\s+interface\b"),
    start_names=("main",),
    rules=default_rules(
        "kotlin",
        constructors=("constructor",),
        modules={"imports_apart": True, "linked": True, "platforms": True},
        scopes={"blocks_on_any": True},
        classes={"instance_names": frozenset({"this"}), "super_names": frozenset({"super"}), "variants": True},
        functions={
            "read_signature": SHAPE.read_signature,
            "extensions": "named",
            "values": False,
            "block_receiver": _RUN_ON,
        },
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
