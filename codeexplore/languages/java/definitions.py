"""Definitions of Java: their nodes, names, signatures and documentation, and the facts in their heads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from tree_sitter import Node

from codeexplore.languages.base import table, words
from codeexplore.languages.extraction.expressions import (
    MAX_BRANCHES,
    MAX_KEPT_CHARS,
    Definition,
    Expressions,
    Layout,
    PathReader,
    children_of,
    line_col,
    step_to,
    walk,
)
from codeexplore.languages.extraction.extractor import SIGNATURE_CHARS, Extractor
from codeexplore.languages.extraction.leading_trivia import clean_doc
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Base, Binding, Reference, Return, Symbol, SymbolKind

TYPE_NODES: Final = words(
    """
    type_identifier scoped_type_identifier generic_type array_type integral_type floating_point_type boolean_type
    void_type annotated_type
    """
)
CLASS_TYPES: Final = frozenset({"type_identifier", "scoped_type_identifier", "generic_type"})
_KEEPING = words(
    """
    of ofNullable asList requireNonNull requireNonNullElse map flatMap mapToObj orElse orElseGet unmodifiableList
    unmodifiableSet unmodifiableMap unmodifiableCollection copyOf singletonList singleton computeIfAbsent getOrDefault
    supplyAsync thenApply thenCompose withInitial entry reduce completedFuture
    """
)
_INTEGERS = words("decimal_integer_literal hex_integer_literal octal_integer_literal binary_integer_literal")
_OPERATIONS = frozenset({"binary_expression", "unary_expression", "instanceof_expression"})
_ASKING = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||", "!", "instanceof"})
_GIVING = frozenset({"expression_statement", "yield_statement"})
_ANNOTATION = re.compile(r"@[\w.]+(?:\([^()]*\))?\s*")


class JavaPaths(PathReader):
    """Reader of Java's access paths.

    - A call without a receiver begins with the method's name.
    - ``new T()`` has the path ``T()``, an instance of an anonymous class ``%class:LINE:COL()``.
    - ``Outer.this.x`` and ``I.super.m`` stay as written.
    - ``T::m`` has the path ``T.m``, ``T::new`` the path ``T.new``.
    - A cast is left out, except in the middle of a path, where it becomes ``%type(T)``.
    - An array literal that is not empty is ``%list:LINE:COL``.
    - If the result of a call is one of its arguments, or is made from them, the path contains the arguments.
    """

    simple_path = re.compile(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*")
    expressions = Expressions(
        attributes={"field_access": ("object", "field"), "scoped_identifier": ("scope", "name")},
        calls={},
        methods={"method_invocation": ("object", "name")},
        subscripts={"array_access": "array"},
        roots=frozenset({"identifier", "this", "super", "type_identifier"}),
        transparent=frozenset({"parenthesized_expression"}),
        literals=dict.fromkeys(_INTEGERS, "%num")
        | table(
            {
                "%str": "string_literal",
                "%char": "character_literal",
                "%bool": "true false",
                "%float": "decimal_floating_point_literal hex_floating_point_literal",
            }
        ),
        words={"null": "", "true": "%bool", "false": "%bool"},
        functions=frozenset({"lambda_expression"}),
        branches={
            "ternary_expression": ("consequence", "alternative"),
            "assignment_expression": ("right",),
            "cast_expression": ("value",),
            "switch_expression": (),
        },
    )

    def path_of(self, node: Node | None) -> str:
        """Return the access path of the expression `node`. A cast has the path of its operand."""
        if node is None or node.type == "cast_expression":
            value = walk(node, "value")
            return self.root_of(node) if node and value and value.type == "this" else super().path_of(value)
        path = super().path_of(node)
        return "%long" if path == "%num" and node.type in _INTEGERS and self.data[node.end_byte - 1] in b"lL" else path

    def branches_of(self, node: Node, fields: Sequence[str]) -> list[Node]:
        """Return the results of a ``switch``, or the sides of another branch; of ``(T) this`` only the type."""
        if node.type == "cast_expression":
            return [child for child in super().branches_of(node, fields) if child.type != "this"]
        if node.type != "switch_expression":
            return super().branches_of(node, fields)
        rules = [rule for rule in children_of(node, "body") if rule.type == "switch_rule"]
        results = [rule.named_children[-1] for rule in rules if rule.named_child_count]
        ends = [r.named_children[-1] if r.type == "block" and r.named_child_count else r for r in results]
        return [end.named_children[0] for end in ends if end.type in _GIVING and end.named_child_count]

    def root_of(self, node: Node) -> str:
        """Return the root for a construction, cast, method reference, class literal or array literal."""
        kind = node.type
        if kind == "object_creation_expression":
            if node.named_children[-1].type == "class_body":
                return f"%class:{line_col(node)}()"
            name = self.made_name(node)
            return name + "()" if name else ""
        if kind == "cast_expression":
            target = node.child_by_field_name("type")
            return f"%type({self.type_text(target)})" if target is not None else ""
        if kind == "method_reference":
            owner, name = self.method_reference(node)
            return f"{owner}.{name}" if owner else ""
        if kind == "class_literal" and node.named_child_count:
            return self.type_name(node.named_children[0]) + ".class"
        if kind == "array_creation_expression":
            value = node.child_by_field_name("value")
            return self.root_of(value) if value is not None else "%list"
        if kind == "array_initializer":
            return f"%list:{line_col(node)}" if node.named_child_count else "%list"
        if kind in CLASS_TYPES:
            return self.type_name(node)
        if kind in _OPERATIONS:
            return self._operation(node)
        return super().root_of(node)

    def _operation(self, node: Node) -> str:
        """Return ``%bool`` for a comparison or logical operator, ``%str`` for a sum with a text literal; else ""."""
        name = self.text(node.child_by_field_name("operator")) or "instanceof"
        if name in _ASKING:
            return "%bool"
        left: Node | None = node
        for _ in range(MAX_BRANCHES):
            if left is None or left.type != "binary_expression" or name != "+":
                break
            right = left.child_by_field_name("right")
            if right is not None and right.type == "string_literal":
                return "%str"
            left = left.child_by_field_name("left")
        return "%str" if name == "+" and left is not None and left.type == "string_literal" else ""

    def arguments(self, node: Node) -> tuple[str, ...]:
        """Return the paths of all arguments, "" for none: their number and types select an overload."""
        return tuple(self._argument(child) for child in node.named_children if not child.is_extra)

    def _argument(self, node: Node) -> str:
        """Return the path of an argument: of a conditional one the branch that is no literal, of a cast its type."""
        while node.type == "parenthesized_expression" and node.named_child_count == 1:
            node = node.named_children[0]
        if node.type == "ternary_expression":
            values = self.values_of(node)
            return next((value for value in values if value[:1] != "%"), values[0] if values else "")
        if node.type == "null_literal":
            return "%null"  # not a value of a primitive type
        if node.type == "array_creation_expression" and node.child_by_field_name("value") is None:
            return f"%type({self.array_type(node)})"
        target = node.child_by_field_name("type") if node.type == "cast_expression" else None
        if target is not None and not (target.type == "type_identifier" and len(self.text(target)) <= 2):
            return f"%type({self.type_text(target)})"
        return self.path_of(node)

    def made_name(self, node: Node) -> str:
        """Return the name of the constructed type: ``T`` for ``new T()``, ``outer.T`` for ``outer.new T()``."""
        made, outer = node.child_by_field_name("type"), node.children[0]
        name = self.type_name(made) if made is not None else ""
        path = self.path_of(outer) if name and outer.type != "new" else ""
        return f"{path}.{name}" if path else name

    def array_type(self, node: Node) -> str:
        """Return the type of ``new T[n][]`` as text: ``T[][]``."""
        made = node.child_by_field_name("type")
        dimensions = [self.text(child) for child in node.children_by_field_name("dimensions")]
        number = sum(max(1, text.count("[]")) for text in dimensions)
        return self.type_text(made) + "[]" * number

    def type_name(self, node: Node) -> str:
        """Return the name of a type without arguments, annotations and dimensions; "" for a primitive type."""
        while node.type in ("generic_type", "annotated_type", "array_type"):
            inner = [child for child in node.named_children if child.type in TYPE_NODES]
            if not inner:
                return ""
            node = inner[-1] if node.type == "annotated_type" else inner[0]
        if node.type == "type_identifier":
            return self.text(node)
        if node.type != "scoped_type_identifier":
            return ""
        text = self.text(node)
        return "".join((_ANNOTATION.sub("", text) if "@" in text else text).split()).partition("<")[0]

    def type_text(self, node: Node | None, dimensions: Node | None = None) -> str:
        """Return the type `node` as written, without annotations; "" for ``var``."""
        if node is None:
            return ""
        text = self.text(node)
        if text == "var":
            return ""
        if "@" in text:
            text = _ANNOTATION.sub("", text)
        return text + self.text(dimensions) if dimensions is not None else text

    def call_step(self, node: Node) -> str:
        """Return the step of a call, with the arguments if the result is one of them or is made from them."""
        name, arguments = node.child_by_field_name("name"), node.child_by_field_name("arguments")
        if name is None or arguments is None or self.text(name) not in _KEEPING:
            return "()"
        kept = []
        for child in arguments.named_children:
            is_short = child.type == "lambda_expression" or child.end_byte - child.start_byte <= MAX_KEPT_CHARS
            kept.append(self.path_of(child) if is_short and child.type not in self.expressions.literals else "")
        return self.kept_call(kept)

    def method_reference(self, node: Node) -> tuple[str, str]:
        """Return the access path before ``::`` and the name after ``::``."""
        owner = node.named_children[0]
        name = node.children[-1]
        path = self.type_name(owner) if owner.type in TYPE_NODES else self.path_of(owner)
        return path, self.text(name)


_ANNOTATIONS = frozenset({"marker_annotation", "annotation"})
_INITIALISERS = {"static_initializer": "<clinit>", "block": "<init>"}


class JavaDefinitions(Extractor):
    """Extractor of Java's definitions and their names.

    A file's module is its package, or its file name if it has no package. A qualified name consists of the module, the
    enclosing types and the name: ``com.shop.Cart.Line.total``.

    - A constructor has the name of its class: ``com.shop.Cart.Cart``.
    - Initialiser blocks are called ``<clinit>`` (static) and ``<init>``.
    - Lambdas and anonymous classes are named by their position, ``<lambda:3:8>`` and ``<class:3:8>``, inside the field
      or method that contains them.
    - Records are classes, and their components are fields. Annotation types are interfaces.
    - A static final field is a constant. So is a constant of an enum, unless it has its own body: then it is a class
      that extends the enum.

    An anonymous class gets a binding in its own scope, by which it is found: name ``%class:LINE:COL``, manner
    ``variable``.
    """

    paths: JavaPaths
    parent_kinds = Extractor.scope_kinds | {"field", "constant"}
    outline_captures = Extractor.outline_captures | {"reference.decorator"}

    def __init__(self) -> None:
        super().__init__(JavaPaths())

    def module_name(self, path: str, root: Node, layout: Layout) -> str:
        """Return the name of the package; without a package, the name of the file."""
        for child in root.named_children:
            if child.type == "package_declaration":
                name = child.named_children[-1] if child.named_child_count else None
                if name is not None and name.type in ("scoped_identifier", "identifier"):
                    self.has_package = True
                    return "".join(self.text(name).split())
            elif child.type.endswith("_declaration"):
                break
        self.has_package = False
        return path.rpartition("/")[2]

    def module_symbol_name(self, root: Node) -> str:
        return super().module_symbol_name(root) if self.has_package else self.module

    def module_doc(self, root: Node) -> str:
        """Return the text of the comment above the package declaration in ``package-info.java``."""
        if not self.path.endswith("package-info.java"):
            return ""
        comments = [child for child in root.named_children if child.type == "block_comment"]
        return clean_doc(self.text(comments[-1])) if comments else ""

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name. For a type without a package, it is the type's own name."""
        if parent.kind == "module" and not self.has_package:
            return definition.name
        return super().fqn(definition, parent)

    # ----------------------------------------------------------------- names of nodes

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        if node.type == "variable_declarator" and kind == "field":
            words = {child.type for child in modifiers.children} if (modifiers := _modifiers(node)) else set()
            kind = "constant" if {"static", "final"} <= words else kind
        elif node.type == "enum_constant" and node.child_by_field_name("body") is not None:
            kind = "class"
        return super()._definition(kind, node)

    def name_node(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the node of the name. The name of a component ``T... x`` is in a declarator."""
        return walk(node, *(("<variable_declarator",) if node.type == "spread_parameter" else ()), "name")

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the names in the class docstring for initialiser blocks and anonymous classes."""
        if node.type == "object_creation_expression":
            return f"<class:{line_col(node)}>"
        return _INITIALISERS.get(node.type) or super().definition_name(kind, node)

    def body_of(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the body. The grammar has no field for it in anonymous classes and initialiser blocks."""
        if node.type == "object_creation_expression":
            return step_to(node, "<class_body")
        if node.type == "static_initializer":
            return step_to(node, "-")
        return node if node.type == "block" else node.child_by_field_name("body")

    def outer_of(self, kind: SymbolKind, node: Node) -> Node:
        """Return the whole declaration if it declares only one field; otherwise `node`."""
        if node.type == "variable_declarator" and (parent := node.parent) is not None:
            declarators = parent.children_by_field_name("declarator")
            return parent if len(declarators) == 1 else node
        return node

    # ----------------------------------------------------------------- how it reads

    def scope_start(self, definition: Definition) -> int:
        """Return the first byte of the whole head; of an anonymous class, that of its body."""
        node, body = definition.node, definition.body
        if node.type == "object_creation_expression" and body is not None:
            return body.start_byte
        return node.start_byte

    def doc_of(self, definition: Definition, leading: str) -> str:
        return clean_doc(leading) if leading and definition.kind != "lambda" else ""

    def signature(self, definition: Definition) -> str:
        """Return the head on one line without annotations; for a field, its first line."""
        node = definition.node
        declaration = node.parent if node.type == "variable_declarator" else node
        if declaration is None:
            return ""
        start, end = declaration.start_byte, definition.end
        if definition.body is not None:
            end = definition.body.start_byte
        head = b""
        if (modifiers := _modifiers(node)) is not None:
            kept = [child for child in modifiers.children if child.type not in _ANNOTATIONS]
            head = b" ".join(self.code[child.start_byte : child.end_byte] for child in kept) + b" "
            start = modifiers.end_byte
        if node.type == "variable_declarator" and definition.outer is node:  # one of several
            kind = declaration.child_by_field_name("type")
            head += self.code[start : kind.end_byte] + b" " if kind is not None else b""
            start = node.start_byte
        text = (head + self.code[start : min(end, start + 4 * SIGNATURE_CHARS)]).decode("utf-8", "replace").strip()
        if definition.kind not in CALLABLE_KINDS | TYPE_KINDS:
            text = text.partition("\n")[0]
        text = " ".join(text.split())
        return text.removesuffix("->").rstrip(" {;=,")[:SIGNATURE_CHARS]

    def decorators(self, definition: Definition) -> tuple[str, ...]:
        return tuple(self.path_of(node.child_by_field_name("name")) for node in self.annotations(definition))

    def annotations(self, definition: Definition) -> list[Node]:
        """Return the annotations among the definition's modifiers."""
        marks = children_of(_modifiers(definition.node)) if self.annotated else ()
        return [child for child in marks if child.type in _ANNOTATIONS]

    annotated: bool  # whether the file has annotations at all
    has_package: bool

    # ----------------------------------------------------------------- facts that a definition itself states

    def on_definition(self, definition: Definition, scope: int) -> None:
        node = definition.node
        kind = node.type
        if definition.kind in ("method", "lambda"):
            self._callable(definition, scope)
        elif kind == "object_creation_expression":
            line = node.start_point[0] + 1
            self.bindings.append(Binding(scope, f"%class:{line_col(node)}", "variable", "", "", line))
            made = node.child_by_field_name("type")
            if made is not None and (name := self.paths.type_name(made)):
                self.bases.append(Base(scope, name, "extends", line))
        elif kind == "enum_constant":
            self._enum_constant(definition, scope)
        elif kind.endswith("_declaration"):
            self._type(node, scope)
        elif kind.endswith("_parameter"):  # a record's component
            self._parameter(definition.parent, node, "field")
        for annotation in self.annotations(definition):
            self.consumed.add(annotation.start_byte)
            self._annotation(definition.parent, annotation, (definition.name,))

    def _type(self, node: Node, scope: int) -> None:
        for child in node.named_children:
            kind = child.type
            if kind == "type_parameters":
                self._type_parameters(child, scope)
            elif kind == "superclass":
                self._bases(scope, child.named_children, "extends")
            elif kind in ("super_interfaces", "extends_interfaces"):
                listed = [each for types in child.named_children for each in types.named_children]
                self._bases(scope, listed, "implements" if kind == "super_interfaces" else "extends")

    def _bases(self, scope: int, types: Sequence[Node], manner: Literal["extends", "implements"]) -> None:
        for each in types:
            name = self.paths.type_name(each)
            if name:
                self.consume_type(each)
                given = tuple(map(self.text, children_of(each, "-") if each.type == "generic_type" else ()))
                self.bases.append(Base(scope, name, manner, each.start_point[0] + 1, "", given))

    def _enum_constant(self, definition: Definition, scope: int) -> None:
        node = definition.node
        enum = self.symbols[definition.parent]
        line = node.start_point[0] + 1
        if definition.kind == "class":
            self.bases.append(Base(scope, enum.name, "extends", line))
        else:
            self.bind(definition.parent, definition.name, "field", enum.name, (), line)
        self.references.append(Reference(definition.parent, "new", enum.name, line, self.arguments_of(node)))

    def _call_above(self, node: Node, scope: int) -> None:
        """Add the call ``super()`` of a constructor that calls no other constructor, in a class with a superclass."""
        body, name = node.child_by_field_name("body"), node.child_by_field_name("name")
        if body is None or name is None or walk(node, "^", "^", "superclass") is None:
            return
        if not any(child.type == "explicit_constructor_invocation" for child in body.named_children):
            self.refer(scope, "call", "super", name)

    def _callable(self, definition: Definition, scope: int) -> None:
        node = definition.node
        self._type_parameters(step_to(node, "<type_parameters"), scope)
        parameters = node.child_by_field_name("parameters")
        if parameters is not None:
            line = parameters.start_point[0] + 1
            for child in [parameters] if parameters.type == "identifier" else parameters.named_children:
                if child.type == "identifier":
                    self.bind(scope, self.text(child), "parameter", "", (), line)
                else:
                    self._parameter(scope, child, "parameter")
        if node.type == "constructor_declaration":
            self._call_above(node, scope)
        body = definition.body
        if definition.kind == "lambda":
            if body is not None and body.type != "block":
                self.give_back(scope, body)
        else:
            declared = node.child_by_field_name("type")
            if declared is not None and declared.type != "void_type":
                text = self.paths.type_text(declared, node.child_by_field_name("dimensions"))
                self.returns.append(Return(scope, text, "type"))

    def _parameter(self, scope: int, node: Node, manner: Literal["parameter", "field"]) -> None:
        line = node.start_point[0] + 1
        if node.type == "formal_parameter":
            name, kind = node.child_by_field_name("name"), node.child_by_field_name("type")
            if name is not None:
                text = self.paths.type_text(kind, node.child_by_field_name("dimensions"))
                self.bind(scope, self.text(name), manner, text, (), line)
        elif node.type == "spread_parameter":
            kind = next((child for child in node.named_children if child.type in TYPE_NODES), None)
            name = self.name_node("field", node)
            if name is not None:
                text, is_field = self.paths.type_text(kind), manner == "field"
                self.bind(scope, self.text(name), manner if is_field else "rest", text + "[]" * is_field, (), line)

    def _type_parameters(self, node: Node | None, scope: int) -> None:
        for child in children_of(node):
            if child.type != "type_parameter":
                continue
            name, bound = step_to(child, "<type_identifier"), step_to(child, "<type_bound")
            if name is not None:
                self.consumed.add(name.start_byte)
                text = self.text(bound).removeprefix("extends").strip()
                self.bind(scope, self.text(name), "type", text, (), name.start_point[0] + 1)

    def _annotation(self, scope: int, node: Node, args: tuple[str, ...]) -> None:
        name = node.child_by_field_name("name")
        if name is not None:
            self.refer(scope, "decorator", self.path_of(name), node, args)

    def on_reference_decorator(self, scope: int, node: Node) -> None:
        """Add an annotation of a parameter, local or type. Those of definitions are recorded with them."""
        if node.start_byte not in self.consumed:
            self._annotation(scope, node, ())

    def consume_type(self, node: Node) -> None:
        """Mark the parts of a type's name as recorded, but not its type arguments."""
        pending = [node]
        while pending:
            current = pending.pop()
            self.consumed.add(current.start_byte)
            if current.type != "type_identifier":
                pending.extend(child for child in current.named_children if child.type in CLASS_TYPES)


def _modifiers(node: Node) -> Node | None:
    """Return the modifiers of the declaration `node`, or of the declaration around a name with its value."""
    return walk(node, *("^" * (node.type == "variable_declarator")), "<modifiers")
