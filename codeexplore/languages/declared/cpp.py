"""C++: language record and extractor.

Example: ``class Queue { int grow() { return resize(); } };`` in ``src/queue.cpp`` becomes the class ``Queue`` and the
method ``Queue::grow``, with a call of ``resize``.
"""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tree_sitter import Node

from codeexplore.languages.base import Called, table, words
from codeexplore.languages.declared import c
from codeexplore.languages.declared.c_declarators import (
    MAX_DECLARATORS,
    bare_names,
    declarators,
    declared_name,
    declares_function,
    defining_macro,
)
from codeexplore.languages.extraction.expressions import Captures, Definition, children_of, enclosing, step_to, walk
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Import, SymbolKind

SHAPE = replace(
    c.SHAPE,
    separator="::",
    unevaluated="noexcept",
    roots=words("identifier this namespace_identifier type_identifier qualified_identifier template_function"),
    wrappers=frozenset({"template_declaration"}),
    news={"new_expression": "type", "compound_literal_expression": "type"},
    arguments={
        **dict.fromkeys(("call_expression", "new_expression"), ("arguments",)),
        "compound_literal_expression": ("value",),
    },
    imports=re.compile(
        r'#\s*(?:include|import)\s*[<"](?P<module>[^>"]+)[>"]'
        r"|using\s+(?:namespace\s+)(?P<namespace>[\w:]+)|using\s+(?:typename\s+)?(?P<name>[\w:]+)"
        r"|(?:inline\s+)?namespace\s+(?P<alias>\w+)\s*=\s*(?P<aliased>[\w:]+)"
    ),
)
_ARGUMENTS = re.compile(r"<[^<>]*>")
MAX_NAME = 500  # characters of a qualified name whose type arguments are taken away, level by level
_BODIES = frozenset({"field_declaration_list", "declaration_list", "compound_statement", "translation_unit"})
_CLASS_TYPES = frozenset({"type_identifier", "qualified_identifier", "template_type"})
_MEMBERS = frozenset({"function_definition", "field_declaration", "alias_declaration", "type_definition"})
_WORDS = re.compile(r"\w+")
_MARKED = frozenset({"abstract_pointer_declarator", "abstract_reference_declarator"})
_SLOTS = re.compile(rb"\s*(?:Q_SLOTS|slots)\b")  # behind an access label: methods that Qt finds by their names
_PURE = re.compile(rb"=\s*0\s*;?\s*$")
_SCOPES = re.compile(r"(?:::)?((?:[\w$]+::)*)(~?[\w$]+|operator.*)$", re.DOTALL)


_CONVERSION = re.compile(r"(operator [^()]+?) ?\(.*", re.DOTALL)
_CAST = re.compile(r"(?:(?:static|dynamic|const|reinterpret)_cast|std::(?:unique|shared)_ptr)\s*<(.+)>\s*", re.DOTALL)
_MAKER = re.compile(r"(?:std::)?make_(?:unique|shared|optional)(?:_for_overwrite)?\s*<(.+)>\s*", re.DOTALL)


LENDING_METHODS = words("get lock release value value_or")
"""Methods of smart pointers and of ``std::optional`` that return the value, beside `_LENDER_METHODS`."""
_LENDER_METHODS = LENDING_METHODS | words("reset swap emplace has_value expired use_count owner_before get_deleter")


class CppPaths(c.CPaths):
    """Reader of access paths in which ``::name`` begins with ``::``, and ``std::make_unique<T>`` is ``T``.

    A cast has the path ``%type(T)``, and so has ``std::unique_ptr<T>(p)``. A cast in C's form has it if it makes a
    pointer or reference to a type with a name: ``(Handler)f`` may be the function `f`.
    """

    def _new_path(self, node: Node, written: bytes) -> str:
        if node.type == "cast_expression" and (made := node.child_by_field_name("type")) is not None:
            named, marks = made.child_by_field_name("type"), made.child_by_field_name("declarator")
            of_class = named is not None and named.type in _CLASS_TYPES
            if of_class and marks is not None and marks.type in _MARKED:
                return f"%type({self.text(made)})"
        member = node.child_by_field_name("field") if node.type == "field_expression" else None
        if member is not None and self.text(member) in _LENDER_METHODS:
            return self._path(node)  # not kept by its text: a field may be read
        if member is not None and member.type == "qualified_identifier":  # box.Base::run
            return self.dotted(self.text(member))
        return super()._new_path(node, written)

    def member_name(self, node: Node | None) -> str:
        """Return the name of a member, with ``@*`` behind it if a smart pointer itself may have it: ``p.get()``."""
        name = self.root_name(node)
        called = node is not None and name in _LENDER_METHODS and self.data.startswith(b"(", node.end_byte)
        dot = node.prev_sibling if called and node is not None else None
        if dot is None or dot.type != "." or dot.prev_sibling is None or "parenthesized" in dot.prev_sibling.type:
            return name
        return f"{name}@*"

    def _path(self, node: Node) -> str:
        found = super()._path(node)
        return found.replace(")()", ")", 1) if found.startswith("%type(") else found

    def subscript(self, node: Node) -> str:
        """Return ``[.]`` for ``(*a)[i]``, an element of the object to which `a` points, and ``[]`` for others."""
        held = walk(node, "argument", "<pointer_expression")
        return "[.]" if held is not None and self.data.startswith(b"*", held.start_byte) else "[]"

    def dotted(self, text: str) -> str:
        if "::~" in text:
            return ""
        if ("_cast" in text or "_ptr" in text) and (cast := _CAST.fullmatch(text)) is not None:
            return f"%type({cast.group(1)})"
        made = _MAKER.fullmatch(text) if "make_" in text else None
        if made is not None:
            return super().dotted(made.group(1))
        nested = ">::" in text and len(text) <= MAX_NAME
        while nested and (shorter := _ARGUMENTS.sub("", text)) != text:  # Box<Pair<A, B>>::make
            text = shorter
        return super().dotted(text)


def _is_value(node: Node) -> bool:
    """Return True for a local with a function as its value that the grammar takes for two: ``F f{[a](T b) { … }};``."""
    declarator, around, kind = node.child_by_field_name("declarator"), node.parent, node.child_by_field_name("type")
    if declarator is None or around is None or around.type != "compound_statement":
        return False
    inner = declarator if kind is not None and not kind.type.endswith("_specifier") else walk(declarator, "declarator")
    return inner is not None and inner.type in ("identifier", "structured_binding_declarator")


def _defines_member(declarator: Node) -> bool:
    """Return True for a member outside of its class: no function without a body stands there, but for templates.

    ``Item Shop::best(kinds::CHEAP);`` defines an object.
    """
    member, around = declared_name(declarator), declarator.parent
    if member is None or member.type != "qualified_identifier" or around is None or around.type != "declaration":
        return False
    return around.parent is None or "template" not in around.parent.type


def _parts(definition: Definition) -> Iterator[Definition]:
    """Yield a definition, and before it the namespaces that are written in its head: ``namespace a::b {``."""
    outer, _, name = definition.name.rpartition("::")
    if definition.kind == "module" and outer:
        yield from (Definition("module", each, definition.node, definition.outer, None) for each in outer.split("::"))
        definition.name = name
    yield definition


class CppExtractor(c.CExtractor):
    """Extractor of C++: that of C, with members defined outside their class, operators, templates and namespaces."""

    reader = CppPaths
    outline_captures = c.CExtractor.outline_captures | {"_access"}

    def _definitions(self, captures: Captures) -> list[Definition]:
        self._labels: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)  # body of a type → places, words
        self._templates: dict[int, tuple[str, ...]] = {}  # body of a type → its template parameters
        self._befriended: dict[int, bool] = {}  # body of a type → True if a type from elsewhere is its friend
        for node in captures.get("_access", ()):
            around = node.parent
            while around is not None and around.type.startswith("preproc_"):
                around = around.parent
            if around is not None:
                word = "" if _SLOTS.match(self.data, node.end_byte) else self.text(node)
                insort(self._labels[around.id], (node.start_byte, word))
        found = [part for each in super()._definitions(captures) for part in _parts(each)]
        self._type_names = frozenset(each.name for each in found if each.kind in TYPE_KINDS)
        self._variables = frozenset(each.name for each in found if each.kind == "constant")
        return found

    def signature(self, definition: Definition) -> str:
        """Return the signature, with ``private`` before it for a member below ``private:`` or above every label."""
        signature, node = super().signature(definition), definition.outer
        for _ in range(MAX_DECLARATORS):  # through templates and conditions
            around = node.parent
            if around is None or around.type in _BODIES:
                break
            node = around
        if around is None or around.type != "field_declaration_list" or signature.startswith("friend "):
            return signature
        if self._is_befriended(around):
            return signature
        labels = self._labels.get(around.id, [])
        place = bisect_right(labels, (node.start_byte, "")) - 1
        of_class = around.parent is not None and around.parent.type == "class_specifier"
        word = labels[place][1] if place >= 0 else "private" if of_class else ""
        return f"private {signature}" if word == "private" else signature

    def _is_befriended(self, body: Node) -> bool:
        """Return True if a type makes one of another namespace its friend: ``friend class lib::access``.

        Its private members may then be used there. A type that this file defines is no such type.
        """
        known = self._befriended.get(body.id)
        if known is None:
            friends = (child for child in body.named_children if child.type == "friend_declaration")
            names = (child for friend in friends for child in friend.named_children if child.type in _CLASS_TYPES)
            written = (self.split(self.text(name)) for name in names)
            known = self._befriended[body.id] = any(scope and name not in self._type_names for scope, name in written)
        return known

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name; "" if the definition is not a symbol.

        For a qualified name it is the last part, and for an operator ``operator`` followed by its signs. A declaration
        of a member is a symbol only if the member is pure virtual. A deleted function can't be called.
        """
        if kind == "method" or (kind == "function" and node.type == "function_definition"):
            deleted = kind == "function" and step_to(node, "<delete_method_clause") is not None
            declared = kind == "method" and _PURE.search(self.data, node.start_byte, node.end_byte) is None
            named = None if deleted or declared or _is_value(node) else declared_name(node)
            return self.split(self.text(named))[1] if named is not None else ""
        if kind == "module":
            if self.data.startswith(b"inline", node.start_byte):  # its members are members of the namespace around it
                return ""
            return "".join(self.text(self.name_node(kind, node)).split())
        written = super().definition_name(kind, node)
        return self.split(written)[1] if kind in TYPE_KINDS and "::" in written else written

    def split(self, name: str) -> tuple[str, str]:
        """Return the scopes in a qualified name, and the name itself. Template arguments are removed."""
        name = _CONVERSION.sub(r"\1", " ".join(name.split()))
        if "operator" not in name or name.partition("operator")[0].count("<"):
            head, mark, rest = name.partition("operator")
            while "<" in head and (shorter := _ARGUMENTS.sub("", head)) != head:
                head = shorter
            name = head + mark + rest
        name = name.replace(" ::", "::").replace(":: ", "::")
        if "operator" not in name:  # behind a macro, the grammar takes the type of the result into the name
            name = name.rpartition(" ")[2]
        found = _SCOPES.match(name)
        return (found.group(1).removesuffix("::"), found.group(2)) if found is not None else ("", name)

    def owner_of(self, definition: Definition) -> str:
        """Return the class or namespace that qualifies the name of the definition, with dots; "" if there is none."""
        if definition.kind in TYPE_KINDS:  # class Box::Node { … }
            return self.split(self.text(definition.node.child_by_field_name("name")))[0].replace("::", ".")
        if definition.node.type != "function_definition" or definition.kind != "function":
            return ""
        macro, names = defining_macro(definition.node)
        if len(names) > 1:  # TEST_F(Suite, Name)
            suite = self.text(names[0])
            if not self.text(macro).endswith("TEST"):
                return suite.replace("::", ".")
            definition.qualifier = suite  # TEST(Name, Name): the suite is no type, though one may have its name
            return ""
        named = declared_name(definition.node)
        if named is None or named.type not in ("qualified_identifier", "operator_cast"):
            return ""
        return self.split(self.text(named))[0].replace("::", ".")

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        super().adopt(placed)
        namespaces = {d.name: d.index for d in placed if d is not None and d.kind == "module"}
        for definition in placed:
            if definition is not None and definition.owner:
                found = namespaces.get(definition.owner.rpartition(".")[2], -1)
                if found >= 0:
                    definition.parent, definition.owner = found, ""
                    definition.kind = "function" if definition.kind == "method" else definition.kind

    def is_of_template(self, node: Node, text: str) -> bool:
        if node.type not in _MEMBERS:
            return False
        around = node.parent
        while around is not None and (around.type == "template_declaration" or around.type.startswith("preproc_")):
            around = around.parent
        if around is None or around.type != "field_declaration_list":  # T Box<T>::get() { … }
            named = declared_name(node)
            scopes = self.text(named).rpartition("::")[0] if named is not None else ""
            return text in _WORDS.findall(scopes)
        known = self._templates.get(around.id)
        if known is None:
            known = self._templates[around.id] = tuple(self._parameters_of(around.parent))
        return text in known

    def _parameters_of(self, node: Node | None) -> Iterator[str]:
        """Yield the names of the parameters of the class template whose class is `node`; those of values too."""
        around = node.parent if node is not None and node.type.endswith("_specifier") else None
        given = children_of(around, "parameters") if around is not None and around.type in self.wrappers else ()
        for child in given:
            if child.type.endswith("parameter_declaration"):
                declarator = child.child_by_field_name("declarator")
                named = declared_name(declarator) if declarator is not None else step_to(child, "<type_identifier")
                yield self.text(named) or f"unnamed {child.start_byte}"

    def on_definition(self, definition: Definition, scope: int) -> None:
        super().on_definition(definition, scope)
        if definition.kind in TYPE_KINDS:
            for name in self._parameters_of(definition.node):
                self.bind(scope, name, "type", "", (), definition.node.start_point[0] + 1)

    def declared_type(self, node: Node, declarator: Node | None) -> str:
        """Return a declared type as in C, with ``const`` before it if the objects are constant."""
        text = super().declared_type(node, declarator)
        children = node.children[: c.MAX_SPECIFIERS] if text and declarator is not None else ()
        constant = any(child.type == "type_qualifier" and self.text(child) == "const" for child in children)
        return f"const {text}" if constant else text

    # ----------------------------------------------------------------- construction

    def variable(self, scope: int, node: Node, declarator: Node, value: Node | None) -> None:
        """Add a variable, and the call of the constructor for a variable of a class that has no ``=``."""
        constructed = declares_function(declarator) and not self._is_prototype(scope, declarator)
        inner = walk(declarator, "declarator") if constructed else declarator
        of_template = node.parent is not None and node.parent.type == "template_declaration"
        super().variable(scope, node, declarator, None if of_template else value)  # a template is no name of its value
        if inner is None:
            return
        made, kind = node.child_by_field_name("type"), self.symbols[scope].kind
        named = ("identifier", "array_declarator", "qualified_identifier")  # const Item Shop::best(1);
        plain = inner.type in named and node.type in ("declaration", "init_declarator")
        if made is None or not plain or kind in TYPE_KINDS or made.type not in _CLASS_TYPES:
            return
        if self.data.startswith(b"extern", node.start_byte):
            return
        held = declarator.child_by_field_name("parameters") if constructed else value
        if held is None or held.type in ("argument_list", "initializer_list", "parameter_list"):
            self._made(scope, self.type_text(made), held, node)

    def _made(self, scope: int, made: str, held: Node | None, node: Node) -> None:
        """Add the construction of an object of the type `made` with the arguments in `held`."""
        path = self.paths.dotted(made)
        children = (child for child in children_of(held) if not child.is_extra)
        args = tuple(
            self.paths.dotted(self.text(child)) if child.type == "parameter_declaration" else self._argument(child)
            for child in children
        )
        if path and path.replace(".", "").isidentifier():
            self.refer(scope, "new", path, node, args)

    def _is_prototype(self, scope: int, declarator: Node) -> bool:
        """Return False if the declarator ``name(a, b)`` of a function can only declare an object: a and b are no types.

        The grammar can't tell. In a function every name that is no type of this file counts as a value. Elsewhere one
        of the names must be a variable of this file. ``name(a * b, c)`` is a product where ``a`` is a variable.
        """
        if not declares_function(declarator):
            return False
        if _defines_member(declarator):
            return False
        function = next(each for each in declarators(declarator) if each.type == "function_declarator")
        given = children_of(function, "parameters")
        names = [self.text(child.child_by_field_name("type")) for child in given if not child.is_extra]
        if any(self._is_local(scope, name) for name in names):
            return False
        names = [self.text(name) for name in bare_names(function)]
        if any(name.rpartition("::")[2] in self._type_names for name in names):
            return True
        local = self.symbols[scope].kind in CALLABLE_KINDS
        return not names or not (local or not self._variables.isdisjoint(names))

    def on_reference_initializer(self, scope: int, node: Node) -> None:
        """Add the construction of a base or member, or the call of another constructor: ``Cart() : wheel(4)``.

        A name that is also a parameter is that of a member.
        """
        name, held = step_to(node, ""), step_to(node, "-")
        path = self.paths.dotted(self.text(name))
        if path and name is not held:
            path = f"this.{path}" if self._is_local(scope, path) else path
            self._made(scope, path, held, node)

    def on_return(self, scope: int, node: Node) -> None:
        """Add what a function returns. ``return {1};`` constructs its result."""
        value = step_to(node, "")
        if value is None or value.type != "initializer_list":
            super().on_return(scope, node)
            return
        around = enclosing(node.parent, ("function_definition", "lambda_expression"))
        declarator = walk(around, "declarator")
        made = self.declared_type(around, declarator) if around is not None and declarator is not None else ""
        if made and made[-1] not in "*&]":
            self._made(scope, made, value, node)

    # ----------------------------------------------------------------- names of other namespaces

    def on_reference_read(self, scope: int, node: Node) -> None:
        if node.parent is None or node.parent.type != "qualified_identifier":  # the whole of ``a::b::c``
            super().on_reference_read(scope, node)

    def on_import(self, scope: int, node: Node) -> None:
        """Add an ``#include``, ``using namespace a``, ``using a::b`` or ``namespace c = a::b``."""
        pattern = self.shape.imports
        found = pattern.match(self.text(node)) if pattern is not None else None
        if found is None or self.symbols[scope].kind in TYPE_KINDS:  # a type has the members of its bases anyway
            return
        line, named = node.start_point[0] + 1, found["namespace"] or found["aliased"] or found["name"] or ""
        module = found["module"] or f"::{named.strip(':')}"
        if found["name"]:
            self.consumed.update(child.start_byte for child in node.named_children)
            module, _, member = module.rpartition("::")
            self.imports.append(Import(scope, member, module or "::", member, line))
        elif found["alias"]:
            self.imports.append(Import(scope, found["alias"], module, "", line))
        else:
            self.imports.append(Import(scope, "*", module, "*", line))


_EXTENSIONS = (
    ".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl", ".tpp", ".tcc", ".txx", ".icc",
    ".cu", ".cuh", ".ino",
)  # fmt: skip
CPP = replace(
    c.C,
    name="cpp",
    title="C++",
    dialects=(),
    extensions=_EXTENSIONS,
    grammar="cpp",
    separator="::",
    bases_construct=True,
    pygments="cpp",
    queries=(Path(__file__).with_suffix(".scm"), Path(__file__).with_name("c_names.scm")),
    extractor=lambda: CppExtractor(SHAPE),
    private_words=("static", "private"),
    overriding=re.compile(r"\A(?!private\b)|(?i:virtual|override|final)"),  # private methods override too
    implicit_members=re.compile(
        r"~.+|(?:.*\W)?operator\b.+|begin|end|await_\w+|yield_value|return_(?:value|void)|unhandled_exception|get_return_object|"
        r"(?:initial|final)_suspend"  # destructors, operators, loops and coroutines
    ),
    called_signatures=re.compile(
        r"\bfriend\s|\b(?:value_type|reference|pointer|difference_type|iterator_category|iterator_concept)\b\s*(?:=|;|$)"
    ),
    called_because="a library finds {} by the types of its arguments",
    called_methods=table({Called(): "swap size empty data cbegin cend rbegin rend push_back allocate deallocate"}),
    test_decorators=words(
        "TEST TEST_F TEST_P TYPED_TEST TYPED_TEST_P TEST_CASE TEST_METHOD BOOST_AUTO_TEST_CASE BOOST_FIXTURE_TEST_CASE "
        "DOCTEST_TEST_CASE"
    ),
    test_files=re.compile(r"(?:.+_test|test[_-].+)\.(?:cc|cpp|cxx|c\+\+)"),
)
