"""Matching of the symbols of two states: first by file and name, then by similar code.

Two symbols are the same if they have the same name within the same file, or within a file that was renamed. Then the
removed and added symbols are compared. Two of them with similar code count as one symbol that was moved (same name) or
renamed. The similarity is 1 minus the normalized insertion and deletion distance of the tokens (rapidfuzz), from 0 to
1.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import product
from typing import Literal, NamedTuple

from rapidfuzz.distance import Indel

from codeexplore.features.review.code_tokens import Code, FileCode, Tokens
from codeexplore.features.review.records import Aspect, ChangeKind, FileChange, Side, SymbolChange
from codeexplore.features.review.signatures import (
    Parameter,
    Signatures,
    constructor_changes,
    constructor_parameters,
    is_overload,
    is_property,
    is_record,
)
from codeexplore.languages import registry
from codeexplore.source.changes import compare
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Symbol
from codeexplore.types.rows import grouped

_NUMBER, _WORD = re.compile(r"#\d+$"), re.compile(r"[^\W\d]\w*")

RENAMED = 0.75
"""Least similarity of a renamed symbol. git's default for files is 0.5; half of a short function is boilerplate."""

RENAMED_ELSEWHERE = 0.9
"""Least similarity of a symbol that was renamed and moved to another file. At 0.75, all 6 such pairs of three releases
of marshmallow were wrong; of 34 in one file, 4."""

MOVED = 0.5
"""Least similarity of a moved symbol, whose name is evidence too."""

FEWEST_TOKENS = 25
"""Fewest tokens of a body by which symbols of different names are compared: shorter ones are similar by chance."""

_ALL_PAIRS = 10_000  # of removed and added symbols: more are compared if they share rare sequences of tokens alone
_SEQUENCE, _RARE, _NEAREST = 4, 50, 10  # tokens; added symbols that have a rare sequence; candidates of a symbol

_CHARS = 0x110000  # of Unicode; more different tokens than these would be taken for others


class Pairing(NamedTuple):
    """A symbol of the old state, its counterpart in the new state, their similarity, and the evidence in words."""

    old: Symbol
    new: Symbol
    similarity: float = 1.0
    evidence: str = ""


class Matched(NamedTuple):
    """Result of a `Matcher`: the changes of symbols and texts, and the counterparts."""

    changes: tuple[SymbolChange, ...]
    counterpart: Mapping[str, str]  # old id → new id, for the symbols in changed files that still exist
    texts: tuple[FileChange, ...]  # files without code


class Matcher:
    """Matches the symbols of two states."""

    def __init__(self, old: Side, new: Side) -> None:
        self._old, self._new = _Files(old), _Files(new)
        self._files = compare(old.contents, new.contents)
        self._pairs: dict[str, Pairing] = {}  # by the id of the old symbol
        self._taken: set[str] = set()  # ids of new symbols
        self._rebound = cache(self._rebound_names)

    def result(self) -> Matched:
        renamed_files = [(move.old, move.new) for move in self._files.moved if not self._is_text(move.old)]
        removed = [path for path in self._files.removed if path in self._old.side.sources and not self._is_text(path)]
        added = [path for path in self._files.added if path in self._new.side.sources and not self._is_text(path)]
        renamed_files += self._similar_files(removed, added)
        changed = [path for path in self._files.changed if not self._is_text(path)]
        for path in changed:
            if path in self._old.side.sources and path in self._new.side.sources:
                self._match_names(self._old.symbols(path), self._new.symbols(path), "")
        for before, after in renamed_files:
            self._match_names(self._old.symbols(before), self._new.symbols(after), f"file {before} was renamed")
        paths = (*changed, *removed, *(before for before, _ in renamed_files))
        gone = [s for path in dict.fromkeys(paths) for s in self._old.symbols(path) if s.id not in self._pairs]
        paths = (*changed, *added, *(after for _, after in renamed_files))
        came = [s for path in dict.fromkeys(paths) for s in self._new.symbols(path) if s.id not in self._taken]
        self._match_code(gone, came)
        return Matched(
            tuple(self._changes(gone, came)),
            {before: pair.new.id for before, pair in self._pairs.items()},
            tuple(self._text_changes()),
        )

    @cached_property
    def _signatures(self) -> Signatures:
        counterpart = {before: pair.new.id for before, pair in self._pairs.items()}
        return Signatures(self._old.side, self._new.side, counterpart)

    def _is_text(self, path: str) -> bool:
        side = self._old.side if path in self._old.side.sources else self._new.side
        return registry.is_text(side.sources.language(path))

    def _text_changes(self) -> Iterator[FileChange]:
        """Yield a change for each text file that differs. Sections of texts are not compared."""
        files = self._files
        yield from (FileChange(path, "added") for path in files.added if self._is_text(path))
        yield from (FileChange(path, "changed") for path in files.changed if self._is_text(path))
        yield from (FileChange(path, "removed") for path in files.removed if self._is_text(path))
        moved = (move for move in files.moved if self._is_text(move.old))
        yield from (FileChange(move.new, "moved", f"was {move.old}") for move in moved)

    def _similar_files(self, removed: Sequence[str], added: Sequence[str]) -> list[tuple[str, str]]:
        """Return pairs (removed path, added path) of files with mostly the same names, renamed and edited at once."""
        names = {path: {self._old.local(s) for s in self._old.symbols(path)[1:]} for path in removed}
        by_name = grouped((name, path) for path in removed for name in names[path])
        found: list[tuple[float, bool, str, str]] = []
        for path in added:
            own = {self._new.local(s) for s in self._new.symbols(path)[1:]}
            near = {each for name in own for each in by_name[name][:20]}
            for other in near:
                share = len(own & names[other]) / len(own | names[other])
                same = posixpath.basename(path) == posixpath.basename(other)
                if share >= MOVED:
                    found.append((share, same, other, path))
        pairs: dict[str, str] = {}
        for _, _, before, after in sorted(found, key=lambda row: (-row[0], not row[1], row[2], row[3])):
            if before not in pairs and after not in pairs.values():
                pairs[before] = after
        return list(pairs.items())

    def _match_names(self, old: Sequence[Symbol], new: Sequence[Symbol], evidence: str) -> None:
        by_name: dict[tuple[str, str], list[Symbol]] = grouped(
            ((self._new.shared_name(symbol), symbol.kind), symbol) for symbol in new
        )
        different = []
        for symbol in old:  # of several functions with one name, those with one signature belong together
            alike = by_name.get((self._old.shared_name(symbol), symbol.kind), [])
            same = next((each for each in alike if _head(each) == _head(symbol)), None)
            if same is None:
                different.append(symbol)
            else:
                alike.remove(same)
                self._pair(Pairing(symbol, same, 1.0, evidence))
        for symbol in different:
            alike = by_name.get((self._old.shared_name(symbol), symbol.kind)) or self._other_kind(symbol, by_name)
            if alike:
                nearest = next((each for each in alike if is_overload(each) == is_overload(symbol)), alike[0])
                alike.remove(nearest)
                self._pair(Pairing(symbol, nearest, 1.0, evidence))

    def _other_kind(self, symbol: Symbol, by_name: Mapping[tuple[str, str], list[Symbol]]) -> list[Symbol]:
        """Return the new symbols of the same name and a related kind: a function became a method, a struct a class."""
        if is_property(symbol):  # as the value of a field or as a decorated method
            name = self._old.shared_name(symbol)
            alike = next((by_name[name, kind] for kind in ("field", "method") if by_name.get((name, kind))), [])
            return alike if alike and is_property(alike[0]) else []
        for kinds in (CALLABLE_KINDS - {"lambda"}, TYPE_KINDS, frozenset({"constant", "field"})):
            if symbol.kind in kinds:
                name = self._old.shared_name(symbol)
                return next((by_name[name, kind] for kind in sorted(kinds) if by_name.get((name, kind))), [])
        return []

    def _pair(self, pair: Pairing) -> None:
        self._pairs[pair.old.id] = pair
        self._taken.add(pair.new.id)

    def _match_code(self, gone: Sequence[Symbol], came: Sequence[Symbol]) -> None:
        """Pair removed and added symbols by similar code, first types and their members, then functions."""
        self._match_equal_code(gone, came)
        for kinds in (TYPE_KINDS, CALLABLE_KINDS - {"lambda"}):
            old = [s for s in gone if s.kind in kinds and s.id not in self._pairs]
            new = [s for s in came if s.kind in kinds and s.id not in self._taken]
            if not old or not new:
                continue
            for pair in self._by_code(old, new):
                if pair.old.id not in self._pairs and pair.new.id not in self._taken:
                    self._pair(pair)
                    self._match_members(pair)

    def _match_equal_code(self, gone: Sequence[Symbol], came: Sequence[Symbol]) -> None:
        """Pair types and functions of one file with the same code, if no symbol of the other state has their name.

        It takes linear time; hundreds of functions renamed at once are usual in files that a tool wrote.
        """
        names = {s.name for s in gone} & {s.name for s in came}
        by_code: dict[tuple[str, str, Tokens], list[Symbol]] = defaultdict(list)
        for kinds in (TYPE_KINDS, CALLABLE_KINDS - {"lambda"}):
            for symbol in reversed(came):
                if symbol.kind in kinds and symbol.id not in self._taken and symbol.name not in names:
                    code = _comparable(self._new.whole(symbol), symbol.name)
                    by_code[symbol.path, symbol.kind, code].append(symbol)
            for symbol in gone:
                if symbol.kind not in kinds or symbol.id in self._pairs or symbol.name in names:
                    continue
                code = _comparable(self._old.whole(symbol), symbol.name)
                if len(code) >= FEWEST_TOKENS and (same := by_code.get((symbol.path, symbol.kind, code))):
                    pair = Pairing(symbol, same[-1], 1.0, _evidence(symbol, same.pop(), 1.0, len(code)))
                    self._pair(pair)
                    self._match_members(pair)

    def _match_members(self, pair: Pairing) -> None:
        before, after = self._old.local(pair.old), self._new.local(pair.new)
        new = {
            self._new.local(each).removeprefix(after): each
            for each in self._new.inside(pair.new)
            if each.id not in self._taken
        }
        for symbol in self._old.inside(pair.old):
            other = new.get(self._old.local(symbol).removeprefix(before))
            if other is not None and other.kind == symbol.kind and symbol.id not in self._pairs:
                self._pair(Pairing(symbol, other, 1.0, f"{pair.old.name} was {_verb(pair)}"))

    def _by_code(self, old: Sequence[Symbol], new: Sequence[Symbol]) -> list[Pairing]:
        """Return pairs of similar symbols, the most similar first."""
        before = [_comparable(self._old.whole(symbol), symbol.name) for symbol in old]
        after = [_comparable(self._new.whole(symbol), symbol.name) for symbol in new]
        found: list[tuple[float, bool, int, int]] = []
        numbers: dict[str, int] = {}  # a text of one character a token is compared a hundred times as fast as a tuple
        texts = [
            ["".join(chr(numbers.setdefault(token, len(numbers)) % _CHARS) for token in code) for code in side]
            for side in (before, after)
        ]
        for row, column in _candidates(old, new, *texts):
            score, one, other = Indel.normalized_similarity(texts[0][row], texts[1][column]), old[row], new[column]
            same_name = one.name == other.name
            telling = same_name and not one.name.startswith("__")  # names of special methods are no evidence
            enough = min(len(before[row]), len(after[column])) >= FEWEST_TOKENS
            least = RENAMED if one.path == other.path else RENAMED_ELSEWHERE
            if score >= MOVED and (telling or (score >= least and enough)):
                found.append((score, same_name, row, column))
        found.sort(key=lambda each: (-(each[0] + 0.2 * each[1]), old[each[2]].path != new[each[3]].path, each[2:]))
        return [
            Pairing(old[row], new[column], score, _evidence(old[row], new[column], score, len(after[column])))
            for score, _, row, column in found
        ]

    def _changes(self, gone: Iterable[Symbol], came: Iterable[Symbol]) -> Iterator[SymbolChange]:
        elsewhere = {s.id for pair in self._pairs.values() if _verb(pair) for s in (pair.old, pair.new)}
        rest_old = [s for s in gone if s.id not in self._pairs and s.kind != "lambda"]
        rest_new = [s for s in came if s.id not in self._taken and s.kind != "lambda"]
        parents = elsewhere | {s.id for s in (*rest_old, *rest_new)}
        yield from filter(None, (self._change(pair, parents) for pair in self._pairs.values()))
        for symbol in rest_old:
            yield SymbolChange("removed", symbol, None, _of_stub(symbol), inside=symbol.parent in parents)
        for symbol in rest_new:
            yield SymbolChange("added", None, symbol, _of_stub(symbol), inside=symbol.parent in parents)

    def _change(self, pair: Pairing, parents: set[str]) -> SymbolChange | None:
        old, new = pair.old, pair.new
        if old.kind == "lambda":
            return None
        aspects = self._aspects(old, new)
        verb = _verb(pair)
        inside = old.parent in parents and new.parent in parents
        rebound = self._rebound(old.path, new.path)
        if not aspects and rebound and not rebound.isdisjoint(_WORD.findall(old.signature)):
            differs = old.kind in TYPE_KINDS or self._signatures.breaking(old, new)
            aspects = ("signature",) if differs else ()
        if not aspects and (not verb or inside):
            return None  # a member that only moved with its type
        said: tuple[str, ...] = ()
        if {"signature", "types only"}.intersection(aspects):
            said = self._signatures.breaking(old, new)
        if old.kind in TYPE_KINDS and new.kind in TYPE_KINDS:
            said += constructor_changes(self._old.fields(old), self._new.fields(new))
        kind: ChangeKind = "changed" if not verb or (inside and verb == "moved") else verb
        return SymbolChange(kind, old, new, aspects, pair.evidence, pair.similarity, said, inside)

    def _rebound_names(self, old: str, new: str) -> set[str]:
        """Return the names that two versions of a file import from different places."""
        before, after = self._old.imports(old), self._new.imports(new)
        return {name for name in before.keys() & after.keys() if before[name] != after[name]}

    def _aspects(self, old: Symbol, new: Symbol) -> tuple[Aspect, ...]:
        if old.kind == "section" or new.kind == "section":
            return () if self._old.code(old) == self._new.code(new) else ("documentation",)
        found: list[Aspect] = []
        if self._old.raw(old) != self._new.raw(new) or old.name != new.name:
            before, after = self._old.code(old), self._new.code(new)
            values = old.kind in ("constant", "field", "module")
            found += self._of_value(old, new, before, after) if values else self._of_code(old, new, before, after)
            if before.imports != after.imports:
                found.append("imports")
        if old.doc != new.doc:
            found.append("documentation")
        return tuple(found)

    def _of_value(self, old: Symbol, new: Symbol, before: Code, after: Code) -> list[Aspect]:
        found: list[Aspect] = []
        declared, was = _declaration(new), _declaration(old)
        if (before.header, before.body) == (after.header, after.body) and old.name == new.name:
            return ["types only"] if before.types != after.types else []
        if declared != was and old.kind != "module":
            found.append("signature")
        if (before.header, before.body) != (after.header, after.body) and (declared == was or not found):
            found.append("body")
        return found

    def _of_code(self, old: Symbol, new: Symbol, before: Code, after: Code) -> list[Aspect]:
        if is_overload(old) and is_overload(new):
            return ["types only"]
        found: list[Aspect] = []
        made = self._old.fields(old) != self._new.fields(new)
        if made or _comparable(before.header, old.name) != _comparable(after.header, new.name):
            found.append("signature")
        elif before.types != after.types:
            found.append("types only")
        if _comparable(before.body, old.name) != _comparable(after.body, new.name):
            found.append("body")
        return found


def _candidates(
    old: Sequence[Symbol], new: Sequence[Symbol], before: Sequence[str], after: Sequence[str]
) -> Iterator[tuple[int, int]]:
    """Yield the positions of pairs that may be similar: all of them, or of many those of one name or with rare parts.

    The texts have a character a token. A part that many symbols have says nothing, so that the work grows with the
    number of symbols and not with that of pairs.
    """
    if len(old) * len(new) <= _ALL_PAIRS:
        yield from product(range(len(old)), range(len(new)))
        return
    names, having = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    for column, (symbol, text) in enumerate(zip(new, after, strict=True)):
        names[symbol.name].append(column)
        for part in _parts(text):
            having[part].append(column)
    for row, (symbol, text) in enumerate(zip(old, before, strict=True)):
        shared: Counter[int] = Counter()
        for part in _parts(text):
            if len(columns := having.get(part, ())) <= _RARE:
                shared.update(columns)
        nearest = [column for column, _ in shared.most_common(_NEAREST)]
        yield from ((row, column) for column in dict.fromkeys((*names.get(symbol.name, ())[:_RARE], *nearest)))


def _parts(text: str) -> set[str]:
    return {text[place : place + _SEQUENCE] for place in range(max(len(text) - _SEQUENCE + 1, 1))}


class _Files:
    """The symbols and the code of one state, file by file. Every file is parsed at most once."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.symbols = cache(side.catalog.in_file)
        self._file = cache(lambda path: FileCode(side.sources[path]))
        self.code = cache(self._code_of)
        self._inner = cache(self._by_parent)
        self.imports = cache(
            lambda path: {row.name: (row.module, row.member) for row in side.files.facts(path).imports}
        )

    def local(self, symbol: Symbol) -> str:
        """Return the name of a symbol within its file; "" for the module. A second definition ends in "#2"."""
        return symbol.id[len(symbol.path) + 1 :].removeprefix(self.symbols(symbol.path)[0].fqn)

    def shared_name(self, symbol: Symbol) -> str:
        """Return the name of a symbol within its file without the number of a second definition."""
        return _NUMBER.sub("", self.local(symbol))

    def inner(self, symbol: Symbol) -> list[Symbol]:
        """Return the symbols directly inside a symbol, without anonymous functions."""
        return self._inner(symbol.path).get(symbol.id, [])

    def inside(self, around: Symbol) -> Iterator[Symbol]:
        """Yield the named symbols inside a symbol, at every depth."""
        pending = self.inner(around)[::-1]
        while pending:
            symbol = pending.pop()
            yield symbol
            pending += self.inner(symbol)[::-1]

    def _by_parent(self, path: str) -> Mapping[str | None, list[Symbol]]:
        found = defaultdict[str | None, list[Symbol]](list)
        lambdas = {s.id: s.parent for s in self.symbols(path) if s.kind == "lambda"}
        for each in self.symbols(path):
            if each.kind != "lambda":
                parent = each.parent
                while parent in lambdas:  # a lambda belongs to the symbol around it
                    parent = lambdas[parent]
                found[parent].append(each)
        return found

    def raw(self, symbol: Symbol) -> str:
        return self._file(symbol.path).text(symbol.span)

    def _code_of(self, symbol: Symbol) -> Code:
        """Return the tokens of a symbol, without the tokens of the symbols inside it."""
        return self._file(symbol.path).of(symbol, self.inner(symbol))

    def whole(self, symbol: Symbol) -> Tokens:
        """Return the tokens of a symbol's body, with the symbols inside it; of its header if it has no body."""
        code = self._file(symbol.path).of(symbol) if self.inner(symbol) else self.code(symbol)
        return code.body or code.header

    def fields(self, symbol: Symbol) -> list[Parameter]:
        """Return the parameters of the constructor that a class decorator makes of the fields; [] if none does."""
        inner = self.inner(symbol) if is_record(symbol) else []
        if any(each.name == "__init__" for each in inner):
            return []
        return constructor_parameters(each for each in inner if each.kind == "field")


def _declaration(symbol: Symbol) -> str:
    return "".join(symbol.signature.partition("=")[0].split())


def _head(symbol: Symbol) -> tuple[str, tuple[str, ...]]:
    return symbol.signature, symbol.decorators


def _of_stub(symbol: Symbol) -> tuple[Aspect, ...]:
    return ("types only",) if is_overload(symbol) else ()


def _comparable(tokens: Tokens, name: str) -> Tokens:
    """Return the tokens with the symbol's own name replaced, so that a renamed recursive function still matches."""
    return tuple("%self" if token == name else token for token in tokens)


def _verb(pair: Pairing) -> Literal["renamed", "moved", ""]:
    """Return "renamed", "moved" (to another file or another place in it), or "" if nothing of this happened."""
    if pair.old.name != pair.new.name and pair.old.kind != "module":
        return "renamed"
    return "" if pair.old.path == pair.new.path and not pair.evidence else "moved"


def _evidence(old: Symbol, new: Symbol, score: float, tokens: int) -> str:
    same = "same name, " if old.name == new.name else ""
    place = "same file, " if old.path == new.path else ""
    return f"{same}{place}{score:.0%} of {tokens} tokens are the same"
