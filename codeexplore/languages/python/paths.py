"""Access paths of Python's expressions, with constant keys and with the arguments of some calls.

An *access path* is a short text for an expression, with a *root* and *steps*; see `codeexplore.languages.extraction`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from codeexplore.languages.base import table, words
from codeexplore.languages.extraction import Expressions, PathReader

if TYPE_CHECKING:
    from tree_sitter import Node

CONTAINERS = table(
    {
        "%list": "list list_comprehension generator_expression",
        "%dict": "dictionary dictionary_comprehension",
        "%set": "set set_comprehension",
        "%tuple": "tuple expression_list",
    }
)
SCALARS = words("string concatenated_string integer float true false none comment unary_operator")
_EITHER_IN = frozenset({"argument_list", "keyword_argument", "parenthesized_expression"})
_PLAIN_VALUES = frozenset({"%str", "%num", "%bool"})
_KEEPING = words(
    """
    enumerate zip sorted reversed list tuple set frozenset dict iter next min max map filter getattr type property
    cached_property cast partial partialmethod copy deepcopy chain islice cycle zip_longest deque defaultdict
    OrderedDict update_wrapper ref proxy super create_task ensure_future wait_for shield
    """
)
_WORD = re.compile(r"[^\W\d][\w-]{0,40}")
_STRING = re.compile(r"""[rRuUbB]{0,2}(['"])([^'"\\]*)\1""")
_ALIASES = frozenset(
    {"Union", "Optional", "List", "Dict", "Tuple", "Set", "Callable", "Type", "Sequence", "Mapping", "Iterable"}
    | {"Iterator", "Annotated", "list", "dict", "tuple", "set", "type"}
)
_SPLATS = {"list_splat": "*", "dictionary_splat": "**"}
MAX_ITEMS = 64
"""Most items of a literal that are recorded. Longer literals are tables of data."""

MAX_SCALARS = 3
"""A literal with more plain values than this is data. A shorter literal may be filled with other values later."""

MAX_KEPT_CHARS = 80
LEAST_START = 3
"""Characters. A shorter constant prefix of a constructed name would match too many names."""
_JOINED = frozenset({"string", "binary_operator"})
_CONSTANTS = ("None.", "True.", "False.")  # results of their methods have no path
_type = attrgetter("type")


class PythonPaths(PathReader):
    """Reader of Python's access paths. It also handles expressions other than plain chains of names."""

    expressions = Expressions(
        attributes={"attribute": ("object", "attribute")},
        calls={"call": "function"},
        subscripts={"subscript": "value"},
        transparent=frozenset({"parenthesized_expression", "await"}),
        literals={
            "string": "%str",
            "concatenated_string": "%str",
            "integer": "%num",
            "float": "%num",
        },
        words={"True": "%bool", "False": "%bool", "None": ""},
        functions=frozenset({"lambda"}),
        branches={"boolean_operator": ("left", "right"), "conditional_expression": ()},
    )

    def __init__(self) -> None:
        super().__init__()
        # variable with a constructed name → constant start of the name, first byte of the function, line
        self.made_names: dict[str, tuple[str, int, int]] = {}

    def read_from(self, data: bytes) -> None:
        super().read_from(data)
        self.made_names.clear()

    def subscript(self, node: Node) -> str:
        """Return the step of a subscript in an access path.

        It is ``[0]`` or ``[name]`` for a constant key, ``[:]`` or ``[1:]`` for a slice, and ``[]`` for other keys.
        """
        key = node.child_by_field_name("subscript")
        if key is None:
            return "[]"
        if key.type == "slice":
            start = key.named_children[0] if key.named_child_count else None
            return f"[{self.text(start)}:]" if start is not None and start.type == "integer" else "[:]"
        return f"[{self.key(key)}]"

    def key(self, node: Node) -> str:
        """Return the text of the key `node` if it is constant; "" otherwise.

        A text that looks like a number keeps its quotes.
        """
        if node.type == "integer":
            return self.text(node)
        if node.type == "string" and (found := _STRING.fullmatch(self.text(node))):
            key = found.group(2)
            if _WORD.fullmatch(key):
                return key
            return f"'{key}'" if key.isdigit() else ""
        return ""

    def _path(self, node: Node) -> str:
        """Return the access path of the expression `node`.

        The path of a call's callee is cached, because the reference for the call needs it too.
        """
        callee = node.child_by_field_name("function") if node.type == "call" else None
        if callee is None or callee.type == "call":  # no recursion, because a chain may have thousands of calls
            return super()._path(node)
        path = self.path_of(callee)
        if not path or path.startswith(_CONSTANTS):
            return ""
        return path + self._call_of(path.rpartition(".")[2], node)

    def call_step(self, node: Node) -> str:
        """Return the step of a call in an access path.

        It contains the arguments if the result of the call is one of them or is made from them.
        """
        callee = node.child_by_field_name("function")
        if callee is not None and callee.type == "attribute":
            callee = callee.child_by_field_name("attribute")
        return self._call_of(self.text(callee), node) if callee is not None and callee.type == "identifier" else "()"

    def _call_of(self, name: str, node: Node) -> str:
        if name not in _KEEPING:
            return "()"
        arguments = node.child_by_field_name("arguments")
        if arguments is None:
            return "()"
        if arguments.type == "generator_expression":
            kept = [self.root_of(arguments)]
        else:
            kept = [self._kept(child) for child in arguments.named_children if child.type != "comment"]
        text = ", ".join(kept)
        return f"({text})" if any(kept) and len(text) <= MAX_KEPT_CHARS else "()"

    def _kept(self, node: Node) -> str:
        if node.type == "string":
            found = _STRING.fullmatch(self.text(node))
            if found:
                return f"'{found.group(2)}'" if found.group(2).isidentifier() else ""
        if node.type in _JOINED:
            made = self.name_made_of(node)
            return f"'{made}'" if made else ""
        if node.type == "identifier" and (known := self.made_names.get(self.text(node))) is not None:
            made, function, line = known
            if function == function_around(node):
                return f"'{made}:{line}'"
        if node.type == "keyword_argument":
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            path = self.path_of(value) if value is not None else ""
            return f"{self.text(name)}={path}" if name is not None and path else ""
        return self.path_of(node)

    def name_made_of(self, node: Node) -> str:
        """Return the constant start of a name that is built at run time, followed by a star.

        The result is ``visit_*`` for ``"visit_" + kind``, and "" for other expressions.
        """
        if node.type == "string":  # f"visit_{kind}"
            parts = node.named_children
            if len(parts) < 3 or parts[1].type != "string_content" or parts[2].type != "interpolation":
                return ""
            text = self.text(parts[1])
        else:
            left = node.child_by_field_name("left")
            found = _STRING.fullmatch(self.text(left)) if left is not None and left.type == "string" else None
            text = found.group(2).partition("%")[0] if found else ""
        return text + "*" if text.isidentifier() and len(text) >= LEAST_START else ""

    def root_of(self, node: Node) -> str:
        """Return the root of an access path for a value without a name; "" if it has none.

        For a container literal the root contains its position, unless the literal is large and has plain values only.
        """
        root = CONTAINERS.get(node.type)
        if root is None:
            return self.either(node) if node.type in self.expressions.branches else super().root_of(node)
        if node.named_child_count > MAX_SCALARS and SCALARS.issuperset(map(_type, node.named_children[:MAX_ITEMS])):
            return root
        row, column = node.start_point
        return f"{root}:{row + 1}:{column}"

    def either(self, node: Node) -> str:
        """Return the path ``%or:LINE:COL`` for an expression with several possible values.

        The result is "" if no value has a path.
        """
        parent = node.parent
        if parent is None or parent.type not in _EITHER_IN or not self.sides(node):
            return ""
        row, column = node.start_point
        return f"%or:{row + 1}:{column}"

    def sides(self, node: Node) -> list[str]:
        """Return the access paths of the values that the expression `node` may have, without plain data."""
        return [path for path in self.values_of(node) if path not in _PLAIN_VALUES]

    def arguments(self, node: Node) -> tuple[str, ...]:
        """Return the access paths of a call's arguments: by position, ``name=path``, ``*path`` and ``**path``."""
        if node.type != "argument_list":  # a generator expression
            return ()
        return super().arguments(node)

    def argument(self, node: Node) -> str:
        kind = node.type
        if kind == "keyword_argument":
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            path = self.path_of(value) if value is not None else ""
            return f"{self.text(name)}={path}" if name is not None and path else ""
        if kind in _SPLATS:
            path = self.path_of(node.named_children[0]) if node.named_child_count else ""
            return _SPLATS[kind] + path if path else ""
        return self.path_of(node)

    def branches_of(self, node: Node, fields: Sequence[str]) -> list[Node]:
        """Return the sub-expressions from which the value of the expression `node` comes.

        For ``a if c else b`` these are the first and the last child, because the grammar has no fields for them.
        """
        if node.type == "conditional_expression":
            return [node.named_children[0], node.named_children[-1]]
        return super().branches_of(node, fields)

    def type_alias(self, node: Node) -> str:
        """Return the type that a value denotes (``Union[A, B]``, a TypeVar with a bound); "" for an ordinary value."""
        kind = node.type
        if kind == "subscript":
            value = node.child_by_field_name("value")
            name = self.text(value).rpartition(".")[2] if value is not None else ""
            return self.text(node) if name in _ALIASES else ""
        if kind == "call" and self.data.find(b"TypeVar", node.start_byte, node.end_byte) >= 0:
            callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            if callee is None or arguments is None or not self.text(callee).endswith("TypeVar"):
                return ""
            for child in arguments.named_children:
                key, value = child.child_by_field_name("name"), child.child_by_field_name("value")
                if key is not None and value is not None and self.text(key) == "bound":
                    return self.text(value)
        return ""


def function_around(node: Node) -> int:
    """Return the first byte of the function that contains `node`; -1 if there is none."""
    outer = node.parent
    while outer is not None and outer.type != "function_definition":
        outer = outer.parent
    return outer.start_byte if outer is not None else -1
