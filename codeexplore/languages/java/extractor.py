"""Extractor of Java, on top of the common handlers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from tree_sitter import Node

from codeexplore.languages.base import words
from codeexplore.languages.extraction.expressions import Captures, Definition, enclosing, step_to, walk
from codeexplore.languages.extraction.local_names import last_line_if_sure, last_value
from codeexplore.languages.extraction.narrowing_ranges import C_FAMILY
from codeexplore.languages.java.definitions import JavaDefinitions
from codeexplore.types import Binding, Import, Reference

_BRANCHING = frozenset({"parenthesized_expression", "ternary_expression", "switch_expression"})
_TYPED_VALUES = frozenset({"object_creation_expression", "cast_expression"})
_BODIES = words(
    "method_declaration lambda_expression static_initializer compact_constructor_declaration constructor_body"
)
_TESTING = frozenset({"isInstance", "isAssignableFrom"})
_CLASS_OF = ".getClass"
MAX_ITEMS: Final = 64
"""Most items of a literal that are recorded. Longer literals are tables of data."""


class JavaExtractor(JavaDefinitions):
    """Extractor of Java, with handlers for the captures in ``tags.scm`` of this folder.

    An item of an array literal gets a binding if it has an access path. An assignment to a plain name that no scope of
    the file declares is recorded as ``this.name``. A resource of ``try`` is a variable, and its ``close`` is an
    implicit call.
    """

    conditions = C_FAMILY
    locals_called = False
    qualified_types = frozenset({"scoped_type_identifier"})
    quiet_types = words(
        """
        String Object Integer Long Boolean Double Float Character Byte Short Void Number List Map Set Collection
        Iterable Optional var
        """
    )
    blocks = dict.fromkeys(
        words("block constructor_body for_statement enhanced_for_statement switch_block_statement_group switch_rule"),
        "",
    ) | {"catch_clause": "", "try_with_resources_statement": "catch_clause"}

    def begin(self, captures: Captures) -> None:
        self.annotated = "reference.decorator" in captures

    def finish(self, placed: Sequence[Definition | None]) -> None:
        """Record assigned names without a local declaration as fields."""
        for position in self.assigned.settle(self.bindings, self.imports, placed):
            row = self.bindings[position]
            self.bindings[position] = row._replace(name="this." + row.name, manner="field")

    # ----------------------------------------------------------------- modules

    def on_import(self, scope: int, node: Node) -> None:
        """Add the names of ``import a.b.C`` or ``import static a.B.c``, or all names for ``*``."""
        name = next((child for child in node.named_children if child.type.endswith("identifier")), None)
        if name is None:
            return
        text, line = "".join(self.text(name).split()), node.start_point[0] + 1
        if node.named_children[-1].type == "asterisk":
            self.imports.append(Import(scope, "*", text, "*", line))
        else:
            module, _, member = text.rpartition(".")
            self.imports.append(Import(scope, member, module, member, line))

    # ----------------------------------------------------------------- uses

    def on_reference_call(self, scope: int, node: Node) -> None:
        """Add a call ``f(x)``, ``a.f(x)`` or ``I.super.f(x)``."""
        name, receiver = node.child_by_field_name("name"), node.child_by_field_name("object")
        self.consumed.add(node.start_byte)
        if name is None:
            return
        called = self.text(name)
        if receiver is not None:
            if node.named_children[1].type == "super":
                called = "super." + called
            found = self.path_of(receiver)
            paths = [found] if found else self.values_of(receiver) if receiver.type in _BRANCHING else []
            paths = [f"{path}.{called}" for path in paths]
        else:
            paths = [called]
        if paths:
            args, line = self.arguments_of(node), name.start_point[0] + 1
            self.references.extend(Reference(scope, "call", path, line, args) for path in paths)
            if called in _TESTING and len(args) == 1:  # T.class.isInstance(x)
                self._tested(scope, node, args[0].removesuffix(_CLASS_OF + "()"), paths[0].rpartition(".")[0])

    def on_reference_new(self, scope: int, node: Node) -> None:
        """Add a construction ``new T(x)``, which may be of an anonymous class."""
        made, name = node.child_by_field_name("type"), self.paths.made_name(node)
        self.consumed.add(node.start_byte)
        if made is not None and name:
            self.consume_type(made)
            self.refer(scope, "new", name, node, self.arguments_of(node))

    def on_reference_constructor(self, scope: int, node: Node) -> None:
        """Add a call ``this(x)`` or ``super(x)`` in a constructor."""
        called = node.child_by_field_name("constructor")
        if called is not None:
            self.refer(scope, "call", self.text(called), node, self.arguments_of(node))

    def on_reference_bare(self, scope: int, node: Node) -> None:
        """Add a name that stands alone. After ``case`` it may be a constant of the type of the switched value."""
        super().on_reference_bare(scope, node)
        around = node.parent
        if around is not None and around.type == "switch_label":
            self.read_case(scope, walk(enclosing(around, ("switch_expression",)), "condition"), node)

    def on_reference_method(self, scope: int, node: Node) -> None:
        """Add a method reference: ``T::m`` is a read of ``T.m``, ``T::new`` a read of ``T.new``."""
        owner, name = self.paths.method_reference(node)
        if not owner:
            return
        self.consumed.add(node.start_byte)
        self.refer(scope, "read", f"{owner}.{name}", node)

    # ----------------------------------------------------------------- names and values

    def on_binding_variable(self, scope: int, node: Node) -> None:
        self._declarators(scope, node, "variable")

    def on_binding_field(self, scope: int, node: Node) -> None:
        """Add bindings for the fields of a declaration in the scope of their class."""
        self._declarators(scope, node, "field")

    def _declarators(self, scope: int, node: Node, manner: Literal["variable", "field"]) -> None:
        declared = node.child_by_field_name("type")
        for declarator in node.children_by_field_name("declarator"):
            name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
            if name is None:
                continue
            text = self.paths.type_text(declared, declarator.child_by_field_name("dimensions"))
            if not text and value is not None and value.type in _TYPED_VALUES:
                text = self.paths.type_text(value.child_by_field_name("type"))  # var x = new T<A>()
            values = self.values_of(value)
            if manner == "variable":
                self.declare_local(scope, self.text(name), node, node.start_byte)
            self.bind(scope, self.text(name), manner, text, values, name.start_point[0] + 1)

    def on_binding_assigned(self, scope: int, node: Node) -> None:
        """Add a binding for the target of an assignment: a local variable, a parameter or a field."""
        left, right, sign = (node.child_by_field_name(each) for each in ("left", "right", "operator"))
        if left is None or right is None or sign is None or sign.type != "=":
            return
        self.store(scope, left)
        right = last_value(right)
        name, values = self.path_of(left), self.values_of(right)
        if not name:
            return
        manner: Literal["variable", "field"] = "variable" if left.type == "identifier" else "field"
        sure = last_line_if_sure(node, _BODIES)
        row = Binding(scope, name, manner, "", "", left.start_point[0] + 1, sure)
        self.assigned.add(self.bindings, row, values)

    def on_binding_element(self, scope: int, node: Node) -> None:
        """Add a binding for the variable of ``for (T x : xs)``."""
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None and value is not None:
            text = self.paths.type_text(node.child_by_field_name("type"), node.child_by_field_name("dimensions"))
            self.declare_local(scope, self.text(name), node, value.end_byte)
            self.bind(scope, self.text(name), "element", text, (self.path_of(value),), name.start_point[0] + 1)

    def on_binding_resource(self, scope: int, node: Node) -> None:
        """Add a binding for the resource of ``try (T r = open())``, and the call of its ``close``."""
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        line = node.start_point[0] + 1
        if name is None:
            path = self.path_of(step_to(node, ""))
        else:
            path = self.text(name)
            self.declare_local(scope, path, node, node.start_byte)
            text = self.paths.type_text(node.child_by_field_name("type"))
            self.bind(scope, path, "variable", text, self.values_of(value), line)
        if path:
            self.references.append(Reference(scope, "implicit", path + ".close", line))

    def on_binding_exception(self, scope: int, node: Node) -> None:
        """Add a binding for the exception of ``catch (A | B e)``."""
        name, kind = node.child_by_field_name("name"), step_to(node, "<catch_type")
        if name is not None:
            self.declare_local(scope, self.text(name), node, node.end_byte)
            self.bind(scope, self.text(name), "exception", self.paths.type_text(kind), (), name.start_point[0] + 1)

    def on_binding_pattern(self, scope: int, node: Node) -> None:
        """Add a binding for ``t`` in ``x instanceof T t``, or narrow the type of ``x`` in ``x instanceof T``."""
        left, right, name = (node.child_by_field_name(each) for each in ("left", "right", "name"))
        if left is None or right is None:
            return
        path, text, line = self.path_of(left), self.paths.type_text(right), node.start_point[0] + 1
        if name is not None:
            self.bind(scope, self.text(name), "variable", text, (path,), line)
        elif path and path[0] != "%":
            self.narrow(scope, node, path, text)

    def on_binding_compared(self, scope: int, node: Node) -> None:
        """Narrow the type of ``x`` in ``x.getClass() == T.class``."""
        left, right, operator = (node.child_by_field_name(each) for each in ("left", "right", "operator"))
        if left is None or right is None or operator is None or operator.type != "==":
            return
        if right.type == "method_invocation":
            left, right = right, left
        if right.type == "class_literal" and left.type == "method_invocation":
            name = self.path_of(left).removesuffix("()")
            if name.endswith(_CLASS_OF):
                self._tested(scope, node, name.removesuffix(_CLASS_OF), self.path_of(right))

    def _tested(self, scope: int, test: Node, name: str, type_text: str) -> None:
        """Narrow the type of `name` in a test against a class literal, such as ``T.class``."""
        if name and name[0] != "%" and type_text.endswith(".class"):
            self.narrow(scope, test, name, type_text.removesuffix(".class"))

    def on_binding_component(self, scope: int, node: Node) -> None:
        """Add a binding for the name in ``case T t``, or in a component of a record pattern."""
        if node.named_child_count > 1 and node.named_children[-1].type == "identifier":
            name, kind = node.named_children[-1], node.named_children[0]
            self.bind(scope, self.text(name), "variable", self.paths.type_text(kind), (), name.start_point[0] + 1)

    def on_binding_items(self, scope: int, node: Node) -> None:
        literal = self.paths.root_of(node)
        made = node.parent
        if made is not None and made.type == "array_creation_expression":
            self.bind(scope, literal, "field", self.paths.array_type(made), (), node.start_point[0] + 1)
        for index, child in enumerate(node.named_children[:MAX_ITEMS]):
            if child.type not in self.expressions.literals:
                self.bind_item(scope, f"{literal}[{index}]", child)
