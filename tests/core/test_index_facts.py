"""What is stored of a file's facts comes back, and what is forged or damaged is refused."""

from __future__ import annotations

import json
import zlib

import pytest

from codeexplore.index import files as stored
from codeexplore.index.files import pack_facts, plain_facts, unpack_facts
from codeexplore.syntax.analyse import analyse
from codeexplore.types import SourceFile
from codeexplore.types.errors import DamagedIndex

TEXT = "import os\n\n\nclass A(Base):\n    def run(self, x: int = 1):\n        return os.path.join(self.name, 'é')\n"


def packed() -> bytes:
    return pack_facts(plain_facts(analyse(SourceFile("a.py", "python", TEXT, ""))))


def test_facts_come_back() -> None:
    file = analyse(SourceFile("a.py", "python", TEXT, ""))
    assert unpack_facts(pack_facts(plain_facts(file)), "a.py", "python", file.facts.symbols) == (
        file.facts,
        file.warnings,
    )


@pytest.mark.parametrize("kept", [0, 1, 10, -1])
def test_cut_lines_are_refused(kept: int) -> None:
    with pytest.raises(DamagedIndex, match=r"the stored facts of a\.py can't be read"):
        unpack_facts(packed()[:kept], "a.py", "python", ())


def test_lines_that_unfold_without_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "_MOST_BYTES", 1 << 20)
    forged = zlib.compress(json.dumps(["m", 0, [], "x" * (2 << 20)]).encode())
    assert len(forged) < 10_000
    with pytest.raises(DamagedIndex, match="more than 1,048,576 bytes"):
        unpack_facts(forged, "a.py", "python", ())


@pytest.mark.parametrize("shared", [None, {}])
@pytest.mark.parametrize("column", [0, 1, -1])
def test_columns_of_different_lengths_are_refused(column: int, shared: dict[object, object] | None) -> None:
    plain = json.loads(zlib.decompress(packed()))
    references = plain[-2]
    assert len(references[column]) > 1
    references[column].pop()
    with pytest.raises(DamagedIndex, match="references of different lengths"):
        unpack_facts(
            pack_facts(plain), "a.py", "python", analyse(SourceFile("a.py", "python", TEXT, "")).facts.symbols, shared
        )
