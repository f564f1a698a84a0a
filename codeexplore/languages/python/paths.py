"""Access paths of Python's expressions, with constant keys and with the arguments of some calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import attrgetter

from tree_sitter import Node

from codeexplore.languages.base import table, words
from codeexplore.languages.extraction.expressions import (
    SHORT_BYTES,
    Expressions,
    PathReader,
    children_of,
    enclosing,
    line_col,
    step_to,
    walk,
)

CONTAINERS = table(
    {
        "%list": "list list_comprehension generator_expression",
        "%dict": "dictionary dictionary_comprehension",
        "%set": "set set_comprehension",
        "%tuple": "tuple expression_list",
    }
)
SCALARS = words("string concatenated_string integer float true false none comment unary_operator")
_EITHER_IN = words("argument_list keyword_argument parenthesized_expression for_statement for_in_clause")
_UNITING = frozenset({"+", "|"})  # operators that join containers
_PLAIN_VALUES = frozenset({"%str", "%num", "%bool"})
_KEEPING = words(
    """
    enumerate zip sorted reversed list tuple set frozenset dict iter next min max map filter getattr type property
    cached_property cast partial partialmethod copy deepcopy chain islice cycle zip_longest deque defaultdict
    OrderedDict ChainMap MappingProxyType update_wrapper ref proxy super create_task ensure_future wait_for shield
    import_module entry_points iter_entry_points cache lru_cache wraps takewhile dropwhile filterfalse compress
    heappop heappushpop heapreplace nlargest nsmallest choice choices groupby pairwise tee combinations permutations
    product batched
    """
)
_WORD = re.compile(r"[^\W\d][\w-]{0,40}")
_STRING = re.compile(r"""[rRuUbB]{0,2}(['"])([^'"\\]*)\1""")
_ALIASES = frozenset(
    {"Union", "Optional", "List", "Dict", "Tuple", "Set", "Callable", "Type", "Sequence", "Mapping", "Iterable"}
    | {"Iterator", "Annotated", "list", "dict", "tuple", "set", "type"}
)
_DOTTED = re.compile(r"\.*[^\W\d][\w-]*(?:\.[\w-]+)*")
_SPLATS = {"list_splat": "*", "dictionary_splat": "**"}
MAX_ITEMS = 64
"""Most items of a literal that are recorded. Longer literals are tables of data."""

MAX_SCALARS = 3
"""A literal with more plain values than this is data. A shorter literal may be filled with other values later."""

LEAST_START = 3
"""Characters. A shorter constant prefix of a constructed name would match too many names."""
MAX_TEXT_CHARS = 24
MAX_TEXTS = 16
"""Most texts of a literal whose elements are names for a loop."""
MAX_AROUND = 12
"""Most nodes around a name that are searched for a test of its first letters."""
MAX_JOINED = 6
"""Levels of an expression that builds a name."""
_JOINED = frozenset({"string", "binary_operator", "call"})
_NAME_TABLES = frozenset({"globals()", "locals()", "vars()"})
_STARS = re.compile(r"\*+")
_UNKNOWN_PARTS = re.compile(r"\*|\{\w+\}")
_PATTERN = re.compile(r"[\w.]*(?:(?:\*|\{\w+\})[\w.]*){1,4}")
_PERCENT = re.compile(r"%(?:\((\w+)\))?[sdri]")
_BRACES = re.compile(r"\{(\w*)(?:![rs])?\}")
_CONSTANTS = ("None.", "True.", "False.")  # results of their methods have no path
_type = attrgetter("type")


class PythonPaths(PathReader):
    """Reader of Python's access paths. It also handles expressions other than plain chains of names."""

    expressions = Expressions(
        attributes={"attribute": ("object", "attribute")},
        calls={"call": "function"},
        subscripts={"subscript": "value"},
        transparent=frozenset({"parenthesized_expression", "await"}),
        literals={"string": "%str", "concatenated_string": "%str", "integer": "%num", "float": "%num"},
        words={"True": "%bool", "False": "%bool", "None": ""},
        functions=frozenset({"lambda"}),
        branches={"boolean_operator": ("left", "right"), "conditional_expression": ()},
    )

    normal_form = "NFKC"

    def __init__(self) -> None:
        super().__init__()
        # variable with a constructed name → constant start of the name, first byte of the function, line
        self.made_names: dict[str, tuple[str, int, int]] = {}
        # (first byte of the function, or -1, and name of a variable) → its text; "" if it has several values
        self.texts: dict[tuple[int, str], str] = {}
        self.text_lists: dict[tuple[int, str], tuple[str, ...]] = {}  # in the same way, for lists of texts
        self.text_tables: dict[tuple[int, str], tuple[str, ...]] = {}  # and for the values of dictionaries
        self.table_names: dict[str, tuple[str, ...]] = {}  # name that stands for a text in a table → its texts

    def read_from(self, data: bytes) -> None:
        super().read_from(data)
        self.made_names.clear()
        self.texts.clear()
        self.text_lists.clear()
        self.text_tables.clear()
        self.table_names.clear()

    def subscript(self, node: Node) -> str:
        """Return ``[0]`` or ``[name]`` for a constant key, ``[:]`` or ``[1:]`` for a slice, ``[]`` for others."""
        key = node.child_by_field_name("subscript")
        if key is None:
            return "[]"
        if key.type == "slice":
            start = step_to(key, "")
            return f"[{self.text(start)}:]" if start is not None and start.type == "integer" else "[:]"
        made = self.name_made_of(key) if self.text(node.children[0]) in _NAME_TABLES else ""
        return f"[{self.key(key) or made}]"

    def key(self, node: Node) -> str:
        """Return the text of a constant key, with quotes if it looks like a number; "" for another node."""
        if node.type == "integer":
            return self.text(node)
        if node.type == "string" and (found := _STRING.fullmatch(self.text(node))):
            key = found.group(2)
            if _WORD.fullmatch(key):
                return key
            return f"'{key}'" if key.isdigit() else ""
        return ""

    def _path(self, node: Node) -> str:
        """Return the access path. That of a callee is cached, because the reference for the call needs it too."""
        callee = node.child_by_field_name("function") if node.type == "call" else None
        if callee is None or callee.type == "call":  # no recursion, because a chain may have thousands of calls
            return super()._path(node)
        path = self.path_of(callee)
        if not path or path.startswith(_CONSTANTS):
            return ""
        return path + self._call_of(path.rpartition(".")[2], node)

    def call_step(self, node: Node) -> str:
        """Return the step of a call, with the arguments if the result is one of them or is made from them."""
        callee = node.child_by_field_name("function")
        if callee is not None and callee.type == "attribute":
            callee = callee.child_by_field_name("attribute")
        elif callee is not None and callee.type == "call":  # lru_cache()(f): the name of what makes the decorator
            return self._call_of(self.path_of(callee).partition("(")[0].rpartition(".")[2], node)
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
            if name == "getattr" and len(kept) > 1 and kept[1].isidentifier():
                given = arguments.named_children[1]
                kept[1] = f"'{self._tested_start(given) or ''.join(self._parts_of_name(given, 0))}'"
            elif name == "getattr" and len(kept) > 1 and (texts := self.texts_read(arguments.named_children[1])):
                row, column = arguments.start_point
                standing = f"_text_{row + 1}_{column}"  # a variable that only the facts have
                self.table_names[standing], kept[1] = texts, f"'{{{standing}}}'"
        return self.kept_call(kept)

    def _kept(self, node: Node) -> str:
        if node.type == "string":
            found = _STRING.fullmatch(self.text(node))
            if found:
                return f"'{found.group(2)}'" if _DOTTED.fullmatch(found.group(2)) else ""
        if node.type in _JOINED and ((made := self.name_made_of(node)) or node.type != "call"):
            return f"'{made}'" if made else ""
        if node.type == "identifier" and (known := self.made_names.get(self.text(node))) is not None:
            made, function, line = known
            if function == function_around(node):
                return f"'{made}:{line}'"
        if node.type == "keyword_argument":
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            path = self._kept(value) if value is not None else ""
            return f"{self.text(name)}={path}" if name is not None and path else ""
        return self.argument(node) if node.type in _SPLATS else self.path_of(node)

    def _tested_start(self, name: Node) -> str:
        """Return ``do_*`` and the line, where code runs only ``if name.startswith("do_")``; "" without such a test."""
        test = self.text(name) + ".startswith"
        below, around = name, name.parent
        for _ in range(MAX_AROUND):
            if around is None or around.type in ("function_definition", "class_definition"):
                break
            clauses: list[Node | None] = [child for child in around.named_children if child.type == "if_clause"]
            if around.child_by_field_name("consequence") == below:
                clauses = [around.child_by_field_name("condition")]
            for clause in clauses:
                for call in self._conjoined(clause):
                    start = walk(call, "arguments", "")
                    if self.text(call.child_by_field_name("function")) == test and start is not None:
                        known = string_of(self.text(start)) if start.type == "string" else ""
                        fits = len(known) >= LEAST_START and known.isidentifier()
                        return f"{known}*:{name.start_point[0] + 1}" if fits else ""
            below, around = around, around.parent
        return ""

    def _conjoined(self, test: Node | None) -> Iterator[Node]:
        """Yield the calls that a test joins by ``and``."""
        waiting = [test] if test is not None else []
        while waiting:
            node = waiting.pop()
            if node.type == "call":
                yield node
            elif node.type in ("if_clause", "parenthesized_expression") or (
                node.type == "boolean_operator" and node.children[1].type == "and"
            ):
                waiting += node.named_children

    def name_made_of(self, node: Node) -> str:
        """Return the pattern of a name that is built at run time; "" for other expressions.

        The result is ``visit_*`` for ``"visit_" + kind.name``, and ``visit_{kind}`` if ``kind`` is a variable, whose
        values may be known texts.
        """
        if node.end_byte - node.start_byte > SHORT_BYTES:
            return ""
        text = _STARS.sub("*", "".join(self._parts_of_name(node, MAX_JOINED)))
        constant = len(_UNKNOWN_PARTS.sub("", text))
        fits = _PATTERN.fullmatch(text) and (constant >= LEAST_START or "{" in text)
        return text if fits else ""

    def _parts_of_name(self, node: Node, depth: int) -> Iterator[str]:
        """Yield the parts of a built name: constant texts, ``{name}`` for a variable, and ``*`` for anything else."""
        children = node.named_children
        if node.type == "string" and any(child.type == "interpolation" for child in children):
            for child in children:
                if child.type == "string_content":
                    yield self.text(child)
                elif child.type == "interpolation":
                    alone = child.named_child_count == 1
                    yield from self._parts_of_name(child.named_children[0], depth - 1) if alone and depth else "*"
        elif node.type == "string":
            found = _STRING.fullmatch(self.text(node))
            yield found.group(2) if found else "*"
        elif node.type == "identifier":
            name = self.text(node)
            outer = self.texts.get((-1, name)) if name.isupper() else ""
            yield self.texts.get((function_around(node), name)) or outer or f"{{{name}}}"
        elif node.type == "attribute" and (known := self.texts.get((-1, self.text(children[-1])))):
            yield known
        elif node.type == "binary_operator" and depth and node.children[1].type == "+":
            yield from self._parts_of_name(children[0], depth - 1)
            yield from self._parts_of_name(children[-1], depth - 1)
        elif node.type == "binary_operator" and depth and node.children[1].type == "%":
            values = children[-1].named_children if children[-1].type == "tuple" else [children[-1]]
            yield from self._filled(children[0], _PERCENT, values, depth)
        elif node.type == "call" and depth and (called := node.child_by_field_name("function")) is not None:
            method, given = called.child_by_field_name("attribute"), node.child_by_field_name("arguments")
            name, values = self.text(method), list(children_of(given))
            if name == "join" and values:
                parts = [list(self._parts_of_name(each, depth - 1)) for each in values[0].named_children]
                glue = string_of(self.text(called.children[0]))
                yield from [part for each in parts for part in (glue, *each)][1:] if glue else "*"
            else:
                filled = name == "format" and given is not None
                yield from self._filled(called.children[0], _BRACES, values, depth) if filled else "*"
        else:
            yield "*"

    def _filled(self, template: Node, fields: re.Pattern[str], values: Sequence[Node], depth: int) -> Iterator[str]:
        """Yield the parts of a name that ``%`` or ``format`` makes of a template and the values of its fields."""
        found = _STRING.fullmatch(self.text(template))
        named = {}
        for place, value in enumerate(values):
            key = value.child_by_field_name("name") if value.type == "keyword_argument" else None
            name = self.text(key) if key is not None else str(place)
            named[name] = value if key is None else value.named_children[-1]
        for place, part in enumerate(fields.split(found.group(2)) if found else ("*",)):
            if place % 2 == 0:
                yield part
            else:
                filled = named.get(part or str(place // 2))
                yield from self._parts_of_name(filled, depth - 1) if filled is not None else "*"

    def note_text(self, name: str, target: Node, value: Node) -> None:
        """Record the text that is assigned to a variable, or the pattern of the name that is built for it."""
        written = self.data[value.start_byte : value.end_byte]
        if (b"'" in written or b'"' in written) and (made := self.name_made_of(value)):
            self.made_names[name] = made, function_around(target), target.start_point[0] + 1
        elif value.type == "string" and (text := self.key(value) or self._start_of_module(value)):
            place = function_around(target), name
            self.texts[place] = text if self.texts.get(place, text) == text else ""
        elif value.type == "dictionary":
            pairs = [child for child in value.named_children[: MAX_ITEMS + 1] if child.type == "pair"]
            values = [pair.child_by_field_name("value") for pair in pairs]
            texts = tuple(self.key(each) if each is not None and each.type == "string" else "" for each in values)
            place, fits = (function_around(target), name), len(texts) <= MAX_ITEMS and all(map(str.isidentifier, texts))
            self.text_tables[place] = texts if fits and self.text_tables.get(place, texts) == texts else ()
        elif value.type in CONTAINERS:
            place, several = (function_around(target), name), self.texts_in(value)
            self.text_lists[place] = several if self.text_lists.get(place, several) == several else ()

    def _start_of_module(self, value: Node) -> str:
        """Return a text such as ``plugins.``, to which the name of a module may be added; "" for another one."""
        text = string_of(self.text(value)) if value.end_byte - value.start_byte <= SHORT_BYTES else ""
        return text if text[-1:] == "." and _DOTTED.fullmatch(text[:-1]) is not None else ""

    def texts_in(self, node: Node) -> tuple[str, ...]:
        """Return the texts in a literal, or in the only literal that a variable gets, if all of them are names."""
        if node.type == "identifier":
            name = self.text(node)
            return self.text_lists.get((function_around(node), name)) or self.text_lists.get((-1, name), ())
        items = [child for child in node.named_children[: MAX_TEXTS + 1] if child.type != "comment"]
        texts = [self.key(child) if child.type == "string" else "" for child in items]
        fits = node.type in CONTAINERS and len(texts) <= MAX_TEXTS and all(map(str.isidentifier, texts))
        return tuple(texts) if fits else ()

    def texts_read(self, node: Node) -> tuple[str, ...]:
        """Return the texts that a subscript or ``get`` may read from the only literal of a table, if all are names."""
        table, called = node.child_by_field_name("value"), node.child_by_field_name("function")
        if called is not None and self.text(called.child_by_field_name("attribute")) in ("get", "pop"):
            table = called.child_by_field_name("object")
        if table is None or table.type not in ("identifier", "attribute"):
            return ()
        name = self.text(table.named_children[-1] if table.type == "attribute" else table)
        places = ((-1, name),) if table.type == "attribute" else ((function_around(node), name), (-1, name))
        known = (texts.get(place) for place in places for texts in (self.text_tables, self.text_lists))
        return next(filter(None, known), ())

    def with_texts(self, node: Node, given: tuple[str, ...]) -> tuple[str, ...]:
        """Return the paths `given` of a call's arguments with the texts of short literals: parts of names."""
        children = [child for child in node.named_children if not child.is_extra]
        found = []
        for child, path in zip(children, given, strict=False):
            value = child.child_by_field_name("value") if child.type == "keyword_argument" else child
            key = self.key(value) if path.endswith("%str") and value is not None and value.type == "string" else ""
            found.append(f"{path[:-4]}'{key}'" if key.isidentifier() and len(key) <= MAX_TEXT_CHARS else path)
        return tuple(found)

    def root_of(self, node: Node) -> str:
        """Return the root of a value without a name, with the position of a literal that is not large plain data."""
        root = CONTAINERS.get(node.type)
        if root is None:
            several = node.type in self.expressions.branches or node.type == "binary_operator"
            return self.either(node) if several else super().root_of(node)
        if node.named_child_count > MAX_SCALARS and SCALARS.issuperset(map(_type, node.named_children[:MAX_ITEMS])):
            return root
        return f"{root}:{line_col(node)}"

    def either(self, node: Node) -> str:
        """Return ``%or:LINE:COL`` for an expression with several possible values; "" if none has a path."""
        parent = node.parent
        if parent is None or parent.type not in _EITHER_IN or not self.sides(node):
            return ""
        return f"%or:{line_col(node)}"

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
            return f"{self.text(name)}={self.path_of(value)}"  # without a path the name tells which field is set
        if kind in _SPLATS:
            path = self.path_of(node.named_children[0]) if node.named_child_count else ""
            return _SPLATS[kind] + path if path else ""
        return self.path_of(node)

    def values_of(self, node: Node | None, limit: int = 8) -> list[str]:
        """Return the access paths of the values that the expression `node` may have.

        ``a + b`` has the items of both containers. One of them must be a literal, unless the sum is computed outside of
        functions: most sums in functions are numbers.
        """
        if node is None or node.type != "binary_operator":
            return super().values_of(node, limit)
        if node.children[1].type not in _UNITING:
            return []
        sides: list[Node] = []
        left: Node | None = node
        while left is not None and left.type == "binary_operator" and len(sides) < limit:
            sides.append(left.children[-1])
            left = left.children[0]
        sides = [each for each in (*sides, left) if each is not None][::-1]
        paths = [path for each in sides if (path := self.path_of(each)) and path.partition(":")[0] not in _PLAIN_VALUES]
        if len(paths) < len(sides) or not (
            any(path.partition(":")[0] in CONTAINERS.values() for path in paths) or function_around(node) < 0
        ):
            return []
        return [f"{path}[+]" for path in paths]

    def branches_of(self, node: Node, fields: Sequence[str]) -> list[Node]:
        """Return the sides. The grammar has no fields for those of ``a if c else b``."""
        if node.type == "conditional_expression":
            return [node.named_children[0], node.named_children[-1]]
        return super().branches_of(node, fields)

    def type_alias(self, node: Node) -> str:
        """Return the type that a value denotes (``Union[A, B]``, a TypeVar with a bound); "" for an ordinary value."""
        kind = node.type
        if kind == "subscript":
            name = self.text(node.child_by_field_name("value")).rpartition(".")[2]
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


def string_of(literal: str) -> str:
    """Return the text of a plain string literal; "" if it has escapes or several parts."""
    found = _STRING.fullmatch(literal)
    return found.group(2) if found else ""


def function_around(node: Node) -> int:
    """Return the first byte of the function that contains `node`; -1 if there is none."""
    outer = enclosing(node.parent, ("function_definition",))
    return outer.start_byte if outer is not None else -1
