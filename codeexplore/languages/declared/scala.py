"""Scala: language record and resolution rules.

Example: ``class Shop { def total(p: Int) = sum(p) }`` in ``Shop.scala`` becomes the class ``Shop`` and the method
``Shop.total``, with a call of ``sum``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from codeexplore.languages.base import Called, default_rules, later, table, words
from codeexplore.languages.conventions import JVM
from codeexplore.languages.declared.closures import ClosurePaths, value_given
from codeexplore.languages.declared.extractor import SymbolsExtractor, declared
from codeexplore.languages.declared.grammar_shape import Shape
from codeexplore.languages.extraction.expressions import Definition, step_to, walk
from codeexplore.types import Base, SymbolKind

SHAPE = Shape(
    global_names=True,
    packages=frozenset({"package_clause"}),
    names={"val_definition": ("pattern",), "var_definition": ("pattern",), "identifier": ()},
    wrappers=frozenset({"identifiers", "val_definition", "var_definition"}),
    bodies={"val_definition": "value", "var_definition": "value", "instance_expression": "<template_body"},
    anonymous=frozenset({"instance_expression", "infix_expression", "call_expression"}),
    annotations=frozenset({"annotation"}),
    roots=frozenset({"identifier", "type_identifier", "stable_type_identifier"}),
    attributes={"field_expression": ("value", "field")},
    calls={"call_expression": "function", "macro_body": ""},
    news={"instance_expression": ""},
    through={"parenthesized_expression": "", "generic_function": "function"},
    literals={"string": "%str", "integer_literal": "%num", "interpolated_string_expression": "%str"},
    parameters={
        "function_definition": ("<parameters",),  # a field of this name has the type parameters too
        "function_declaration": ("<parameters",),
        "class_definition": ("class_parameters",),
    },
    parameter={"parameter": (("name",), ("type",)), "class_parameter": (("name",), ("type",))},
    declared={
        **dict.fromkeys(("val_definition", "var_definition"), (("pattern",), ("type",), ("value",))),
        **dict.fromkeys(("val_declaration", "var_declaration"), (("name",), ("type",), ())),
        "typed_pattern": (("pattern",), ("type",), ()),
        "given_definition": (("name",), ("return_type",), ()),
        "identifier": ((), (), ()),  # a type parameter
        **dict.fromkeys(("covariant_type_parameter", "contravariant_type_parameter"), (("<identifier",), (), ())),
    },
    elements={"enumerator": (("",), (), ("-",))},
    closures={"lambda_expression": "bindings", "case_block": "case_clause"},
    tuples=frozenset({"tuple_pattern"}),
    blocks=dict.fromkeys(words("case_clause lambda_expression for_expression block indented_block template_body"), ""),
    results={"function_definition": ("return_type",), "function_declaration": ("return_type",)},
    arguments={"call_expression": ("arguments",), "instance_expression": ("<arguments",)},
    argument=frozenset({"assignment_expression"}),
    read_signature=re.compile(r"[^(]*(?:\((?:implicit|using)\b.*)?"),
    imports=re.compile(
        r"import\s+(?P<module>\w+(?:\.(?!_\b)\w+)*)(?:\.(?P<names>\{[^}]*\})|(?P<star>\.[_*]))?(?:\s+as\s+(?P<alias>\w+))?"
    ),
    import_members=True,
)
_PLACEHOLDER = re.compile(rb"(?<!\w)_(?!\w)")
_MOST_OUTWARD = 8  # nodes between ``_`` and the argument that it makes a function
_COMPARING = frozenset({"==", "!=", "<=", ">=", "==="})


class ScalaPaths(ClosurePaths):
    """Reader of access paths of Scala, in which ``_`` is the parameter of a function without a list: ``_.name``."""

    def _new_path(self, node: Node, written: bytes) -> str:
        """Return the path of an expression; that of one with ``_`` depends on the call around it."""
        return self._path(node) if _PLACEHOLDER.search(written) else super()._new_path(node, written)

    def result_given(self, call: Node) -> str:
        last = call.named_children[-1]
        if last.type == "arguments" and _PLACEHOLDER.search(self.data, last.start_byte, last.end_byte) is not None:
            return self.path_of(last.named_children[-1])
        return super().result_given(call)

    def root_of(self, node: Node) -> str:
        if node.type != "wildcard":
            return super().root_of(node)
        for _ in range(_MOST_OUTWARD):
            if node.parent is None or node.parent.type == "arguments":
                break
            node = node.parent
        return value_given(self, node, 0)


class ScalaExtractor(SymbolsExtractor):
    """Extractor of Scala. Its special case are names in patterns: only those with a small initial bind a value."""

    reader = ScalaPaths

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name as written, which may consist of signs."""
        name = self.name_node(kind, node)
        return self.text(name).strip("`") if name is not None else super().definition_name(kind, node)

    def body_of(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the body; that of ``new A(x) with B { … }`` is a block to the grammar, which has no such type."""
        if node.type in ("infix_expression", "call_expression"):
            return walk(node, *(("right",) if node.type == "infix_expression" else ()), "arguments")
        return super().body_of(kind, node)

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        """Return the definition without the blank lines behind it, which the grammar takes for a part of its block."""
        definition = super()._definition(kind, node)
        if definition is not None:
            last = definition.tail
            while last.child_count and self.data[last.end_byte - 1 : last.end_byte].isspace():
                last = last.children[-1]
            definition.last, definition.end = last, last.end_byte
        return definition

    def on_reference_call(self, scope: int, node: Node) -> None:
        """Add a call, which a supertype with a body, ``with B { … }``, is not."""
        if self.text(walk(node, "^", "operator")) != "with":
            super().on_reference_call(scope, node)

    def on_reference_infix(self, scope: int, node: Node) -> None:
        """Add the call of ``a + b`` or ``a map f``. A name that ends in a colon is a method of the right operand."""
        left, sign, right = (node.child_by_field_name(each) for each in ("left", "operator", "right"))
        if left is None or sign is None or right is None:
            return
        name = self.text(sign).strip("`")
        if name == "with":  # a supertype
            return
        if name[-1:] == ":":
            left, right = right, left
        assigned = name[:-1] if name[-1:] == "=" and name not in _COMPARING and not name[0].isalpha() else ""
        if "." not in name:
            self.operate(scope, self.path_of(left), f"{name} {assigned}", node, (self.path_of(right),))

    def on_reference_prefix(self, scope: int, node: Node) -> None:
        sign = self.text(node.children[0])
        self.operate(scope, self.path_of(node.named_children[-1]), f"unary_{sign}", node)

    def on_reference_assigned(self, scope: int, node: Node) -> None:
        """Add the call of ``a(i) = v`` or of ``a.name = v``."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        value = self.path_of(right)
        if left.type == "call_expression" and (called := left.child_by_field_name("function")) is not None:
            self.operate(scope, self.path_of(called), "update", node, (*self.arguments_of(left), value))
        elif left.type == "field_expression" and (owner := left.child_by_field_name("value")) is not None:
            field = left.child_by_field_name("field")
            setter = f"{self.text(field)}_=" if field is not None else ""
            self.operate(scope, self.path_of(owner), setter, node, (value,))

    def on_reference_pattern(self, scope: int, node: Node) -> None:
        """Add the use of a type in a pattern, and the call of its extractor: ``case Pair(a, b)``."""
        kind = node.child_by_field_name("type")
        if kind is not None:
            self.refer(scope, "type", self.paths.dotted(self.text(kind)), kind)
            self.operate(scope, self.paths.dotted(self.text(kind)), "unapply unapplySeq", node)

    def on_binding_element(self, scope: int, node: Node) -> None:
        """Add the binding of a generator or value in ``for``, and the call that the generator makes."""
        super().on_binding_element(scope, node)
        self.on_reference_generator(scope, node)

    def on_reference_generator(self, scope: int, node: Node) -> None:
        """Add the call of a generator ``x <- xs``: ``foreach``; with ``yield`` ``flatMap``, the last one ``map``."""
        around = node.parent.parent if node.parent is not None else None
        if around is None or not any(child.type == "<-" for child in node.children):
            return
        following = node.next_named_sibling
        while following is not None and not any(child.type == "<-" for child in following.children):
            following = following.next_named_sibling
        yields = any(child.type == "yield" for child in around.children)
        called = "foreach" if not yields else "flatMap" if following is not None else "map"
        held = [child for child in node.named_children if child.type != "guard"][-1]
        filtered = held != node.named_children[-1]
        self.operate(scope, self.path_of(held), f"{called} withFilter" if filtered else called, node)

    def on_base(self, scope: int, node: Node) -> None:
        """Add supertypes. What a case of an enum extends is the enum itself, or one of its supertypes."""
        if node.type in SHAPE.anonymous:
            paths = (self.paths.dotted(self.text(each)) for each in self._made_of(node))
            self.bases += [Base(scope, path, "extends", node.start_point[0] + 1) for path in paths if path]
        elif node.parent is not None and not node.parent.type.endswith("_enum_case"):
            super().on_base(scope, node)

    def _made_of(self, node: Node | None) -> Iterator[Node]:
        """Yield the supertypes of a type without a name, such as ``new A(x) with B { … }``, infix to the grammar."""
        if node is None or node.type == "template_body":
            return
        if node.type == "compound_type":
            yield from node.named_children
        elif node.type == "infix_expression":
            yield from self._made_of(walk(node, "left"))
            yield from self._made_of(walk(node, "right"))
        elif node.type in ("instance_expression", "call_expression", "generic_function"):
            yield from self._made_of(step_to(node, ""))
        else:
            yield node

    def bound_by(self, scope: int, node: Node) -> tuple[int, tuple[str, ...]]:
        """Return where a name is known, and its value: for ``case Some(x)`` and ``case x :: rest`` an element."""
        pattern, matched = node.parent, walk(node, "^", "^", "^", "^")
        part = pattern is not None and (
            (pattern.type == "case_class_pattern" and self.text(pattern.child_by_field_name("type")) == "Some")
            or (pattern.type == "infix_pattern" and pattern.child_by_field_name("left") == node)
        )
        path = self.path_of(matched.child_by_field_name("value")) if part and matched is not None else ""
        return (node.end_byte, (f"{path}[*]",)) if path else super().bound_by(scope, node)

    def binds(self, node: Node) -> bool:
        return self.data[node.start_byte : node.start_byte + 1].islower()


SCALA = replace(
    declared("scala", "Scala", lambda: ScalaExtractor(SHAPE)),
    extensions=(".scala", ".sc", ".sbt"),
    functional=re.compile(r"\btrait\b"),
    start_names=("main",),
    rules=default_rules(
        "scala",
        modules={
            "locator": later("codeexplore.resolution.default_rules:RelativeLocator"),
            "outer_packages": True,
            "imports_apart": True,
            "linked": True,
            "platforms": True,
        },
        scopes={"types_apart": True},
        classes={"object_word": "object", "variants": True, "super_names": frozenset({"super"})},
        functions={"read_signature": SHAPE.read_signature},
        special_methods={"call": ("apply",)},
        builtins={"called_containers": True},
        overloads=True,
    ),
    visibility="words",
    private_words=("private",),
    file_words=frozenset({"private"}),
    called_signatures=re.compile(r"^[^(=]*\b(?:implicit|given)\s|\bdef\s+(?:[^\w\s(\[]|unary_|\w+_=)"),
    called_because="an operator, a conversion, another syntax or a library may call {}",
    named_arguments=True,
    **{
        **JVM,
        "plain_decorators": JVM["plain_decorators"] | {"inline"},
        "called_methods": JVM["called_methods"]
        | table(
            {
                Called("`x(…)` calls {}"): "apply update",
                Called("`for` calls {}"): "filter flatMap foreach map withFilter",
                Called("patterns call {}"): "unapply unapplySeq",
                Called("comparisons call {}"): "canEqual",
                Called("names of members that are not declared call {}"): """
                applyDynamic applyDynamicNamed selectDynamic updateDynamic
                """,
            }
        ),
    },
)
