"""C: language record, extractor and resolution rules.

Example: ``static int grow(struct queue *q) { return resize(q); }`` in ``src/queue.c`` becomes the function
``src/queue.c:grow``, with a call of ``resize``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from tree_sitter import Node

from codeexplore.languages.base import SLASHES, Dialect, Language, later, table, words
from codeexplore.languages.conventions import CONDITION, FALLBACK
from codeexplore.languages.declared import c_macros
from codeexplore.languages.declared.c_declarators import (
    MAX_DECLARATORS,
    declarators,
    declared_name,
    declares_function,
    defining_macro,
    is_in_branch,
    is_pointer,
)
from codeexplore.languages.declared.c_wrappings import wrappings
from codeexplore.languages.declared.extractor import SymbolsExtractor, declared
from codeexplore.languages.declared.grammar_shape import QUALIFIED, Shape, ShapedPaths
from codeexplore.languages.extraction.expressions import Captures, Definition, children_of, step_to, walk
from codeexplore.types import (
    CALLABLE_KINDS,
    DEFAULTS,
    OPENING,
    TYPE_KINDS,
    Binding,
    Reference,
    Return,
    Symbol,
    SymbolKind,
)

BLOCKS = dict.fromkeys(
    words(
        "compound_statement lambda_expression for_statement for_range_loop if_statement while_statement catch_clause"
    ),
    "",
)
SHAPE: Final[Shape] = Shape(
    blocks=BLOCKS,
    global_names=True,
    roots=frozenset({"identifier", "this"}),
    attributes={"field_expression": ("argument", "field")},
    calls={"call_expression": "function"},
    subscripts={"subscript_expression": "argument"},
    through={
        **dict.fromkeys(("pointer_expression", "update_expression"), "argument"),
        "parenthesized_expression": "",
        "cast_expression": "value",
        "assignment_expression": "right",
    },
    branches={"conditional_expression": ("consequence", "alternative")},
    literals=table(
        {
            "%str": "string_literal concatenated_string raw_string_literal",
            "%type(size_t)": "sizeof_expression",
            "%num": "number_literal",
            "%char": "char_literal",
            "%bool": "true false",
            "%null": "null",
        }
    ),
    declared={
        **dict.fromkeys(("field_declaration", "declaration"), (("declarator",), ("type",), ())),
        "init_declarator": (("declarator",), ("^", "type"), ("value",)),
    },
    arguments={"call_expression": ("arguments",)},
    type_words=frozenset({"struct", "union", "enum", "const", "typename", "class", "volatile", "static", "inline"}),
    imports=re.compile(r'#\s*(?:include|import)\s*[<"](?P<module>[^>"]+)[>"]'),
)
_CALLS = re.compile(rb"\b([A-Za-z_]\w*)\s*\(")
_MACROS = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_CPP = re.compile(
    r"^[ \t]*(?:class\s+\w[^;()]*\{|namespace\b[\w: \t]*\{?|template\s*<|using\s+[\w:]+\s*[=;]|"
    r"(?:public|private|protected)\s*:|(?:[\w\[\]:]+[ \t]+)*std::\w|struct\s+\w+\s*:\s*\w[\w:<>, ]*\{|"
    r"#\s*include\s*<(?:algorithm|array|atomic|cstd\w+|functional|iostream|iterator|limits|map|memory|mutex|optional|set|"
    r"string|string_view|tuple|type_traits|unordered_map|utility|vector)>)",
    re.MULTILINE,
)
"""Pattern of syntax that is valid only in C++, to recognise C++ headers."""

MAX_SPECIFIERS = 4  # most specifiers that are examined before a type
_HEADERS = (".h", ".hpp", ".hh", ".hxx", ".h++", ".inl", ".ipp", ".tpp", ".tcc", ".txx", ".icc", ".cuh")
_PARAMETERS = words(
    "parameter_declaration optional_parameter_declaration variadic_parameter_declaration variadic_parameter"
)
_PLAIN_NAMES = frozenset({"identifier", "field_identifier"})
_DECLARED = frozenset({"function_definition", "declaration", "field_declaration", "type_definition"})


_MARKS = table(
    {
        "*": "pointer_declarator abstract_pointer_declarator",
        "[]": "array_declarator abstract_array_declarator",
        "&": "reference_declarator abstract_reference_declarator",
    }
)
_MOST_ITEMS = 500  # items of an initialiser that are read
_SUFFIX = re.compile(rb"(?<=[\d.'])(?:f|u|l|ul|lu|ll|ull|llu)$")
_SUFFIXES = {b"f": "float", b"u": "unsigned", b"l": "long"}
_CASTS = {"cast_expression": "type", "call_expression": "function"}  # to types of the language
_COMPARING = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||", "!"})


class CPaths(ShapedPaths):
    """Reader of access paths that tells whole numbers from others, and truth values."""

    def _new_path(self, node: Node, written: bytes) -> str:
        if node.type == "number_literal" and written[:2].lower() != b"0x":
            number = written.lower()
            suffix = _SUFFIX.search(number)
            if suffix is not None and (suffix[0] == b"f" or number[: suffix.start()].replace(b"'", b"").isdigit()):
                return f"%type({_SUFFIXES.get(suffix[0], 'size_t')})"
            if suffix is not None or not written.isalnum():
                return "%float"  # 1.0L too
        cast = node.child_by_field_name(_CASTS.get(node.type, "")) if node.type in _CASTS else None
        kind = cast if cast is None or cast.type == "primitive_type" else cast.child_by_field_name("type")
        if cast is not None and kind is not None and kind.type in ("primitive_type", "sized_type_specifier"):
            return f"%type({'_'.join(self.text(cast).replace('const ', '').split())})"
        operator = node.child_by_field_name("operator") if node.type.endswith("nary_expression") else None
        if operator is not None:
            return "%bool" if operator.type in _COMPARING else ""
        return super()._new_path(node, written)


def _parameter_nodes(declarator: Node | None) -> Iterator[Node]:
    """Yield the parameters of the function that a declarator declares."""
    for current in declarators(declarator):
        inner = current.child_by_field_name("declarator")
        if current.type == "function_declarator" and (inner is None or not is_pointer(inner)):
            yield from (each for each in children_of(current, "parameters") if each.type in _PARAMETERS)
            return


class CExtractor(SymbolsExtractor):
    """Extractor of C. The definition of a function is a symbol, its prototype is not."""

    paths: CPaths
    reader = CPaths
    outline_captures: frozenset[str] = SymbolsExtractor.outline_captures | {"_unnamed", "_attribute", "_parameter"}

    def name_node(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the node of the name: in a declarator, in a struct or enum, or in the typedef of an unnamed type."""
        if node.type.endswith("_specifier"):
            name = node.child_by_field_name("name")
            parent = node.parent if name is None else None
            return declared_name(parent) if parent is not None and parent.type == "type_definition" else name
        return declared_name(node) or node.child_by_field_name("name")

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return "" for prototypes, include guards, ``extern`` variables, typedefs that repeat the name of a struct.

        So it is for a macro that a syntax error makes a field or variable: ``OPERATOR(<=, COMPARE)``.
        """
        if kind in ("field", "constant") and declares_function(node):
            return ""
        if node.type == "preproc_def" and node.child_by_field_name("value") is None:
            return ""
        if kind == "constant" and node.parent is not None and self.data.startswith(b"extern ", node.parent.start_byte):
            return ""
        name = super().definition_name(kind, node)
        declared = kind in ("field", "constant") and not node.type.startswith("preproc_") and name in self._macros
        if declared and node.parent is not None and node.parent.has_error:
            return ""
        if node.type == "type_definition":
            tag, body = walk(node, "type", "name"), walk(node, "type", "body")
            if body is not None and (tag is None or self.text(tag) == name):
                return ""
        return name

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return the qualified name; it begins with the path of the file for what no other file sees."""
        name = super().fqn(definition, parent)
        internal = parent.kind == "module" and self._is_internal(definition) and not self.path.endswith(_HEADERS)
        return f"{self.path}:{name}" if internal and not name.startswith(self.path) else name

    def _is_internal(self, definition: Definition) -> bool:
        """Return True for a ``static`` function or variable, and for every definition in an unnamed namespace."""
        if any(start <= definition.start < end for start, end in self._unnamed):
            return True
        if definition.kind not in ("function", "constant"):
            return False
        node = definition.outer if definition.kind == "constant" else definition.node
        words = node.children[:MAX_SPECIFIERS]
        return any(word.type == "storage_class_specifier" and self.text(word) == "static" for word in words)

    def _definitions(self, captures: Captures) -> list[Definition]:
        self._unnamed = [(node.start_byte, node.end_byte) for node in captures.get("_unnamed", ())]
        self._attributes: dict[str, list[str]] = {}
        for node in captures.get("_attribute", ()):
            self._note_attributes(node)
        self._type_parameters = frozenset(
            self.text(name)
            for node in captures.get("_parameter", ())
            if (name := step_to(node, "<type_identifier")) is not None
        )
        self._locals: set[tuple[int, str]] = set()
        self._noted = 0
        self._types: dict[tuple[int, str], str] = {}  # (scope, variable) → its first declared type
        self._called = frozenset(_CALLS.findall(self.data))
        self._macros = Counter(_MACROS.findall(self.data.decode("utf-8", "replace")))
        found = super()._definitions(captures)
        types = Counter((each.kind, each.name) for each in found if each.kind in TYPE_KINDS)
        self._several = frozenset(name for (_, name), number in types.items() if number > 1)
        # ``else if (x) {`` behind an ``#if`` seems to be a function
        return [each for each in found if each.name not in ("if", "for", "while", "switch", "catch")]

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        """Put functions and macros in a function beside it: C has none inside, but a syntax error may hide its end."""
        super().adopt(placed)
        for definition in filter(None, placed):
            outer = definition.kind == "function" or definition.node.type.startswith("preproc_")
            while outer and (above := placed[definition.parent]) is not None and above.kind == "function":
                definition.parent = above.parent

    # ----------------------------------------------------------------- attributes

    def _note_attributes(self, node: Node) -> None:
        """Record the attributes in `node` for the function that its declaration, maybe a prototype, names."""
        declaration = node.parent
        while declaration is not None and declaration.type.endswith("_declarator"):
            declaration = declaration.parent
        declarator = walk(declaration, "declarator")
        named = declared_name(declarator) if declarator is not None else None
        if named is None:
            return
        found = self._attributes.setdefault(self.text(named), [])
        for child in children_of(node, *(("<argument_list",) if node.type == "attribute_specifier" else ())):
            written = QUALIFIED.search(self.text(child))
            if written is not None:
                found.append(written.group().removeprefix("__").removesuffix("__"))

    def decorators(self, definition: Definition) -> tuple[str, ...]:
        """Return the attributes of a function or variable, also those of a prototype, or the macro that defines it.

        A macro that is another name for something in some builds only has the mark ``#if``, and so has a type that
        other builds define in another way. A macro with parameters below ``#ifndef`` and its name has that mark.
        """
        node = definition.node
        if node.type.startswith("preproc_"):
            around = node.parent if node.type == "preproc_function_def" else None
            if around is not None and self.data.startswith(b"#ifndef", around.start_byte):
                return (FALLBACK,) if self.text(around.child_by_field_name("name")) == definition.name else ()
            return (CONDITION,) if self._is_conditional_name(node) else ()
        if definition.kind in TYPE_KINDS:
            return (CONDITION,) if definition.name in self._several and is_in_branch(definition.node) else ()
        if definition.named is None or definition.kind not in (*CALLABLE_KINDS, "constant"):
            return ()
        macro, _ = defining_macro(definition.node)
        found = [self.text(macro)] if macro is not None else []
        return tuple(dict.fromkeys(found + self._attributes.get(self.text(definition.named), [])))

    # ----------------------------------------------------------------- arguments

    def _argument(self, node: Node) -> str:
        """Return the access path of an argument, with ``&`` or ``*`` before a name whose address or object is meant."""
        path = self.path_of(node)
        pointed = node.type == "pointer_expression" and path.replace(".", "").isidentifier()
        return self.text(node)[0] + path if pointed else path

    # ----------------------------------------------------------------- macros

    def _is_conditional_name(self, node: Node) -> bool:
        """Return True for ``#define name other`` under a condition that is neither a guard nor ``#ifndef name``.

        So is ``#define name(a) other(a)`` if no other branch defines the macro.
        """
        value, own = node.child_by_field_name("value"), self.name_node("constant", node)
        given = "".join(self.text(node.child_by_field_name("parameters")).split())
        body = "".join(self.text(value).split()) if given else self.text(value).strip()
        plain = body.removesuffix(given)
        if own is None or not body.endswith(given) or (given and self._macros[self.text(own)] > 1):
            return False
        if c_macros.PLAIN.fullmatch(plain) is None:
            return False
        around = node.parent
        while around is not None:
            asked = around.child_by_field_name("name")
            guard = around.named_child(1) if around.type == "preproc_ifdef" else None
            known = {self.text(own), self.text(walk(guard, "name"))}
            if around.type.startswith("preproc_") and (asked is None or self.text(asked) not in known):
                return True
            around = around.parent
        return False

    def on_definition(self, definition: Definition, scope: int) -> None:
        super().on_definition(definition, scope)
        node = definition.node
        if node.type.startswith("preproc_"):
            self._macro(node, scope)
        macro, names = defining_macro(node)
        if macro is not None:  # the function does not call it: its definition is written by it
            args = tuple(self.text(each) for each in names)
            self.refer(scope, "decorator", self.text(macro), node, args)
            self._named.add(names[-1].id)
        aliased = self.declared_type(node, node.child_by_field_name("declarator")) if definition.kind == "type" else ""
        if aliased and aliased != definition.name:
            self.bind(definition.parent, definition.name, "type", aliased, (), node.start_point[0] + 1)

    def _macro(self, node: Node, scope: int) -> None:
        """Add the parameters of a macro, and what its body calls or is another name for."""
        first = node.start_point[0] + 1
        held = node.child_by_field_name("parameters")
        for child in held.children if held is not None else ():
            if child.is_named or child.type == "...":
                row = Binding(scope, self.text(child), "parameter", "", "", first)
                self.bindings.append(row._replace(name="__VA_ARGS__", manner="rest") if row.name == "..." else row)
        value = node.child_by_field_name("value")
        body = self.code_of(value).replace("\\\n", " \n") if value is not None else ""
        begin = value.start_point[0] + 1 if value is not None else first  # the body may begin below the name
        if body.count("{") > body.count("}"):
            self.bindings.append(Binding(scope, OPENING, "variable", "", "", first))
        for position, path, args in c_macros.calls(body):
            self.references.append(Reference(scope, "call", path, begin + body.count("\n", 0, position), args))
        plain = body.strip(" ()\t\r")
        if c_macros.PLAIN.fullmatch(plain):
            self.references.append(Reference(scope, "read", self.paths.dotted(plain), begin))

    def parameter_nodes(self, definition: Definition) -> Iterator[Node]:
        declarator = definition.node.child_by_field_name("declarator")
        behind = walk(declarator, "declarator")  # of a macro with two lists
        own = not defining_macro(definition.node)[1] or (behind is not None and behind.type == "function_declarator")
        if definition.node.type != "preproc_function_def" and own:
            yield from _parameter_nodes(declarator)

    def declared_type(self, node: Node, declarator: Node | None) -> str:
        """Return a type with marks (``*``, ``&``, ``[]``); "" for a pointer to a function and a type parameter."""
        text, marks = self.type_text(node.child_by_field_name("type")), ""
        if text.partition("::")[0] in self._type_parameters and not self.is_of_template(node, text):
            return ""
        for each in declarators(declarator):
            if not each.type.endswith("_declarator"):
                break
            inner = each.child_by_field_name("declarator") or step_to(each, "-")
            if each.type.endswith("function_declarator") and (inner is None or is_pointer(inner)):
                return ""  # the written type is only that of the result
            mark = _MARKS.get(each.type, "")
            marks += "&&" if mark == "&" and self.data.startswith(b"&&", each.start_byte) else mark
        return text + marks if text else ""

    def is_of_template(self, node: Node, text: str) -> bool:
        """Return True if the type parameter `text` is that of a class template whose member `node` declares."""
        return False

    def type_text(self, node: Node | None) -> str:
        text = super().type_text(node)
        return text.replace(" ", "_") if node is not None and node.type == "sized_type_specifier" else text

    def parameter(self, node: Node) -> tuple[str, str]:
        """Return (name, type) of a parameter. A parameter without a name gets a name, so that it is counted."""
        declarator = node.child_by_field_name("declarator")
        named = declared_name(node) if declarator is not None else None
        type_text = self.declared_type(node, declarator)
        if named is None or named.type != "identifier":
            return ("" if type_text == "void" else f"unnamed {node.start_byte}"), type_text
        return self.text(named), type_text

    def is_variadic(self, node: Node) -> bool:
        """Return True if the parameter `node` is a parameter pack or ``...``."""
        return node.type.startswith("variadic")

    def result_type(self, definition: Definition) -> str:
        """Return the result type, which is written before the declarator or after an arrow; "" for none."""
        node = definition.node
        if node.type != "function_definition" and definition.kind != "method":
            return ""
        declarator = node.child_by_field_name("declarator")
        written = self.declared_type(node, declarator)
        if written:
            return written
        declared = next((each for each in declarators(declarator) if each.type == "function_declarator"), None)
        return self.type_text(walk(declared, "<trailing_return_type", ""))

    # ----------------------------------------------------------------- variables

    def on_binding_variable(self, scope: int, node: Node) -> None:
        """Add the variables or fields that a declaration names, or the one that an initialiser belongs to.

        ``extern int n;`` binds no name: the name means the variable that another file defines.
        """
        if node.id in self._recorded:
            return
        if node.type == "declaration" and self.data.startswith(b"extern ", node.start_byte):
            return
        value, declaration = node.child_by_field_name("value"), node.parent
        if node.type != "init_declarator":  # the declaration in ``if (Item* item = last())`` has the value itself
            value, declaration = value if node.type == "declaration" else None, node
        for declarator in node.children_by_field_name("declarator"):
            if declaration is not None and declarator.type != "init_declarator":
                self.variable(scope, declaration, declarator, value)
                self._defaults(scope, declarator)

    def _defaults(self, scope: int, declarator: Node) -> None:
        """Add which parameters of a prototype have default values, if any has: the definition does not repeat them."""
        held = list(_parameter_nodes(declarator)) if declares_function(declarator) else []
        named = declared_name(declarator)
        if named is None or all(each.type != "optional_parameter_declaration" for each in held):
            return
        types = (self.parameter(each)[1] + "=" * (each.type == "optional_parameter_declaration") for each in held)
        line = declarator.start_point[0] + 1
        self.bindings.append(Binding(scope, DEFAULTS, "variable", ";".join((self.text(named), *types)), "", line))

    def on_binding_element(self, scope: int, node: Node) -> None:
        """Add the variables of a loop over a container."""
        declarator, held = node.child_by_field_name("declarator"), node.child_by_field_name("right")
        named = declared_name(declarator) if declarator is not None else None
        if named is not None and declarator is not None and held is not None and named.type == "identifier":
            line, type_text = node.start_point[0] + 1, self.declared_type(node, declarator)
            self.bind(scope, self.text(named), "element", type_text, (self.path_of(held),), line)
        elif declarator is not None and named is not None and held is not None:
            self._of_pair(scope, named, f"{self.path_of(held)}[*]")

    def _of_pair(self, scope: int, named: Node, path: str) -> None:
        """Add the variables of a structured binding, two of which may be those of a pair: ``[key, value]``."""
        fields = (".first", ".second") if named.named_child_count == 2 and path[:1] not in ("", "[") else ()
        for place, child in enumerate(named.named_children):
            values = (path + fields[place],) if fields else ()
            self.bind(scope, self.text(child), "variable", "", values, child.start_point[0] + 1)

    def variable(self, scope: int, node: Node, declarator: Node, value: Node | None) -> None:
        """Add a variable or field: `node` is its declaration and `value` its initial value."""
        line = declarator.start_point[0] + 1
        named = declared_name(declarator)
        if named is not None and named.type == "structured_binding_declarator":
            self._of_pair(scope, named, self.path_of(value) if value is not None else "")
            return
        if named is None or named.type not in _PLAIN_NAMES or self._is_prototype(scope, declarator):
            return
        name, type_text = self.text(named), self.declared_type(node, declarator)
        values: list[str] = []
        if value is not None and value.type == "initializer_list":
            arrays = type_text.count("[]")
            base = f"%type({type_text.rstrip('[]')})" if type_text.rstrip("[]").isidentifier() else ""
            self._items(scope, base, value, arrays)
            items = value.named_children if not type_text else ()
            values = [each for item in items for each in self.functions_in(scope, item)]
        elif value is not None and value.type != "argument_list":
            values = self.values_of(value)
        manner = "field" if self.symbols[scope].kind in TYPE_KINDS else "variable"
        other = self._types.setdefault((scope, name), type_text) != type_text  # in another block
        branch = node.parent if manner == "variable" and name in self._macros else None
        if branch is not None and branch.type.startswith("preproc_"):  # behind it, the name may be the macro
            behind = branch.child_by_field_name("alternative")
            end = branch.end_byte if behind is None else behind.start_byte
            self.locals.declare(scope, name, named.end_byte, end)
        elif manner == "variable" and (other or name.encode() in self._called):
            self.declare_local(scope, name, node, named.end_byte)
        self.bind(scope, name, manner, type_text, values[:_MOST_ITEMS], line)

    def _is_prototype(self, scope: int, declarator: Node) -> bool:
        return declares_function(declarator)

    def _items(self, scope: int, base: str, node: Node, arrays: int) -> None:
        """Add the functions that an initialiser stores in the members of `base`, an access path.

        The first `arrays` levels are items of arrays. A member without a name is given by its position: ``.%1``.
        """
        for place, item in enumerate(node.named_children[:_MOST_ITEMS] if base else ()):
            step, value = "" if arrays else f".%{place}", item
            if item.type == "initializer_pair":
                value = item.child_by_field_name("value") or item
                fields = [each for each in item.children_by_field_name("designator") if each.type == "field_designator"]
                step = "".join(f".{self.text(each).lstrip('. ')}" for each in fields)
            if value.type == "initializer_list" and base.count(".") < MAX_DECLARATORS:
                self._items(scope, base + step, value, max(arrays - 1, 0))
            elif step:
                for path in self.functions_in(scope, value):
                    self.bindings.append(Binding(scope, base + step, "field", "", path, value.start_point[0] + 1))

    def functions_in(self, scope: int, node: Node) -> list[str]:
        """Return the values of `node` that may be functions: names that are neither local variables nor in capitals."""
        if node.type.endswith("_literal"):
            return []
        found = [path for path in self.values_of(node) if path.replace(".", "").isidentifier() and not path.isupper()]
        return [path for path in found if not self._is_local(scope, path.partition(".")[0])]

    def _is_local(self, scope: int, name: str) -> bool:
        """Return True if a function has a parameter or variable of this name above the current place."""
        self._locals.update((row.scope, row.name) for row in self.bindings[self._noted :])
        self._noted = len(self.bindings)
        return (scope, name) in self._locals and self.symbols[scope].kind in CALLABLE_KINDS

    def on_binding_assigned(self, scope: int, node: Node) -> None:
        """Add the assignment of a name, which may be a function, to a variable or member."""
        name, right = self.path_of(node.child_by_field_name("left")), node.child_by_field_name("right")
        if right is None or not name or name[0] in "%:" or "(" in name:
            return
        values = self.functions_in(scope, right)
        if "." in name and not values and right.type == "identifier":  # a parameter that holds a function
            values = [self.text(right)]
        if "." not in name and not self._is_local(scope, name):
            if (0, name) not in self._locals:
                return
            scope = 0
        for value in values:
            manner: Literal["field", "variable"] = "field" if "." in name else "variable"
            self.bindings.append(Binding(scope, name, manner, "", value, node.start_point[0] + 1))

    def on_return(self, scope: int, node: Node) -> None:
        """Add the functions that a function returns."""
        if (value := step_to(node, "")) is not None:
            self.returns += (Return(scope, path, "return") for path in self.functions_in(scope, value))

    def outer_of(self, kind: SymbolKind, node: Node) -> Node:
        """Return the declaration that contains a declarator; for an unnamed type, its typedef."""
        parent = node.parent
        if parent is None:
            return node
        if kind in ("field", "constant") and parent.type in _DECLARED:
            return parent
        if node.type.endswith("_specifier") and parent.type == "type_definition":
            return parent
        return super().outer_of(kind, node)

    def signature(self, definition: Definition) -> str:
        """Return the signature. For variables and fields it is the whole declaration."""
        if definition.kind in ("field", "constant") and definition.outer is not definition.node:
            text = self.code_of(definition.outer).partition("\n")[0]
            return " ".join(text.split()).rstrip(";{ ")[:300]
        if definition.outer.type == "type_definition" and definition.node is not definition.outer:
            return f"typedef {super().signature(definition)} {definition.name}"
        around = definition.node.parent
        friend = "friend " if around is not None and around.type == "friend_declaration" else ""
        return friend + super().signature(definition).rstrip(";")


_PLAIN_ATTRIBUTES: Final = frozenset({CONDITION, FALLBACK}) | words(
    """
    deprecated unused maybe_unused nodiscard noreturn noinline always_inline inline gnu_inline format format_arg nonnull
    pure const warn_unused_result cold hot malloc visibility target optimize aligned fallthrough leaf nothrow
    returns_nonnull access sentinel alloc_size alloc_align assume_aligned no_sanitize no_sanitize_address
    no_instrument_function flatten artificial returns_twice unavailable availability stdcall cdecl fastcall noclone
    """
)
"""Attributes of functions that give no code a reason to call the function."""
C: Final[Language] = replace(
    declared("c", "C", lambda: CExtractor(SHAPE)),
    extensions=(".c", ".h"),
    wrappings=wrappings,
    dialects=(Dialect("cpp", (".h",), _CPP),),
    queries=(Path(__file__).with_suffix(".scm"), Path(__file__).with_name("c_names.scm")),
    rules=later("codeexplore.languages.declared.c_rules:rules"),
    start_names=("main", "wmain", "WinMain", "wWinMain", "DllMain", "_start", "LLVMFuzzerTestOneInput"),
    declaring=re.compile(
        r"[ \t]*(?:(?:public|private|protected):[ \t]*)?(?:\[\[[^\]]*\]\][ \t]*)*"
        r"(?!(?:return|else|do|case|goto|throw|new|delete|co_\w+)\b)"
        r"(?:[A-Za-z_][\w:]*(?:<(?:[^<>;()]|<[^<>;()]*>|\([^<>;()]*\))*>)?(?:[ \t]+[*&]*|[*&]+[ \t]*))+"
        r"(?:~|[A-Za-z_]\w*::)?|[ \t]*~"
    ),
    visibility="words",
    private_words=("static",),
    platform="native",
    overridden_fields=False,
    built_names=c_macros.built_names,
    including=re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE),
    comment_start=SLASHES,
    mark_noun="attribute",
    plain_decorators=_PLAIN_ATTRIBUTES,
    by_position=r"(?<!public )(?<!private )(?<!protected )(?<!: )(?<!, )\b{0}\b(?:\)|[\s*&]+\w+)?"
    r"\s*(?:\[\w*\]\s*)*(?:=\s*)?(?:\{{\s*)+(?![\s{{}}.]|0\s*\}})",
    conditional=True,
    test_files=re.compile(r"(?:.+_test|test[_-].+)\.c"),
    parameter_names="behind type",
    result_first=True,
)
