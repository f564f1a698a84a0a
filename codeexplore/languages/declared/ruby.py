"""Ruby: language record, extractor and resolution rules.

Example: ``class Shop; def total; sum(1); end; end`` in ``lib/shop.rb`` becomes the class ``Shop`` and the method
``Shop#total``, with a call of ``sum``.
"""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from tree_sitter import Node

from codeexplore.languages.base import Called, default_rules, words
from codeexplore.languages.declared.extractor import SymbolsExtractor, declared
from codeexplore.languages.declared.grammar_shape import Shape, ShapedPaths, clean_name
from codeexplore.languages.declared.made_names import MODEL, MadeNames
from codeexplore.languages.extraction.expressions import Captures, Definition, children_of, line_col, outside, walk
from codeexplore.languages.extraction.extractor import SIGNATURE_CHARS
from codeexplore.resolution.language_rules import ANY_NAME, PUBLIC
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, UNKNOWN, Base, Binding, Import, Reference, Symbol, SymbolKind

SHAPE = Shape(
    endings="?!",
    separator="::",
    member_separator="#",
    global_names=True,
    methods_in_modules=True,
    names={"assignment": ("left",), "simple_symbol": ()},
    bodies={"assignment": "right", "call": "block"},
    roots=words("identifier constant self super instance_variable class_variable global_variable"),
    attributes={"scope_resolution": ("scope", "name")},
    methods={"call": ("receiver", "method")},
    subscripts={"element_reference": "object"},
    through={"parenthesized_statements": ""},
    parameters={"method": ("parameters",), "singleton_method": ("parameters",)},
    parameter={
        "identifier": ((), ()),
        **dict.fromkeys(
            words("optional_parameter splat_parameter keyword_parameter hash_splat_parameter block_parameter"),
            (("name",), ()),
        ),
    },
    variadic=frozenset({"splat_parameter", "hash_splat_parameter"}),
    declared={"assignment": (("left",), (), ("right",)), "operator_assignment": (("left",), (), ("right",))},
    arguments={"call": ("arguments",)},
    operators={"binary": ("left", {sign: sign for sign in words("+ - * / % ** == < > <= >= <=> === =~ << >> & | ^")})},
    branches={
        **dict.fromkeys(words("if unless elsif conditional"), ("consequence", "alternative")),
        **dict.fromkeys(words("if_modifier unless_modifier rescue_modifier rescue when"), ("body",)),
        **dict.fromkeys(words("assignment operator_assignment"), ("right",)),
        **dict.fromkeys(words("body_statement then else begin case binary"), ()),  # see `RubyPaths.branches_of`
    },
    literals={"string": "%str", "integer": "%num", "array": "%list", "hash": "%dict", "simple_symbol": "%str"},
)
_REQUIRES = frozenset({"require", "require_relative", "load", "autoload"})
_MIXINS = frozenset({"include", "extend", "prepend"})
_HOOK = re.compile(r"def (?:self\.)?(?:included|extended|prepended|inherited)[( ]+(\w+)")  # of a module: its user
_SILENT = words(
    """
    alias_method attr_accessor attr_reader attr_writer class define_method module_function private private_class_method
    private_constant protected public lambda proc raise puts block_given? binding caller __method__ loop
    """
)
_TEST_FILES = re.compile(r"(?:test_.+|.+_test)\.rb|(?i:.+[._-](?:tests?|specs?)\.rb)")
_NO_BLOCKS = words("lambda proc loop define_method define_singleton_method each times")
_STATEMENTS = words("program body_statement block_body then else")  # nodes around a statement
_TOLD = words("string simple_symbol pair constant scope_resolution regex identifier")  # arguments in a block's name
_NAME_CHARS = 80  # of a block
_EVALUATING = words("instance_eval instance_exec class_eval class_exec module_eval module_exec")
_MADE = {"Class": "new", "Module": "new", "Struct": "new", "Data": "define"}  # with the method that makes a type
_BLOCKS = words("block do_block lambda method singleton_method class module singleton_class program")
_MOST_AROUND = 50  # nodes around a variable that are searched for its block
_LISTS = frozenset({"splat_argument", "array", "symbol_array", "string_array"})
# kind of a symbol → methods that define one
_DEFINING = {
    "function": frozenset({"define_method", "define_singleton_method"}),
    "field": frozenset({"attr_reader", "attr_writer", "attr_accessor"}),
}
_VISIBILITY = re.compile(rb"(?<![\w?!])(?:private|protected|public|private_class_method|public_class_method)(?![\w?!])")
_OF_TYPE = frozenset({"private_class_method", "public_class_method"})
_SENDING = frozenset({"send", "__send__", "public_send"})  # with the name of a method, they call it
_TAKING = frozenset({"method", "instance_method", "public_method", "public_instance_method"})  # they return it
_CALLED = words(  # by operators and conversions, by Comparable and Enumerable, and when something happens to a type
    """
    + - * / % ** +@ -@ ~ ! & | ^ << >> < <= > >= == != === =~ !~ <=> [] []= ` each call to_s to_str to_a to_ary to_h
    to_hash to_proc to_i to_int to_f to_r to_c to_sym to_path to_io to_json inspect pretty_print coerce hash eql? equal?
    succ size_hint method_missing respond_to_missing? const_missing initialize_copy initialize_clone initialize_dup
    inherited included extended prepended method_added method_removed method_undefined singleton_method_added
    const_added marshal_dump marshal_load _dump _load encode_with init_with deconstruct deconstruct_keys exception
    """
)


_RELATIONS = words("has_many has_one belongs_to has_and_belongs_to_many embeds_many embeds_one embedded_in")
_PLURALS = (
    ("ies", "y"),
    ("sses", "ss"),
    ("xes", "x"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("statuses", "status"),
    ("people", "person"),
    ("ss", "ss"),
    ("us", "us"),
    ("s", ""),
)


def singular(name: str) -> str:
    """Return the singular of a name in the plural, by its usual ending."""
    ending, other = next(((ending, other) for ending, other in _PLURALS if name.endswith(ending)), ("", ""))
    return name.removesuffix(ending) + other


class RubyPaths(ShapedPaths):
    simple_path = re.compile(r"[^\W\d]\w*")  # a.b is a call

    def _path(self, node: Node) -> str:
        path = super()._path(node)
        if path[:4] == "new(":  # the class itself makes an instance
            path = f"self.{path}"
        return path.replace(".class()", ".class") if "class()" in path else path  # the method returns the type

    def _step(self, node: Node, steps: list[str]) -> tuple[Node | None, str]:
        """Return the step of a call, or the root of a type that it makes: ``Class.new(Shop)``."""
        return (None, f"%class:{line_col(node)}") if self.makes_type(node) else super()._step(node, steps)

    def makes_type(self, node: Node) -> bool:
        """Return True for a call that makes a type: ``Class.new(Shop)``, ``Data.define(:x) do … end``."""
        receiver, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
        if node.type != "call" or receiver is None or receiver.type != "constant":
            return False
        return _MADE.get(self.text(receiver)) == self.text(method)

    def branches_of(self, node: Node, fields: Sequence[str]) -> list[Node]:
        """Return the expressions that may give the value of a statement: of a body the last one, and each rescue's."""
        children = [child for child in node.named_children if child.type not in ("comment", "ensure")]
        if node.type == "case":
            return [child for child in children if child.type in ("when", "else")]
        if node.type == "binary":
            sign = self.text(node.child_by_field_name("operator"))
            return children if sign in ("||", "or") else children[-1:] if sign in ("&&", "and") else []
        if not fields:
            rescues = [child for child in children if child.type == "rescue"]
            return [*[child for child in children if child.type != "rescue"][-1:], *rescues]
        return super().branches_of(node, fields)


class RubyExtractor(SymbolsExtractor):
    paths: RubyPaths
    reader = RubyPaths
    # the block of a call is in the scope around it; the uses on its lines count for it
    scope_kinds = SymbolsExtractor.scope_kinds - {"lambda"}
    parent_kinds = scope_kinds
    outline_captures = SymbolsExtractor.outline_captures | {"_singleton", "reference.bare"}

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name of a definition. For a type ``A::B`` it is ``B``; operators and setters keep their signs."""
        if kind == "lambda":
            return self._name_of_block(node)
        if self.paths.makes_type(node) and (named := self._constant(node)) is not None:
            return self.text(named).rpartition("::")[2]
        if self.paths.makes_type(node):
            step = "arguments" if self.text(walk(node, "receiver")) == "Class" else "block"
            return f"<class:{line_col(node)}>" if walk(node, step) or walk(node, "block") else ""
        if node.type == "call":  # define_method(:name) { … }
            arguments = node.child_by_field_name("arguments")
            return self.text(arguments.named_children[0]).strip(":\"'") if arguments is not None else ""
        name, value = self.name_node(kind, node), node.child_by_field_name("right")
        if name is None or (value is not None and self.paths.makes_type(value)):
            return ""  # the value is a type of this name
        if node.type in ("method", "singleton_method"):
            return self.text(name)
        return clean_name(self.text(name)).strip(":").rpartition("::")[2]

    def _name_of_block(self, call: Node) -> str:
        """Return the call to which a block is handed, with its first argument: ``get "/edit/*"``; "" for no symbol."""
        receiver, method = call.child_by_field_name("receiver"), self.text(call.child_by_field_name("method"))
        of_constant = receiver is not None and receiver.type in ("constant", "scope_resolution")
        is_statement = self._names_blocks and call.parent is not None and call.parent.type in _STATEMENTS
        of_other = (receiver is not None and not of_constant) or method in _NO_BLOCKS or self.paths.makes_type(call)
        if not is_statement or of_other:
            return ""
        given = children_of(call, "arguments")[:1]
        words = [f"{self.text(receiver)}.{method}" if of_constant else method]
        if given and given[0].type in _TOLD:
            key = walk(given[0], "key")
            words.append(self.text(given[0]) if key is None else f":{self.text(key).lstrip(':')}")
        return " ".join(" ".join(words).replace("'", '"').split()).rstrip(":")[:_NAME_CHARS]

    def _constant(self, made: Node) -> Node | None:
        """Return the constant to which a type is assigned where it is made."""
        left = walk(made, "^", "left")
        return left if left is not None and left.type in ("constant", "scope_resolution") else None

    def name_node(self, kind: SymbolKind, node: Node) -> Node | None:
        return self._constant(node) if self.paths.makes_type(node) else super().name_node(kind, node)

    def outer_of(self, kind: SymbolKind, node: Node) -> Node:
        return node.parent or node if self.paths.makes_type(node) and self._constant(node) is not None else node

    def scope_start(self, definition: Definition) -> int:
        """Return the first byte of the scope, which of a type that a call makes is its block."""
        if not self.paths.makes_type(definition.node):
            return super().scope_start(definition)
        return definition.body.start_byte if definition.body is not None else definition.node.end_byte

    def signature(self, definition: Definition) -> str:
        node, word = definition.node, self._visibility(definition.node)
        if node.type == "simple_symbol":
            return f"{word}attr {self.text(node)}"
        if node.type not in ("method", "singleton_method", "class", "module"):
            return super().signature(definition)
        last = node.child_by_field_name("parameters") or node.child_by_field_name("superclass") or definition.named
        end = last.end_byte if last is not None else node.end_byte
        return " ".join(f"{word}{self.code[node.start_byte : end].decode('utf-8', 'replace')}".split())[
            :SIGNATURE_CHARS
        ]

    def _note_visibilities(self, words: Sequence[Node]) -> None:
        """Store where ``private`` holds from, and the methods that ``private :a`` or ``private def a`` names."""
        self._holding: dict[int, list[tuple[int, str]]] = {}  # node around → first byte and word
        self._named_private: dict[tuple[int, bool, str], str] = {}  # node around, of the type itself, name → word
        for node in words:
            call, word = node.parent, self.text(node)
            if call is None or call.type != "call":
                insort(self._holding.setdefault(call.id if call is not None else -1, []), (node.start_byte, word))
            elif call.parent is None or call.child_by_field_name("receiver") is not None:
                continue  # of another type
            elif (given := call.child_by_field_name("arguments")) is not None:
                named = list(given.named_children)
                for each in named:  # private *%i[a b], [:c]
                    named += each.named_children if each.type in _LISTS else ()
                    name = self.text(each.child_by_field_name("name") or each).strip(":\"'")
                    self._named_private[call.parent.id, word in _OF_TYPE, name] = word.partition("_")[0]

    def _visibility(self, node: Node) -> str:
        """Return ``private `` or ``protected `` for a method that other objects cannot call; "" for another node."""
        around, of_type = outside(node.parent, ("argument_list", "call")), node.type == "singleton_method"
        if around is None or node.type not in ("method", "singleton_method", "simple_symbol"):
            return ""
        name = node.child_by_field_name("name") or node
        word = self._named_private.get((around.id, of_type, self.text(name).strip(":")))
        if word is None and not of_type:
            place = bisect_right(marks := self._holding.get(around.id, []), (node.start_byte, "")) - 1
            word = marks[place][1] if place >= 0 else ""
        return f"{word} " if word in RUBY.private_words else ""

    def _defines(self, kind: SymbolKind, node: Node) -> bool:
        """Return True if `node`, a call or a symbol in its arguments, defines something: ``attr_reader :size``."""
        if kind == "class":
            return self.paths.makes_type(node)
        call = node if node.type == "call" else walk(node, "^", "^")
        return self.text(walk(call, "method")) in _DEFINING[kind]

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        if kind != "lambda" and node.type in ("call", "simple_symbol") and not self._defines(kind, node):
            return None
        if node.type == "call" and kind == "class" and self.text(walk(node, "receiver")) == "Module":
            kind = "module"
        definition = super()._definition(kind, node)
        if definition is not None and definition.named is not None and definition.named.type == "scope_resolution":
            definition.qualifier = self.text(definition.named).strip(":").rpartition("::")[0]
        if definition is not None and node.type == "method" and self._singletons:
            body = node.parent
            definition.qualifier = "." if body is not None and body.id in self._singletons else ""
        return definition

    def _is_of_object(self, node: Node) -> bool:
        """Return True for a call that defines a method of one object, which may be a type."""
        return node.type == "call" and self.text(walk(node, "method")) == "define_singleton_method"

    def _is_in_object(self, node: Node) -> bool:
        """Return True for a method in ``class << x``, which is not in the body of a type with x for the type itself."""
        body = node.parent
        if node.type != "method" or body is None or body.id not in self._singletons:
            return False
        single = body.parent
        around = outside(single.parent, ("body_statement",)) if single is not None else None
        in_type = around is not None and around.type in ("class", "module", "singleton_class")
        return not in_type or self.text(walk(single, "value")) != "self"

    def belongs(self, definition: Definition, around: Definition | None) -> bool:
        """Return True if the definition becomes a symbol. A block inside a method is a part of the method."""
        inside = around is not None and around.kind in CALLABLE_KINDS
        return not (inside and definition.kind == "lambda") and super().belongs(definition, around)

    def adopt(self, placed: Sequence[Definition | None]) -> None:
        """Set the parent of a block that is in another block."""
        super().adopt(placed)
        outer: list[tuple[Definition, int]] = []  # with the symbol around it that is no block
        for block in placed:
            if block is not None and block.kind == "lambda":
                around = block.parent
                while outer and outer[-1][0].end <= block.start:
                    outer.pop()
                if outer and outer[-1][1] == around:
                    block.parent = outer[-1][0].index
                outer.append((block, around))

    def owner_of(self, definition: Definition) -> str:
        """Return the type to whose block of ``A.class_eval do … end`` a method belongs.

        A method of another such block, and one of ``x.define_singleton_method`` or in ``class << x``, belongs to an
        unknown object: it binds no name in the scope around the block.
        """
        defined = self._is_of_object(definition.node) and walk(definition.node, "receiver") is not None
        if defined or self._is_in_object(definition.node):
            definition.kind = "method"
            return ""
        call = walk(definition.node, "^", "^", "^")
        method, receiver = walk(call, "method"), walk(call, "receiver") or call
        if receiver is None or definition.kind != "function" or self.text(method or receiver) not in _EVALUATING:
            return ""
        definition.kind = "method"
        of_type = self.text(method or receiver)[0] != "i" and receiver.type in ("constant", "scope_resolution")
        return self.paths.dotted(self.text(receiver)) if of_type else ""

    def _definitions(self, captures: Captures) -> list[Definition]:
        self._variables = {node.id for node in captures.get("_variable", ())}
        # scope, name → first and last byte of a variable
        self._bound: dict[tuple[int, str], list[tuple[int, int]]] = {}
        self._bare: list[tuple[int, Reference]] = []  # first byte of the name
        self._made = MadeNames(self.text)
        # a test has several times more blocks than methods; those of a page (``form_for``) are no parts of it
        name = self.path.rpartition("/")[2]
        self._names_blocks = _TEST_FILES.fullmatch(name) is None and not name.endswith((".erb", ".rhtml"))
        starts = {found.start() for found in _VISIBILITY.finditer(self.data)}
        bare = captures.get("reference.bare", ()) if starts else ()
        self._note_visibilities([node for node in bare if node.start_byte in starts and node.type == "identifier"])
        bodies = (node.child_by_field_name("body") for node in captures.get("_singleton", ()))
        self._singletons = {body.id for body in bodies if body is not None}
        return super()._definitions(captures)

    def fqn(self, definition: Definition, parent: Symbol) -> str:
        """Return ``A::B`` for a type, ``A#method`` for an instance method and ``A.method`` for a class method."""
        in_type = definition.parent and (parent.kind in TYPE_KINDS or parent.kind == "module")
        if not in_type:
            definition.qualifier = definition.qualifier.strip(".")
        name = super().fqn(definition, parent)
        if in_type and definition.kind in ("method", "function", "field"):
            node, single = definition.node, definition.qualifier == "."
            own = node.type == "singleton_method" or single or self._is_of_object(node)
            return f"{parent.fqn}{'.' if own else '#'}{definition.name}"
        if in_type:
            middle = f"{definition.qualifier}::" if definition.qualifier else ""
            if definition.named is not None and self.text(definition.named)[:2] == "::":
                return f"{middle}{definition.name}"
            return f"{parent.fqn}::{middle}{definition.name}"
        return name

    def on_definition(self, definition: Definition, scope: int) -> None:
        """Add the parameters, and the value of the last statement, which the method returns; of a type its base."""
        super().on_definition(definition, scope)
        node, body = definition.node, definition.node.child_by_field_name("body")
        if body is not None and node.type in ("method", "singleton_method"):
            self.give_back(scope, body)
        if self.paths.makes_type(node):
            line, given = node.start_point[0] + 1, children_of(node, "arguments")
            self.bindings.append(Binding(scope, f"%class:{line_col(node)}", "variable", "", "", line))
            path = self.path_of(given[0]) if given and self.text(walk(node, "receiver")) == "Class" else ""
            self.bases += [Base(scope, path, "extends", line)] if path else []

    def on_return(self, scope: int, node: Node) -> None:
        if (value := walk(node, "", "")) is not None:
            self.give_back(scope, value)

    def type_text(self, node: Node | None) -> str:
        """Return "", because Ruby has no declared types."""
        return ""

    def on_base(self, scope: int, node: Node) -> None:
        """Add the superclass, which a call may make: ``class Line < Struct.new(:a) do … end``."""
        made = walk(node, "")
        if made is not None and self.paths.makes_type(made) and walk(made, "block") is not None:
            self.bases.append(Base(scope, self.path_of(made), "extends", made.start_point[0] + 1))
        else:
            super().on_base(scope, node)

    def on_binding_variable(self, scope: int, node: Node) -> None:
        """Add a binding for a variable. An instance variable is stored into the object of the method."""
        left = node.child_by_field_name("left")
        right = node.child_by_field_name("right")
        if left is not None and left.type == "instance_variable":
            self._made.note(scope, self.text(left), right or left)
            self._store(scope, self.text(left), right, node.start_point[0] + 1)
            return
        if left is not None and right is not None:
            self._made.note(scope, self.text(left), right)
        if left is None or right is None or left.type != "constant" or not self.paths.makes_type(right):
            super().on_binding_variable(scope, node)

    def _store(self, scope: int, name: str, value: Node | None, line: int) -> None:
        """Add a binding for an instance variable. Outside of types, where its object is unknown, it is the file's."""
        around = self.placed[scope]
        if self._type_around(scope) or (around is not None and around.owner):
            self.bind(scope, f"self.{name}", "field", "", self.values_of(value), line)
        else:
            self.bind(0, name, "variable", "", self.values_of(value), line)

    def _type_around(self, scope: int) -> int:
        definition = self.placed[scope]
        while definition is not None and definition.kind not in TYPE_KINDS and definition.kind != "module":
            scope = definition.parent
            definition = self.placed[scope]
        return scope

    def on_reference_bare(self, scope: int, node: Node) -> None:
        """Store a name without arguments. `finish` decides if it is a call, when all variables are known."""
        if node.type == "constant":
            super().on_reference_bare(scope, node)
        elif node.type == "instance_variable":  # of an attribute that ``attr_accessor`` declares
            self.access(scope, f"self.{self.text(node)[1:]}", node)
        elif node.id in self._variables:
            self._bound.setdefault((scope, self.text(node)), []).append(self._extent(node))
        elif node.id not in self._named:
            if self.text(node) == "module_function":
                self._lend(scope, node)
            around = outside(node.parent, ("parenthesized_statements",))
            asked = around is not None and around.type == "unary" and self.text(around).startswith("defined?")
            row = Reference(scope, "name" if asked else "call", self.text(node), node.start_point[0] + 1)
            self._bare.append((node.start_byte, row))

    def _extent(self, node: Node) -> tuple[int, int]:
        """Return the first byte at which a variable is known, and the end of its block or method."""
        current = node.parent
        for _ in range(_MOST_AROUND):
            if current is None or current.type in _BLOCKS:
                break
            current = current.parent
        return node.start_byte, current.end_byte if current is not None else len(self.data)

    def on_reference_call(self, scope: int, node: Node) -> None:
        """Add a call, which is one of the method ``call`` without a name: ``block.(x)``."""
        receiver = node.child_by_field_name("receiver")
        if receiver is None or node.child_by_field_name("method") is not None:
            super().on_reference_call(scope, node)
        elif path := self.path_of(receiver):
            self.call(scope, f"{path}.call", node)

    def on_reference_super(self, scope: int, node: Node) -> None:
        """Add ``super`` as a call of the method with the same name in the superclass."""
        symbol = self.symbols[scope]
        if node.id not in self._named and symbol.kind in CALLABLE_KINDS:
            self.refer(scope, "call", f"super.{symbol.name}", node)

    def on_reference_yield(self, scope: int, node: Node) -> None:
        """Add a call of the block that the method is given, by ``yield``, or of a variable's: ``all.map(&block)``."""
        given = node.named_children[:1] if node.type == "block_argument" else ()
        if not given or given[0].type in ("identifier", "instance_variable"):
            path = f"{self.text(given[0])}.call" if given else "yield"
            self.references.append(Reference(scope, "call", path, node.start_point[0] + 1))

    def finish(self, placed: Sequence[Definition | None]) -> None:
        # the module that is included last is searched first
        self.bases.sort(key=lambda row: (row.scope, -row.line if row.manner != "extends" else -len(self.data)))
        for place, bound in enumerate(self.bindings):
            if bound.value == "new" and (bound.scope, "new") not in self._bound:
                self.bindings[place] = bound._replace(value="self.new()")
        for place, used in enumerate(self.references):
            if used.path[:4] == "new." and (used.scope, "new") not in self._bound:
                self.references[place] = used._replace(path=f"self.new(){used.path[3:]}")
        for ranges in self._bound.values():
            ranges.sort()
            for place in range(1, len(ranges)):  # the end of each is the last one so far
                ranges[place] = ranges[place][0], max(ranges[place - 1][1], ranges[place][1])
        inner = {symbol.parent for symbol in self.symbols if symbol.name == "ClassMethods"}
        concerns = [base for base in self.bases if base.path == "ActiveSupport.Concern"]
        # the users of the module extend it
        self.bases += [each._replace(path="ClassMethods") for each in concerns if self.symbols[each.scope].id in inner]
        self.references += self._made.references()
        for start, row in self._bare:
            known = self._bound.get((row.scope, row.path), [])
            place = bisect_right(known, (start, len(self.data) + 1)) - 1
            if row.path not in _SILENT and (place < 0 or start >= known[place][1]):
                self.references.append(row._replace(path="self.new") if row.path == "new" else row)

    def _literal(self, node: Node) -> str:
        """Return the name in a symbol or string without parts that are computed; "" for another node."""
        plain = all(child.type == "string_content" for child in node.named_children)
        return self.text(node).strip(":\"'") if node.type in ("simple_symbol", "string") and plain else ""

    def on_binding_alias(self, scope: int, node: Node) -> None:
        """Add the other name that ``alias new old`` gives a method."""
        name, old = node.child_by_field_name("name"), node.child_by_field_name("alias")
        if name is not None and old is not None:
            self._alias(scope, self.text(name).strip(":"), self.text(old).strip(":"), node)

    def _alias(self, scope: int, name: str, old: str, node: Node) -> None:
        scope = self._type_around(scope)
        if name and old and scope:
            around = self.placed[scope]
            written = self.text(around.named) if around is not None and around.named is not None else ""
            method = f"%type({self.paths.dotted(written.strip(':')) or self.symbols[scope].name}).{old}"
            self.bindings.append(Binding(scope, name, "variable", "", method, node.start_point[0] + 1))

    def _names_method(self, scope: int, receiver: str, name: str, arguments: Node) -> bool:
        """Add the call of ``send(:name)`` or the read of ``method(:name)``; return False if the name is computed."""
        told = self._literal(arguments.named_children[0]) if arguments.named_child_count else ""
        if not told and name in _SENDING and arguments.named_child_count:
            used = Reference(scope, "call", "", arguments.start_point[0] + 1)
            unknown = PUBLIC if name == "public_send" else ANY_NAME
            self._made.use(receiver or "self", arguments.named_children[0], used, unknown)
        if told and name in _SENDING:
            path = f"{receiver}.{told}" if receiver else told
            self.refer(scope, "call", path, arguments)
        elif told:
            self.refer(scope, "read", f"{receiver or 'self'}.{told}", arguments)
        return bool(told)

    def _by_symbol(self, scope: int, receiver: str, last: Node) -> None:
        """Add the call of each element's method that the last argument names: ``all.map(&:name)``."""
        told = self._literal(last.named_children[0]) if last.type == "block_argument" and last.named_child_count else ""
        if told:
            path = f"{receiver}[*].{told}" if receiver else f"{UNKNOWN}.{told}"
            self.refer(scope, "call", path, last)

    def _is_assigned(self, node: Node) -> bool:
        """Return True if a value is assigned to ``a.b``: the method ``b=`` is called."""
        around = node.parent
        if around is None or around.type not in ("assignment", "operator_assignment"):
            return around is not None and around.type == "left_assignment_list"
        return around.child_by_field_name("left") == node

    def _assign(self, scope: int, path: str, node: Node, line: int) -> None:
        """Add the call of ``a.b=``, which stores into ``@b`` of the object ``a``."""
        value, (before, _, name) = walk(node, "^", "right"), path.rpartition(".")
        self.refer(scope, "call", f"{path}=", node, (self.path_of(value),))
        if before:
            self.bind(scope, f"{before}.@{name}", "field", "", self.values_of(value), node.start_point[0] + 1)
        self.references.append(Reference(scope, "access", path, line or node.start_point[0] + 1))

    def on_reference_element(self, scope: int, node: Node) -> None:
        """Add the call of ``[]`` or ``[]=``; both are called by ``a[key] ||= 1``."""
        path, around = self.path_of(node.child_by_field_name("object")), node.parent
        assigned = self._is_assigned(node)
        if not assigned or (around is not None and around.type == "operator_assignment"):
            self.operate(scope, path, "[]", node)
        if assigned:
            self.operate(scope, path, "[]=", node)

    def call(self, scope: int, path: str, node: Node, line: int = 0) -> None:
        """Add a call. Imports and mixins, which are calls in the grammar, become imports and supertypes."""
        arguments = node.child_by_field_name("arguments")
        if path == "alias_method" and arguments is not None and arguments.named_child_count == 2:
            name, old = map(self._literal, arguments.named_children)
            self._alias(scope, name, old, node)
        before, _, name = path.rpartition(".")
        if path == "module_function":
            self._lend(scope, node)
        if path in _SILENT or name == "class" or self.paths.makes_type(node):
            return
        path = self._meant(scope, path)
        given = children_of(arguments)
        if path in _RELATIONS and given and self._is_in_body(scope, node):
            self._relate(scope, given)
        if name in _SENDING and given and self._literal(given[0]) in _MIXINS:  # base.send(:include, A)
            name, given = self._literal(given[0]), given[1:]
            path = f"{before}.{name}"
        elif (
            name in _SENDING | _TAKING and arguments is not None and self._names_method(scope, before, name, arguments)
        ):
            return
        if arguments is not None and arguments.named_child_count:
            self._by_symbol(scope, before, arguments.named_children[-1])
        if self._is_assigned(node):
            self._assign(scope, path, node, line)
            if node.parent is not None and node.parent.type != "operator_assignment":
                return
        hook = _HOOK.match(self.symbols[scope].signature) if name in _MIXINS else None
        own, single, _ = before.partition(".singleton_class")
        to_type = name in _MIXINS and own.rpartition(".")[2][:1].isupper()  # Client.prepend(A)
        if (
            path in _REQUIRES
            or (path in _MIXINS and self._is_in_body(scope, node))
            or to_type
            or (hook is not None and before == hook[1])
        ):
            scope = scope if hook is None else self._type_around(scope)  # what a module adds to its users is its own
            if to_type:
                self.refer(scope, "read", own, node)
            self._include(scope, "extend" if single else name, node, given, own if to_type else "")
        else:
            super().call(scope, path, node, line)

    def _relate(self, scope: int, given: Sequence[Node]) -> None:
        """Add the method that ``has_many :posts`` makes, which gives instances of ``Post``."""
        name, options = self._literal(given[0]), {}
        for pair in given[1:]:
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if key is not None and value is not None:
                options[self.text(key).strip(":")] = self.text(value).strip("\"':")
        of_one = "".join(part[:1].upper() + part[1:] for part in singular(name).split("_"))
        kind = self.paths.dotted(options.get("class_name", of_one))
        if name.isidentifier() and kind.replace(".", "").isidentifier():
            made = f"%made({kind})"  # what its name means alone, and what the method returns
            self.bind(scope, name, "variable", "", (made, f"{made}.itself"), given[0].start_point[0] + 1)

    def _meant(self, scope: int, path: str) -> str:
        """Return the path of what a call means: ``super`` is a method above, and ``new`` one of the own type."""
        if path == "super":
            return f"super.{self.symbols[scope].name}"
        before, _, name = path.rpartition(".")
        if before == "self.class" and self.symbols[self._type_around(scope)].kind == "module":
            return f"{UNKNOWN}.{name}"  # a method of a type that includes the module
        return "self.new" if path == "new" else path

    def _lend(self, scope: int, node: Node) -> None:
        """Add that a module has its own methods, as ``extend self`` says."""
        self.bases.append(Base(scope, "self", "embeds in type", node.start_point[0] + 1))

    def _is_in_body(self, scope: int, node: Node) -> bool:
        """Return True for a statement of a type or file, which ``expect(list).to include(A)`` is not."""
        argument = node.parent is not None and node.parent.type == "argument_list"
        return not argument and self.symbols[scope].kind not in CALLABLE_KINDS

    def _include(self, scope: int, word: str, call: Node, arguments: Sequence[Node], receiver: str = "") -> None:
        """Add the modules that a type, that around the call or `receiver`, includes, or the files that are required."""
        in_type = word == "extend" or (call.parent is not None and call.parent.id in self._singletons)
        manner: Literal["embeds", "embeds in type", "embeds before"] = "embeds in type" if in_type else "embeds"
        manner = "embeds before" if word == "prepend" and not in_type else manner
        for argument in arguments:
            line = argument.start_point[0] + 1
            if word in _MIXINS and argument.type in ("constant", "scope_resolution", "self"):
                base = self.paths.dotted(self.text(argument))
                self.bases.append(Base(scope, base, manner, line, receiver))
            elif word in _REQUIRES and argument.type == "string":
                self.imports.append(Import(scope, "*", self.text(argument).strip("\"'"), "*", line))


RUBY = replace(
    declared("ruby", "Ruby", lambda: RubyExtractor(SHAPE)),
    extensions=(".rb", ".rake", ".gemspec", ".ru"),
    filenames=("Rakefile", "Gemfile", "Guardfile", "Vagrantfile", "Podfile", "Fastfile", "Brewfile"),
    interpreters=("ruby", "jruby", "rake"),
    object_methods=re.compile(r"\bdef (?!self\b)@?[a-z_]\w*\."),
    separator="::",
    rules=default_rules(
        "ruby",
        constructors=("initialize",),
        modules={
            "linked": True,
            "program_files": re.compile(r"(.*/)(?:config\.ru|config/environment\.rb)$"),  # of Rack and Rails
        },
        builtins=MODEL,
        overloading={"several": True},
        scopes={"blocks_on_any": True},
        special_methods={"index": ("[]",), "subclass": ("inherited",)},
        classes={
            "open_types": True,
            "instance_mark": "@",
            "mixins": True,
            "class_attribute": "class",
            "singleton_mark": ".",
        },
    ),
    parts=re.compile(r"^(?:class|module)\b"),
    reopened=re.compile(r"""^[ \t]*(?:gem|require|\w+\.add_\w*dependency)\b[ (]*["']([\w-]+)""", re.MULTILINE),
    constructors=("initialize",),
    closures=re.compile(
        r"(?!.*\bdefine_method\b).*(?:->|\bdo\b(?:\s*\|[^|]*\|)?\s*(?:#|$)|\b(?:lambda|proc)\b|[\w)?!]\s*\{)"
    ),
    called_methods=dict.fromkeys(_CALLED, Called("the language or its standard library calls {} without naming it")),
    plain_bases=frozenset({"Object", "Exception", "self"}),
    types_are_constants=True,
    computed_types=re.compile(r"\bconst_get\b[ \t]*\(?[ \t]*(?![:\"'])|\bconstants\.|\b(?:descendants|subclasses)\b"),
    reflection=re.compile(r"instance_methods?\b|private_methods\b"),
    type_values=re.compile(r"\b[A-Z]\w*"),
    mixing=re.compile(r"[.:](?:extend|include|prepend)[ (,]+(?:\w+::)*([A-Z]\w*|self\b)"),
    computed_members=re.compile(
        r"""(?<!def )\b(?:__send__|public_send|send)\b[ \t]*\(?[ \t]*(?!:\w|"\w+"|'\w+')[\w@:"'\[]"""
        r"""|\b(?:instance|class|module)_e(?:val|xec)\b"""
    ),
    evaluating=re.compile(
        r"""\b(?:(?:instance|class|module)_eval|(?<!def )eval)\b(?:[ \t]*\(|[ \t])[ \t]*"""
        r"""(?![ \t"'&{<%:=|]|(?:do|nil)\b)"""
    ),
    test_files=_TEST_FILES,
    private_words=("private", "protected"),
    overriding=re.compile(""),  # a superclass may call private methods, too
    named_arguments=True,
)
