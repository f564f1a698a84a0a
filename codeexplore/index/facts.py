"""The facts of each file, stored as one compressed line of JSON. A line is read when references are resolved again.

There are three forms: records (`FileFacts`), plain data (`plain_facts`, lists and tuples of built-in types, which
`marshal` can send to another process), and the stored line (`pack_facts`).
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from codeexplore.types import Base, Binding, Export, FileFacts, FileIndex, Import, Reference, Return, Rows, Symbol
from codeexplore.types.errors import DamagedIndex

_Makers: TypeAlias = "tuple[tuple[str, Callable[[Iterable[Any]], Any]], ...]"

_OF_PLAIN: _Makers = (
    ("imports", Import._make),
    ("exports", Export._make),
    ("bindings", Binding._make),
    ("returns", Return._make),
    ("references", Reference._make),
    ("bases", Base._make),
)
_OF_JSON: _Makers = (  # JSON has no tuples
    *_OF_PLAIN[:4],
    ("references", lambda row: _reference(*row)),
    ("bases", lambda row: _base(*row)),
)
_BINDINGS, _REFERENCES = 5, 7  # positions in the result of `plain_facts`
_LISTS = attrgetter(*(name for name, _ in _OF_PLAIN))
_JSON: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}
_LEVEL = 1  # of zlib: a fifth of the size at 60 MB a second; higher levels take more time than they save
_MOST_BYTES = 1 << 28  # of one file's JSON; the facts of the largest file that is read by default take a tenth of it
_MOST_VALUES = 2  # for each byte of text; measured 0.44 at most
_MOST_JSON = 16  # bytes for each byte of text; measured 2.1 at most
_FEW_VALUES = 10_000  # a line with fewer values is always accepted
_FEW_BYTES = 1 << 17  # a line with less JSON is always accepted
_UNFOLDED = 8  # assumed bytes of text for each byte of the line, if texts were not stored
_BLOCK_BYTES = 1 << 20
_RECORDS = dict(zip((name for name, _ in _OF_PLAIN), (Import, Export, Binding, Return, Reference, Base), strict=True))


def _reference(scope: int, kind: Any, path: str, line: int, args: Sequence[str]) -> Reference:
    return Reference(scope, kind, path, line, tuple(args))


def _base(scope: int, path: str, manner: Any, line: int, type: str, arguments: Sequence[str]) -> Base:  # noqa: A002
    return Base(scope, path, manner, line, type, tuple(arguments))


def pack_facts(file: FileIndex) -> bytes:
    """Return one file's facts, without its symbols, and its warnings as a compressed line."""
    facts = file.facts
    return pack_plain([facts.module, facts.errors, file.warnings, *_LISTS(facts)])


def pack_plain(plain: Sequence[Any]) -> bytes:
    """Return the line of `pack_facts`, made from the result of `plain_facts`."""
    return zlib.compress(json.dumps(plain, **_JSON).encode("utf-8", "surrogatepass"), _LEVEL)


def plain_facts(file: FileIndex) -> list[Any]:
    """Return a file's facts and warnings as plain data, to be sent to another process."""
    facts = file.facts
    return [facts.module, facts.errors, file.warnings, *(list(map(tuple, rows)) for rows in _LISTS(facts))]


def facts_of(plain: Sequence[Any], path: str, language: str, symbols: tuple[Symbol, ...]) -> FileFacts:
    """Return the facts of a file from the result of `plain_facts`. The rows become records."""
    return _made(_OF_PLAIN, plain, path, language, symbols)


def facts_in_columns(
    plain: Sequence[Any], path: str, language: str, symbols: tuple[Symbol, ...], shared: dict[Any, Any]
) -> FileFacts:
    """Return the facts of a file from the result of `plain_facts`, with bindings and references as columns.

    Columns need less memory than records. `shared` is the pool of equal values; see `Rows`.
    """
    bindings, references = Rows(Binding, plain[_BINDINGS], shared), Rows(Reference, plain[_REFERENCES], shared)
    left = [() if place in (_BINDINGS, _REFERENCES) else rows for place, rows in enumerate(plain)]
    return replace(_made(_OF_PLAIN, left, path, language, symbols), bindings=bindings, references=references)


def in_columns(facts: FileFacts, shared: dict[Any, Any]) -> FileFacts:
    """Return the facts with bindings and references as columns. OverflowError for lines beyond 31 bits."""
    bindings, references = Rows(Binding, facts.bindings, shared), Rows(Reference, facts.references, shared)
    return replace(facts, bindings=bindings, references=references)


def _made(makers: _Makers, plain: Sequence[Any], path: str, language: str, symbols: tuple[Symbol, ...]) -> FileFacts:
    """Return facts from plain rows, each made by its function in `makers`. Raises ValueError and TypeError."""
    module, errors, _, *rows = plain
    lists = {name: tuple(map(make, found)) for (name, make), found in zip(makers, rows, strict=True)}
    return FileFacts(path, language, module, symbols, errors=errors, **lists)


def check_line(data: bytes | memoryview, path: str, text_bytes: int | None) -> None:
    """Raise an error for a compressed line that would need much more memory than the facts of its file can need.

    The line is decompressed block by block, and its values are counted without creating them.

    Parameters
    ----------
    data
        The line of a file's facts, as `pack_facts` makes it. It may come from an untrusted index file.
    path
        The file, for the message.
    text_bytes
        Bytes of the file's text; None if the index was saved without texts.

    Raises
    ------
    DamagedIndex
        The line contains more values than a text of this size can have, or cannot be decompressed.
    """
    text = _UNFOLDED * len(data) if text_bytes is None else text_bytes
    most_values, most_bytes = _FEW_VALUES + _MOST_VALUES * text, _FEW_BYTES + _MOST_JSON * text
    press, left, values, size = zlib.decompressobj(), data, 0, 0
    try:
        while not press.eof:
            block = press.decompress(left, _BLOCK_BYTES)
            left = press.unconsumed_tail
            values += block.count(b",") + block.count(b"[")
            size += len(block)
            if values > most_values or size > min(most_bytes, _MOST_BYTES):
                raise ValueError(f"{values:,} values in {size:,} bytes and more, for a text of {text:,} bytes")
            if not block and not left:
                raise ValueError("cut short")
    except (zlib.error, ValueError) as error:
        raise DamagedIndex(f"the stored facts of {path} can't be read ({error})") from error


@cache
def _types_of(name: str) -> tuple[tuple[Any, frozenset[str]], ...]:
    """Return the JSON type and the allowed words (empty for any) of each field of the record type `name`."""
    found: list[tuple[Any, frozenset[str]]] = []
    for hint in get_type_hints(_RECORDS[name]).values():
        origin = get_origin(hint)
        words = frozenset(get_args(hint)) if origin is Literal else frozenset()
        found.append((str if words else list if origin is tuple else hint, words))
    return tuple(found)


def _check_rows(name: str, rows: Sequence[Sequence[Any]], n_symbols: int) -> None:
    """Raise ValueError unless each row has the fields and types of its record, and a scope that exists."""
    if not rows:
        return
    for place, (column, (kind, words)) in enumerate(zip(zip(*rows, strict=True), _types_of(name), strict=True)):
        if set(map(type, column)) != {kind} or (words and not words.issuperset(column)):
            raise ValueError(f"{name} of other types")
        if kind is list and not set(map(type, chain.from_iterable(column))) <= {str}:
            raise ValueError(f"{name} of other types")
        most = n_symbols if place == 0 else 1 << 31
        if kind is int and not (min(column) >= 0 and max(column) < most):
            raise ValueError(f"{name} that lead nowhere")


def unpack_facts(
    data: bytes | memoryview, path: str, language: str, symbols: tuple[Symbol, ...]
) -> tuple[FileFacts, tuple[str, ...]]:
    """Return the facts and warnings that `pack_facts` has stored. Raises DamagedIndex."""
    try:
        press = zlib.decompressobj()  # a manipulated line may expand to a thousand times its size
        line = press.decompress(data, _MOST_BYTES)
        if not press.eof:
            raise ValueError("cut short" if len(line) < _MOST_BYTES else f"more than {_MOST_BYTES:,} bytes")
        plain = json.loads(line.decode("utf-8", "surrogatepass"))
        module, errors, warnings, *lists = plain
        if type(module) is not str or type(errors) is not int or set(map(type, warnings)) > {str}:
            raise ValueError("facts of other types")
        for (name, _), rows in zip(_OF_JSON, lists, strict=True):
            _check_rows(name, rows, len(symbols))
        return _made(_OF_JSON, plain, path, language, symbols), tuple(plain[2])
    except (zlib.error, ValueError, TypeError, IndexError, RecursionError) as error:
        raise DamagedIndex(f"the stored facts of {path} can't be read ({error})") from error
