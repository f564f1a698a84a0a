"""Forged index files: `python -m fuzz.forged` makes 500 and more, opens each and asks what touches all of it.

Every member of a valid index is changed in its shape, type, offsets, ids, spans, counts or packed facts, the checksums
are made right again, and each file is opened in a child process (POSIX only) with a limit to its memory. A file must be
refused with an error of codeexplore, or answer everything within the limits. Prints what was refused, what was
harmless, and the worst processor time and memory; exits with 1 when a file did harm.

usage: python -m fuzz.forged [--every N] [--only EXPRESSION] [--seconds S] [--verbose]
"""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import json
import os
import re
import sys
import time
import traceback
import zlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from codeexplore import Workspace
from codeexplore.answers.html.writer import shown_html
from codeexplore.index import archive as archives
from codeexplore.types.errors import CodeExploreError
from codeexplore.workspace.cache import open_portable
from codeexplore.workspace.snapshot_holder import SnapshotHolder
from fuzz.indexes import Valid, folder, valid

MOST_SECONDS = 2.0
"""Processor time for opening a file and asking all questions, beyond what the valid file takes."""

MOST_BYTES = 500 << 20
"""Memory for the same, beyond that of the interpreter and its libraries."""

_BIG = 400_000  # rows or repeats of what is meant to multiply
_HOSTILE = "\x1b]0;x\x07\x9b31m\u202e\x7f\0"


class Forged(NamedTuple):
    """A file that somebody who means harm could have made."""

    name: str
    data: bytes


class Outcome(NamedTuple):
    """What a file did."""

    name: str
    refused: str  # the error's text, "" when the file was opened and answered
    harm: str  # what went wrong, "" when nothing did
    seconds: float  # processor time
    bytes: int  # memory at its highest, beyond that of the process before


def forged_files(only: str = "") -> Iterator[Forged]:
    """The forged files whose name matches an expression, always the same ones in the same order."""
    return (Forged(name, _file(*parts)) for name, *parts in _parts() if re.search(only, name))


def _parts() -> Iterator[tuple[str, dict[str, Any], dict[str, bytes]]]:
    """The names of all forged files, each with its manifest and members."""
    good = valid()
    for member in sorted(good.members):
        if member.endswith(".npy"):
            changed = _changed_arrays(good.members[member])
        elif member == "facts.jsonl.z":
            changed = iter(())
        else:
            changed = _changed_bytes(good.members[member], json_like=member.endswith(".json"))
        for how, data in changed:
            yield f"{member}: {how}", good.meta, {**good.members, member: data}
        left = {name: data for name, data in good.members.items() if name != member}
        yield f"{member}: missing", good.meta, left
    for how, members in _together(good):
        yield how, good.meta, {**good.members, **members}
    for how, line in _packed_facts():
        yield f"facts: {how}", good.meta, {**good.members, **_with_facts(good, line)}
    for how, meta in _changed_meta(good.meta):
        yield f"manifest: {how}", meta, good.members
    many = {f"x{number}": b"" for number in range(20_000)}
    yield "directory: 20,000 members", good.meta, {**good.members, **many}


def _file(meta: dict[str, Any], members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    archives._write(stream, meta, members)
    return stream.getvalue()


# --------------------------------------------------------------------------- members


def _array(data: bytes) -> np.ndarray[Any, Any]:
    return np.asarray(np.lib.format.read_array(io.BytesIO(data)))


def _npy(array: np.ndarray[Any, Any]) -> bytes:
    return b"".join(bytes(block) for block in archives._npy(array))


def _changed_arrays(data: bytes) -> Iterator[tuple[str, bytes]]:
    array = _array(data)
    shape = array.shape
    number = np.finfo(array.dtype) if array.dtype.kind == "f" else np.iinfo(array.dtype)
    yield "no rows", _npy(array[:0])
    if len(array):
        yield "a row less", _npy(array[:-1])
        yield "a row more", _npy(np.concatenate([array, array[-1:]]))
        yield "the last row everywhere", _npy(np.repeat(array[-1:], len(array), axis=0))
        yield "rows in reverse", _npy(np.ascontiguousarray(array[::-1]))
        yield "many times", _npy(np.tile(array, (_BIG // len(array) + 1, *[1] * (array.ndim - 1))))
    yield "another type", _npy(array.astype(np.float64 if array.dtype.kind != "f" else np.int64))
    others = {"f4": "f2", "f8": "f4", "i8": "i4"}
    yield "numbers of another width", _npy(array.astype(others.get(array.dtype.str[1:], "i8")))
    yield "another byte order", _npy(array.astype(array.dtype.newbyteorder(">")))
    yield "one dimension more", _npy(array.reshape(*shape, 1))
    yield "a column more", _npy(np.repeat(array.reshape(len(array), shape[1] if shape[1:] else 1), 2, axis=1))
    yield "zeros", _npy(np.zeros_like(array))
    for how, value in (("largest", number.max), ("smallest", number.min), ("-1", -1 if number.min < 0 else 255)):
        everywhere, first, last = (array.copy() for _ in range(3))
        everywhere[...] = value
        if first.size:
            first.flat[0] = value
            last.flat[-1] = value
        yield f"{how} everywhere", _npy(everywhere)
        yield f"{how} first", _npy(first)
        yield f"{how} last", _npy(last)
    if array.dtype.kind == "f":
        for value in (np.nan, np.inf):
            yield f"{value} everywhere", _npy(np.full_like(array, value))
    head = data.replace(b"'shape': (%d," % len(array), b"'shape': (%d," % 10**15)
    yield "a shape of terabytes", head


def _changed_bytes(data: bytes, json_like: bool) -> Iterator[tuple[str, bytes]]:
    yield "empty", b""
    yield "a byte less", data[:-1]
    yield "twice", data * 2
    yield "no UTF-8", b"\xff" * len(data)
    yield "zeros", bytes(len(data))
    if json_like:
        yield "nested", b"[" * 200_000 + b"]" * 200_000
        yield "lists", b"[" + b"[]," * (8 << 20) + b"[]]"
        yield "another type", b"1"
        yield "null", b"null"
        yield "a long number", b"9" * 100_000
        yield "text", json.dumps([_HOSTILE] * 5).encode()


def _texts(name: str, texts: list[str]) -> dict[str, bytes]:
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    offsets = np.cumsum([0, *map(len, encoded)]).astype(np.int64)
    return {f"{name}.txt": b"".join(encoded), f"{name}.offsets.npy": _npy(offsets)}


def _together(good: Valid) -> Iterator[tuple[str, dict[str, bytes]]]:
    """Changes of members that belong together, each consistent with what says how many there are."""
    from codeexplore.index.integrity import TEXTS

    for name in TEXTS:
        offsets = _array(good.members[f"{name}.offsets.npy"])
        data = good.members[f"{name}.txt"]
        held = [data[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(offsets.tolist())]
        n = len(held)
        if not n:
            continue
        yield f"{name}: all like the last", _texts(name, [held[-1]] * n)
        yield f"{name}: all like the first", _texts(name, [held[0]] * n)
        yield f"{name}: empty", _texts(name, [""] * n)
        yield f"{name}: hostile", _texts(name, [f"{_HOSTILE}{row}" for row in range(n)])
        yield f"{name}: a long one", _texts(name, [*held[:-1], "x" * (5 << 20)])
        yield f"{name}: paths that lead out", _texts(name, [f"../../etc/passwd{row}" for row in range(n)])
        yield f"{name}: lone surrogates", _texts(name, [f"\ud800{row}" for row in range(n)])
        yield f"{name}: JSON", _texts(name, ["[" * 2000] * n)
    numbers = _array(good.members["symbol.numbers.npy"])
    n = len(numbers)
    chain = np.arange(-1, n - 1, dtype=np.int32)
    yield "symbols: each within the one before", {"symbol.parent.npy": _npy(chain)}
    yield "symbols: in a circle", {"symbol.parent.npy": _npy(np.roll(np.arange(n, dtype=np.int32), 1))}
    long = numbers.copy()
    long[:, 1], long[:, 3] = (1 << 31) - 1, (1 << 31) - 1
    yield "symbols: of two thousand million lines", {"symbol.numbers.npy": _npy(long)}
    spans = _array(good.members["chunk.spans.npy"])
    first = _array(good.members["chunk.first_span.npy"])
    whole = np.array([[1, 2, 0, 40]], np.int32)
    for times in (1_000, _BIG):
        ends = np.full_like(first, times)
        ends[0] = 0
        yield (
            f"spans: the first chunk has {times}",
            {
                "chunk.spans.npy": _npy(np.tile(whole, (times, 1))),
                "chunk.first_span.npy": _npy(ends),
            },
        )
    backwards = first.copy()
    backwards[1:-1:2] = len(spans)
    yield "spans: chunks that overlap", {"chunk.first_span.npy": _npy(backwards)}
    beyond = spans.copy()
    beyond[:, 1], beyond[:, 3] = (1 << 31) - 1, (1 << 31) - 1
    yield "spans: beyond the file", {"chunk.spans.npy": _npy(beyond)}
    yield from _many_edges(good)
    no_text = np.zeros_like(_array(good.members["file.text.offsets.npy"]))
    yield "texts: all empty", {"file.text.txt": b"", "file.text.offsets.npy": _npy(no_text)}
    cells = {"0": [[1, "code", 1, 1 << 40, "python"]] * 1_000}
    yield "cells: many of one file", {"file.cells.json": json.dumps(cells).encode()}
    yield "cells: of other types", {"file.cells.json": b'{"0": [["a", 1, null, "b", 2]]}'}
    rows = json.loads(good.members["origin.json"])
    for how, place in (("candidate", 0), ("digest", 1), ("skipped", 2), ("told", 3)):
        for value in (None, [], "x", [None] * 7, ["../x", 1, 1, "python", False, 1, 1], [_HOSTILE] * 7, {"a": 1}):
            changed = [[*row[:place], value, *row[place + 1 :]] for row in rows]
            yield f"origin: {how} {value!r:.20}", {"origin.json": json.dumps(changed).encode()}
    yield "origin: no files", {"origin.json": b"[]"}
    yield "origin: files twice", {"origin.json": json.dumps(rows * 2).encode()}
    yield "origin: other files", {"origin.json": json.dumps(rows[1:]).encode()}


def _many_edges(good: Valid) -> Iterator[tuple[str, dict[str, bytes]]]:
    columns = [name for name in good.members if name.startswith("edges.") and "words" not in name]
    rows = {name: _array(good.members[name]) for name in columns}
    for how, source, target in (("between two symbols", 0, 1), ("from a symbol to itself", 1, 1)):
        made = {}
        for name, column in rows.items():
            match name:
                case "edges.source.npy":
                    made[name] = np.full(_BIG, source, column.dtype)
                case "edges.target.npy":
                    made[name] = np.full(_BIG, target, column.dtype)
                case "edges.first_site.npy":
                    made[name] = np.arange(_BIG + 1, dtype=column.dtype)
                case _:
                    made[name] = np.resize(column, _BIG)
        yield f"edges: many {how}", {name: _npy(column) for name, column in made.items()}
    sites = np.zeros_like(rows["edges.first_site.npy"])
    sites[-1] = _BIG
    yield (
        "edges: one of many sites",
        {
            "edges.first_site.npy": _npy(sites),
            "edges.site.npy": _npy(np.resize(rows["edges.site.npy"], _BIG)),
            "edges.site_rule.npy": _npy(np.resize(rows["edges.site_rule.npy"], _BIG)),
        },
    )


# --------------------------------------------------------------------------- packed facts and the manifest


def _with_facts(good: Valid, line: bytes) -> dict[str, bytes]:
    """The members whose every file says what one line says."""
    n = len(_array(good.members["facts.offsets.npy"])) - 1
    return {
        "facts.jsonl.z": line * n,
        "facts.offsets.npy": _npy((np.arange(n + 1) * len(line)).astype(np.int64)),
    }


def _packed_facts() -> Iterator[tuple[str, bytes]]:
    empty: list[Any] = ["m", 0, [], [], [], [], [], [], []]
    rows: dict[int, list[Any]] = {
        3: [0, "a", "b", "c", 1],
        4: ["a", "b", "c", 1],
        5: [0, "a", "variable", "", "b", 1, 0],
        6: [0, "a", "return"],
        7: [0, "call", "load", 1, ["x"]],
        8: [0, "a", "extends", 1, "", []],
    }
    wrong: tuple[Any, ...] = (None, -1, 1 << 30, 1 << 70, 1.5, True, "x", [], [[]], {}, _HOSTILE)
    for place, row in rows.items():
        for column in range(len(row)):
            for value in wrong:
                changed = [*row[:column], value, *row[column + 1 :]]
                if column in (0, 1, len(row) - 1) or value in (None, -1):
                    plain = [*empty[:place], [changed], *empty[place + 1 :]]
                    yield f"list {place}, column {column}: {value!r:.12}", zlib.compress(json.dumps(plain).encode())
        for value in (row[:-1], [*row, 1], "xx", None, 1):
            plain = [*empty[:place], [value], *empty[place + 1 :]]
            yield f"list {place}: a row {value!r:.20}", zlib.compress(json.dumps(plain).encode())
        plain = [*empty[:place], [row] * 60_000, *empty[place + 1 :]]
        yield f"list {place}: 60,000 rows", zlib.compress(json.dumps(plain).encode())
    for place in range(len(empty)):
        for value in (None, 1, "x", {}, [1]):
            plain = [*empty[:place], value, *empty[place + 1 :]]
            yield f"part {place}: {value!r}", zlib.compress(json.dumps(plain).encode())
    bomb = b'["a",0,[],[' + b"[]," * (60 << 20) + b"[]],[],[],[],[],[]]"
    yield "unfolds to lists", zlib.compress(bomb, 1)
    yield "unfolds to one text", zlib.compress(b'["' + b"a" * (200 << 20) + b'",0,[],[],[],[],[],[],[]]', 1)
    yield "unfolds to spaces", zlib.compress(b" " * (300 << 20) + json.dumps(empty).encode(), 1)
    yield "nested", zlib.compress(b"[" * 100_000 + b"]" * 100_000)
    yield "cut short", zlib.compress(json.dumps(empty).encode())[:-3]
    yield "no zlib", b"x" * 40
    yield "nothing", b""
    yield "no JSON", zlib.compress(b"{")
    long = [*empty[:7], [[0, "call", "a" + ".b()" * 50_000, 1, []]], []]
    yield "a long path", zlib.compress(json.dumps(long).encode())


def _changed_meta(meta: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for key in sorted(meta):
        yield f"without {key}", {name: value for name, value in meta.items() if name != key}
        for value in (None, -1, "x", _HOSTILE, [], {"a": "b"}, [["a"]] * 3):
            yield f"{key} is {value!r:.20}", {**meta, key: value}
    for key in sorted(meta["summary"]):
        for value in (None, -1, "x", _HOSTILE, {"a": "b"}, [[1]]):
            yield f"summary.{key} is {value!r:.20}", {**meta, "summary": {**meta["summary"], key: value}}
    yield "a list of lists", {**meta, "graph_notes": [[] for _ in range(2 << 20)]}


# --------------------------------------------------------------------------- questions


def ask(ws: Workspace) -> None:
    """Questions that touch every member."""
    for question in ("what calls load", "price of an item", "cart.total", "zzz"):
        answer = ws.search(question)
        repr(answer)
        answer.to_markdown()
        shown_html(answer)
        answer.to_dict()
        if answer.hits:
            answer.explain(1)
    for symbol in ws.symbols[:30]:
        ws.source(symbol)
        repr(ws.callers(symbol))
        for export in ("to_dot", "to_mermaid", "to_graphml"):
            getattr(ws.callees(symbol, depth=2), export)()
        ws.impact(symbol).to_dict()
    for whole in (ws.dead_code, ws.entry_points, ws.cycles, ws.hubs, ws.modules, ws.communities):
        repr(whole())
    repr(ws.grep("load"))
    repr(ws)
    for path in ws.files:
        repr(ws.outline(path))
        repr(ws.file(path))
    ws.status()
    ws.refresh()
    repr(ws.callers(ws.symbols[0]))


def tried(each: Forged) -> Outcome:
    """Open a file in a child process and ask all questions, with a limit to its memory."""
    import resource

    path = folder() / f"forged-{os.getpid()}.codeexplore"
    path.write_bytes(each.data)
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        said: tuple[str, str] = ("", "")
        start, before = time.process_time(), _resident()
        try:
            most = _address_space() + MOST_BYTES + (1 << 30)  # not all that is mapped is used
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
            said = _asked(path)
        except BaseException:  # noqa: BLE001 - told to the parent
            said = ("", traceback.format_exc(limit=-4))
        seconds, peak = time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        with contextlib.suppress(OSError):
            os.write(write, json.dumps([*(text[-1500:] for text in said), seconds, max(peak - before, 0)]).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as stream:
        told = stream.read()
    os.waitpid(child, 0)
    if not told:
        return Outcome(each.name, "", "the process was ended: it took too long, or more memory than there is", 60.0, 0)
    refused, harm, seconds, size = json.loads(told)
    if not harm and size > MOST_BYTES:
        harm = f"it took {size >> 20} MB"
    return Outcome(each.name, refused, harm, seconds, size)


def _asked(path: Any) -> tuple[str, str]:
    try:
        index, options = open_portable(path, None)
        ws = Workspace.__new__(Workspace)
        ws._begin(SnapshotHolder(index, replace(options, workers=0), cached=False), portable=True)
        ask(ws)
    except CodeExploreError as error:
        return f"{type(error).__name__}: {error}", ""
    return "", ""


def _resident() -> int:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _address_space() -> int:
    pages = Path("/proc/self/statm")
    return int(pages.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE") if pages.exists() else 4 << 30


def prepare() -> None:
    """Make the index to forge, and edit the repository behind it, so that a refresh has something to do."""
    valid()
    root = folder() / "repo"
    (root / "web" / "new.js").write_text("import { show } from './app'\nexport const all = (c) => c.map(show)\n")
    (root / "shop" / "later.py").write_text("from shop.cart import Cart\n\n\ndef later():\n    Cart().total()\n")


def main(arguments: list[str]) -> int:
    """Try all files; 1 when one did harm."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.forged", description=__doc__.partition("\n")[0])
    parser.add_argument("--every", type=int, default=1, help="try every n-th of these files only")
    parser.add_argument("--only", default="", help="files whose name matches this expression")
    parser.add_argument("--seconds", type=float, default=MOST_SECONDS, help="processor time beyond the valid file's")
    parser.add_argument("--verbose", action="store_true", help="a line for each file")
    options = parser.parse_args(arguments)
    prepare()
    least = tried(Forged("the valid file", valid().whole))
    if least.refused or least.harm:
        sys.exit(f"the valid file is not answered: {least.refused or least.harm}")
    outcomes = []
    for each in itertools.islice(forged_files(options.only), None, None, options.every):
        outcome = tried(each)
        if not outcome.harm and outcome.seconds > least.seconds + options.seconds:
            outcome = outcome._replace(harm=f"it took {outcome.seconds:.1f} s")
        outcomes.append(outcome)
        if outcome.harm or options.verbose:
            said = outcome.harm or outcome.refused or "harmless"
            print(f"{outcome.seconds:6.2f} s {outcome.bytes >> 20:4} MB  {outcome.name}: {said}", flush=True)
    harmed = sum(bool(each.harm) for each in outcomes)
    refused = sum(bool(each.refused) for each in outcomes)
    harmless = len(outcomes) - refused - harmed
    print(f"{len(outcomes)} forged files: {refused} refused, {harmless} harmless, {harmed} did harm")
    print(f"the valid file: {least.seconds:.2f} s, {least.bytes >> 20} MB")
    slowest = max(outcomes, key=lambda each: each.seconds)
    largest = max(outcomes, key=lambda each: each.bytes)
    print(f"most processor time {slowest.seconds:.2f} s ({slowest.name})")
    print(f"most memory {largest.bytes >> 20} MB ({largest.name})")
    return 1 if harmed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
