"""What a worker sends is what it made."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from codeexplore import Workspace, sample_repo
from codeexplore.index.files import (
    BatchResult,
    FileFactsStore,
    SourceTexts,
    batch_result,
    catalog_of,
    pack,
    pack_facts,
    plain_facts,
    unpack,
)
from codeexplore.languages.extraction.expressions import Layout
from codeexplore.source.discovery import Candidate, discover
from codeexplore.text.word_counts import count_words
from codeexplore.types import FileIndex, Skipped
from codeexplore.workspace.pipeline import counts_of
from codeexplore.workspace.workers import child_process, pool
from codeexplore.workspace.workers.pool import analyse_batch, batches

STDLIB = Path(sysconfig.get_paths()["stdlib"])


def opened(result: BatchResult) -> pool.Files:
    """Return the result of a batch as records, in the order of its files."""
    rows = result.rows()
    sources = SourceTexts([row.path for row in rows], {row.path: row for row in rows})
    files = FileFactsStore(sources, catalog_of(result.members, sources))
    return [file if isinstance(file, Skipped) else files[file.path] for file in result.files]


def analyse_all(
    root: Path, work: Sequence[Sequence[Candidate]], layout: Layout, workers: int, done: Callable[[int], None]
) -> tuple[list[pool.Files], list[str]]:
    """Analyse every batch; see `AnalysisPool.analyse`."""
    with pool.AnalysisPool(root, layout, workers) as analysis:
        found, warnings = analysis.analyse(work, done)
    return [opened(result) for result in found], warnings


def test_a_batch_survives_the_way_unchanged(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import x\n\nclass A(x.B):\n    def f(self, y: int = 2): return self.g(y)\n# é\n", "utf-8"
    )
    (tmp_path / "b.md").write_text("# Title\n\ntext\n", "utf-8")
    (tmp_path / "c.py").write_bytes(b"\x00\x01\x02" * 100)
    found = discover(tmp_path)
    made = analyse_batch(found.root, found.candidates, Layout())
    files = opened(unpack(pack(batch_result(made))))
    assert files == made
    assert {type(file) for file in files} == {FileIndex, Skipped}


def test_what_is_kept_of_a_file_is_what_it_said(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("class A(x.B):\n    def f(self, y: int = 2): return self.g(y, 'é')\n", "utf-8")
    found = discover(tmp_path)
    (made,) = analyse_batch(found.root, found.candidates, Layout())
    assert isinstance(made, FileIndex)
    (row,) = batch_result([made]).rows()
    assert (row.line, row.kept().facts) == (b"", b"")
    assert row.kept().line == pack_facts(plain_facts(made))
    assert row.kept().kept() == row.kept()


def test_words_are_counted_in_columns_as_in_records() -> None:
    workspace = Workspace(sample_repo("webshop"), workers=0, cache=False)
    counted, expected = counts_of(workspace._holder.current.catalog), count_words(workspace.catalog.chunks)
    assert counted.words == expected.words
    for name in ("indptr", "word_ids", "counts"):
        assert np.array_equal(getattr(counted, name), getattr(expected, name))


def test_worker_processes_give_what_this_process_gives() -> None:
    found = discover(STDLIB / "email")
    work = batches(found.candidates)[:2] or [list(found.candidates)]
    work = [work[0][: len(work[0]) // 2], work[0][len(work[0]) // 2 :]]
    reported: list[int] = []
    alone, no_warnings = analyse_all(found.root, work, Layout(), 0, lambda done: None)
    shared, warnings = analyse_all(found.root, work, Layout(), 2, reported.append)
    assert warnings == no_warnings == []
    assert reported == [1, 2]
    assert shared == alone


def test_a_dead_worker_is_a_warning_not_a_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        (tmp_path / f"m{number}.py").write_text(f"def f{number}(): pass\n")
    found = discover(tmp_path)
    work = [[candidate] for candidate in found.candidates]
    monkeypatch.setattr(child_process, "_MAIN", "raise SystemExit(3)")
    results, warnings = analyse_all(found.root, work, Layout(), 2, lambda done: None)
    assert len([file for result in results for file in result if isinstance(file, FileIndex)]) == 4
    assert warnings
    assert all("analysed in this process" in warning for warning in warnings)


def test_workers_import_nothing_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("marshal_extra.py", "tree_sitter.py", "numpy.py", "pathlib.py"):
        (tmp_path / name).write_text("open('ran', 'w').close()\nraise SystemExit('the repository was run')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [path for path in sys.path if path])
    found = discover(tmp_path)
    results, warnings = analyse_all(found.root, [[c] for c in found.candidates], Layout(), 2, lambda done: None)
    assert warnings == []
    assert len(results) == 4
    assert not (tmp_path / "ran").exists()


def test_whatever_a_worker_sends_is_waited_for_no_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text("def f():\n    pass\n")
    (tmp_path / "b.py").write_text("def g():\n    pass\n")
    candidates = discover(tmp_path).candidates

    def enormous(stream: object) -> bytes:
        raise MemoryError  # a frame that says it is larger than the machine

    monkeypatch.setattr(child_process, "read_frame", enormous)
    layout = Layout(frozenset(each.path for each in candidates))
    work = [[each] for each in candidates]
    with pool.AnalysisPool(tmp_path, layout, 1) as processes:
        found, warnings = processes.analyse(work, lambda _: None)
    assert [[file.path for file in result.files] for result in found] == [["a.py"], ["b.py"]]
    assert any("MemoryError" in warning for warning in warnings)
