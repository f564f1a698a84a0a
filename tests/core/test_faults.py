"""A rule that fails costs one file or the graph of one language, and never goes unsaid."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.faults import STRICT, fault
from codeexplore.graph.build import resolve
from codeexplore.languages.declared.php import PhpExtractor
from codeexplore.resolution.language_rules import Rules
from tests.git_repos import write

FILES = {
    "a.php": "<?php\nfunction f() { return g(); }\nfunction g() { return 1; }\n",
    "b.php": "<?php\nfunction other() { f(); }\n",
    "m.py": "def run(): step()\ndef step(): pass\n",
}


def loaded(root: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.delenv(STRICT)
    write(root, FILES)
    return Workspace(root, cache=False, workers=0, progress=lambda *_: None)


def test_a_language_whose_resolution_fails_leaves_the_others_their_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing(resolve.FamilyAnalysis):
        def __init__(self, family: object, rules: Rules, *others: object) -> None:
            if rules.family == "php":
                raise IndexError("string index out of range")
            super().__init__(family, rules, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(resolve, "FamilyAnalysis", Failing)
    ws = loaded(tmp_path, monkeypatch)
    (said,) = ws.summary.warnings
    assert said == (
        "php: IndexError in codeexplore, please report it: string index out of range; edges may be missing anywhere"
    )
    assert [symbol.name for symbol in ws.callers("step").symbols] == ["run"]
    assert ws.search("other").hits[0].symbol.name == "other"
    empty = ws.callers("g")
    assert empty.verdict.kind == "possible"  # a line that has the name is a place to look at
    assert said in empty.notes
    assert not list(ws.dead_code())


def test_a_file_whose_extraction_fails_is_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(self: PhpExtractor, *given: object) -> None:
        if given[0] == "a.php":
            raise KeyError("node")
        return original(self, *given)  # type: ignore[arg-type, return-value]

    original = PhpExtractor.extract
    monkeypatch.setattr(PhpExtractor, "extract", failing)
    ws = loaded(tmp_path, monkeypatch)
    assert ws.summary.warnings == ("a.php: KeyError in codeexplore, please report it: 'node'",)
    assert ws.search("return g").hits[0].chunk.path == "a.php"
    assert ws.symbol("other").path == "b.php"


def test_an_error_is_raised_where_faults_are_looked_for() -> None:
    with pytest.raises(IndexError):
        fault(IndexError("x"))


def test_a_lack_of_memory_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(STRICT)
    with pytest.raises(MemoryError):
        fault(MemoryError())
