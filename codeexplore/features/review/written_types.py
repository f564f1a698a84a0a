"""Types as signatures write them, compared by the equalities of their language (`Language.same_types` and others).

``Optional[a.X]`` and ``X | None`` are one type if ``X`` is imported from ``a``. A name has an *origin*: the definition
in the repository, or the module outside of it. Names whose origin is unknown may mean each other.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.languages.extraction.extractor import SIGNATURE_CHARS
from codeexplore.languages.registry import record_of
from codeexplore.types import TYPE_KINDS, Symbol

if TYPE_CHECKING:
    from codeexplore.features.review.records import Side
    from codeexplore.languages.base import Language

Meaning = Callable[[str], "tuple[str, str | Meaning]"]
"""Function: name as written → the last part of the name that it stands for, and its origin; "" if unknown. For an alias
of a type, the type as written, and the meaning of its names."""

_TOKEN = re.compile(r"=>|->|<-|\w+(?:(?:\.|::|\\)\w+)*|[^\s\w]")
_QUOTED_TOKEN = re.compile(rf"'[^']*'|\"[^\"]*\"|{_TOKEN.pattern}")
_ARGUMENTS = re.compile(r"(?<=\w)[\[<].+[\]>]$")
_ALIASED = re.compile(r"(?:^|\s)(\w+)(?:\s*:[^=]*)?\s*=\s*([\w.\[\], |'\"<>]+);?$")
_VARIABLE = "%type"  # any type parameter: their names are free
_FIRST = re.compile(r"[,<\[]\s*(?:const\s+|in\s+|out\s+)?(\w+)")
_JOINT = re.compile(r"::|[.\\]")
_OPEN, _CLOSE = "([{<", ")]}>"
_MOST_TOKENS, _MOST_DEPTH, _MOST_ALIASES, _MOST_STEPS = 2_000, 40, 50, 8  # of one type; from module to module


class WrittenType(NamedTuple):
    """A type: its alternatives in one spelling each, and the origins of the names in it."""

    alternatives: frozenset[str]
    origins: Mapping[str, frozenset[str]]

    def within(self, other: WrittenType) -> bool:
        """Return True if each value of this type has the other type too, as far as the alternatives tell."""
        own = self.origins
        apart = any(own.get(name) and own[name].isdisjoint(origins) for name, origins in other.origins.items())
        return not apart and all(map(other._has, self.alternatives))

    def _has(self, alternative: str) -> bool:
        """Return True for one of the alternatives. Without arguments, a generic type has any."""
        bare = _ARGUMENTS.sub("", alternative)
        known = self.alternatives
        return not known.isdisjoint({alternative, bare}) or (
            alternative == bare and any(bare == _ARGUMENTS.sub("", each) for each in known)
        )


def written_type(text: str, record: Language, meaning: Meaning | None = None) -> WrittenType:
    """Read a type. Text that is not understood keeps its order."""
    reader = _TypeReader(text, record, meaning or (lambda name: (_JOINT.split(name)[-1], "")))
    found = reader.union()
    return WrittenType(frozenset(found), {name: frozenset(origins) for name, origins in reader.origins.items()})


class _TypeReader:
    """A reader of types such as ``dict[str, A | None]``, ``X[]`` and ``&'a mut Vec<T>``."""

    def __init__(self, text: str, record: Language, meaning: Meaning) -> None:
        self._record, self._meaning = record, meaning
        self.origins: dict[str, set[str]] = {}
        self.aliases = [_MOST_ALIASES]
        if record.no_type is not None:
            text = record.no_type.sub("", text)
        token = _QUOTED_TOKEN if record.quoted_types else _TOKEN
        self._tokens = token.findall(text)[:_MOST_TOKENS][::-1]

    def union(self, depth: int = 0, literal: bool = False) -> list[str]:
        """Read the alternatives up to a comma or a closing bracket, and return them in alphabetical order."""
        found: list[str] = []
        pieces, piece = list[str](), ""  # the alternatives of a group in parentheses, or one that is being read
        while self._tokens and self._tokens[-1] != "," and self._tokens[-1] not in _CLOSE:
            word = self._tokens.pop()
            if word == "|" and not literal:
                found += pieces or [piece]
                pieces, piece = [], ""
                continue
            if pieces:
                pieces, piece = [], f"({' | '.join(pieces)})" if len(pieces) > 1 or word in "=>->" else pieces[0]
            if word in _OPEN and depth < _MOST_DEPTH:
                read = self._applied(piece, word, depth + 1)
                pieces, piece = (read, "") if len(read) > 1 or word == "(" else ([], "".join(read))
            elif word == "?":
                found.append("None")
            elif word[0] in "'\"" and self._record.quoted_types and not literal and depth < _MOST_DEPTH:
                pieces = self._inner(word[1:-1], depth + 1, self._meaning)
            elif word[0].isalpha() or word[0] == "_":
                named = self._named(word, depth)
                if len(named) > 1 and not piece:
                    pieces = named
                else:
                    piece += f"{' ' * piece[-1:].isalnum()}{' | '.join(named)}"
            else:
                piece += word
        return sorted({each for each in (*found, *(pieces or [piece])) if each})

    def _named(self, word: str, depth: int) -> list[str]:
        name, origin = self._meaning(word)
        if not isinstance(origin, str):
            self.aliases[0] -= 1
            return self._inner(name, depth + 1, origin) if self.aliases[0] >= 0 and depth < _MOST_DEPTH else [word]
        name = self._record.same_types.get(name, name)
        if origin:
            self.origins.setdefault(name, set()).add(origin)
        return [name]

    def _inner(self, text: str, depth: int, meaning: Meaning) -> list[str]:
        inner = _TypeReader(text, self._record, meaning)
        inner.origins, inner.aliases = self.origins, self.aliases
        return inner.union(depth)

    def _applied(self, name: str, opening: str, depth: int) -> list[str]:
        """Read what is in brackets behind a name, up to the closing bracket; return the alternatives of the whole."""
        closing = _CLOSE[_OPEN.index(opening)]
        arguments = [self.union(depth, name == "Literal")]
        while self._tokens and self._tokens.pop() == ",":
            if self._tokens and self._tokens[-1] not in _CLOSE:  # not after the last one
                arguments.append(self.union(depth, name == "Literal"))
        if name in self._record.optional_types or name in self._record.union_types:
            rest = ["None"] if name in self._record.optional_types else []
            return sorted({*(each for argument in arguments for each in argument), *rest})
        texts = [" | ".join(argument) for argument in arguments]
        if name in self._record.array_types and len(texts) == 1:
            item = texts[0] if len(arguments[0]) == 1 else f"({texts[0]})"
            return [f"{self._record.array_types[name]}{item}[]"]
        if not name and opening == "(" and len(arguments) == 1 and arguments[0]:
            return arguments[0]
        if name and texts == [""] and opening in "{<":
            return [name]
        return [f"{name}{opening}{', '.join(texts)}{closing}"]


class TypeNames:
    """Meanings of the names in the signatures of one state. `now` has the ids of symbols in the other state."""

    def __init__(self, side: Side, now: Mapping[str, str]) -> None:
        self._side, self._now = side, now
        self._imports = cache(self._imported)
        self._variables = cache(self._parameters)

    def within(self, symbol: Symbol) -> Meaning:
        """Return the function that tells what names mean in the signature of a symbol."""
        return lambda name: self._meaning(symbol, name)

    def _meaning(self, symbol: Symbol, name: str) -> tuple[str, str | Meaning]:
        record, parts = record_of(symbol.language), tuple(_JOINT.split(name))
        if len(parts) == 1 and name in self._variables(symbol.id):
            return _VARIABLE, ""
        target = self._target(symbol.path, parts)
        if target is None:
            around = tuple(_JOINT.split(symbol.fqn))
            for count in range(len(around), -1, -1):
                if found := self._defined((*around[:count], *parts)):
                    return self._of_symbol(found)
            return parts[-1], ""
        module, members = target
        for _ in range(_MOST_STEPS):  # from one module of the repository to the next that it imports the name from
            if found := self._defined((*module, *members)):
                return self._of_symbol(found)
            files = [each for each in self._side.catalog.exactly(module) if each.kind == "module"] if members else []
            further = self._target(files[0].path, members) if files else None
            if further is None or further == (module, members):
                break
            module, members = further
        last = (*module, *members)[-1]
        own = module[:1] == tuple(_JOINT.split(symbol.fqn))[:1] or module[0] in ("", *_OF_REPOSITORY)
        if own:
            known = [each.id for each in self._side.catalog.named(last) if each.kind in TYPE_KINDS]
            return last, self._now.get(known[0], known[0]) if len(known) == 1 else ""
        origin = module[0] if record.reexports else ".".join((*module, *members)[:-1])
        return last, "" if module[0] in record.same_modules else origin

    def _parameters(self, symbol_id: str) -> set[str]:
        """Return the names of the type parameters of a symbol and of those around it."""
        found, catalog = set[str](), self._side.catalog
        while catalog.has_symbol(symbol_id):
            symbol = catalog.symbol(symbol_id)
            head = re.search(rf"(?<!\w){re.escape(symbol.name)}\s*[<\[]([^()]*)|(?:^|\s)<([^()]*)>\s", symbol.signature)
            found.update(_FIRST.findall(f",{head[1] or head[2]}") if head else ())
            symbol_id = symbol.parent or ""
        return found

    def _of_symbol(self, symbol: Symbol) -> tuple[str, str | Meaning]:
        variable = record_of(symbol.language).type_variable
        if variable is not None and variable.search(symbol.signature):
            return _VARIABLE, ""
        alias = _ALIASED.search(symbol.signature) if symbol.kind in ("constant", "type") else None
        if alias and alias[1] == symbol.name and len(symbol.signature) < SIGNATURE_CHARS:
            return alias[2], self.within(symbol)
        return symbol.name, self._now.get(symbol.id, symbol.id)

    def _defined(self, parts: tuple[str, ...]) -> Symbol | None:
        found = self._side.catalog.exactly(parts)
        return found[0] if found and found[0].kind != "module" else None

    def _target(self, path: str, parts: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return the module and the rest of a name, if an import of a file binds its beginning."""
        for count in range(len(parts), 0, -1):
            if (row := self._imports(path).get(parts[:count])) is not None:
                module, member = row
                return module, (*member, *parts[count:])
        return None

    def _imported(self, path: str) -> Mapping[tuple[str, ...], tuple[tuple[str, ...], tuple[str, ...]]]:
        facts = self._side.files.facts(path)
        found: dict[tuple[str, ...], tuple[tuple[str, ...], tuple[str, ...]]] = {}
        for row in facts.imports:
            module, own = row.module, tuple(_JOINT.split(facts.module))
            if module.startswith((".", "/")) and "/" in module:
                parts = ("", *posixpath.normpath(posixpath.join(posixpath.dirname(path), module)).split("/"))
            elif module.startswith("."):
                up = len(module) - len(module.lstrip(".")) - posixpath.basename(path).startswith("__init__.")
                parts = (*own[: len(own) - up], *filter(None, module.lstrip(".").split(".")))
            else:
                parts = tuple(module.split("/")) if "/" in module else tuple(_JOINT.split(module))
            if parts:
                member = (row.member,) if row.member not in ("", "*", "default") else ()
                found.setdefault(tuple(_JOINT.split(row.name)), (parts, member))
        return found


_OF_REPOSITORY = ("crate", "self", "super")
