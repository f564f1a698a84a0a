"""Source files in an archive. Their texts are concatenated, and decoded when they are requested."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from codeexplore.index.archive import json_of
from codeexplore.index.columns import Strings, decode_text, encode_text, packed
from codeexplore.types import Cell, SourceFile
from codeexplore.types.errors import DamagedIndex

if TYPE_CHECKING:
    from codeexplore.index.archive import Archive
    from codeexplore.index.columns import Member


def source_members(files: Sequence[SourceFile], texts: bool = True) -> dict[str, Member]:
    """Return the members that store the given files. If `texts` is False, only the list of files is stored."""
    cells = {str(row): [list(cell) for cell in file.cells] for row, file in enumerate(files) if file.cells}
    data = [file.text.encode("utf-8", "replace") for file in files] if texts else []
    exact = [encode_text(file.text) for file in files] if texts else []
    odd = [row for row, (one, other) in enumerate(zip(data, exact, strict=True)) if one != other]
    members: dict[str, Member] = {
        **packed("file.path", [file.path for file in files]),
        **packed("file.language", [file.language for file in files]),
        **packed("file.encoding", [file.encoding for file in files]),
        "file.sha256": np.frombuffer(bytes.fromhex("".join(file.sha256 for file in files)), np.uint8).reshape(-1, 32),
        "file.cells.json": json.dumps(cells, ensure_ascii=False).encode("utf-8", "surrogatepass"),
        "file.odd": np.array(odd, np.int32),
    }
    if texts:
        offsets = np.zeros(len(exact) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, exact), np.int64, len(exact)), out=offsets[1:])
        members |= {"file.text.txt": b"".join(exact), "file.text.offsets": offsets}
    return members


class StoredSources(Mapping[str, SourceFile]):
    """Mapping from path to `SourceFile`, read from the members that `source_members` made, in the order of discovery.

    If the archive was saved without texts (`included` is False), each text is empty. Raises DamagedIndex or ValueError
    if members are missing or do not fit each other.
    """

    def __init__(self, archive: Archive) -> None:
        self.paths = Strings.of(archive, "file.path").all()
        self.languages = Strings.of(archive, "file.language").all()
        self._encodings = Strings.of(archive, "file.encoding").all()
        self._hashes = archive.array("file.sha256")
        self._odd = frozenset(archive.array("file.odd").tolist())
        self._cells = _cells(json_of(archive.bytes("file.cells.json"), "file.cells.json"))
        self.included = "file.text.txt" in archive.members()
        self._texts = Strings.of(archive, "file.text") if self.included else None
        self._row = {path: row for row, path in enumerate(self.paths)}
        n = len(self.paths)
        columns = [self._row, self.languages, self._encodings, self._hashes, self._texts or self.paths]
        if any(len(column) != n for column in columns):
            raise DamagedIndex(f"{archive.path} lists its files inconsistently")

    def data(self, path: str) -> bytes | memoryview:
        """Return a file's text as UTF-8, with replaced surrogates; empty if texts were not saved."""
        if self._texts is None:
            return b""
        row = self._row[path]
        raw = self._texts.raw(row)
        return decode_text(raw).encode("utf-8", "replace") if row in self._odd else raw

    def language(self, path: str) -> str:
        return self.languages[self._row[path]]

    def __getitem__(self, path: str) -> SourceFile:
        row = self._row[path]
        cells = self._cells.get(str(row), ())
        digest = self._hashes[row].tobytes().hex()
        text = "" if self._texts is None else self._texts[row]
        return SourceFile(path, self.languages[row], text, digest, self._encodings[row], cells)

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


def _cells(plain: Mapping[str, Sequence[Sequence[Any]]]) -> dict[str, tuple[Cell, ...]]:
    """Return the cells of the notebooks, by the number of the notebook's file.

    The number is a text, because it is a key in JSON. Raises ValueError and TypeError for invalid cells.
    """
    found = {str(row): tuple(Cell(*cell) for cell in cells) for row, cells in plain.items()}
    for cell in (cell for cells in found.values() for cell in cells):
        if not (type(cell.number) is type(cell.start_line) is type(cell.end_line) is int) or cell.start_line < 1:
            raise ValueError("file.cells.json: a cell in no place")
    return found
