"""Handlers for values, uses and imports of Rust."""

from __future__ import annotations

import re
from itertools import pairwise
from string import ascii_letters, digits, whitespace
from typing import Literal

from tree_sitter import Node

from codeexplore.languages.base import table, words
from codeexplore.languages.extraction.expressions import children_of, is_traceable, line_col, outside, walk
from codeexplore.languages.extraction.extractor import Extractor
from codeexplore.languages.rust import modules
from codeexplore.languages.rust.paths import RustPaths, contains_names
from codeexplore.types import CALLABLE_KINDS, STAR, TYPE_KINDS, UNKNOWN, Binding, Export, Import, Reference

_THROUGH = table({"type": "generic_type generic_type_with_turbofish reference_type", "trait": "dynamic_type"})
_CAPTURED = re.compile(r"(?<!\{)\{([A-Za-z_]\w*)[:}]|\b([A-Za-z_]\w*)\$")
_QUIET_CALLS = frozenset({"Some", "Ok", "Err"})
_BEFORE_BYTES = 160  # bytes before a macro that are searched for the chain that it ends
_RECEIVER = re.compile(r"([^\W\d]\w*)(\0)?(?:\?|\.await)*\s*(?:\.|::)\s*$")
_IN_CHAIN = f"{ascii_letters}{digits}{whitespace}_?.:\0"
_ARGUMENTS = re.compile(r"\([^()]*\)")
_PLAIN_CHAIN = re.compile(r"(?:\w+\s*(?:\.|::)\s*)+$")
_MADE = re.compile(rb"\s*\{")
_TURBOFISH = r"::<(?:(?!>::)[\w\s:<>,&'*\[\]$]){1,200}>(?=\(%s)"  # before ``(``
_TYPES, _TYPE_BYTES = re.compile(_TURBOFISH % "|::"), re.compile((_TURBOFISH % "").encode())
_BY_MACROS = {"write": "write_fmt", "writeln": "write_fmt"} | dict.fromkeys(
    ("assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne"), "eq"
)
"""Macros of the language → the method that they call on their first argument."""
_PLAIN = rb"\s*(?:&\s*(?:mut\s+)?|\*)?((?!\d)\w+(?:\.\w+)*)\s*"
_FIRST_ARGUMENTS = re.compile(rb"!\s*[(\[{]" + _PLAIN + rb",(?:" + _PLAIN + rb"[,)\]}])?")
_COMPARISONS = {"==": "eq", "!=": "eq"} | dict.fromkeys(("<", ">", "<=", ">="), "partial_cmp")
_ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem", "&": "bitand", "|": "bitor", "^": "bitxor"}
_ARITHMETIC |= {"<<": "shl", ">>": "shr"}
_OPERATORS = {
    **{("binary_expression", operator): method for operator, method in (_COMPARISONS | _ARITHMETIC).items()},
    **{("compound_assignment_expr", f"{sign}="): f"{method}_assign" for sign, method in _ARITHMETIC.items()},
    **{("unary_expression", operator): method for operator, method in {"-": "neg", "!": "not"}.items()},
}
_MOST_NESTED = 4  # arguments in arguments of a call before the name of a token
_CONDITIONS = frozenset({"all", "any", "not"})
_OPENING = ("cfg(", "cfg_attr(", "all(", "any(", "not(", ",")
_KEYWORDS = frozenset({"fn", "if", "while", "for", "match", "in", "return", "let", "struct", "enum", "move", "else"})


class RustValues(Extractor):
    """Extractor of Rust with the handlers for all captures except definitions."""

    paths: RustPaths
    separator = "::"
    scope_kinds = frozenset(TYPE_KINDS | {"function", "method", "lambda", "module"})
    parent_kinds = scope_kinds
    outline_captures = Extractor.outline_captures | {"base"}
    silent_until: int  # end of the last ``use``
    sure: set[int]  # first bytes of the ``let`` statements directly in a function's body
    in_impl: set[int]  # first bytes of constants in an impl block
    patterns: list[tuple[int, Node, str]]  # scopes and patterns of parameters, and the parameters' names
    tails: list[tuple[int, Node]]  # scopes and bodies of functions, whose last expressions are results
    taking: set[str]  # macros of this file that take method calls apart: ``($self:ident.$method:ident(…))``
    type_parameters: set[str]
    qualified_types = frozenset({"scoped_type_identifier"})
    quiet_types = words("Self String Vec Option Box _")
    hidden: set[str]  # names of definitions and imports of the file, which locals may hide
    blocks = dict.fromkeys(("block", "match_arm", "for_expression", "while_expression", "closure_expression"), "") | {
        "if_expression": "else_clause",
        "function_item": "",
    }

    def __init__(self) -> None:
        super().__init__(RustPaths())

    # ----------------------------------------------------------------- names and values

    def bind_pattern(
        self, scope: int, pattern: Node, value: str, *, refutable: bool, type_text: str = "", sure: int = 0
    ) -> None:
        """Add one binding for each name in `pattern`. Its value is a part of the value at the access path `value`."""
        for name, path in self.paths.bound(pattern, value, refutable=refutable):
            text = self.text(name).removeprefix("r#")
            self._declare(scope, text, pattern)
            self.bindings.append(Binding(scope, text, "variable", type_text, path, name.start_point[0] + 1, sure))

    def _declare(self, scope: int, name: str, pattern: Node) -> None:
        """Note a local that hides a definition or import of the file. It is known after its statement or condition."""
        statement = pattern.parent
        if name in self.hidden and statement is not None and self.symbols[scope].kind in CALLABLE_KINDS:
            value = statement.child_by_field_name("value") if statement.type == "for_expression" else None
            first = value or (pattern if statement.type == "match_arm" else statement)
            self.declare_local(scope, name, statement, first.end_byte)

    def on_binding_let(self, scope: int, node: Node) -> None:
        """Add bindings for the names of ``let``, ``if let``, ``while let`` and ``let … else``."""
        pattern, value = node.child_by_field_name("pattern"), node.child_by_field_name("value")
        if pattern is None:
            return
        type_text = self.paths.type_text(node.child_by_field_name("type"))
        refutable = node.type == "let_condition" or node.child_by_field_name("alternative") is not None
        sure = node.end_point[0] + 1 if node.start_byte in self.sure else 0
        values = self.values_of(value) or [""]
        if type_text and pattern.type != "identifier":
            values, type_text = [f"%type({type_text})"], ""
        for path in values:
            self.bind_pattern(scope, pattern, path, refutable=refutable, type_text=type_text, sure=sure)

    def on_binding_pattern(self, scope: int, node: Node) -> None:
        """Add the names in the arms of a ``match``. A name of several arms has each value on its lines only."""
        path = self.path_of(node.child_by_field_name("value"))
        named: dict[str, list[Binding]] = {}
        hiding: list[tuple[int, int, Binding]] = []  # first and last byte at which a name hides another
        for arm in children_of(node, "body"):
            pattern = arm.child_by_field_name("pattern") if arm.type == "match_arm" else None
            for name, inner in self.paths.bound(pattern, path, refutable=True) if pattern is not None else ():
                text, line = self.text(name).removeprefix("r#"), name.start_point[0] + 1
                row = Binding(scope, text, "variable", "", inner, line, arm.end_point[0] + 1)
                if text in self.hidden:
                    hiding.append((name.end_byte, arm.end_byte, row))
                else:
                    named.setdefault(text, []).append(row)
        for alike in named.values():
            apart = len({row.value for row in alike}) > 1 and all(one.sure < two.line for one, two in pairwise(alike))
            if apart:
                self.bindings.append(alike[0]._replace(value="", sure=0))
                self.bindings.extend(row._replace(manner="pattern", value=row.value or UNKNOWN) for row in alike)
            else:
                self.bindings.extend(row._replace(sure=0) for row in alike)
        for first, end, row in hiding:
            self.locals.declare(scope, row.name, first, end)
            self.bindings.append(row._replace(sure=0))

    def on_binding_element(self, scope: int, node: Node) -> None:
        """Add bindings for the names of ``for x in xs``. The names in a pattern have parts of an element as values."""
        pattern, value = node.child_by_field_name("pattern"), node.child_by_field_name("value")
        if pattern is None or value is None:
            return
        container = self.path_of(value)
        if container and container[0] != "%":
            for method in ("into_iter", "into_iter().next", "next"):  # of a value that is an iterator itself
                self.refer(scope, "implicit", f"{container}.{method}", value)
        if pattern.type == "identifier":
            self._declare(scope, self.text(pattern), pattern)
            self.bind(scope, self.text(pattern), "element", "", (container,), pattern.start_point[0] + 1)
        else:
            self.bind_pattern(scope, pattern, container + "[*]" if container else "", refutable=False)

    def on_binding_assigned(self, scope: int, node: Node) -> None:
        """Add a binding for the target of ``a = b``, ``a.b = c`` or ``a[k] = c``."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        self.store(scope, left)
        values = [path for path in self.values_of(right) if is_traceable(path)]
        name = self.target(left) if values else ""
        if name:
            manner = "variable" if left.type == "identifier" else "field"
            self.bind(scope, name, manner, "", values, node.start_point[0] + 1)

    def on_binding_variable(self, scope: int, node: Node) -> None:
        """Add a binding for the name of a ``const`` or ``static``."""
        name, values = node.child_by_field_name("name"), self.values_of(node.child_by_field_name("value"))
        if name is not None and node.start_byte not in self.in_impl:
            text = self.paths.type_text(node.child_by_field_name("type"))
            self.bind(scope, self.text(name), "variable", text, values, node.start_point[0] + 1)

    def on_reference_items(self, scope: int, node: Node) -> None:
        """Record the items of a tuple or array as its fields, if one of them is not plain data."""
        if not contains_names(node):
            return
        root = f"{'%tuple' if node.type == 'tuple_expression' else '%list'}:{line_col(node)}"
        for number, child in enumerate(child for child in node.named_children if not child.is_extra):
            path = self.path_of(child)
            if is_traceable(path):
                self.bind(scope, f"{root}[{number}]", "field", "", (path,), child.start_point[0] + 1)

    # ----------------------------------------------------------------- uses

    def on_reference_call(self, scope: int, node: Node) -> None:
        """Add a call. ``Some(x)``, ``Ok(x)`` and ``Err(x)`` are not recorded."""
        callee = node.child_by_field_name("function")
        if callee is None:
            return
        self.consumed.add(callee.start_byte)
        path = self.path_of(callee)
        if path and path not in _QUIET_CALLS:
            inner = callee.child_by_field_name("function") if callee.type == "generic_function" else None
            line = self.line_called(inner or callee)
            self.references.append(Reference(scope, "call", path, line, self.arguments_of(node)))

    def on_reference_macro(self, scope: int, node: Node) -> None:
        """Add a call of ``name!`` for ``name!(…)``. `on_reference_token` handles the tokens in it."""
        macro = node.child_by_field_name("macro")
        if macro is not None:
            self.consumed.add(macro.start_byte)
            path = self.path_of(macro)
            if path:
                self.refer(scope, "call", path + "!", node)
            method, found = _BY_MACROS.get(path), _FIRST_ARGUMENTS.match(self.data, macro.end_byte)
            if method is not None and found is not None:
                self._operate(scope, node, found[1].decode(), method, (found[2] or b"").decode())

    def on_reference_operator(self, scope: int, node: Node) -> None:
        """Add the call of the method that an operator or index runs on its first operand."""
        path = self.path_of(node.named_children[0]) if node.named_child_count else ""
        if not path or path[0] == "%":
            return
        others = map(self.path_of, node.named_children[1:])
        if node.type == "index_expression":
            around = node.parent or node
            assigned = "assign" in around.type and around.child_by_field_name("left") == node
            changed = assigned or self.data.startswith(b"&mut", around.start_byte)
            self._operate(scope, node, path, "index_mut" if changed else "index", *others)
        elif method := _OPERATORS.get((node.type, self.text(node.child_by_field_name("operator") or node.children[0]))):
            self._operate(scope, node, path, method, *others)

    def _operate(self, scope: int, node: Node, path: str, method: str, *args: str) -> None:
        self.refer(scope, "operator", f"{path}.{method}", node, args)

    def on_reference_token(self, scope: int, node: Node) -> None:
        """Add a call (a name before ``(``) or a read in a macro's tokens. The receiver is read from the text."""
        start, end = node.start_byte, self._end_of_name(node)
        following = self.data[end : end + 2]
        called, name = following[:1] == b"(", self.text(node)
        if (following[:1] in (b".", b"!") and following not in (b"..", b"!=")) or _in_attribute(node):
            return
        if called and self.taking and self._is_taken_apart(node):
            return
        before = self.data[max(0, start - _BEFORE_BYTES) : start].decode("utf-8", "replace")
        chain, rest = _receiver(before)
        if rest.endswith((".", "::")) and not rest.endswith(".."):
            return  # a member of an expression whose path is not plain
        metavariable = rest[-1:] == "$" and chain[:6] != "crate."
        if metavariable or rest.endswith(("#[", "#![")) or (name in _CONDITIONS and rest.endswith(_OPENING)):
            return
        if name in _QUIET_CALLS or (not chain and not _KEYWORDS.isdisjoint(rest[-20:].split()[-1:])):
            return
        made = _MADE.match(self.data, end) is not None and name[:1].isupper()  # Point { x: 1 }
        if not (called or chain or made):  # before the next tree: ``Error> {``
            super().on_reference_bare(scope, node)
        else:
            line = node.start_point[0] + 1
            kind: Literal["call", "type", "read"] = "call" if called else "type" if made else "read"
            self.references.append(Reference(scope, kind, chain + name, line))
            if "\n" in before and (written := _PLAIN_CHAIN.search(before)) is not None:
                self.split_chain(start - len(written[0].encode()), end, line - written[0].count("\n"))

    def on_reference_bare(self, scope: int, node: Node) -> None:
        """Add a name that stands alone, or the read of a member in the tokens of a macro."""
        start, end = node.start_byte, self._end_of_name(node)
        if end > node.end_byte:  # a call with types
            self.on_reference_token(scope, node)
        elif self.data[end : end + 2] == b"::" and self.data[end + 2 : end + 3] != b"$":  # Kind::$name is all of Kind
            return
        elif (before := self.data[start - 2 : start]) == b"::" or (before[-1:] == b"." and before != b".."):
            self.on_reference_token(scope, node)
        else:
            super().on_reference_bare(scope, node)

    def _end_of_name(self, node: Node) -> int:
        """Return the end of a name in the tokens of a macro, with the types of the call: ``name::<T>``."""
        types = _TYPE_BYTES.match(self.data, node.end_byte)
        return node.end_byte if types is None else types.end()

    def on_reference_format(self, scope: int, node: Node) -> None:
        """Add the names that a format string of a macro captures: ``{size:>WIDTH$}``."""
        for found in _CAPTURED.finditer(self.text(node)):
            if (scope, found[1] or found[2]) not in self.locals.parameters:
                self.access(scope, found[1] or found[2], node)

    def _is_taken_apart(self, node: Node) -> bool:
        """Return True if a name in the tokens of a macro is an argument that the macro inserts into its own calls."""
        return self.text(walk(node, "^", "^", "macro")).rpartition("::")[2] in self.taking

    def on_reference_new(self, scope: int, node: Node) -> None:
        """Add the construction ``Type { field: value }``."""
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        path = self.path_of(name)
        if name is None or not path:
            return
        self.consume_type(name)
        args = tuple(self.paths.initializers(children_of(body)))
        self.refer(scope, "new", path, node, args)
        for child in children_of(body):
            field = child.child_by_field_name("field") if child.type == "field_initializer" else child
            if field is not None and child.type.endswith("field_initializer") and child.type[:4] != "base":
                self.access(scope, f"{path}().{self.text(field)}", field)

    def on_reference_fields(self, scope: int, node: Node) -> None:
        """Add the fields that the pattern ``Type { field, other: 1, .. }`` reads."""
        path = self.path_of(node.child_by_field_name("type"))
        for child in node.named_children if path else ():
            name = child.child_by_field_name("name") if child.type == "field_pattern" else None
            if name is not None:
                self.access(scope, f"{path}().{self.text(name)}", name)

    def consume_type(self, node: Node) -> None:
        """Mark the parts of a type's name as recorded, but not the names in its type arguments."""
        while inner := _THROUGH.get(node.type):
            child = node.child_by_field_name(inner)
            if child is None:
                break
            node = child
        super().consume_type(node)

    # ----------------------------------------------------------------- modules

    def on_import(self, scope: int, node: Node) -> None:
        """Add one import for each name of a ``use`` declaration. ``pub use`` also exports the names."""
        line = node.start_point[0] + 1
        public = node.named_child_count > 1 and node.named_children[0].type == "visibility_modifier"
        for name, module, member in modules.uses(node, self.text):
            self.imports.append(Import(scope, name, module, member, line))
            if public and scope == 0:
                self.exports.append(Export(name, member or "*", module, line))
            if name == "*" and b"#[cfg(" in modules.attributes_above(node, self.data):
                self.bindings.append(Binding(scope, STAR, "variable", "", "", line, line))
        self.silent_until = max(self.silent_until, node.end_byte)

    def on_import_crate(self, scope: int, node: Node) -> None:
        """Add the import of ``extern crate a as b;``."""
        crate, alias = (self.text(node.child_by_field_name(each)) for each in ("name", "alias"))
        if crate:
            self.imports.append(Import(scope, alias or crate, crate, "", node.start_point[0] + 1))

    def on_import_module(self, scope: int, node: Node) -> None:
        """Add the import that ``mod name;`` makes, with the full name of the module in its file."""
        name = node.child_by_field_name("name")
        if name is not None:
            written = self.text(name).removeprefix("r#")
            attributes = modules.attributes_above(node, self.data)
            module = modules.placed_module(self.path, attributes, self.layout.paths)
            module = module or modules.child_module(self.path, written, self.layout.paths)
            self.imports.append(Import(scope, written, module, "", node.start_point[0] + 1))

    def on_reference_read(self, scope: int, node: Node) -> None:
        """Add a read of a field or a qualified name. Names in a ``use`` declaration are imports and are left out."""
        if node.start_byte >= self.silent_until:
            super().on_reference_read(scope, node)


def _receiver(before: str) -> tuple[str, str]:
    """Return the access path at the end of a text, with its last dot, and the text before it: ``a(b)?.c::``."""
    if not before.rstrip().endswith((".", "::")):
        return "", before.rstrip()
    if before.rstrip(_IN_CHAIN)[-1:] in (")", ">"):
        before = _TYPES.sub("", before)
        for _ in range(_MOST_NESTED):
            before, number = _ARGUMENTS.subn("\0", before)
            if not number:
                break
    first = len(before.rstrip(_IN_CHAIN))  # names are not searched before it
    if before[first - 1 : first].isalnum() or before[first - 1 : first].isspace():  # other letters
        first = 0
    steps: list[str] = []
    while step := _RECEIVER.search(before, first):
        steps.append(f"{step[1]}{'()' * (step[2] is not None)}.")
        before = before[: step.start()]
    return "".join(reversed(steps)), before.rstrip()


def _in_attribute(node: Node) -> bool:
    """Return True if the token `node` is in an attribute: ``#[cfg(all(test))]``."""
    parent = outside(node.parent, ("token_tree",))
    return parent is not None and parent.type == "attribute"
