"""What is read as an index: a damaged file is refused or tells the same; a forged one is refused or does no harm."""

from __future__ import annotations

import atexit
import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from codeexplore import Workspace
from codeexplore.answers.html.writer import shown_html
from codeexplore.index import archive as archives
from codeexplore.index.archive import Archive
from codeexplore.types.errors import CodeExploreError, DamagedIndex
from codeexplore.workspace.cache import open_portable
from codeexplore.workspace.snapshot_holder import SnapshotHolder

SOURCES = {
    "shop/cart.py": "from shop.store import load\n\n\nclass Cart:\n    '''What a person buys.'''\n\n"
    "    def total(self):\n        return sum(price(item) for item in self.items)\n\n\n"
    "def price(item):\n    return load(item).price\n",
    "shop/store.py": "import json\n\nROWS = {}\n\n\ndef load(key):\n    return json.loads(ROWS[key])\n",
    "web/app.js": "import { total } from './sum'\nexport function show(cart) { return total(cart.items) }\n",
    "web/sum.js": "export const total = (items) => items.reduce((a, b) => a + b.price, 0)\n",
    "README.md": "# Shop\n\nAdds up prices.\n\n## Größe\n\nHow large it is.\n",
    "notes.ipynb": '{"cells": [{"cell_type": "code", "source": "def cell():\\n    return 1"}], "nbformat": 4}',
}


class Valid(NamedTuple):
    """A small index in order."""

    whole: bytes
    meta: dict[str, Any]
    members: dict[str, bytes]


@cache
def folder() -> Path:
    """Where this process writes what it tries, in memory where the system has such a place."""
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - a folder of our own is made there
    made = Path(tempfile.mkdtemp(prefix="codeexplore-fuzz-", dir=place))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


@cache
def valid() -> Valid:
    """An index of `SOURCES`, as `Workspace.save` writes it."""
    root = folder() / "repo"
    for name, text in SOURCES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    ws = Workspace(root, cache=False, workers=0, progress=lambda *_: None)
    path = ws.save(folder() / "valid.codeexplore")
    archive = Archive(path)
    members = {name: bytes(archive.bytes(name)) for name in archive.members() if name != archives.MANIFEST}
    return Valid(path.read_bytes(), dict(archive.meta), members)


def _edited(whole: bytes, edits: bytes) -> bytes:
    """A text of bytes after some edits, each told by six bytes: what to do, where, and with what."""
    data = bytearray(whole)
    for at in range(0, len(edits) - 5, 6):
        what, high, middle, low, value, times = edits[at : at + 6]
        place = (high << 16 | middle << 8 | low) % (len(data) or 1)
        if not data:
            return b""
        match what % 6:
            case 0:
                data[place] ^= 1 << value % 8
            case 1:
                data[place] = value
            case 2:
                data[place:place] = bytes([value]) * times
            case 3:
                del data[place : place + times]
            case 4:
                del data[place:]
            case _:
                other = value * 257 % len(data)
                data[place : place + times] = data[other : other + times]
    return bytes(data)


def cache_reader(data: bytes) -> None:
    """Edits anywhere in a valid file: it is refused, or every member and the manifest read as before."""
    good = valid()
    path = folder() / "edited.zip"
    path.write_bytes(_edited(good.whole, data))
    try:
        archive = Archive(path)
        archive.verify()
    except DamagedIndex:
        return
    assert dict(archive.meta) == good.meta
    found = {name: bytes(archive.bytes(name)) for name in archive.members() if name != archives.MANIFEST}
    assert found == good.members


def index_reader(data: bytes) -> None:
    """Edits within members whose checksums are then right, as somebody who means harm would make them."""
    good = valid()
    names = sorted(good.members)
    members = dict(good.members)
    for edits in _split(data, 7):
        name = names[edits[0] % len(names)]
        members[name] = _edited(members[name], edits[1:])
    stream = io.BytesIO()
    archives._write(stream, good.meta, members)
    path = folder() / "forged.codeexplore"
    path.write_bytes(stream.getvalue())
    try:
        index, options = open_portable(path, None)
        ws = Workspace.__new__(Workspace)
        ws._begin(SnapshotHolder(index, options, cached=False), portable=True)
        _ask(ws)
    except CodeExploreError:
        return


def _split(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data) - size + 1, size))


def _ask(ws: Workspace) -> None:
    for question in ("what calls load", "price of an item", "cart.total"):
        answer = ws.search(question)
        repr(answer)
        answer.to_markdown()
        shown_html(answer)
        if answer.hits:
            answer.explain(1)
    for symbol in ws.symbols:
        ws.source(symbol)
        repr(ws.callers(symbol))
        repr(ws.callees(symbol, depth=2))
        ws.impact(symbol).to_dict()
    for whole in (ws.dead_code, ws.entry_points, ws.cycles, ws.hubs, ws.modules, ws.communities):
        repr(whole())
    repr(ws.grep("load"))
    repr(ws)
    for path in ws.files:
        ws.outline(path)
