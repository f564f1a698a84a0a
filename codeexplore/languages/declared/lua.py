"""Lua: language record and extractor.

Example: ``local function total(p) return sum(p) end`` in ``lua/shop.lua`` becomes the function ``shop.total``, with a
call of ``sum``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from codeexplore.languages.declared.extractor import SymbolsExtractor, declared
from codeexplore.languages.declared.grammar_shape import Shape
from codeexplore.languages.extraction.expressions import Definition, Layout, step_to, walk
from codeexplore.types import Import, SymbolKind

SHAPE = Shape(
    names={"assignment_statement": ("<variable_list", "name")},
    wrappers=frozenset({"variable_declaration"}),
    bodies={"assignment_statement": "<expression_list", "field": "value"},
    attributes={"dot_index_expression": ("table", "field"), "method_index_expression": ("table", "method")},
    calls={"function_call": "name"},
    subscripts={"bracket_index_expression": "table"},
    through={"parenthesized_expression": ""},
    literals={"string": "%str", "number": "%num", "table_constructor": "%dict"},
)
_ROOTS = frozenset({"lua", "src", "lib"})
_DEEP = 12  # most levels between a key and the variable to which its table is assigned


class LuaExtractor(SymbolsExtractor):
    def module_name(self, path: str, root: Node, layout: Layout) -> str:
        """Return the path with dots, without ``lua/``, ``src/`` or ``lib/`` in front and ``init`` at its end."""
        super().module_name(path, root, layout)
        parts = path.removesuffix(".lua").split("/")
        if len(parts) > 1 and parts[0] in _ROOTS:
            parts = parts[1:]
        if len(parts) > 1 and parts[-1] == "init":
            parts.pop()
        self._table = self._returned(root)
        return ".".join(parts)

    def _returned(self, root: Node) -> str:
        """Return the name of the table that the file returns, whose entries are the members of the module."""
        last = root.named_child(root.named_child_count - 1) if root.named_child_count else None
        if last is None or last.type != "return_statement":
            return ""
        return self.text(last).removeprefix("return").strip(" \t\r\n;")

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the last part of ``M.sub.name``; "" for a variable that is a function, an import or a member."""
        name = self.name_node(kind, node)
        if name is None:
            return ""
        text = self.text(name)
        if kind == "constant" and (
            name.type != "identifier" or self._is_import_or_function(node) or text == self._table
        ):
            return ""
        if name.type in ("dot_index_expression", "method_index_expression"):
            return text.replace(":", ".").rpartition(".")[2]
        return text if name.type == "identifier" else ""

    def _is_import_or_function(self, node: Node) -> bool:
        value = self.body_of("constant", node)
        if value is None or not value.named_child_count:
            return True
        first = value.named_children[0]
        return first.type == "function_definition" or self.text(first).startswith("require")

    def body_of(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the body of a definition. For an assignment, this is the body of the assigned function."""
        body = super().body_of(kind, node)
        if kind == "function" and body is not None and body.type != "block":
            return walk(body if body.type == "function_definition" else step_to(body, ""), "body")
        return body

    def signature(self, definition: Definition) -> str:
        """Return the head of the definition, with the word ``local`` before a function that is assigned to a local."""
        head, around = super().signature(definition), definition.node.parent
        local = definition.kind == "function" and around is not None and around.type == "variable_declaration"
        return f"local {head}" if local else head

    def owner_of(self, definition: Definition) -> str:
        """Return the table to which a function is assigned; "" if it is the table of the module."""
        named = definition.named
        if definition.node.type == "field":
            return self._table_around(definition.node)
        if named is None or named.type not in ("dot_index_expression", "method_index_expression"):
            return ""
        return self._inside(self.text(named).replace(":", ".").rpartition(".")[0])

    def _inside(self, path: str) -> str:
        """Return a path without the module's own table at its start."""
        return path.removeprefix(self._table).lstrip(".") if path.split(".", maxsplit=1)[0] == self._table else path

    def _table_around(self, node: Node) -> str:
        """Return the table that contains the entry ``name = function … ``: the assigned variable, followed by keys."""
        names: list[str] = []
        current = node.parent
        for _ in range(_DEEP):
            current = current.parent if current is not None else None
            if current is None or current.type == "arguments":
                break
            if current.type in ("field", "assignment_statement"):
                names.append(self.text(self.name_node("field", current)))
                if current.type == "assignment_statement":
                    break
        return self._inside(".".join(name for name in reversed(names) if name))

    def call(self, scope: int, path: str, node: Node, line: int = 0) -> None:
        """Add a call, or the import of ``local name = require("module")``."""
        if path != "require":
            super().call(scope, self._inside(path) or path, node, line)
            return
        arguments = node.child_by_field_name("arguments")
        module = self.text(arguments).strip("()[] \"'") if arguments is not None else ""
        values = node.parent
        assigned = values.parent if values is not None and values.type == "expression_list" else None
        name = self.name_node("constant", assigned) if assigned is not None else None
        shown = self.text(name) if name is not None and name.type == "identifier" else "*"
        if module:
            self.imports.append(Import(scope, shown, module, "" if shown != "*" else "*", node.start_point[0] + 1))


_BUILT = re.compile(r"""\[\s*["'](\w{2,})["']\s*\.\.|\.\.\s*["'](\w{2,})["']\s*\]""")
"""Key that begins or ends with a string: ``self["on_" .. kind]``."""


def _built_names(text: str) -> Iterator[tuple[int, str, str]]:
    return ((found.start(), found[1] or "", found[2] or "") for found in _BUILT.finditer(text))


LUA = replace(
    declared("lua", "Lua", lambda: LuaExtractor(SHAPE)),
    extensions=(".lua", ".rockspec"),
    interpreters=("lua", "luajit"),
    visibility="words",
    implicit_members=re.compile(r"__\w+"),
    called_signatures=re.compile(r"^\w+\s*=\s*function\b"),
    called_because="{} is an entry of a table, and any code that gets the table may call it",
    private_words=("local",),
    constructors=("new",),
    computed_members=re.compile(r"""\w\[(?!["'#\d])[^\[\]\n]*\]\s*\("""),
    built_names=_built_names,
    test_files=re.compile(r"(?:.+_test|test[_-].+)\.lua|(?i:.+[._-](?:tests?|specs?)\.lua)"),
)
