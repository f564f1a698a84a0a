"""Elixir: language record and extractor.

Example: ``defmodule Shop do def total(p), do: sum(p) end`` in ``lib/shop.ex`` becomes the module ``Shop`` and the
function ``Shop.total``, with a call of ``sum``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tree_sitter import Node

from codeexplore.languages.base import default_rules, words
from codeexplore.languages.declared.extractor import SymbolsExtractor, declared
from codeexplore.languages.declared.grammar_shape import Shape
from codeexplore.languages.extraction.expressions import Captures, Definition, children_of, step_to, walk
from codeexplore.types import UNKNOWN, Base, Binding, Import, Reference, SymbolKind

SHAPE = Shape(
    global_names=True,
    clauses=True,
    endings="?!",
    names={"atom": (), "keyword": (), "call": ("<arguments", ""), "unary_operator": ("operand", "target")},
    bodies={"call": "<do_block"},
    roots=frozenset({"identifier", "alias"}),
    attributes={"dot": ("left", "right")},
    through={"unary_operator": "operand"},  # @attribute.f()
    calls={"call": "target"},
    subscripts={"access_call": "target"},
    literals={"string": "%str", "integer": "%num", "list": "%list", "map": "%dict", "tuple": "%tuple", "atom": "%str"},
)
_DEFINING = words(
    """
    def defp defmacro defmacrop defguard defguardp defdelegate defmodule defprotocol defimpl defstruct defexception
    defoverridable quote unquote do
    """
)
_IMPORTING = frozenset({"alias", "import", "require", "use"})
_LEADING = (b"@doc", b"@spec", b"@impl", b"@deprecated", b"@typedoc", b"@dialyzer", b"@tag", b"@since")
_TYPES = frozenset({"type", "typep", "opaque"})
_RESERVED = _TYPES | words(
    """
    doc moduledoc spec impl deprecated typedoc dialyzer tag since behaviour callback macrocallback optional_callbacks
    derive enforce_keys compile external_resource on_load before_compile after_compile moduletag describetag vsn
    on_definition
    """
)
_DOC = re.compile(r'@(?:module|type)?doc\s+(?:~[sS])?("""|\'\'\'|")(.*?)\1', re.DOTALL)
_MODULES = re.compile(
    r"(?P<module>[A-Z][\w.]*\w|__MODULE__[\w.]*)(?:\.\{(?P<names>[^}]*)\})?(?:.*?\bas:\s*(?P<alias>[\w.]+))?", re.DOTALL
)
_TO, _AS = re.compile(r"\bto:\s*([A-Z][\w.]*)"), re.compile(r"\bas:\s*:([\w?!]+)")
_FOR = re.compile(r"\bfor:\s*([\w.]+)")
_HEAD_NODES = 12  # first nodes of a module that are searched for its documentation


class ElixirExtractor(SymbolsExtractor):
    def begin(self, captures: Captures) -> None:
        super().begin(captures)
        self._silent_until = 0

    def _place(self, definitions: Sequence[Definition], captures: Captures) -> list[Definition | None]:
        """Leave out all decorators but the attributes that describe a definition, such as ``@doc``."""
        kept = [n for n in captures.get("decorator", ()) if self.data.startswith(_LEADING, n.start_byte)]
        return super()._place(definitions, {**captures, "decorator": kept})

    # ----------------------------------------------------------------- definitions

    def name_node(self, kind: SymbolKind, node: Node) -> Node | None:
        head = walk(node, "operand", "<arguments", "") if kind == "type" else super().name_node(kind, node)
        while head is not None and head.type in ("binary_operator", "call"):
            if head.type == "call":
                head = head.child_by_field_name("target")
                continue
            operator = head.child_by_field_name("operator")
            if operator is None or operator.type not in ("when", "::"):
                return operator
            head = head.child_by_field_name("left")
        return head

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return ``Protocol.Type`` for an implementation, and "" for an attribute that is no constant."""
        name = self.name_node(kind, node)
        if name is None:
            return ""
        text = self.text(name)
        if kind == "constant":
            return "" if text in _RESERVED else text
        if kind == "type":
            return text if self.text(walk(node, "operand", "target")) in _TYPES else ""
        if kind == "field":
            return text.strip(': \t\r\n"')
        if kind in ("module", "interface"):
            return self._module(node, name).rpartition(".")[2]
        self.consumed.add(name.start_byte)  # the head of a definition is not a call
        return text

    def _module(self, node: Node, name: Node) -> str:
        """Return the name of a module as written. For an implementation, return ``Protocol.Type``."""
        text, target, arguments = self.text(name), node.child_by_field_name("target"), name.parent
        if target is not None and arguments is not None and self.text(target) == "defimpl":
            found = _FOR.search(self.text(arguments))
            return f"{text}.{found.group(1)}" if found is not None else text
        return text

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        definition = super()._definition(kind, node)
        if definition is not None and kind in ("module", "interface") and definition.named is not None:
            definition.qualifier = self._module(node, definition.named).rpartition(".")[0]
        return definition

    def signature(self, definition: Definition) -> str:
        """Return the head of the definition up to ``do``."""
        if definition.kind in ("constant", "type", "field"):
            return " ".join(self.code_of(definition.outer).split())[:300]
        head = super().signature(definition)
        return re.split(r",?\s+do:|\s+do$", head)[0]

    def doc_of(self, definition: Definition, leading: str) -> str:
        """Return the text of ``@doc`` above a definition, of ``@moduledoc`` in a module, or of comments above."""
        nodes = list(definition.decorations)
        if definition.kind in ("module", "interface") and definition.body is not None:
            nodes = [c for c in definition.body.named_children[:_HEAD_NODES] if c.type == "unary_operator"]
        wanted = "@moduledoc" if definition.kind in ("module", "interface") else "@"
        for node in nodes:
            text = self.text(node)
            found = _DOC.match(text) if text.startswith(wanted) else None
            if found is not None:
                rows = found.group(2).strip("\r\n").split("\n")
                indent = min((len(row) - len(row.lstrip()) for row in rows if row.strip()), default=0)
                return "\n".join(row[indent:].rstrip() for row in rows).strip()
        return super().doc_of(definition, leading)

    def on_definition(self, definition: Definition, scope: int) -> None:
        """Add the call that ``defdelegate f(a), to: M, as: :g`` makes."""
        super().on_definition(definition, scope)
        text = self.text(definition.node) if definition.kind == "function" else ""
        if text.startswith("defdelegate") and (to := _TO.search(text)) is not None:
            name = _AS.search(text)
            path, line = f"{to[1]}.{name[1] if name else definition.name}", definition.node.start_point[0] + 1
            self.references.append(Reference(scope, "call", path, line, ("",) * len(_parameters(definition))))

    # ----------------------------------------------------------------- uses

    def on_attribute(self, scope: int, node: Node) -> None:
        """Add the supertype in ``@behaviour B``. Calls in ``@spec`` and other attributes are not recorded."""
        self._silent_until = max(self._silent_until, node.end_byte)
        text = self.text(node)
        if text.startswith("@behaviour"):
            path = text.removeprefix("@behaviour").strip(" ()\n")
            self.bases.append(Base(scope, path, "implements", node.start_point[0] + 1))

    def on_reference_call(self, scope: int, node: Node) -> None:
        """Add a call, unless the node is a definition or a part of an attribute."""
        target = node if node.type == "identifier" else node.child_by_field_name("target")
        if target is None or node.start_byte < self._silent_until or target.start_byte in self.consumed:
            return
        if target.type == "dot" and step_to(node, "<arguments") is None:
            left = target.child_by_field_name("left")
            if left is None or left.type != "alias":
                return  # user.name reads a field
        path = self.path_of(target)
        if path in _IMPORTING:
            self._import(scope, path, node)
        elif path == "defimpl":
            self._implements(scope, node)
        elif path and path not in _DEFINING and path[0] != "%":
            self.call(scope, path, node)

    def arguments_of(self, node: Node) -> tuple[str, ...]:
        """Return an empty path for each argument, for a value that is piped into the call, and for its block."""
        sign, number = node.prev_sibling, sum(not child.is_extra for child in children_of(node, "<arguments"))
        piped = sign is not None and sign.type == "|>"
        return ("",) * (number + piped + (step_to(node, "<do_block") is not None))

    def same_clause(self, before: Definition, definition: Definition) -> bool:
        """Return True for the same name and number of parameters: by both, functions differ."""
        same = len(_parameters(before)) == len(_parameters(definition))
        return same and super().same_clause(before, definition)

    def _parameters(self, definition: Definition, scope: int, fields: bool = False) -> None:
        for place, node in enumerate(_parameters(definition)):
            optional = UNKNOWN if "\\\\" in self.text(node) else ""
            name = self.text(node) if node.type == "identifier" else f"_{place}"
            self.bindings.append(Binding(scope, name, "parameter", "", optional, node.start_point[0] + 1))

    def _implements(self, scope: int, node: Node) -> None:
        protocol, _, kind = self.text(step_to(node, "<arguments")).partition(", for: ")
        if protocol:
            self.bases.append(Base(scope, protocol, "implements", node.start_point[0] + 1, kind.strip("[] ")))

    def _import(self, scope: int, keyword: str, node: Node) -> None:
        found = _MODULES.match(self.text(step_to(node, "<arguments")))
        if found is None:
            return
        module, names, alias = found["module"], found["names"], found["alias"]
        line = node.start_point[0] + 1
        if names is not None:
            for name in (part.strip() for part in names.split(",")):
                if name:
                    self.imports.append(Import(scope, name.rpartition(".")[2], f"{module}.{name}", "", line))
        elif keyword == "import":
            self.imports.append(Import(scope, "*", module, "*", line))
        else:
            shown = alias or (module.rpartition(".")[2] if keyword == "alias" else module)
            self.imports.append(Import(scope, shown, module, "", line))
            if keyword == "use":
                self.call(scope, f"{module}.__using__", node)


def _parameters(definition: Definition) -> Sequence[Node]:
    head = walk(definition.named, "^")
    return children_of(head, "<arguments") if head is not None and head.type == "call" else ()


ELIXIR = replace(
    declared("elixir", "Elixir", lambda: ElixirExtractor(SHAPE)),
    extensions=(".ex", ".exs"),
    interpreters=("elixir",),
    start_names=("main",),
    rules=default_rules(
        "elixir",
        namespaces=True,
        modules={"outer_packages": True, "linked": True},
        classes={"open_types": True},
        overloads=True,
    ),
    visibility="words",
    private_words=("defp", "defmacrop"),
    plain_decorators=frozenset({"doc", "typedoc", "spec", "since", "deprecated", "dialyzer"}),
    plain_bases=frozenset({"Exception"}),
    examples=re.compile(r"\biex(?:\(\d+\))?> "),
    implicit_members=re.compile(
        r"handle_\w+|init|terminate|code_change|format_status|child_spec|start(?:_link)?|stop|fetch|pop|get_and_update|call"
        r"|perform|mount|render|project|application|cli"
    ),
    implicit_owners=re.compile("defmacro"),  # outside code uses the macro that defines them
    computed_members=re.compile(r"\bapply\(|\bto_(?:existing_)?atom\("),
    test_files=re.compile(r".+_test\.exs?"),
)
