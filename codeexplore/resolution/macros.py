"""Expansion of macros: what the body of a macro calls, with arguments in place of parameters, its users call too.

A macro counts if it is defined in the file that uses it, or else in one other file. All its definitions there are
read, as all branches of a condition of the build are. A header goes before other files.

What a macro calls that writes the head of a definition, ``TEST(a, b) {``, runs outside of the defined function, unless
the macro opens the function's body.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from codeexplore.resolution.language_rules import Rules
from codeexplore.types import OPENING, Binding, FileFacts, Reference, Rows, Symbol

MAX_DEPTH: Final = 8
"""Macros that are followed inside macros."""
MAX_STEPS: Final = 80
"""Calls in the bodies of macros that are looked at for one use of a macro."""
_USING: Final = frozenset({"call", "decorator"})
_Macro = tuple[tuple[str, ...], list[Reference]]


def expanded(files: Sequence[FileFacts], bindings: Sequence[Rows[Binding]], rules: Rules) -> list[Rows[Reference]]:
    """Return the references of each file, with those of expanded macros. A name of some builds only is not expanded.

    Source files are no headers: if a header has a macro of the same name, it is meant elsewhere.
    """
    references = [Rows.of(Reference, facts.references) for facts in files]
    if not rules.functions.expanded_signature:
        return references
    macros = Macros(files, bindings, references, rules)
    return [macros.expand(file, rows) for file, rows in enumerate(references)]


class Macros:
    """Macros of all files by name, and the references that their uses add."""

    def __init__(
        self,
        files: Sequence[FileFacts],
        bindings: Sequence[Rows[Binding]],
        references: Sequence[Rows[Reference]],
        rules: Rules,
    ) -> None:
        signature, marks = rules.functions.expanded_signature, rules.overloading.build_marks
        self._headers = {file for file, facts in enumerate(files) if not facts.path.endswith(rules.modules.sources)}
        self._known: dict[str, list[tuple[int, int]]] = defaultdict(list)  # name → (file, symbol)
        for file, facts in enumerate(files):
            for number, symbol in enumerate(facts.symbols):
                if symbol.signature.startswith(signature) and marks.isdisjoint(symbol.decorators):
                    self._known[symbol.name].append((file, number))
        self._symbols: Sequence[Sequence[Symbol]] = [facts.symbols for facts in files]
        self._bodies: dict[tuple[int, int], _Macro] = {}
        self._opening: set[str] = set()
        wanted = {file for known in self._known.values() for file, _ in known}
        for file in wanted:
            parameters, calls = defaultdict(list), defaultdict(list)
            for scope, name, manner in bindings[file].fields("scope", "name", "manner"):
                if manner in ("parameter", "rest"):
                    parameters[scope].append(name)
                elif name == OPENING:
                    self._opening.add(files[file].symbols[scope].name)
            own = {number for known in self._known.values() for other, number in known if other == file}
            for row in references[file]:
                if row.scope in own:
                    calls[row.scope].append(row)
            for number in own:
                self._bodies[file, number] = tuple(parameters[number]), calls[number]

    def expand(self, file: int, rows: Rows[Reference]) -> Rows[Reference]:
        """Return the references of a file, and behind each call of a macro the calls that it makes."""
        if not any(kind in _USING and path in self._known for kind, path in rows.fields("kind", "path")):
            return rows
        found: list[Reference] = []
        places: dict[str | None, int] = {}
        for row in rows:
            found.append(row)
            if row.kind not in _USING or row.path not in self._known or (file, row.scope) in self._bodies:
                continue
            scope = row.scope
            if row.kind == "decorator" and row.path not in self._opening:
                places = places or {symbol.id: place for place, symbol in enumerate(self._symbols[file])}
                scope = self._around(file, scope, places)
            found += dict.fromkeys(self._calls(file, row._replace(scope=scope)))
        return Rows.of(Reference, found)

    def _around(self, file: int, scope: int, places: Mapping[str | None, int]) -> int:
        """Return the file or namespace around a definition. `places` has the scope of each symbol."""
        symbols = self._symbols[file]
        while scope and symbols[scope].kind != "module":
            scope = places.get(symbols[scope].parent, 0)
        return scope

    def _calls(self, file: int, row: Reference) -> Iterator[Reference]:
        steps = 0
        waiting: list[tuple[Reference, tuple[str, ...]]] = [
            (row, (row.path,))
        ]  # a call of a macro, and those around it
        while waiting:
            used, around = waiting.pop()
            for inner, parameters in self._inner(file, used.path):
                if steps >= MAX_STEPS:
                    return
                steps += 1
                given = dict(zip(parameters, used.args, strict=False))
                alias = inner.kind == "read"  # #define ORDER compare
                path = _substituted(inner.path, given).lstrip("&*")
                args = used.args if alias else tuple(_substituted(arg, given) for arg in inner.args)
                if path and "##" not in path and path not in around and not (alias and parameters):
                    call = Reference(row.scope, "call", path, row.line, args)
                    if path not in self._known:
                        yield call
                    elif len(around) <= MAX_DEPTH:
                        waiting.append((call, (*around, path)))

    def _inner(self, file: int, name: str) -> Iterator[tuple[Reference, tuple[str, ...]]]:
        """Yield what the bodies of a macro call, each with the parameters of the macro."""
        known = self._known[name]
        own = (
            [each for each in known if each[0] == file] or [each for each in known if each[0] in self._headers] or known
        )
        for each in own if len({place for place, _ in own}) == 1 else ():
            parameters, body = self._bodies[each]
            yield from ((inner, parameters) for inner in body)


def _substituted(path: str, given: Mapping[str, str]) -> str:
    """Return an access path with the arguments `given` in place of parameters; "" if an argument has no path."""
    if not given:
        return path
    parts = [given.get(part, part) for part in path.split("##")]
    if len(parts) > 1:
        return "".join(parts) if all(part.isidentifier() for part in parts) else ""
    root, dot, rest = path.partition(".")
    argument = given.get(root, root)
    return argument + dot + rest if argument else ""
