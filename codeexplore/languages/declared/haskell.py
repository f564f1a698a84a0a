"""Haskell: language record and extractor.

Example: ``total p = sumOf p`` in ``src/Shop.hs`` becomes the function ``src/Shop.total``, with a call of ``sumOf``.
"""

from __future__ import annotations

import re
from dataclasses import replace

from tree_sitter import Node

from codeexplore.languages.declared.extractor import SymbolsExtractor, declared
from codeexplore.languages.declared.grammar_shape import Shape
from codeexplore.languages.extraction.expressions import Definition, step_to, walk
from codeexplore.languages.extraction.leading_trivia import clean_comment
from codeexplore.types import Base, Import, SymbolKind

SHAPE = Shape(
    packages=frozenset({"header"}),
    clauses=True,
    names={"header": ("module",), "data_constructor": ("constructor", "name")},
    bodies={"function": "match", "bind": "match", "class": "declarations", "instance": "declarations"},
    extended={"instance": ("patterns",)},
    roots=frozenset({"variable", "constructor", "name", "module"}),
    attributes={"qualified": ("module", "id")},
    calls={"apply": "function", "infix_id": ""},
    through={"parens": ""},
)
_TYPE = re.compile(r"[A-Z][\w\']*(?:\.[A-Z][\w\']*)*")
_IMPORT = re.compile(
    r"import\s+(?:safe\s+)?(?P<before>qualified\s+)?(?:\"[^\"]*\"\s+)?(?P<module>[\w.\']+)(?P<after>\s+qualified)?"
    r"(?:\s+as\s+(?P<alias>[\w.\']+))?\s*(?P<hiding>hiding\b)?\s*(?P<names>\(.*\))?",
    re.DOTALL,
)
_WHERE = re.compile(r"\s+where\b")
_HADDOCK = re.compile(r"^[|^*] ?", re.MULTILINE)
_OPENING_NODES = 40  # first nodes of a file that are searched for the module's documentation
_INNER = re.compile(r"\([^()]*\)")


class HaskellExtractor(SymbolsExtractor):
    def name_node(self, kind: SymbolKind, node: Node) -> Node | None:
        """Return the first of several names with one signature, or the operator that an equation defines."""
        name = super().name_node(kind, node)
        if name is not None or node.type not in ("signature", "function"):
            return name
        names = node.child_by_field_name("names")
        return step_to(names, "") if names is not None else walk(node, "<infix", "operator")

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        """Return the name. Operators have no parentheses."""
        return self.text(self.name_node(kind, node)).strip("()` \t\r\n")

    def signature(self, definition: Definition) -> str:
        """Return the declared type; without one, the head of the definition."""
        if definition.node.type == "signature":
            return " ".join(self.code_of(definition.node).split())[:300]
        return _WHERE.split(super().signature(definition))[0]

    def doc_of(self, definition: Definition, leading: str) -> str:
        """Return the text of the comments above the definition, without Haddock's markers."""
        return _HADDOCK.sub("", super().doc_of(definition, leading))

    def module_doc(self, root: Node) -> str:
        texts: list[str] = []
        for index in range(min(root.named_child_count, _OPENING_NODES)):
            child = root.named_child(index)
            if child.type in ("comment", "haddock"):
                texts.append(self.text(child))
            elif child.type != "pragma":
                break
        return _HADDOCK.sub("", clean_comment("\n".join(texts)))

    def _definition(self, kind: SymbolKind, node: Node) -> Definition | None:
        definition = super()._definition(kind, node)
        named = definition.named if definition is not None else None
        head = named.parent if named is not None and named.type == "operator" else None
        if head is not None and head.type == "infix":  # in a <+> b = …, a and b are patterns and not uses
            self.consumed.update(child.start_byte for child in head.named_children)
        return definition

    def extended_type(self, node: Node) -> str:
        found = _TYPE.search(self.text(node.child_by_field_name("patterns")))
        return found.group() if found is not None else ""

    def on_base(self, scope: int, node: Node) -> None:
        """Add the supertype that ``instance Class Type`` declares."""
        name, subtype = node.child_by_field_name("name"), self.extended_type(node)
        if name is not None and subtype:
            path = self.text(name)
            self.bases.append(Base(scope, path, "implements", node.start_point[0] + 1, subtype))

    def on_reference_read(self, scope: int, node: Node) -> None:
        """Add a function that is an operand of an operator. In point-free style, such a use is like a call."""
        if node.start_byte not in self.consumed:
            self.call(scope, self.path_of(node), node)

    def on_import(self, scope: int, node: Node) -> None:
        """Add the import of a module under its name or alias, and the names that can be used without it."""
        found = _IMPORT.match(self.text(node))
        if found is None:
            return
        module, line = found["module"], node.start_point[0] + 1
        self.imports.append(Import(scope, found["alias"] or module, module, "", line))
        if found["before"] or found["after"]:
            return
        if found["names"] is None or found["hiding"]:
            self.imports.append(Import(scope, "*", module, "*", line))
            return
        names = found["names"][1:-1]
        while (shorter := _INNER.sub("", names)) != names:
            names = shorter
        for name in (part.strip().removeprefix("type ").strip() for part in names.split(",")):
            if name:
                self.imports.append(Import(scope, name, module, name, line))


HASKELL = replace(
    declared("haskell", "Haskell", lambda: HaskellExtractor(SHAPE)),
    extensions=(".hs", ".lhs", ".hs-boot"),
    interpreters=("runhaskell", "runghc"),
    start_names=("main",),
    loaders=None,
    test_files=re.compile(r".+_test\.hs|.*[a-z0-9](?:Tests?|Specs?|Suite)\.hs|Test[A-Z].*\.hs"),
)
