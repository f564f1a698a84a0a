"""Names that code writes with other capitals than their definitions, where the language does not tell them apart."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from codeexplore.types import TYPE_KINDS, Binding, FileFacts, Reference, Rows

_OF_TYPE: Final = frozenset({"new", "type"})  # kinds of references

_NAME: Final = re.compile(r"(?P<dot>\.)?(?<![$%'\w])(?P<name>[^\W\d]\w*)(?=(?P<next>\(|\.|$)?)")
"""A name in an access path, with the dot before it and what follows it: ``(`` of a call."""
_QUALIFIED: Final = re.compile(r"(\\?)([^\W\d]\w*(?:\.[^\W\d]\w*)*)(?=\.)")
"""All of a qualified name but the last part, after the mark of the top."""


class LetterCase:
    """Names of types, functions and methods as their definitions write them (PHP).

    A name remains as it is if a definition has it, or if several definitions differ from each other in capitals only.
    """

    def __init__(self, files: Sequence[FileFacts]) -> None:
        symbols = [symbol for facts in files for symbol in facts.symbols]
        self._exact = {symbol.name for symbol in symbols}
        spaces = (each.fqn for each in symbols if each.kind == "module" and not each.path.startswith(each.fqn))
        self._spaces = _meant(spaces)  # without files, which are modules too
        rows = (row for facts in files for row in facts.imports)
        self._exact.update(row.name for row in rows if not self._space(row.module))  # of outside code
        self._types = _meant(symbol.name for symbol in symbols if symbol.kind in TYPE_KINDS)
        self._functions = _meant(symbol.name for symbol in symbols if symbol.kind == "function")
        self._methods = _meant(symbol.name for symbol in symbols if symbol.kind == "method")
        self._path = cache(self._written)

    def facts(self, facts: FileFacts) -> FileFacts:
        """Return the facts of a file with the names that are meant."""
        path, bindings = self._path, Rows.of(Binding, facts.bindings)
        references = Rows.of(Reference, facts.references)
        return replace(
            facts,
            imports=tuple(
                r._replace(name=path(r.name, True), module=space, member=path(r.member, True)) if space else r
                for r, space in ((row, self._space(row.module)) for row in facts.imports)
            ),
            bindings=bindings.with_fields(
                type=[path(written, True) for (written,) in bindings.fields("type")],
                value=[path(value) for (value,) in bindings.fields("value")],
            ),
            returns=tuple(r._replace(value=path(r.value, r.manner == "type")) for r in facts.returns),
            references=references.with_fields(
                path=[path(text, kind in _OF_TYPE, kind == "call") for kind, text in references.fields("kind", "path")],
                args=[tuple(map(path, args)) if args else args for (args,) in references.fields("args")],
            ),
            bases=tuple(r._replace(path=path(r.path, True)) for r in facts.bases),
        )

    def _space(self, text: str) -> str:
        """Return the namespace of the repository that is meant; "" if there is none."""
        return self._spaces.get(text.lower().replace(".", "\\"), "")

    def _in_space(self, text: str) -> tuple[str, str]:
        """Return a path with the namespace that is meant, and this namespace; "" if it begins with none."""
        found = _QUALIFIED.match(text)
        parts = found[2].split(".") if found is not None else []
        for end in range(len(parts), 0, -1):
            if found is not None and (space := self._space(written := ".".join(parts[:end]))):
                space = space.replace("\\", ".")
                return f"{found[1]}{space}{text[found.start(2) + len(written) :]}", space
        return text, ""

    def _written(self, text: str, of_type: bool = False, called: bool = False) -> str:
        """Return an access path with the names that are meant. It is that of a type, or of what is called."""
        text, space = self._in_space(text)

        def name(match: re.Match[str]) -> str:
            dot, written = match["dot"] or "", match["name"]
            calls = match["next"] == "(" or (called and match["next"] == "")
            known = (self._methods if dot and not space else self._functions) if calls else {}
            types = space or (not dot and (of_type or match["next"] == "." or written != written.lower()))
            if written.lower() not in known and types:
                known = self._types
            return f"{dot}{known.get(written.lower(), written)}"

        return _NAME.sub(lambda match: match[0] if match["name"] in self._exact else name(match), text)


def _meant(names: Iterable[str]) -> Mapping[str, str]:
    """Return name in lower case → the only form in which definitions write it."""
    found = defaultdict[str, set[str]](set)
    for name in names:
        found[name.lower()].add(name)
    return {lower: min(forms) for lower, forms in found.items() if len(forms) == 1}
