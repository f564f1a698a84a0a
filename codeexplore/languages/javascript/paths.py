"""Access paths of JavaScript's and TypeScript's expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from tree_sitter import Node

from codeexplore.languages.base import table, words
from codeexplore.languages.extraction.expressions import (
    MAX_KEPT_CHARS,
    SHORT_BYTES,
    Expressions,
    PathReader,
    line_col,
    step_to,
)

FUNCTION_VALUES: Final = frozenset({"arrow_function", "function_expression", "generator_function"})
NAMED_VALUES: Final = FUNCTION_VALUES | {"class"}
SEE_THROUGH: Final = words(
    "as_expression satisfies_expression non_null_expression type_assertion parenthesized_expression"
)
DEFAULT: Final = "default"
EXPORTS: Final = "exports"
_MARKED = frozenset("\"'`[")
_QUOTED = re.compile(r"\"[^\"\\]+\"|'[^'\\]+'|`[^`\\$]+`")
PLAIN_NAME: Final = re.compile(r"[^\W\d$][\w$]*|\$[\w$]*")
_ROOT = re.compile(rb"[\w$]+")
_CONSTANT = re.compile(r"[\w$]{1,40}(?:\.[\w$]{1,40}){0,3}")
_WORD = re.compile(r"\w[\w-]{0,40}")
_NAME_TEXT = re.compile(rb"([\"'])([A-Za-z_]\w{1,40})\1")
_PLACED = table(
    {
        "%fn": "arrow_function function_expression generator_function method_definition",
        "%class": "class",
        "%dict": "object",
        "%list": "array",
    }
)
_CONTAINERS = frozenset({"%dict", "%list"})
_TYPE_CASTS = frozenset({"as_expression", "type_assertion"})
_JOINED = frozenset({"binary_expression", "template_string"})
_MOST_JOINED = 8  # most sums in a built name
_BY_KEY = ("[]", "[].call", "[].apply")
_MADE = re.compile(r"(?=(?:\{[\w$]+\}|\*)*\w)(?:\w|\*|\{(?!\d)[\w$]+\}){2,60}")
_NAMED_TYPE = re.compile(r"[A-Z][\w$]*(?:\.[\w$]+)*(?:<[\w$.,<>| \[\]]*>)?(?:\[\])*")
_KEEPING = words(
    """
    map flatMap reduce concat from of entries values fromEntries assign create freeze seal then catch resolve all race
    any allSettled bind Array Map Set WeakMap Promise
    """
)
_GIVEN = frozenset({"arrow_function", "function_expression", "class"})
"""Arguments that the result of any call may be, or may wrap: ``debounce(() => save())``."""
_LOADERS = ("require()", "import()")
_MAX_NESTED_BYTES = 300  # most bytes of a cast in the middle of a path, so that the time for nested casts is bounded


def unwrapped(node: Node) -> Node:
    """Return the expression `node` without the parentheses and casts around it."""
    while node.type in SEE_THROUGH and node.named_child_count:
        node = node.named_children[-1 if node.type == "type_assertion" else 0]
    return node


def key_text(node: Node, data: bytes) -> str:
    """Return the text of the property key `node`, without quotes. A computed key is in brackets."""
    text = data[node.start_byte : node.end_byte].decode("utf-8", "replace")
    if text[:1] not in _MARKED:
        return text
    if text[0] == "[":
        inner = text[1:-1].strip()
        return inner[1:-1] if _QUOTED.fullmatch(inner) else " ".join(text.split())
    return text[1:-1]


class ScriptPaths(PathReader):
    """Reader of the access paths of JavaScript and TypeScript.

    - The operators in ``a?.b``, ``a!`` and ``await a`` are left out.
    - ``x as T`` has the path of ``x``. In the middle of a path it is ``%type(T)`` if T is a named type.
    - ``module.exports`` has the path ``exports``.
    - ``a["b"]`` has the path ``a.b``. ``a[0]`` stays as written, and other subscripts are ``[]``.
    - ``new C()`` has the path ``C()``.
    - If the result of a call is one of its arguments, or is made from them, the path contains the arguments.
    - Functions, classes and literals that are not empty are named by position: ``%fn:LINE:COL``, ``%class:LINE:COL``,
      ``%dict:LINE:COL``, ``%list:LINE:COL``.
    """

    name_escape = re.compile(r"\\u([0-9A-Fa-f]{4})|\\u\{([0-9A-Fa-f]{1,6})\}")
    simple_path = re.compile(r"[^\W\d][\w$]*(?:\.#?[\w$]+)*|\$[\w$]*(?:\.#?[\w$]+)*")
    expressions = Expressions(
        attributes={
            "member_expression": ("object", "property"),
            "nested_identifier": ("object", "property"),
            "nested_type_identifier": ("module", "name"),
        },
        calls={"call_expression": "function", "new_expression": "constructor"},
        subscripts={"subscript_expression": "object"},
        roots=words("identifier this super import type_identifier shorthand_property_identifier property_identifier"),
        transparent=words("parenthesized_expression await_expression satisfies_expression non_null_expression"),
        literals=table(
            {
                "%str": "string template_string",
                "%num": "number",
                "%bool": "true false",
                "%regex": "regex",
                "%jsx": "jsx_element jsx_self_closing_element",
            }
        ),
        through={"assignment_expression": "right"},
        words={"true": "%bool", "false": "%bool", "null": "", "undefined": ""},
        branches={
            "binary_expression": (),
            "ternary_expression": ("consequence", "alternative"),
            "sequence_expression": (),
            "as_expression": (),
            "type_assertion": (),
        },
    )

    def __init__(self) -> None:
        super().__init__()
        self.outside: set[bytes] = set()  # names that a file imports from packages
        self.keys: set[str] = set()  # names of imports, enums, and constants that are symbols or strings

    def path_of(self, node: Node | None) -> str:
        """Return the access path of the expression `node`. The most frequent forms are tested first."""
        if node is None:
            return ""
        start, end = node.byte_range
        is_short = end - start <= SHORT_BYTES
        written = self.data[start:end] if is_short else b""
        if is_short and (path := self.known.get(written)) is not None:
            return path
        kind = node.type
        placed = _PLACED.get(kind)
        if placed is None:
            if kind in _TYPE_CASTS and node.named_child_count:
                return self.path_of(unwrapped(node))
            return self._new_path(node, written) if is_short else super().path_of(node)
        if placed in _CONTAINERS and not node.named_child_count:
            return placed
        return f"{placed}:{line_col(node)}"

    def _new_path(self, node: Node, written: bytes) -> str:
        path = super()._new_path(node, written)
        if path.startswith("module.exports"):
            path = self.known[written] = path.removeprefix("module.")
        return path

    def _path(self, node: Node) -> str:
        path = super()._path(node)
        if path.startswith(_LOADERS):
            current: Node | None = node
            while current is not None:  # down to the call that loads
                if current.type == "call_expression":
                    callee = current.child_by_field_name("function")
                    if callee is not None and self.data[callee.start_byte : callee.end_byte] in (b"require", b"import"):
                        return f"%import:{line_col(current)}{path[path.index(')') + 1 :]}"
                current = current.named_children[0] if current.named_child_count else None
        return path

    def root_of(self, node: Node) -> str:
        """Return the root for a value without a name, or ``%type(T)`` for a cast in the middle of a path."""
        kind = node.type
        if kind in _PLACED:
            return self.path_of(node)
        if kind in _TYPE_CASTS and node.named_child_count:
            cast = node.named_children[-1] if kind == "as_expression" else node.named_children[0]
            text = self.text(cast) if cast.end_byte - cast.start_byte < MAX_KEPT_CHARS else ""
            if kind == "type_assertion":
                text = text[1:-1].strip()
            if _NAMED_TYPE.fullmatch(text):
                return f"%type({text})"
            is_short = node.end_byte - node.start_byte < _MAX_NESTED_BYTES
            return self.path_of(unwrapped(node)) if is_short else ""
        return super().root_of(node)

    def subscript(self, node: Node) -> str:
        """Return ``.b`` for ``["b"]``, ``[0]`` for a constant number, and ``[]`` for most other keys."""
        index = node.child_by_field_name("index")
        if index is not None and index.type == "string":
            return key_step(key_text(index, self.data))
        if index is not None and index.type == "number" and index.end_byte - index.start_byte < 6:
            return f"[{self.text(index)}]"
        return self.computed_step(index) if index is not None else "[]"

    def computed_step(self, key: Node) -> str:
        """Return the step of a computed key: ``[@K]`` for a constant such as a symbol or a member of an enum."""
        text = self.text(key) if key.type in ("identifier", "member_expression") else ""
        if WELL_KNOWN.fullmatch(f"[{text}]"):
            return f"[{text}]"
        root, dot, _ = text.partition(".")
        is_constant = root in self.keys or (dot and root[:1].isupper())
        if is_constant and _CONSTANT.fullmatch(text):
            return f"[@{text}]"
        made = "".join(self._parts(key, _MOST_JOINED)) if key.type in _JOINED else ""
        return f"[?{made}]" if _MADE.fullmatch(made) else "[]"

    def _parts(self, node: Node, depth: int) -> Iterator[str]:
        """Yield the parts of a name that an expression builds: its texts, ``{name}`` for variables, else a star."""
        if node.type == "string":
            text = key_text(node, self.data)
            yield text if "{" not in text else "*"
        elif node.type == "binary_expression" and depth and node.children[1].type == "+":
            yield from self._parts(node.children[0], depth - 1)
            yield from self._parts(node.children[-1], depth - 1)
        elif node.type == "template_string":
            for child in node.named_children:
                fragment = child.type == "string_fragment" or not child.named_child_count
                yield self.text(child) if fragment else next(self._parts(child.named_children[0], 0), "*")
        else:
            yield f"{{{self.text(node)}}}" if node.type == "identifier" else "*"

    def callee(self, node: Node) -> str:
        """Return the access path of a called expression, with the variable that names a member: ``o[?{key}]``."""
        path = self.path_of(node)
        if not path.endswith(_BY_KEY):
            return path
        held = node if path[-1] == "]" else node.child_by_field_name("object")
        key = held.child_by_field_name("index") if held is not None else None
        if key is None or key.type != "identifier":
            return path
        before, _, after = path.rpartition("[]")
        return f"{before}[?{{{self.text(key)}}}]{after}"

    def member_step(self, key: Node) -> str:
        """Return the step that leads to a member with the key `key`, as written in a literal or a pattern."""
        if key.type == "computed_property_name" and key.named_child_count == 1:
            inner = key.named_children[0]
            return self.computed_step(inner) if inner.type != "string" else key_step(key_text(key, self.data))
        return key_step(key_text(key, self.data))

    def call_step(self, node: Node) -> str:
        """Return the step of a call, with the arguments if the result may be one of them or be made from them."""
        callee = node.child_by_field_name("function") or node.child_by_field_name("constructor")
        arguments = node.child_by_field_name("arguments")
        if callee is None or arguments is None or arguments.type != "arguments":
            return "()"
        if arguments.end_byte - arguments.start_byte == 2:
            return "()"
        name = callee.child_by_field_name("property") if callee.type == "member_expression" else callee
        given = [child for child in arguments.named_children if child.type != "comment"]
        if name is None or not (any(self._is_handed(child, callee) for child in given) or self.text(name) in _KEEPING):
            return "()"
        return self.kept_call([self._kept(child) for child in given])

    def _is_handed(self, node: Node, callee: Node) -> bool:
        """Return True for an argument that a call may return or wrap: ``memo(Card)``, ``injector.get(Prices)``."""
        if node.type != "identifier":
            return node.type in _GIVEN
        root = _ROOT.match(self.data, callee.start_byte, callee.end_byte)
        is_outside = root is not None and root.group() in self.outside
        return is_outside or self.data[node.start_byte : node.start_byte + 1].isupper()

    def _kept(self, node: Node) -> str:
        kind = node.type
        if kind in self.expressions.literals:
            return ""
        return self.path_of(node) if kind in _PLACED or node.end_byte - node.start_byte <= MAX_KEPT_CHARS else ""

    def arguments(self, node: Node) -> tuple[str, ...]:
        """Return the access paths of a call's arguments by position. A spread argument gives ``*path``.

        A text that may name a member is kept: ``'name'``.
        """
        if node.end_byte - node.start_byte == 2 or node.type != "arguments":
            return ()
        found = super().arguments(node)
        if "%str" not in found:
            return found
        children = (child for child in node.named_children if not child.is_extra)
        return tuple(
            self._name_text(child) or path if path == "%str" else path
            for path, child in zip(found, children, strict=False)
        )

    def _name_text(self, node: Node) -> str:
        """Return a string that may name a member, in quotes; "" for other strings."""
        found = _NAME_TEXT.fullmatch(self.data, node.start_byte, node.end_byte)
        return f"'{found.group(2).decode()}'" if found is not None else ""

    def argument(self, node: Node) -> str:
        """Return the access path of an argument. If it may have several values, return the path of the first."""
        kind = node.type
        if kind == "spread_element":
            path = self.path_of(step_to(node, ""))
            return "*" + path if path else ""
        if kind == "binary_expression" or kind == "ternary_expression":
            return next(iter(self.values_of(node, 1)), "")
        return self.path_of(node)

    def branches_of(self, node: Node, fields: Sequence[str]) -> list[Node]:
        """Return both sides of ``||`` and ``??``, the right one of ``&&``, the last of a sequence, what is cast."""
        kind = node.type
        if kind == "binary_expression":
            sign = self.text(node.child_by_field_name("operator"))
            fields = ("left", "right") if sign in ("||", "??") else ("right",) if sign == "&&" else ()
        elif kind == "sequence_expression":
            return node.named_children[-1:]
        elif kind in _TYPE_CASTS:
            return [unwrapped(node)] if node.named_child_count else []
        return super().branches_of(node, fields)


WELL_KNOWN = re.compile(r"\[Symbol\.\w+\]")
"""Pattern of a key that is a well-known symbol of JavaScript: ``[Symbol.iterator]``."""


def key_step(key: str) -> str:
    """Return the step of an access path for the constant key `key`."""
    if PLAIN_NAME.fullmatch(key):
        return "." + key
    if WELL_KNOWN.fullmatch(key):
        return key
    return f"[{key}]" if _WORD.fullmatch(key) and not key.isdigit() else "[]"
