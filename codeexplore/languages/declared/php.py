"""PHP: language record, extractor and resolution rules.

Example: ``<?php class Shop { function total() { return sum(); } }`` in ``src/Shop.php`` becomes the class ``Shop``
and the method ``Shop::total``, with a call of ``sum``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter

from tree_sitter import Node

from codeexplore.languages.base import Called, calling_only, default_rules, later, table, words
from codeexplore.languages.conventions import JUNIT_SETUP, SCRIPT_TESTS, TYPE_TESTS
from codeexplore.languages.declared.extractor import SymbolsExtractor, declared
from codeexplore.languages.declared.grammar_shape import Shape, ShapedPaths, Steps, clean_name
from codeexplore.languages.declared.made_names import MODEL, MadeNames
from codeexplore.languages.extraction.expressions import Captures, Definition, Layout, line_col, step_to, walk
from codeexplore.types import CALLABLE_KINDS, STUB, TYPE_KINDS, Base, Binding, Import, Reference, Return, SymbolKind

SHAPE = Shape(
    separator="\\",
    member_separator="::",
    global_names=True,
    packages=frozenset({"namespace_definition"}),
    names={"const_element": ("",)},
    bodies={"property_element": "name", "const_element": ""},
    wrappers=frozenset({"property_declaration", "const_declaration"}),
    annotations=frozenset({"attribute_list", "attribute_group", "attribute"}),
    roots=frozenset({"name", "variable_name", "relative_scope", "qualified_name", "relative_name"}),
    attributes={
        "member_access_expression": ("object", "name"),
        "nullsafe_member_access_expression": ("object", "name"),
        "scoped_property_access_expression": ("scope", "name"),
        "class_constant_access_expression": ("", "-"),
    },
    calls={"function_call_expression": "function"},
    methods={
        "member_call_expression": ("object", "name"),
        "nullsafe_member_call_expression": ("object", "name"),
        "scoped_call_expression": ("scope", "name"),
    },
    news={"object_creation_expression": ""},
    subscripts={"subscript_expression": ""},
    through={"parenthesized_expression": "", "clone_expression": ""},
    literals={"string": "%str", "encapsed_string": "%str", "integer": "%num", "array_creation_expression": "%list"},
    parameters={"method_declaration": ("parameters",), "function_definition": ("parameters",)},
    parameter=dict.fromkeys(
        ("simple_parameter", "variadic_parameter", "property_promotion_parameter"), (("name",), ("type",))
    ),
    variadic=frozenset({"variadic_parameter"}),
    blocks=dict.fromkeys(("arrow_function", "anonymous_function"), ""),
    declared={
        **dict.fromkeys(
            ("simple_parameter", "property_promotion_parameter", "catch_clause"), (("name",), ("type",), ())
        ),
        "property_element": (("name",), ("^", "type"), ()),
        "assignment_expression": (("left",), (), ("right",)),
    },
    elements={"foreach_statement": ((">as",), (), ("",))},
    results={"method_declaration": ("return_type",), "function_definition": ("return_type",)},
    arguments=dict.fromkeys(
        words("function_call_expression member_call_expression nullsafe_member_call_expression scoped_call_expression"),
        ("arguments",),
    )
    | {"object_creation_expression": ("<arguments",)},
    argument=frozenset({"argument"}),
)
_PROMOTED = "property_promotion_parameter"
_RELATIVE = re.compile(r"\\?namespace\\", re.IGNORECASE)
_KEYWORD_NAMES = re.compile(r"self|static|parent", re.IGNORECASE)


_MAKING = words(
    """
    app resolve make makeWith get getInstance getService find findOrFail getRepository hasOne hasMany belongsTo
    belongsToMany hasOneThrough hasManyThrough morphOne morphMany morphTo morphToMany morphedByMany
    """
)
"""Functions of containers and object-relational mappers that make or find instances of the type that they get."""
_CUT = "%"  # behind the path of such a function, which does not tell the result


class PhpPaths(ShapedPaths):
    """Reader of the access paths of PHP.

    Variables keep their ``$``, because a function, a class and a variable may share a name. Names that begin with a
    backslash keep it: they are searched from the top. So are names that begin with the word ``namespace``.
    """

    package: str | None = ""  # the namespace of the file, with dots; None if it has several

    def dotted(self, text: str) -> str:
        if text[:1] == "$":
            name = clean_name(text)
            return name if name == "this" or not name.isidentifier() else f"${name}"
        if (relative := _RELATIVE.match(text)) is not None:
            inner = super().dotted(text[relative.end() :])
            return inner if self.package is None else "\\" + ".".join(part for part in (self.package, inner) if part)
        name = super().dotted(text)
        return f"\\{name}" if text[:1] == "\\" else name.lower() if _KEYWORD_NAMES.fullmatch(name) else name

    def _path(self, node: Node) -> str:
        made = step_to(node, "") if node.type == "object_creation_expression" else None
        if made is not None and made.type == "anonymous_class":
            return f"{_place(made)}()"
        _, cut, after = super()._path(node).rpartition(_CUT)
        return f"%made{after}" if cut else after

    def call_step(self, node: Node) -> str:
        """Return the step of a call, with the type that it gets if it may make an instance of that."""
        name = node.child_by_field_name("name") or node.child_by_field_name("function")
        given = walk(node, "arguments", "", "")
        if given is None or given.type != "class_constant_access_expression" or self.text(name) not in _MAKING:
            return super().call_step(node)
        named, constant = given.named_children[0], self.text(given.named_children[-1])
        return f"{_CUT}({self.dotted(self.text(named))})" if constant == "class" else super().call_step(node)

    def member_name(self, node: Node | None) -> str:
        """Return the name of a static property without its ``$``. The name of ``$object->$name`` is not known."""
        name = clean_name(self.text(node))
        parent = walk(node, "^")
        known = node is None or node.type != "variable_name"
        return name if known or (parent is not None and parent.type.startswith("scoped_property")) else f"${name}"


def _place(node: Node) -> str:
    """Return the access path of an anonymous class."""
    return f"%class:{line_col(node)}"


_TAG = re.compile(
    r"@(param|return|var|property(?:-read|-write)?)[ \t]+([^\s$]\S*(?:(?<=,) \S+)*)(?:[ \t]+[&.]*\$(\w+))?"
)
_INLINE = re.compile(
    rb"/\*\*\s*@var\s+(?:\$(\w+)\s+)?([\w\\|?\[\]<>,]{1,300})(?![\w\\|?\[\]<>,])(?:\s+\$(\w+))?[^*\n]*\*/"
)
_NAME_IN_TYPE = re.compile(r"\\?\w+(?:\\\w+)*")
_GENERIC = re.compile(
    r"(?<![\w-])\\?(?:(?:[a-z]\w*-)*(?:array|list|iterable)|\w*(?:Collection|Generator|Iterator|Traversable))"
    r"<(?:[^<>,]*, ?)?([^<>,]*)>"
)
_ACCESSOR = "getFacadeAccessor"
_MIXIN = re.compile(r"@mixin[ \t]+(\\?\w+(?:\\\w+)*)")
_VAGUE = frozenset({"", "array", "iterable", "object", "mixed", "?array"})
"""Declared types that documentation makes clear."""


class PhpExtractor(SymbolsExtractor):
    """Extractor of PHP.

    It handles promoted parameters of constructors, which are parameters and fields at the same time, and the rules by
    which a class uses traits. A method under another name is a variable of the class, whose value is the method.
    """

    paths: PhpPaths
    reader = PhpPaths

    def begin(self, captures: Captures) -> None:
        super().begin(captures)
        self._made = MadeNames(self.text)
        self._stored: list[tuple[int, str, str, int]] = []  # scope, container, value, line

    def finish(self, placed: Sequence[Definition | None]) -> None:
        self.references += self._made.references()
        self._add_documented_types()
        self._add_inline_types()
        self._add_stored_types()
        self._add_facades()

    def _add_facades(self) -> None:
        """Let a facade of Laravel stand for an instance of the type that it names, or that its documentation names."""
        accessors = {scope: symbol.parent for scope, symbol in enumerate(self.symbols) if symbol.name == _ACCESSOR}
        mixed = {symbol.id: found[1] for symbol in self.symbols if (found := _MIXIN.search(symbol.doc)) is not None}
        for place, back in enumerate(self.returns if accessors else ()):
            if back.scope in accessors and back.manner == "return" and back.value.endswith(".class"):
                self.returns[place] = back._replace(value=f"{back.value.removesuffix('.class')}()")
        for scope, parent in accessors.items():
            if parent in mixed:
                self.returns.append(Return(scope, f"{self.paths.dotted(mixed[parent])}()", "return"))

    def _add_stored_types(self) -> None:
        """Add the types of items that are stored into arrays: ``$this->items[] = new Item()``."""
        declared = {(row.scope, row.name): row.type for row in self.bindings if row.manner == "parameter" and row.type}
        number = {symbol.id: scope for scope, symbol in enumerate(self.symbols)}
        for scope, held, value, line in self._stored:
            kind = value.removesuffix("()") if value[-2:] == "()" else declared.get((scope, value), "")
            around = number.get(self.symbols[scope].parent or "", 0)
            if kind.replace(".", "").lstrip("\\").isidentifier() and kind.rpartition(".")[2][:1].isupper():
                if held[:5] == "this.":
                    self.bindings.append(Binding(around, held[5:], "field", f"{kind}[]", "", line))
                else:
                    self.bindings.append(Binding(scope, held, "variable", f"{kind}[]", "", line))

    def _add_documented_types(self) -> None:
        """Add the types that only documentation tells: ``@param``, ``@return``, ``@var`` and ``@property``."""
        known: dict[tuple[int, str], str] = {}
        number = {symbol.id: scope for scope, symbol in enumerate(self.symbols)}
        told = {back.scope for back in self.returns if back.manner == "type" and back.value not in _VAGUE}
        for scope, symbol in enumerate(self.symbols):
            for tag, written, name in _TAG.findall(symbol.doc) if "@" in symbol.doc else ():
                text = self._documented(written)
                if tag == "return" and scope not in told and symbol.kind in CALLABLE_KINDS:
                    self.returns.append(Return(scope, text, "type"))
                elif tag == "param":
                    known[scope, f"${name}"] = text
                elif tag == "var" and symbol.parent is not None:
                    known[number[symbol.parent], symbol.name] = text
                elif tag[:8] == "property" and name and symbol.kind in TYPE_KINDS:
                    self.bindings.append(Binding(scope, name, "field", text, "", symbol.line))
        if known:
            self.bindings[:] = [
                row._replace(type=known[place])
                if row.type in _VAGUE and (place := (row.scope, row.name.removeprefix("this."))) in known
                else row
                for row in self.bindings
            ]

    def _add_inline_types(self) -> None:
        """Add the types of variables that comments in functions tell: ``/** @var Item $item */``."""
        starts = sorted((s.span.start_line, n) for n, s in enumerate(self.symbols) if s.kind in CALLABLE_KINDS)
        line, place = 1, 0
        for found in _INLINE.finditer(self.data):
            line, place = line + self.data.count(b"\n", place, found.start()), found.start()
            before = bisect_right(starts, (line, len(self.symbols))) - 1
            scope = starts[before][1] if before >= 0 else 0
            while scope > 0 and not (
                self.symbols[scope].kind in CALLABLE_KINDS and line in self.symbols[scope].span.lines
            ):
                scope = self.parents[scope]
            if name := found[1] or found[3]:
                text = self._documented(found[2].decode("utf-8", "replace"))
                self.bindings.append(Binding(max(scope, 0), f"${name.decode()}", "variable", text, "", line))

    def _documented(self, text: str) -> str:
        """Return a type of a documentation comment as PHP writes types, with ``T[]`` for containers."""
        text = _GENERIC.sub(r"\1[]", text.replace("$this", "static").strip("`.,;"))
        return _NAME_IN_TYPE.sub(lambda found: self.paths.dotted(found.group()), text)

    def on_reference_call(self, scope: int, node: Node) -> None:
        """Add a call; the name of the method may be built: ``$this->{'read' . $kind}()``."""
        super().on_reference_call(scope, node)
        if node.type in SHAPE.methods:
            receiver, name = (step_to(node, step) for step in SHAPE.methods[node.type])
            if receiver is not None and name is not None and name.type != "name" and (path := self.path_of(receiver)):
                used = Reference(scope, "call", "", name.start_point[0] + 1, self.arguments_of(node))
                self._made.use(path, name, used)

    def module_name(self, path: str, root: Node, layout: Layout) -> str:
        name = super().module_name(path, root, layout)
        several = len(self._namespaces) > 1
        self.paths.package = None if several else name.replace("\\", ".") if self._in_package else ""
        return name

    def _package(self, root: Node) -> str:
        """Return the only namespace of the file. Several namespaces are modules in the file."""
        self._namespaces = [child for child in root.named_children if child.type == "namespace_definition"]
        return super()._package(root) if len(self._namespaces) == 1 else ""

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        """Return a definition. A namespace without braces ends where the next one begins."""
        definition = super()._definition(kind, node)
        if definition is not None and kind == "module" and definition.body is None:
            place = bisect_right(self._namespaces, node.start_byte, key=attrgetter("start_byte"))
            following = self._namespaces[place] if place < len(self._namespaces) else None
            last = following.prev_named_sibling if following is not None else step_to(node.parent or node, "-")
            definition.last, definition.end = last, (last or node).end_byte
        return definition

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name of a definition. An anonymous class is named by its position."""
        if node.type == "anonymous_class":
            return f"<{_place(node)[1:]}>"
        return super().definition_name(kind, node)

    def _name_at(self, node: Node, steps: Steps) -> str:
        """Return the name that `steps` select. A variable or parameter keeps its ``$``, a property does not."""
        named = walk(node, *steps)
        while named is not None and named.type in ("pair", "by_ref"):  # foreach ($items as $key => &$item)
            named = step_to(named, "-")
        if named is not None and named.type == "variable_name" and node.type != "property_element":
            return self.paths.dotted(self.text(named))
        return super()._name_at(node, steps)

    def called_name(self, node: Node) -> str:
        return "" if node.type == "variable_name" else super().called_name(node)

    def on_definition(self, definition: Definition, scope: int) -> None:
        super().on_definition(definition, scope)
        if definition.node.type == "const_element":
            self._made.note(scope, definition.name, definition.node.named_children[-1])
        if definition.node.type == "anonymous_class":
            self.bindings.append(Binding(scope, _place(definition.node), "variable", "", "", 0))
        around = walk(definition.node, "^", "^") if definition.kind == "method" and definition.body is None else None
        if around is not None and around.type == "trait_declaration":  # it gives way to one with a body
            self.bindings.append(Binding(scope, STUB, "variable", "", "", definition.node.start_point[0] + 1))

    def on_reference_new(self, scope: int, node: Node) -> None:
        """Add a construction, of an anonymous class by its position."""
        if (made := step_to(node, "")) is not None and made.type == "anonymous_class":
            self.refer(scope, "new", _place(made), node)
        else:
            super().on_reference_new(scope, node)

    def on_reference_callable(self, scope: int, node: Node) -> None:
        """Add the method, which is no property, that an array names: ``[$this, 'step']``, ``[Shop::class, 'open']``."""
        items = [item.named_children[0] for item in node.named_children if item.named_child_count == 1]
        if len(items) == node.named_child_count == 2 and items[1].type == "string":
            receiver, name = self.path_of(items[0]), self.text(items[1]).strip("'\"")
            if receiver and receiver[0] != "%" and name.isidentifier():
                self.refer(scope, "read", f"{receiver}.{name}&", node)
        elif len(items) == node.named_child_count == 2 and self._runs(node) and (receiver := self.path_of(items[0])):
            self._made.use(receiver, items[1], Reference(scope, "call", "", node.start_point[0] + 1))

    def _runs(self, array: Node) -> bool:
        """Return True if a call runs the method that an array names, as ``[$x, $name]()`` does."""
        around = array.parent
        call = walk(around, "^", "^") if around is not None and around.type == "argument" else around
        if call is None or call.type != "function_call_expression":
            return False
        function = call.child_by_field_name("function")
        return function == array or self.text(function).strip("\\").startswith("call_user_func")

    def _argument(self, node: Node) -> str:
        """Return the access path of an argument, after the name of its parameter: ``f(name: $x)``."""
        path, name = super()._argument(node), node.child_by_field_name("name")
        return f"{self.text(name)}={path}" if name is not None and path else path

    def on_import(self, scope: int, node: Node) -> None:
        """Add an import for each name of a ``use`` declaration. The names of a group are joined to its prefix."""
        prefix = self.paths.dotted(self.text(step_to(node, ""))).strip("\\")
        group = node.child_by_field_name("body")
        for clause in (group or node).named_children:
            if clause.type != "namespace_use_clause":
                continue
            line, names = clause.start_point[0] + 1, self.paths.dotted(self.text(clause.named_children[0])).strip("\\")
            full = f"{prefix}.{names}" if group is not None else names
            package, _, member = full.rpartition(".")
            name = self.text(clause.child_by_field_name("alias")) or member
            if package:
                self.imports.append(Import(scope, name, package.replace(".", "\\"), member, line))
            else:  # a name of the global namespace
                self.bindings.append(Binding(scope, name, "variable", "", f"\\{member}", line))

    def on_base(self, scope: int, node: Node) -> None:
        """Add the supertypes, or the traits that a class uses and the other names that it gives their methods."""
        if node.type != "use_declaration":
            super().on_base(scope, node)
            return
        traits = [child for child in node.named_children if child.type != "use_list"]
        for child in traits:
            self.bases.append(Base(scope, self.paths.dotted(self.text(child)), "embeds", child.start_point[0] + 1))
        lists = [child for child in node.named_children if child.type == "use_list"]
        for rule in (each for child in lists for each in child.named_children):
            for name, method in self._renamed(rule, traits):
                self.bindings.append(Binding(scope, f"{name}()", "variable", "", method, rule.start_point[0] + 1))

    def _renamed(self, rule: Node, traits: Sequence[Node]) -> Iterator[tuple[str, str]]:
        """Yield (name, path of a trait's method): ``A::f insteadof B`` names it f, ``A::f as g`` and ``f as g`` g."""
        parts = [child for child in rule.named_children if child.type != "visibility_modifier"]
        if rule.type == "use_instead_of_clause":
            path = self.path_of(parts[0])
            yield path.rpartition(".")[2], path
        elif len(parts) > 1 and parts[0].type == "class_constant_access_expression":
            yield self.text(parts[1]), self.path_of(parts[0])
        elif len(parts) > 1:
            for trait in traits:
                yield self.text(parts[1]), f"{self.paths.dotted(self.text(trait))}.{self.text(parts[0])}"

    def belongs(self, definition: Definition, around: Definition | None) -> bool:
        """Return True for a promoted parameter too, although it is declared in a method."""
        return definition.node.type == _PROMOTED or super().belongs(definition, around)

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        super().adopt(placed)
        for definition in placed:
            if definition is not None and definition.node.type == _PROMOTED:
                constructor = placed[definition.parent]
                definition.parent = constructor.parent if constructor is not None else 0

    def on_binding_variable(self, scope: int, node: Node) -> None:
        """Add a binding for the field of a promoted parameter. Its value is the parameter."""
        if node.type == _PROMOTED:
            name, type_text = self.parameter(node)
            line = node.start_point[0] + 1
            self.bindings.append(Binding(scope, f"this.{name.lstrip('$')}", "field", type_text, name, line))
        elif (left := walk(node, "left", "")) is not None and node.named_children[0].type == "subscript_expression":
            if held := self.path_of(left):  # $this->items[] = new Item()
                self._stored.append(
                    (scope, held, self.path_of(node.child_by_field_name("right")), node.start_point[0] + 1)
                )
        else:
            super().on_binding_variable(scope, node)
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is None and node.type == "property_element" and node.named_child_count > 1:
                left, right = node.named_children[0], node.named_children[-1]
            if left is not None and right is not None:
                self._made.note(scope, self.text(left), right)


PHP = replace(
    declared("php", "PHP", lambda: PhpExtractor(SHAPE)),
    extensions=(".php", ".phtml"),
    interpreters=("php",),
    rules=default_rules(
        "php",
        constructors=("__construct",),
        builtins=MODEL,
        special_methods={"standing_in": (_ACCESSOR,)},
        modules={
            "linked": True,
            "global_mark": "\\",
            "locator": later("codeexplore.resolution.default_rules:WholeNameLocator"),
        },
        classes={
            "instance_names": frozenset({"this"}),
            "super_names": frozenset({"parent"}),
            "own_type_names": frozenset({"self"}),
            "late_type_names": frozenset({"static"}),
            "class_attribute": "class",
            "methods_apart": True,
            "reads_methods": True,
        },
        scopes={"members_visible": False, "folds_case": True},
        functions={"signature_roles": {"static": "class"}, "variable_mark": "$"},
        types={"self": "self", "static": "self"},
    ),
    visibility="words",
    folds_case=True,
    private_words=("private",),
    file_words=frozenset({"private"}),
    constructors=("__construct",),
    hooks=re.compile("bench[A-Z].*"),  # of PHPBench
    computed_members=re.compile(r"(?:->|::)\s*(?:\{|\$\w+\s*\()|\[\s*\$this\s*,\s*\$|call_user_func"),
    evaluating=re.compile(r"""(?<![\w>:$])eval\s*\(\s*(?!["'])""", re.IGNORECASE),
    scanning=re.compile(r"get_declared_classes\s*\("),
    reflection=re.compile(r"get_class_methods\s*\(|Reflection(?:Class|Object|Method)\s*\("),
    type_values=re.compile(r"\b[A-Z]\w*(?=::class\b)|(?<=\bnew )[A-Z]\w*"),
    base_calls=calling_only(
        {
            "ArrayAccess": "offsetExists offsetGet offsetSet offsetUnset",
            "Countable": "count",
            "Iterator": "current key next rewind valid",
            "IteratorAggregate": "getIterator",
            "JsonSerializable": "jsonSerialize",
            "Serializable": "serialize unserialize",
            "Stringable": "",
            "Traversable": "current key next rewind valid getIterator",
        }
    ),
    implicit_members=re.compile(
        "__(?:destruct|call|callStatic|get|set|isset|unset|sleep|wakeup|serialize|unserialize|toString|invoke"
        "|set_state|clone|debugInfo)"
    ),
    called_methods=table(
        {
            Called("PHP calls {} of a class that is registered as a stream wrapper"): """
            dir_closedir dir_opendir dir_readdir dir_rewinddir stream_cast stream_close stream_eof stream_flush
            stream_lock stream_metadata stream_open stream_read stream_seek stream_set_option stream_stat stream_tell
            stream_truncate stream_write url_stat
            """,
        }
    ),
    mark_noun="attribute",
    plain_decorators=frozenset({"Override", "Deprecated"}),
    plain_bases=frozenset({"Exception", "Serializable"}),
    test_files=re.compile(f"{TYPE_TESTS.pattern}|{SCRIPT_TESTS.pattern}"),
    test_decorators=frozenset({"Test"}),
    setup_decorators=JUNIT_SETUP,
    parameter_names="behind type",
    same_types={"null": "None"},
    named_arguments=True,
)
