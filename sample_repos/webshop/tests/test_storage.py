from dataclasses import dataclass

import pytest

from webshop.errors import NotFound
from webshop.storage import CachingRepository, JsonFileRepository, MemoryRepository, UnitOfWork


@dataclass
class Note:
    id: str
    text: str


def encode(note):
    return {"id": note.id, "text": note.text}


def decode(row):
    return Note(**row)


def test_json_repository_survives_a_restart(tmp_path):
    path = tmp_path / "notes.json"
    first = JsonFileRepository(path, encode, decode)
    first.add(Note("a", "one"))
    first.add(Note("b", "two"))
    first.remove("a")
    assert [note.text for note in JsonFileRepository(path, encode, decode)] == ["two"]


def test_require_names_what_is_missing():
    with pytest.raises(NotFound, match="no note with key 'x'"):
        MemoryRepository("note").require("x")


def test_cache_reads_once_and_writes_through():
    inner = MemoryRepository("note")
    cache = CachingRepository(inner, size=1)
    cache.add(Note("a", "one"))
    cache.add(Note("b", "two"))
    assert cache.get("a").text == "one"
    cache.remove("a")
    assert "a" not in inner
    assert [note.id for note in cache] == ["b"]


def test_unit_of_work_undoes_everything(tmp_path):
    kept = MemoryRepository("note")
    stored = JsonFileRepository(tmp_path / "notes.json", encode, decode)
    with pytest.raises(RuntimeError), UnitOfWork(kept, stored):
        kept.add(Note("a", "one"))
        stored.add(Note("b", "two"))
        raise RuntimeError
    assert list(kept) == list(stored) == []
