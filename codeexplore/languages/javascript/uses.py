"""Calls, constructions, markup and return values in JavaScript and TypeScript."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from codeexplore.languages.extraction import record
from codeexplore.languages.extraction.narrowing_ranges import Conditions
from codeexplore.languages.javascript.patterns import ScriptPatterns
from codeexplore.types import Base, Binding, Reference, Return

if TYPE_CHECKING:
    from tree_sitter import Node

_FACTORIES = ("h", "createElement")  # functions that a compiler calls for each element, where they are imported
_INHERITS = ("inherits", "Object.setPrototypeOf")  # functions that make their first argument extend the second
_CONDITIONS = Conditions(
    branching={"if_statement": "consequence", "while_statement": "body", "ternary_expression": "consequence"},
    leaving=frozenset({"return_statement", "throw_statement", "continue_statement", "break_statement"}),
)


class ScriptUses(ScriptPatterns):
    """Handlers for uses of names."""

    callee_first = True

    def on_reference_call(self, scope: int, node: Node) -> None:
        """A call, ``super(…)`` and tagged templates too; ``require`` and ``import`` load modules."""
        callee = node.child_by_field_name("function")
        if callee is None:
            return
        self.consumed.add(callee.start_byte)
        path = self.path_of(callee)
        if path.startswith("%type(") and callee.type == "parenthesized_expression":  # (f as T)(x) calls f
            path = next(iter(self.values_of(callee, 1)), path)
        if path in ("require", "import"):
            self.load(scope, node)
        elif path:
            args = self._use(scope, "call", path, node, self.line_called(callee))
            if len(args) > 1 and path.endswith(_INHERITS):
                subtype, base = (arg.removesuffix(".prototype") for arg in args[:2])
                if subtype and base:
                    self.bases.append(Base(scope, base, "extends", node.start_point[0] + 1, subtype))
        elif callee.type == "parenthesized_expression":  # (a || b)(x)
            for value in self.values_of(callee):
                self._use(scope, "call", value, node, self.line_called(callee))

    def on_reference_new(self, scope: int, node: Node) -> None:
        """``new C(…)``."""
        callee = node.child_by_field_name("constructor")
        if callee is not None:
            self.consumed.add(callee.start_byte)
            path = self.path_of(callee)
            if path:
                self._use(scope, "new", path, node, node.start_point[0] + 1)

    def _use(self, scope: int, kind: Literal["call", "new"], path: str, node: Node, line: int) -> tuple[str, ...]:
        arguments = node.child_by_field_name("arguments")
        args = self.cached_arguments(arguments) if arguments is not None else ()
        self.references.append(record(Reference, (scope, kind, path, line, args)))
        return args

    def arguments(self, node: Node) -> tuple[str, ...]:
        """Paths by position, ``*path`` for spread ones."""
        if node.end_byte - node.start_byte == 2 or node.type != "arguments":
            return ()
        paths = []
        literals = self.expressions.literals
        for child in node.named_children:
            kind = child.type
            if kind in literals:
                paths.append(literals[kind])
            elif kind == "spread_element":
                path = self.path_of(child.named_children[0]) if child.named_child_count else ""
                paths.append("*" + path if path else "")
            elif kind == "binary_expression" or kind == "ternary_expression":
                paths.append(next(iter(self.values_of(child, 1)), ""))
            elif kind != "comment":
                paths.append(self.path_of(child))
        while paths and not paths[-1]:
            paths.pop()
        return tuple(paths)

    def on_reference_element(self, scope: int, node: Node) -> None:
        """A component in markup; a lowercase name is an element of the page.

        Where the file imports the function that makes elements, each element calls it.
        """
        name, line = node.child_by_field_name("name"), node.start_point[0] + 1
        factory = next((row.name for row in self.imports if row.name in _FACTORIES), "")
        if name is None:  # <>…</>
            if factory:
                self.references.append(Reference(scope, "call", factory, line, ("Fragment",)))
                self.references.append(Reference(scope, "call", "Fragment", line))
            return
        self.consumed.add(name.start_byte)
        path = self.path_of(name)
        is_component = path and ("." in path or not path[0].islower()) and name.type != "jsx_namespace_name"
        if factory:
            self.references.append(Reference(scope, "call", factory, line, (path if is_component else "%str",)))
        if is_component:
            args = tuple(filter(None, map(self._attribute, node.children_by_field_name("attribute"))))
            self.references.append(Reference(scope, "call", path, line, args))

    def _attribute(self, node: Node) -> str:
        if node.type == "jsx_expression":  # {...props}
            spread = node.named_children[0] if node.named_child_count else None
            path = self.path_of(spread.named_children[0]) if spread is not None and spread.named_child_count else ""
            return "**" + path if path else ""
        if node.named_child_count < 2:
            return ""
        name, value = node.named_children[0], node.named_children[-1]
        if value.type == "jsx_expression":
            if not value.named_child_count:
                return ""
            value = value.named_children[0]
        path = self.path_of(value)
        return f"{self.text(name)}={path}" if path else ""

    def on_reference_closing(self, scope: int, node: Node) -> None:
        """The closing tag uses nothing anew."""
        name = node.child_by_field_name("name")
        if name is not None:
            self.consumed.add(name.start_byte)

    def on_binding_pattern(self, scope: int, node: Node) -> None:
        """``x instanceof C`` narrows x."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        self.consumed.add(right.start_byte)
        name, kind, line = self.path_of(left), self.path_of(right), node.start_point[0] + 1
        if kind:
            self.references.append(Reference(scope, "type", kind, line))
            if not name or name[0] == "%":
                return
            lines = _CONDITIONS.lines(node) if name.isidentifier() else None
            if lines is None:
                self.bind(scope, name, "pattern", kind, (), line)
            else:
                self.bindings.append(Binding(scope, name, "pattern", kind, "", lines.first, lines.last))

    def on_return(self, scope: int, node: Node) -> None:
        """A returned value; each branch of a conditional one."""
        if node.named_child_count:
            for value in self.values_of(node.named_children[0]):
                self.returns.append(Return(scope, value, "return"))

    def on_yield(self, scope: int, node: Node) -> None:
        """Add a yielded value; ``yield*`` yields each element of its operand."""
        if node.named_child_count:
            each = "[*]" if node.children[1].type == "*" else ""
            for value in self.values_of(node.named_children[0]):
                self.returns.append(Return(scope, value + each, "yield"))
