"""Extractor of JavaScript, on top of the common handlers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from tree_sitter import Node

from codeexplore.languages.base import words
from codeexplore.languages.extraction.expressions import (
    Captures,
    Definition,
    Layout,
    anonymous_name,
    children_of,
    enclosing,
    record,
    step_to,
    walk,
)
from codeexplore.languages.extraction.extractor import SIGNATURE_CHARS, Extractor, Part
from codeexplore.languages.extraction.leading_trivia import clean_doc
from codeexplore.languages.extraction.local_names import last_line_if_sure, last_value
from codeexplore.languages.extraction.narrowing_ranges import C_FAMILY, Lines
from codeexplore.languages.javascript.modules import ScriptModules
from codeexplore.languages.javascript.paths import (
    DEFAULT,
    EXPORTS,
    FUNCTION_VALUES,
    NAMED_VALUES,
    ScriptPaths,
    key_step,
    key_text,
    unwrapped,
)
from codeexplore.languages.javascript.patterns import DEFAULTS, PATTERNS, TARGETS, ScriptLiterals, ScriptPatterns
from codeexplore.languages.javascript.symbols import AROUND, ScriptDecorators, ScriptDefinitions, function_type
from codeexplore.types import (
    CALLABLE_KINDS,
    GUARD,
    Base,
    Binding,
    Export,
    Import,
    Reference,
    Return,
    Symbol,
    SymbolKind,
)

# functions that the compiler calls for each element of markup, if the file imports them
_FACTORIES = ("h", "createElement")


class ScriptMarkup(Part):
    """Handlers for markup elements such as ``<Card title={x}/>``."""

    paths: ScriptPaths

    def on_reference_element(self, scope: int, node: Node) -> None:
        """Add the use of a component, and the call of the function that makes elements, if the file imports it.

        A lowercase name is an HTML element and is left out.
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
            path = self.path_of(walk(node, "", ""))
            return "**" + path if path else ""
        if node.named_child_count < 2:
            return ""
        name, value = node.named_children[0], node.named_children[-1]
        path = self.path_of(step_to(value, "") if value.type == "jsx_expression" else value)
        return f"{self.text(name)}={path}" if path else ""

    def on_reference_closing(self, scope: int, node: Node) -> None:
        """Mark the name in a closing tag as recorded, because the opening tag is recorded already."""
        name = node.child_by_field_name("name")
        if name is not None:
            self.consumed.add(name.start_byte)


EXTENSIONS: Final = (".js", ".mjs", ".cjs", ".jsx", ".es6", ".ts", ".mts", ".cts", ".tsx")
_MODIFIERS = re.compile(r"^(?:(?:export|default|declare)\s+)+")
_LICENSE = re.compile(r"copyright|licen[cs]e|@preserve|eslint-|@ts-|^#!", re.IGNORECASE)
_BRACED = r"\{((?:[^{}\n]|\{[^{}\n]*\})+)\}"
_DOC_PARAMETER = re.compile(rf"@(?:param|arg|argument)\s*{_BRACED}\s*\[?([\w$]+)(?![\w$.])")
_DOC_RETURN = re.compile(rf"@returns?\s*{_BRACED}")
_DOC_TYPE = re.compile(rf"@type\s*{_BRACED}")
_DOC_TYPEDEF = re.compile(rf"@typedef\s*{_BRACED}\s*([\w$]+)")
_DOC_BASE = re.compile(r"@(implements|extends|augments)\s*(?:\{\s*)?!?([\w$]+(?:\.[\w$]+)*)")
_DOC_PROPERTY = re.compile(rf"@prop(?:erty)?\s*{_BRACED}\s*\[?([\w$]+)(?![\w$.])")
_IMPORTED_TYPE = re.compile(r"\bimport\(\s*([\"'])([^\"'\n]+)\1\s*\)(?=\.)")
_GUARD = re.compile(r"[\w$]+\s+is\s+(.+)", re.DOTALL)
_KEYS = (b"Symbol(", b"Symbol.for(", b"'", b'"')  # beginnings of values that are keys of members
_STATEMENTS = frozenset({"lexical_declaration", "variable_declaration", "export_statement", "expression_statement"})
_EMPTY = ("%dict", "%list")  # paths of literals that are filled later
_DEFINES = ("Object.defineProperty", "Reflect.defineProperty")
_INHERITS = ("inherits", "Object.setPrototypeOf")  # functions that make their first argument extend the second
_BLOCKS = words("statement_block for_statement for_in_statement catch_clause switch_body program")
_STATEMENTS_IN = words(
    """
    if_statement else_clause for_statement for_in_statement while_statement do_statement try_statement catch_clause
    finally_clause statement_block program switch_case switch_default labeled_statement
    """
)
"""Statements whose block is no body of a function."""
_GUARDED = words("parenthesized_expression binary_expression unary_expression ternary_expression expression_statement")
_BODIES = FUNCTION_VALUES | words("function_declaration generator_function_declaration method_definition program")


def guard_result(text: str) -> str:
    """Return ``boolean is Foo`` for a type predicate ``x is Foo``; "" for another type."""
    found = _GUARD.fullmatch(text)
    return f"boolean is {found[1]}" if found is not None else ""


class JavaScriptExtractor(Extractor):
    """Extractor of JavaScript. Its queries are ``ecmascript.scm``, ``jsx.scm`` and ``tags.scm``.

    The name of a module is its path without extension and without ``/index``. Symbols follow after dots:
    ``src/services/session.SessionService.validate``.

    A function or class that is a value has an access path with its position, such as ``%fn:LINE:COL``. If no symbol has
    this name, it is found by a binding in its own scope: name ``%fn:LINE:COL`` or ``%class:LINE:COL``, manner
    ``variable``, no value.

    - An item of a literal gets a binding if it has an access path: manner ``field``, name ``%dict:3:8.key``,
      ``%list:3:8[0]``, or ``%list:3:8[]`` for the items of a spread value. A spread object gets a binding with the name
      of the literal.
    - A destructured parameter is called by its position, ``{0}``. The names in its pattern are variables whose paths
      begin with this name.
    - An assignment belongs to the scope that declares the name, or to the module.
    - An element ``<C a={x}/>`` is a call of C with the argument ``a=x``.
    """

    paths: ScriptPaths
    conditions = C_FAMILY
    documented = True  # comments declare types
    wrappers = AROUND
    parent_kinds = Extractor.scope_kinds | {"constant", "field", "module"}
    outline_captures = Extractor.outline_captures | {"reference.decorator"}
    callee_first = True

    def __init__(self) -> None:
        super().__init__(ScriptPaths())
        self._typed = False  # comments of this file declare types
        self._block: tuple[int, int] | None = None  # bytes of the block whose names are bound
        self.definitions = ScriptDefinitions(self.paths, self.body_of, super()._definition)
        self.modules = ScriptModules(self)
        self.patterns = ScriptPatterns(self)
        self.marks = ScriptDecorators(self)
        self.parts = (self.modules, self.marks, ScriptMarkup(self), ScriptLiterals(self))

    def begin(self, captures: Captures) -> None:
        self.modules.begin()
        self.definitions.begin()
        self.marks.begin("reference.decorator" in captures)
        self._typed = self.documented and b"@type" in self.data  # once, because a bundle has thousands of declarations

    def finish(self, placed: Sequence[Definition | None]) -> None:
        """Record assigned names without a declaration in the module, because they are global."""
        for position in self.assigned.settle(self.bindings, self.imports, placed):
            self.bindings[position] = self.bindings[position]._replace(scope=0)
        if self._typed and b"@typedef" in self.data:
            self._documented_typedefs()

    # ----------------------------------------------------------------- modules and symbols

    def module_name(self, path: str, root: Node, layout: Layout) -> str:
        """Return the path without its extension (such as ``.d.ts``) and without ``/index`` at its end."""
        extension = next((each for each in EXTENSIONS if path.endswith(each)), "")
        path = path.removesuffix(extension).removesuffix(".d") if extension else path
        return path.removesuffix("/index")

    def module_symbol_name(self, root: Node) -> str:
        return self.module.rpartition("/")[2] or self.module

    def module_doc(self, root: Node) -> str:
        """Return the text of a file's first comment, if a blank line separates it from the code."""
        if not root.named_child_count:
            return ""
        first = root.named_children[0]
        if first.type == "hash_bang_line" and root.named_child_count > 1:
            first = root.named_children[1]
        text = self.text(first) if first.type == "comment" else ""
        apart = self.data[first.end_byte : first.end_byte + 4].count(b"\n") > 1
        if not (apart or "@file" in text or "@module" in text) or _LICENSE.search(text):
            return ""
        return clean_doc(text)

    def _definitions(self, captures: Captures) -> list[Definition]:
        factories, wrapped = self.definitions.wrapped(captures.get("definition.lambda", ()))
        for each in factories:
            self.exports.append(Export("=", f"{anonymous_name(each)}()", "", each.start_point[0] + 1))
        if wrapped:
            captures = {**captures, "definition.constant": [*captures.get("definition.constant", ()), *wrapped]}
        return super()._definitions(captures)

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        return self.definitions.find(kind, node)

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name of a declaration; ``default`` if it has none."""
        name = self.name_node(kind, node)
        return key_text(name, self.data) if name is not None else DEFAULT

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name. Qualifiers that repeat the name of a parent constant are left out."""
        qualifier = definition.qualifier
        if qualifier and parent.kind in ("constant", "field"):
            qualifier = "" if qualifier == parent.name else qualifier.removeprefix(parent.name + ".")
        names = (parent.fqn, qualifier, definition.name) if qualifier else (parent.fqn, definition.name)
        return ".".join(names)

    def scope_start(self, definition: Definition) -> int:
        """Return the byte from which parameters of a function and bases of a class follow, but no decorators."""
        node, named = definition.node, definition.named
        if definition.body is None and definition.kind not in CALLABLE_KINDS:
            return definition.end
        inside = named is not None and node.start_byte <= named.start_byte < node.end_byte
        return named.end_byte if named is not None and inside else node.start_byte

    def doc_of(self, definition: Definition, leading: str) -> str:
        return clean_doc(leading) if leading and definition.kind != "lambda" else ""

    def signature(self, definition: Definition) -> str:
        """Return the head on one line without decorators and ``export``; for a constant, its first line."""
        outer, body = definition.outer, definition.body
        start = outer.start_byte
        start = max([start, *(node.end_byte for node in self.marks.inner(definition))])
        end = body.start_byte if body is not None else definition.end
        head = self.code[start : min(end, start + 4 * SIGNATURE_CHARS)].decode("utf-8", "replace").strip()
        if body is None and definition.kind not in CALLABLE_KINDS and definition.node.type != "property_signature":
            head = head.partition("\n")[0]
        head = " ".join(head.split())
        if head[:1] in ("e", "d"):
            head = _MODIFIERS.sub("", head)
        return head.rstrip(" {=>;,:" if body is not None and "=>" in head[-4:] else " {;,:=")[:SIGNATURE_CHARS]

    def decorators(self, definition: Definition) -> tuple[str, ...]:
        """Return the access paths of the decorators, outermost first."""
        return self.marks.paths_of(definition)

    # ----------------------------------------------------------------- facts of a definition

    def on_definition(self, definition: Definition, scope: int) -> None:
        """Add parameters, result, bases and decorators, and a binding for a value that its place names."""
        node, kind = definition.node, definition.kind
        if kind in ("function", "method", "lambda"):
            self._function(definition, scope)
        elif kind == "class":
            self.consume_name(node)
            if node.type == "class":
                self.bind(scope, self.path_of(node), "variable", "", (), node.start_point[0] + 1)
            heritage = step_to(node, "<class_heritage")
            if heritage is not None:
                self.on_heritage(scope, heritage)
            self._documented_bases(definition, scope, heritage is not None)
        self.marks.use(definition)

    def consume_name(self, node: Node) -> None:
        """Mark the name of a type's definition as recorded, because TypeScript's grammar parses it like a use."""
        if (name := node.child_by_field_name("name")) is not None:
            self.consumed.add(name.start_byte)

    def _function(self, definition: Definition, scope: int) -> None:
        node = definition.node
        if definition.kind != "lambda" and (
            node.type in FUNCTION_VALUES or node.start_byte in self.definitions.literal_methods
        ):
            self.bind(scope, anonymous_name(node), "variable", "", (), node.start_point[0] + 1)
        if definition.owner:
            self.bindings.append(Binding(scope, "this", "receiver", definition.owner, "", node.start_point[0] + 1))
        head = function_type(node) or node
        parameters = head.child_by_field_name("parameters") or head.child_by_field_name("parameter")
        if parameters is not None:
            types = self.documented_types(definition)
            if parameters.type == "formal_parameters":
                self.parameters(definition, parameters, scope, types)
            else:
                self.bind(scope, self.text(parameters), "parameter", "", (), parameters.start_point[0] + 1)
        self.return_type(definition, scope)
        body = definition.body
        if body is not None and node.type == "arrow_function" and body.type != "statement_block":
            self.give_back(scope, body)

    def documented_types(self, definition: Definition) -> dict[str, str]:
        """Return parameter name → type, from the documentation comment."""
        if not definition.leading or not self.documented:
            return {}
        comment = definition.leading[-1]
        return {name: self.with_imports(kind, comment) for kind, name in _DOC_PARAMETER.findall(self.text(comment))}

    def _documented_bases(self, definition: Definition, scope: int, extends: bool) -> None:
        """Add the supertypes in a class's documentation comment: ``@implements {Reader}``, ``@extends {Base<T>}``."""
        comment = self.text(definition.leading[-1]) if definition.leading and self.documented else ""
        line = definition.node.start_point[0] + 1
        for word, path in _DOC_BASE.findall(comment):
            if word == "implements":
                self.bases.append(Base(scope, path, "implements", line))
            elif not extends:
                self.bases.append(Base(scope, path, "extends", line))

    def _documented_typedefs(self) -> None:
        """Add the types that comments of a file define: ``@typedef {A | B} C``, with the members that follow it."""
        for part in self.data.decode("utf-8", "replace").split("/**")[1:]:
            comment = part.partition("*/")[0]
            for found in _DOC_TYPEDEF.finditer(comment):
                members = "; ".join(f"{name}: {kind}" for kind, name in _DOC_PROPERTY.findall(comment, found.end()))
                text = f"{{ {members} }}" if members and found[1].lower() == "object" else found[1]
                self.bind(0, found[2], "type", self.with_imports(text), (), 1)

    def documented_type(self, node: Node) -> str:
        """Return the type in a comment ``/** @type {T} */`` before a declaration, an assignment or a field."""
        if not self._typed:
            return ""
        while node.parent is not None and node.parent.type in _STATEMENTS:
            node = node.parent
        comment = node.prev_sibling
        if comment is None or comment.type != "comment":
            return ""
        found = _DOC_TYPE.search(self.text(comment))
        return self.with_imports(found[1], comment) if found is not None else ""

    def with_imports(self, text: str, node: Node | None = None) -> str:
        """Return a type with names for the modules that it imports: ``import("./pool").Pool``, as an import does."""
        if "import(" not in text:
            return text
        row, column = node.start_point if node is not None else (0, 0)

        def name_of(found: re.Match[str]) -> str:
            name = f"_import_{row + 1}_{column}_{found.start()}"
            self.imports.append(Import(0, name, found[2], "", row + 1))
            return name

        return _IMPORTED_TYPE.sub(name_of, text)

    def return_type(self, definition: Definition, scope: int) -> None:
        """Add the return type from a function's documentation comment."""
        comment = definition.leading[-1] if definition.leading else None
        if comment is not None and (found := _DOC_RETURN.search(self.text(comment))):
            self.returns.append(Return(scope, guard_result(found[1]) or self.with_imports(found[1], comment), "type"))

    def on_heritage(self, scope: int, node: Node) -> None:
        """Add the supertype in ``extends Base``."""
        self.extend(scope, node.named_children)

    def extend(self, scope: int, values: Iterable[Node], given: tuple[str, ...] = ()) -> None:
        """Add supertypes that are given by their values, with the type arguments `given`."""
        for child in values:
            path = self.path_of(child)
            if path:
                if child.type != "call_expression":
                    self.consumed.add(child.start_byte)
                self.bases.append(Base(scope, path, "extends", child.start_point[0] + 1, "", given))

    # ----------------------------------------------------------------- names and values

    def bind(self, scope: int, name: str, manner: str, type_text: str, values: Sequence[str], line: int) -> None:
        """Add bindings; a name that a block declares is known in this block only."""
        if self._block is not None and name.isidentifier():
            self.locals.declare(scope, name, *self._block)
        super().bind(scope, name, manner, type_text, values, line)

    def _block_of(self, node: Node) -> tuple[int, int] | None:
        """Return the bytes of the block that hides outer names by what `node` declares; None for a whole function."""
        current = enclosing(node.parent, _BLOCKS)
        around = walk(current, "^")
        if current is None or around is None:
            return None
        is_body = current.type == "statement_block" and around.type not in _STATEMENTS_IN
        return None if is_body else (current.start_byte, current.end_byte)

    def on_binding_variable(self, scope: int, node: Node) -> None:
        declaration = node.parent
        self._block = self._block_of(node) if declaration is not None and declaration.type[0] == "l" else None
        self._variable(scope, node)
        self._block = None

    def _variable(self, scope: int, node: Node) -> None:
        """Add the names that a declaration binds. A function or class has a symbol with its name instead."""
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or (value is not None and value.type in NAMED_VALUES):
            self._expected(scope, node, name)
            return
        line = name.start_point[0] + 1
        if value is not None and self.data.startswith(_KEYS, value.start_byte):
            self.paths.keys.add(self.text(name))
        if value is not None and self.modules.bind_loaded(scope, name, value, line):
            return
        if name.type in PATTERNS:
            for path in self.values_of(value) or ("",):
                self.patterns.destructure(scope, name, path, line)
            return
        if value is not None and unwrapped(value).type in NAMED_VALUES:
            return
        values = self.values_of(value)
        if values == [EXPORTS]:
            self.modules.aliases.add(self.text(name))
        self.bind(scope, self.text(name), "variable", self.type_of(node, value), values, line)

    def _expected(self, scope: int, node: Node, name: Node | None) -> None:
        """Add the declared type of a variable whose value is a function: it types the parameters."""
        text = self.type_of(node, None)
        if text and name is not None:
            manner = "variable" if node.type == "variable_declarator" else "field"
            self.bind(scope, key_text(name, self.data), manner, text, (), name.start_point[0] + 1)

    def type_of(self, node: Node, value: Node | None) -> str:
        """Return the type that a declaration or its value names; in JavaScript, its comment names it."""
        return self.documented_type(node)

    def on_binding_assigned(self, scope: int, node: Node) -> None:
        """Add a binding for the target of an assignment: a name, a property or a pattern."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        left = unwrapped(left)  # (api.setState as any) = f
        line = left.start_point[0] + 1
        if left.type in PATTERNS:
            for path in self.values_of(right) or ("",):
                self.patterns.destructure(scope, left, path, line)
            return
        if left.type not in TARGETS:
            return
        self.store(scope, left)
        name = self.path_of(left)
        right = last_value(right)
        values = self.values_of(right)
        whole = name == EXPORTS and left.type == "member_expression"
        if whole or name.startswith(f"{EXPORTS}."):
            value = values[0] if values else ""
            self.modules.export_common(name, right, self._holder(node) or value if value in _EMPTY else value, line)
        elif name.partition(".")[0] in self.modules.aliases and name.count(".") == 1 and values:
            self.modules.export_common(f"{EXPORTS}.{name.partition('.')[2]}", right, values[0], line)
        if name and not whole:
            manner: Literal["variable", "field"] = "variable" if left.type == "identifier" else "field"
            sure = last_line_if_sure(node, _BODIES)
            row = Binding(scope, name, manner, self.documented_type(node), "", line, sure)
            self.assigned.add(self.bindings, row, values)
            if name.endswith(".prototype"):
                base = self._prototype_base(right)
                if base:
                    self.bases.append(Base(scope, base, "extends", line, name.removesuffix(".prototype")))

    def _holder(self, node: Node) -> str:
        """Return the variable of ``var app = module.exports = {}``, whose members are exported; "" for none."""
        while node.parent is not None and node.type == "assignment_expression":
            node = node.parent
        name = node.child_by_field_name("name") if node.type == "variable_declarator" else None
        return self.text(name) if name is not None and name.type == "identifier" else ""

    def _prototype_base(self, value: Node) -> str:
        """Return the supertype in ``A.prototype = new B()`` or ``… = Object.create(B.prototype)``; "" for none."""
        path, arguments = self.path_of(value), value.child_by_field_name("arguments")
        if path.startswith("Object.create(") and arguments is not None:
            return next(iter(self.arguments(arguments)), "").removesuffix(".prototype")
        return path.removesuffix("()") if value.type == "new_expression" else ""

    def on_binding_field(self, scope: int, node: Node) -> None:
        name = node.child_by_field_name("name") or node.child_by_field_name("property")
        value = node.child_by_field_name("value")
        if name is None or (value is not None and unwrapped(value).type in NAMED_VALUES):
            self._expected(scope, node, name)
            return
        key, line = key_text(name, self.data), name.start_point[0] + 1
        self.bind(scope, key, "field", self.type_of(node, value), self.values_of(value), line)

    def on_binding_element(self, scope: int, node: Node) -> None:
        """Add a binding for the variable of ``for (const x of xs)``. The variable of ``for … in`` is a string."""
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
        declared = node.child_by_field_name("kind")
        self._block = (node.start_byte, node.end_byte) if declared is not None and declared.type != "var" else None
        if left.type == "identifier":
            if node.child_by_field_name("kind") is None:  # the variable was declared before
                self.assigned.rows.add(len(self.bindings))
            self.bind(scope, self.text(left), "element", "", (path,), line)
        else:
            self.patterns.destructure(scope, left, path + "[*]" if path else "", line)
        self._block = None

    def on_binding_exception(self, scope: int, node: Node) -> None:
        """Add a binding for the variable of ``catch (error)``."""
        name = node.child_by_field_name("parameter")
        self._block = (node.start_byte, node.end_byte)
        if name is not None and name.type == "identifier":
            self.bind(scope, self.text(name), "exception", self.type_of(node, None), (), name.start_point[0] + 1)
        elif name is not None:
            self.patterns.destructure(scope, name, "", name.start_point[0] + 1)
        self._block = None

    # ----------------------------------------------------------------- parameters

    def parameters(self, definition: Definition, node: Node, scope: int, types: dict[str, str]) -> None:
        """Add bindings for all parameters of a function, in order."""
        for position, child in enumerate(child for child in node.named_children if child.type != "comment"):
            self.parameter(definition, child, scope, position, types)

    def parameter(self, definition: Definition, node: Node, scope: int, position: int, types: dict[str, str]) -> None:
        """Add a binding for one parameter: a name or a pattern, with or without a default, or a rest parameter."""
        target: Node | None = node
        default = None
        if node.type in DEFAULTS:
            target, default = node.child_by_field_name("left"), node.child_by_field_name("right")
        if target is not None:
            self.patterns.bind_parameter(scope, target, default, position, types)

    # ----------------------------------------------------------------- uses and results

    def on_reference_call(self, scope: int, node: Node) -> None:
        """Add a call, also ``super(…)`` and a tagged template; for ``require`` and ``import`` an import."""
        callee = node.child_by_field_name("function")
        if callee is None:
            return
        self.consumed.add(callee.start_byte)
        path = self.paths.callee(callee)
        if path.startswith("%type(") and callee.type == "parenthesized_expression":  # (f as T)(x) calls f
            path = next(iter(self.values_of(callee, 1)), path)
        if path in ("require", "import"):
            self.modules.load(scope, node)
        elif path:
            args = self._use(scope, "call", path, node, self.line_called(callee))
            if path.endswith(_DEFINES) and len(args) > 1 and args[0]:
                self._defined(scope, args[0], [c for c in children_of(node, "arguments") if c.type != "comment"][1:])
            if len(args) > 1 and path.endswith(_INHERITS):
                subtype, base = (arg.removesuffix(".prototype") for arg in args[:2])
                if subtype and base:
                    self.bases.append(Base(scope, base, "extends", node.start_point[0] + 1, subtype))
        elif callee.type == "parenthesized_expression":  # (a || b)(x)
            for value in self.values_of(callee):
                self._use(scope, "call", value, node, self.line_called(callee))

    def _defined(self, scope: int, owner: str, given: Sequence[Node]) -> None:
        """Add the member that ``Object.defineProperty(owner, "name", { get() {…} })`` makes."""
        if given[0].type != "string":
            return
        name, line = owner + key_step(key_text(given[0], self.data)), given[0].start_point[0] + 1
        for child in children_of(given[1]) if given[1:] and given[1].type == "object" else ():
            word = self.text(child.child_by_field_name("key") or child.child_by_field_name("name") or child)
            value = self.path_of(child.child_by_field_name("value") if child.type == "pair" else child)
            if word in ("get", "value") and value:
                value += "()" if word == "get" else ""
                self.bindings.append(Binding(scope, name, "field", "", value, line))
                if owner == EXPORTS or owner in self.modules.aliases:
                    self.modules.export_common(f"{EXPORTS}.{name.removeprefix(f'{owner}.')}", child, value, line)

    def on_reference_new(self, scope: int, node: Node) -> None:
        """Add the construction ``new C(…)``."""
        callee = node.child_by_field_name("constructor")
        if callee is not None:
            self.consumed.add(callee.start_byte)
            path = self.paths.callee(callee)
            if path:
                self._use(scope, "new", path, node, node.start_point[0] + 1)

    def _use(self, scope: int, kind: Literal["call", "new"], path: str, node: Node, line: int) -> tuple[str, ...]:
        args = self.arguments_of(node)
        self.references.append(record(Reference, (scope, kind, path, line, args)))
        return args

    def on_binding_pattern(self, scope: int, node: Node) -> None:
        """Narrow the type of ``x`` in ``x instanceof C``."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        self.consumed.add(right.start_byte)
        name, kind, line = self.path_of(left), self.path_of(right), node.start_point[0] + 1
        if kind:
            self.references.append(Reference(scope, "type", kind, line))
            if name and name[0] != "%":
                self.narrow(scope, node, name, kind)

    def on_binding_guard(self, scope: int, node: Node) -> None:
        """Narrow the type of ``x`` in ``if (isPool(x))``, and after ``assertPool(x);``, by the callee's predicate."""
        outer, callee = node.parent, node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        if outer is None or callee is None or arguments is None or outer.type not in _GUARDED:
            return
        path, line = self.path_of(callee), node.start_point[0] + 1
        if outer.type != "expression_statement":
            lines = self.conditions.lines(node)
        elif path[path.rfind(".") + 1 :].startswith("assert") and outer.parent is not None:
            lines = Lines(line, outer.parent.end_point[0] + 1)
        else:
            return
        if lines is not None and path:
            name = self.text(arguments.named_children[0])
            self.bindings.append(Binding(scope, name, "pattern", f"{GUARD}{path}", "", lines.first, lines.last))

    def on_yield(self, scope: int, node: Node) -> None:
        """Add a yielded value. For ``yield*``, add the elements of its operand."""
        if node.named_child_count:
            self.give_back(scope, node.named_children[0], "yield", "[*]" if node.children[1].type == "*" else "")
