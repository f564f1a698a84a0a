"""What JavaScript's syntax says, beyond what every language shares."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from codeexplore.languages.extraction import Captures, Definition, Expressions, Extraction, Layout, anonymous_name
from codeexplore.languages.javascript.naming import CASTS, FUNCTION_VALUES, NAMED_VALUES, key_text, unwrapped
from codeexplore.languages.javascript.patterns import PATTERNS, PLAIN_NAME, TARGETS, ScriptPatterns
from codeexplore.types import Base, Binding, Reference, Return

if TYPE_CHECKING:
    from tree_sitter import Node

_PLACED = {
    "arrow_function": "%fn", "function_expression": "%fn", "generator_function": "%fn", "method_definition": "%fn",
    "object": "%dict", "array": "%list",
}  # fmt: skip
_SHORT_BYTES = 60
_INHERITS = ("inherits", "Object.setPrototypeOf")  # functions that make their first argument extend the second
_PLAIN_LITERALS = frozenset({"string", "number", "true", "false", "null", "undefined", "template_string", "regex"})
_DOC_PARAMETER = re.compile(r"@(?:param|arg|argument)\s*\{([^{}\n]+)\}\s*\[?([\w$]+)(?![\w$.])")
_DOC_RETURN = re.compile(r"@returns?\s*\{([^{}\n]+)\}")


class JavaScriptExtractor(ScriptPatterns):
    """Handlers for ``ecmascript.scm``, ``jsx.scm`` and ``tags.scm``.

    Access paths: ``a?.b``, ``a!``, ``x as T`` leave no trace; ``a["b"]`` is ``a.b``, ``a[0]`` stays, any other
    subscript is ``[]``. Literals that hold something are ``%dict:LINE:COL`` and ``%list:LINE:COL``, with a binding for
    each item that has a path (manner ``field``, name ``%dict:3:8.key`` or ``%list:3:8[0]``; a spread one's name ends in
    ``[*]`` in a list and is the object's own in an object). A destructured parameter is called ``%param:0`` by its
    position; its names are variables with paths from there. An element ``<C a={x}/>`` is a call of C with ``a=x``.
    """

    simple_path = re.compile(r"[^\W\d][\w$]*(?:\.#?[\w$]+)*|\$[\w$]*(?:\.#?[\w$]+)*")
    expressions = Expressions(
        attributes={
            "member_expression": ("object", "property"), "nested_identifier": ("object", "property"),
            "nested_type_identifier": ("module", "name"),
        },
        calls={"call_expression": "function", "new_expression": "constructor"},
        subscripts={"subscript_expression": "object"},
        names=frozenset({
            "identifier", "this", "super", "import", "type_identifier", "shorthand_property_identifier",
            "property_identifier",
        }),
        transparent=(CASTS - {"type_assertion"}) | {"parenthesized_expression", "await_expression"},
        literals={
            "string": "%str", "template_string": "%str", "number": "%num", "true": "%bool", "false": "%bool",
            "regex": "%regex", "jsx_element": "%jsx", "jsx_self_closing_element": "%jsx",
        },
        words={"true": "%bool", "false": "%bool", "null": "", "undefined": ""},
        branches={"binary_expression": (), "ternary_expression": ("consequence", "alternative"),
                  "sequence_expression": (), "assignment_expression": ("right",)},
    )  # fmt: skip

    def extract(
        self, path: str, language: str, data: bytes, root: Node, captures: Captures, layout: Layout
    ) -> Extraction:
        """Build the facts of one file."""
        self.loaded = set()
        self.literal_methods = set()
        self.decorated = "reference.decorator" in captures
        self.decorating: set[int] = set()  # first bytes of decorators that their definitions have told
        return super().extract(path, language, data, root, captures, layout)

    # ----------------------------------------------------------------- access paths

    def path_of(self, node: Node) -> str:
        """The access path of an expression; the most frequent forms come first."""
        start, end = node.start_byte, node.end_byte
        if end - start < _SHORT_BYTES and (path := self._paths.get(self.data[start:end])) is not None:
            return path
        place = _PLACED.get(node.type)
        if place is None:
            return super().path_of(node)
        if place != "%fn" and not node.named_child_count:
            return place
        row, column = node.start_point
        return f"{place}:{row + 1}:{column}"

    def subscript(self, node: Node) -> str:
        """A constant string is a property, a constant number an item."""
        index = node.child_by_field_name("index")
        if index is not None and index.type == "string":
            key = key_text(index, self.data)
            return "." + key if PLAIN_NAME.fullmatch(key) else "[]"
        if index is not None and index.type == "number" and index.end_byte - index.start_byte < 6:
            return f"[{self.text(index)}]"
        return "[]"

    def root_of(self, node: Node) -> str:
        """Literals that hold something and classes go by their place."""
        kind = node.type
        if kind in _PLACED:
            return self.path_of(node)
        if kind == "class":
            return "%class" + anonymous_name(node)[3:]
        if kind == "type_assertion" and node.named_child_count:
            return self.path_of(node.named_children[-1])
        return super().root_of(node)

    def branches_of(self, node: Node, fields: tuple[str, ...] | list[str]) -> list[Node]:  # type: ignore[override]
        """Both sides of ``||``, ``??`` and the right one of ``&&``; the last of a sequence."""
        if node.type == "binary_expression":
            operator = node.child_by_field_name("operator")
            kind = operator.type if operator is not None else ""
            fields = ("left", "right") if kind in ("||", "??") else ("right",) if kind == "&&" else ()
        elif node.type == "sequence_expression":
            return node.named_children[-1:]
        return super().branches_of(node, fields)

    # ----------------------------------------------------------------- what a definition says

    def on_definition(self, definition: Definition, scope: int) -> None:
        """Parameters, return type, bases, decorators, and the place a named value's path speaks of."""
        node, kind = definition.node, definition.kind
        if kind in ("function", "method", "lambda"):
            self._function(definition, scope)
        elif kind == "class":
            self.consume_name(node)
            if node.type == "class":
                self._own_place(scope, self.root_of(node), node)
            heritage = next((c for c in node.children if c.type == "class_heritage"), None)
            if heritage is not None:
                self.on_heritage(scope, heritage)
        if self.decorated:
            self._decorators(definition)

    def consume_name(self, node: Node) -> None:
        """A definition's own name and type parameters are no uses."""

    def _own_place(self, scope: int, path: str, node: Node) -> None:
        self.bindings.append(Binding(scope, path, "variable", "", "", node.start_point[0] + 1))

    def _function(self, definition: Definition, scope: int) -> None:
        node = definition.node
        if definition.kind != "lambda" and (node.type in FUNCTION_VALUES or node.start_byte in self.literal_methods):
            self._own_place(scope, anonymous_name(node), node)
        if definition.owner:
            line = node.start_point[0] + 1
            self.bindings.append(Binding(scope, "this", "receiver", definition.owner, "", line))
        parameters = node.child_by_field_name("parameters") or node.child_by_field_name("parameter")
        if parameters is not None:
            types = self.documented_types(definition)
            if parameters.type == "formal_parameters":
                self.parameters(definition, parameters, scope, types)
            else:
                self.bind(scope, self.text(parameters), "parameter", "", (), parameters.start_point[0] + 1)
        self.return_type(definition, scope)
        body = definition.body
        if body is not None and node.type == "arrow_function" and body.type != "statement_block":
            for value in self.values_of(body):
                self.returns.append(Return(scope, value, "return"))

    def documented_types(self, definition: Definition) -> dict[str, str]:
        """Types of parameters by name as a documentation comment gives them."""
        if not definition.leading:
            return {}
        leading = self.text(definition.leading[-1])
        if "{" not in leading:
            return {}
        return {name: kind for kind, name in _DOC_PARAMETER.findall(leading)}

    def return_type(self, definition: Definition, scope: int) -> None:
        """The type a function gives back, as its documentation comment says it."""
        if definition.leading and (found := _DOC_RETURN.search(self.text(definition.leading[-1]))):
            self.returns.append(Return(scope, found.group(1), "type"))

    def on_heritage(self, scope: int, node: Node) -> None:
        """``extends Base``."""
        for child in node.named_children:
            path = self.path_of(child)
            if path:
                if child.type != "call_expression":
                    self.consumed.add(child.start_byte)
                self.bases.append(Base(scope, path, "extends", child.start_point[0] + 1))

    def _decorators(self, definition: Definition) -> None:
        for node in (*definition.decorations, *self.inner_decorators(definition)):
            self.decorating.add(node.start_byte)
            self._decorator(definition.parent, node, (definition.name,))

    def _decorator(self, scope: int, node: Node, args: tuple[str, ...]) -> None:
        if node.named_child_count:
            target = node.named_children[0]
            path = self.path_of(target)
            if path:
                if target.type != "call_expression":
                    self.consumed.add(target.start_byte)
                self.references.append(Reference(scope, "decorator", path, node.start_point[0] + 1, args))

    def on_reference_decorator(self, scope: int, node: Node) -> None:
        """A decorator of a parameter; the others are told by their definitions."""
        if node.start_byte not in self.decorating:
            self._decorator(scope, node, ())

    # ----------------------------------------------------------------- uses

    def on_reference_call(self, scope: int, node: Node) -> None:
        """A call, ``super(…)`` and tagged templates too; ``require`` and ``import`` load modules."""
        callee = node.child_by_field_name("function")
        if callee is None:
            return
        self.consumed.add(callee.start_byte)
        path = self.path_of(callee)
        if path in ("require", "import"):
            self.load(scope, node)
        elif path:
            args = self._use(scope, "call", path, node)
            if len(args) > 1 and path.endswith(_INHERITS):
                subtype, base = (arg.removesuffix(".prototype") for arg in args[:2])
                if subtype and base:
                    self.bases.append(Base(scope, base, "extends", node.start_point[0] + 1, subtype))
        elif callee.type == "parenthesized_expression":  # (a || b)(x)
            for value in self.values_of(callee):
                self._use(scope, "call", value, node)

    def on_reference_new(self, scope: int, node: Node) -> None:
        """``new C(…)``."""
        callee = node.child_by_field_name("constructor")
        if callee is not None:
            self.consumed.add(callee.start_byte)
            path = self.path_of(callee)
            if path:
                self._use(scope, "new", path, node)

    def _use(self, scope: int, kind: Literal["call", "new"], path: str, node: Node) -> tuple[str, ...]:
        arguments = node.child_by_field_name("arguments")
        args = self.arguments(arguments) if arguments is not None else ()
        self.references.append(Reference(scope, kind, path, node.start_point[0] + 1, args))
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
        """A component in markup; a lowercase name is an element of the page."""
        name = node.child_by_field_name("name")
        if name is None:
            return
        self.consumed.add(name.start_byte)
        path = self.path_of(name)
        if path and ("." in path or not path[0].islower()) and name.type != "jsx_namespace_name":
            args = tuple(filter(None, map(self._attribute, node.children_by_field_name("attribute"))))
            self.references.append(Reference(scope, "call", path, node.start_point[0] + 1, args))

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

    def on_return(self, scope: int, node: Node) -> None:
        """A returned value; each branch of a conditional one."""
        if node.named_child_count:
            for value in self.values_of(node.named_children[0]):
                self.returns.append(Return(scope, value, "return"))

    def on_yield(self, scope: int, node: Node) -> None:
        """A yielded value; ``yield*`` gives each element of one."""
        if node.named_child_count:
            each = "[*]" if node.children[1].type == "*" else ""
            for value in self.values_of(node.named_children[0]):
                self.returns.append(Return(scope, value + each, "yield"))

    # ----------------------------------------------------------------- names and values

    def on_binding_variable(self, scope: int, node: Node) -> None:
        """A declared variable or pattern; a function or class is a symbol of its name already."""
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or (value is not None and value.type in NAMED_VALUES):
            return
        line = name.start_point[0] + 1
        if value is not None and self.bind_loaded(scope, name, value, line):
            return
        if name.type in PATTERNS:
            for path in (self.values_of(value) if value is not None else ()) or ("",):
                self.destructure(scope, name, path, line)
            return
        if value is not None and unwrapped(value).type in NAMED_VALUES:
            return
        values = self.values_of(value) if value is not None else ()
        self.bind(scope, self.text(name), "variable", self.type_of(node, value), values, line)

    def type_of(self, node: Node, value: Node | None) -> str:
        """The type that a declaration, or the value it gives, names."""
        return ""

    def on_binding_assigned(self, scope: int, node: Node) -> None:
        """An assignment to a name, a property or a pattern."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        line = left.start_point[0] + 1
        if left.type in PATTERNS:
            for path in self.values_of(right) or ("",):
                self.destructure(scope, left, path, line)
            return
        if left.type not in TARGETS:
            return
        self.consumed.add(left.start_byte)
        name = self.path_of(left)
        while right.type == "assignment_expression" and (inner := right.child_by_field_name("right")) is not None:
            right = inner
        values = self.values_of(right)
        if name.startswith(("exports.", "module.exports")):
            self.export_common(name, right, values[0] if values else "", line)
        if name:
            manner = "variable" if left.type == "identifier" else "field"
            self.bind(scope, name, manner, "", values, line)
            if name.endswith(".prototype"):
                base = self._prototype_base(right)
                if base:
                    self.bases.append(Base(scope, base, "extends", line, name.removesuffix(".prototype")))

    def _prototype_base(self, value: Node) -> str:
        """The base that ``A.prototype = new B()`` and ``= Object.create(B.prototype)`` name."""
        path, arguments = self.path_of(value), value.child_by_field_name("arguments")
        if path == "Object.create()" and arguments is not None:
            return next(iter(self.arguments(arguments)), "").removesuffix(".prototype")
        return path.removesuffix("()") if value.type == "new_expression" else ""

    def on_binding_field(self, scope: int, node: Node) -> None:
        """A field in a class's body."""
        name = node.child_by_field_name("name") or node.child_by_field_name("property")
        value = node.child_by_field_name("value")
        if name is None or (value is not None and unwrapped(value).type in NAMED_VALUES):
            return
        values = self.values_of(value) if value is not None else ()
        line = name.start_point[0] + 1
        self.bind(scope, key_text(name, self.data), "field", self.type_of(node, value), values, line)

    def on_binding_element(self, scope: int, node: Node) -> None:
        """``for (const x of xs)``; the names of ``for … in`` are strings."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None:
            return
        line = left.start_point[0] + 1
        if operator.type == "in":
            if left.type == "identifier":
                self.bind(scope, self.text(left), "variable", "", ("%str",), line)
            return
        path = self.path_of(right)
        if left.type == "identifier":
            self.bind(scope, self.text(left), "element", "", (path,), line)
        else:
            self.destructure(scope, left, path + "[*]" if path else "", line)

    def on_binding_exception(self, scope: int, node: Node) -> None:
        """``catch (error)``."""
        name = node.child_by_field_name("parameter")
        if name is not None and name.type == "identifier":
            self.bind(scope, self.text(name), "exception", self.type_of(node, None), (), name.start_point[0] + 1)
        elif name is not None:
            self.destructure(scope, name, "", name.start_point[0] + 1)

    def on_binding_pattern(self, scope: int, node: Node) -> None:
        """``x instanceof C`` narrows x."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        self.consumed.add(right.start_byte)
        name, kind, line = self.path_of(left), self.path_of(right), node.start_point[0] + 1
        if kind:
            self.references.append(Reference(scope, "type", kind, line))
            if name and name[0] != "%":
                self.bind(scope, name, "pattern", kind, (), line)

    def on_binding_items(self, scope: int, node: Node) -> None:
        """What an object or array literal holds: names used as values, and an item for each value with a path."""
        children = node.named_children
        if not children:
            return
        literal = self.path_of(node)
        if node.type == "array":
            index = 0
            for child in children:
                if child.type == "spread_element":
                    self._spread(scope, literal + "[*]", child)
                elif child.type not in _PLAIN_LITERALS:
                    self._item(scope, f"{literal}[{index}]", child)
                index += child.type != "comment"
            return
        for child in children:
            kind = child.type
            if kind == "pair":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is None or value is None or value.type in _PLAIN_LITERALS:
                    continue
                name = key_text(key, self.data)
                self._item(scope, f"{literal}.{name}" if PLAIN_NAME.fullmatch(name) else literal + "[]", value)
            elif kind == "shorthand_property_identifier":
                self._item(scope, f"{literal}.{self.text(child)}", child)
            elif kind == "method_definition" and (key := child.child_by_field_name("name")) is not None:
                self._item(scope, f"{literal}.{key_text(key, self.data)}", child)
            elif kind == "spread_element":
                self._spread(scope, literal, child)

    def _item(self, scope: int, name: str, value: Node) -> None:
        line = value.start_point[0] + 1
        if value.type in ("identifier", "shorthand_property_identifier"):
            self.references.append(Reference(scope, "read", self.text(value), line))
        self.bindings.extend(Binding(scope, name, "field", "", path, line) for path in self.values_of(value))

    def _spread(self, scope: int, name: str, node: Node) -> None:
        value = node.named_children[0] if node.named_child_count else None
        path = self.path_of(value) if value is not None else ""
        if value is not None and path:
            line = node.start_point[0] + 1
            if value.type == "identifier":
                self.references.append(Reference(scope, "read", path, line))
            manner: Literal["field", "element"] = "element" if name.endswith("[*]") else "field"
            self.bindings.append(Binding(scope, name, manner, "", path, line))
