"""What each file says, as one compressed line of JSON a file: read when something must be resolved anew."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, TypeAlias

from codeexplore.errors import DamagedIndex
from codeexplore.types import Base, Binding, Export, FileFacts, FileIndex, Import, Reference, Return, Rows, Symbol

_Makers: TypeAlias = "tuple[tuple[str, Callable[[Iterable[Any]], Any]], ...]"

_OF_PLAIN: _Makers = (
    ("imports", Import._make),
    ("exports", Export._make),
    ("bindings", Binding._make),
    ("returns", Return._make),
    ("references", Reference._make),
    ("bases", Base._make),
)
_OF_JSON: _Makers = (  # which knows no tuples
    *_OF_PLAIN[:4],
    ("references", lambda row: _reference(*row)),
    ("bases", lambda row: _base(*row)),
)
_BINDINGS, _REFERENCES = 5, 7  # places in what `plain_facts` gives
_LISTS = attrgetter(*(name for name, _ in _OF_PLAIN))
_JSON: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}
_LEVEL = 1  # of zlib: five times smaller at 60 MB a second; higher levels cost more than they save
_MOST_BYTES = 1 << 28  # of one file's line: the facts of the largest file that is read by default take a tenth of it


def _reference(scope: int, kind: Any, path: str, line: int, args: Sequence[str]) -> Reference:
    return Reference(scope, kind, path, line, tuple(args))


def _base(scope: int, path: str, manner: Any, line: int, type: str, arguments: Sequence[str]) -> Base:  # noqa: A002
    return Base(scope, path, manner, line, type, tuple(arguments))


def pack_facts(file: FileIndex) -> bytes:
    """One file's facts without its symbols, which have a table of their own, and its warnings."""
    facts = file.facts
    return pack_plain([facts.module, facts.errors, file.warnings, *_LISTS(facts)])


def pack_plain(plain: Sequence[Any]) -> bytes:
    """The same of what `plain_facts` gave."""
    return zlib.compress(json.dumps(plain, **_JSON).encode("utf-8", "surrogatepass"), _LEVEL)


def plain_facts(file: FileIndex) -> list[Any]:
    """The same as plain data, for another process."""
    facts = file.facts
    return [facts.module, facts.errors, file.warnings, *(list(map(tuple, rows)) for rows in _LISTS(facts))]


def facts_of(plain: Sequence[Any], path: str, language: str, symbols: tuple[Symbol, ...]) -> FileFacts:
    """The facts that `plain_facts` made plain, whose rows are records but for their types."""
    return _made(_OF_PLAIN, plain, path, language, symbols)


def facts_in_columns(
    plain: Sequence[Any], path: str, language: str, symbols: tuple[Symbol, ...], shared: dict[Any, Any]
) -> FileFacts:
    """The same with what there is most of as columns, which no records are made for; see `Rows` about `shared`."""
    bindings, references = Rows(Binding, plain[_BINDINGS], shared), Rows(Reference, plain[_REFERENCES], shared)
    left = [() if place in (_BINDINGS, _REFERENCES) else rows for place, rows in enumerate(plain)]
    return replace(_made(_OF_PLAIN, left, path, language, symbols), bindings=bindings, references=references)


def in_columns(facts: FileFacts, shared: dict[Any, Any]) -> FileFacts:
    """The same facts, in the form of `facts_in_columns`. Raises OverflowError for lines beyond 31 bits."""
    bindings, references = Rows(Binding, facts.bindings, shared), Rows(Reference, facts.references, shared)
    return replace(facts, bindings=bindings, references=references)


def _made(makers: _Makers, plain: Sequence[Any], path: str, language: str, symbols: tuple[Symbol, ...]) -> FileFacts:
    """Facts from rows, each made by its maker. Raises ValueError and TypeError."""
    module, errors, _, *rows = plain
    lists = {name: tuple(map(make, found)) for (name, make), found in zip(makers, rows, strict=True)}
    return FileFacts(path, language, module, symbols, errors=errors, **lists)


def unpack_facts(
    data: bytes | memoryview, path: str, language: str, symbols: tuple[Symbol, ...]
) -> tuple[FileFacts, tuple[str, ...]]:
    """The inverse of `pack_facts`: facts and warnings. Raises DamagedIndex."""
    try:
        press = zlib.decompressobj()  # a forged line may unfold to a thousand times its size
        line = press.decompress(data, _MOST_BYTES)
        if not press.eof:
            raise ValueError("cut short" if len(line) < _MOST_BYTES else f"more than {_MOST_BYTES:,} bytes")
        plain = json.loads(line.decode("utf-8", "surrogatepass"))
        return _made(_OF_JSON, plain, path, language, symbols), tuple(plain[2])
    except (zlib.error, ValueError, TypeError, IndexError, RecursionError) as error:
        raise DamagedIndex(f"what is stored of {path} can't be read ({error})") from error
