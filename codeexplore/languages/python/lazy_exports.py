"""Names that a module offers although no statement binds them: its function ``__getattr__`` imports them by a table.

The tables are literals at the top of the module (PEP 562): a name with its module, ``{"mend": ".repair"}``, or a module
with its names, ``{"repair": ["mend"]}``. Each name becomes an import of the module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from codeexplore.languages.extraction import Part
from codeexplore.languages.python.paths import string_of
from codeexplore.types import Import

_GETTER = re.compile(rb"^(?:def\s+__getattr__\b|(?:\w+\s*,\s*)*__getattr__\b[^\n=]*=)", re.MULTILINE)
_RELATIVE = re.compile(rb"""[fF]["']\.\{|["']\.["']\s*\+|__name__\s*\+|[fF]["']\{__(?:name|package)__\}""")
_MODULE = re.compile(r"(\.*)((?:[^\W\d]\w*)(?:\.\w+)*)(?::(\w+))?")
_MAX_NAMES = 2_000  # of one table
_MAX_NESTED = 6


class LazyExports(Part):
    """Reader of the tables of one module."""

    _applies = False  # True if the module has a function for names that it does not bind
    _relative = False  # True if this function imports below its package

    def begin(self) -> None:
        """Start with the next file. Its text is searched once, not for each assignment."""
        data = self.paths.data
        self._applies = b"__getattr__" in data and _GETTER.search(data) is not None
        self._relative = self._applies and _RELATIVE.search(data) is not None

    def read(self, value: Node | None, path: str) -> None:
        """Add the imports of a literal table, or of the tables among the arguments of a call."""
        if value is None or not self._applies:
            return
        folders = path.split("/")[:-1]
        for table in _dictionaries(value, _MAX_NESTED):
            for pair in table.named_children[:_MAX_NAMES]:
                key, held = pair.child_by_field_name("key"), pair.child_by_field_name("value")
                name = string_of(self.text(key)) if key is not None and key.type == "string" else ""
                if name and held is not None:
                    self._offer(name, held, folders[-1] if folders else "", pair.start_point[0] + 1)

    def _offer(self, key: str, held: Node, package: str, line: int) -> None:
        several = held.named_children[:_MAX_NAMES] if held.type in ("list", "tuple", "set") else [held]
        texts = [string_of(self.text(each)) for each in several if each.type == "string"]
        if held.type == "string" and texts:
            self._import(key, texts[0], key, package, line)
        elif held.type == "tuple" and len(texts) == 2 and ("." in texts[0] or key == texts[1]):  # module and its object
            self._import(key, texts[0], texts[1], package, line)
        else:
            for name in texts:
                self._import(name, key, name, package, line)

    def _import(self, name: str, module: str, member: str, package: str, line: int) -> None:
        found = _MODULE.fullmatch(module)
        if found is None or not name.isidentifier():
            return
        dots, parts = found[1], found[2].split(".")
        if not dots and parts[0] == package and len(parts) > 1:  # its own package, by its whole name
            dots, parts = ".", parts[1:]
        if (not dots and len(parts) == 1) or (not dots and self._relative):
            dots = "."
        if found[3] is None and parts[-1] == name == member:  # a submodule, or the whole name of an object
            self.imports.append(Import(0, name, dots + ".".join(parts[:-1]), name, line))
        self.imports.append(Import(0, name, dots + ".".join(parts), found[3] or member, line))


def _dictionaries(node: Node, depth: int) -> Iterator[Node]:
    if node.type == "dictionary":
        yield node
    elif depth and node.type in ("call", "argument_list", "keyword_argument"):
        for child in node.named_children:
            yield from _dictionaries(child, depth - 1)
