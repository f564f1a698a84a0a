"""Columns of texts, and new columns that are made of runs of old ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.index.columns import Columns, Run, Strings, is_first, packed, splice, symbols_in, taken
from codeexplore.index.symbol_table import Codes, SymbolTable, symbol_members
from codeexplore.types import Span, Symbol


@given(st.lists(st.text(max_size=4), max_size=6))
def test_texts_come_back(texts: list[str]) -> None:
    held = Strings.of(Columns(packed("texts", texts)), "texts")
    assert held.all() == list(held) == [held[row] for row in range(len(held))] == texts
    assert held[1:] == texts[1:]
    assert held.run(len(texts) // 2, len(texts)) == texts[len(texts) // 2 :]
    with pytest.raises(IndexError):
        held[len(texts)]


def test_offsets_that_do_not_fit_are_refused() -> None:
    for offsets in ([], [0, 2], [1, 3], [0, 2, 1, 3]):
        with pytest.raises(ValueError, match="don't fit"):
            Strings(memoryview(b"abc"), np.array(offsets, np.int64))


def of_file(path: str, names: list[str]) -> list[Symbol]:
    """A module and functions in it, whose texts depend on the path alone."""
    module = Symbol(f"{path}:{path}", path, path, "module", path, Span(1, 9, 0, 99), 1, "python")
    inner = [
        Symbol(
            f"{path}:{name}{at}",
            name,
            name,
            "function",
            path,
            Span(1, 2, 0, 9),
            1,
            "python",
            module.id,
            "",
            "",
            ("d",) * at,
        )
        for at, name in enumerate(names)
    ]
    return [module, *inner]


def table(files: dict[str, list[str]]) -> Columns:
    from codeexplore.index.symbol_table import chunk_members

    paths = Codes()
    symbols = [symbol for path, names in files.items() for symbol in of_file(path, names)]
    return Columns({**symbol_members(symbols, paths), **chunk_members((), {}, paths)})


@given(st.data())
def test_a_splice_equals_a_table_of_the_same_files(data: st.DataObject) -> None:
    names = st.lists(st.sampled_from("abcdé"), max_size=4)
    files = {f"{number}.py": data.draw(names) for number in range(4)}
    held = table(files)
    for _ in range(3):  # edit after edit: what was there, and what came
        changed = data.draw(st.dictionaries(st.sampled_from([*files, "new.py"]), names, min_size=1, max_size=2))
        removed = data.draw(st.sampled_from([*files, ""]))
        known, fresh = list(files), list(changed)
        files = {path: changed.get(path, old) for path, old in files.items() if path != removed}
        files |= {path: new for path, new in changed.items() if path not in files and path != removed}
        order = [(1, fresh.index(path)) if path in changed else (0, known.index(path)) for path in files]
        held = Columns(splice([held, table(changed)], order).members)
        expected = SymbolTable(table(files), list(files)).records()
        assert SymbolTable(held, list(files)).records() == expected
        for at, path in enumerate(files):
            alone = SymbolTable(Columns({**held._members, **symbols_in(held, at, at + 1)}), [path])
            assert alone.records() == [symbol for symbol in expected if symbol.path == path]
        if not files:
            return


def test_a_column_whose_texts_are_the_same_is_used_again() -> None:
    old = table({"a.py": ["f"], "b.py": ["g"]})
    same = splice([old, table({"b.py": ["g"]})], [(0, 0), (1, 0)]).members
    assert same["symbol.name.txt"] is old._members["symbol.name.txt"]
    other = splice([old, table({"b.py": ["h"]})], [(0, 0), (1, 0)]).members
    assert other["symbol.name.txt"] != old._members["symbol.name.txt"]


def test_a_list_of_runs() -> None:
    old, new = ["a", "b", "c"], ["b", "x"]
    for runs, made, same in (
        ([Run(0, 0, 1), Run(1, 0, 1), Run(0, 2, 3)], ["a", "b", "c"], True),
        ([Run(0, 0, 3)], ["a", "b", "c"], True),
        ([Run(0, 0, 1), Run(1, 1, 2), Run(0, 2, 3)], ["a", "x", "c"], False),
        ([Run(0, 0, 2)], ["a", "b"], False),
        ([Run(0, 0, 3), Run(1, 0, 1)], ["a", "b", "c", "b"], False),
        ([], [], False),
    ):
        assert taken(runs, [old, new]) == made
        assert is_first(runs, [old, new]) is same
