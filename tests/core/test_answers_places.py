"""Rows of answers: the line of a name, numbers without gaps, and words that a reader can check."""

from dataclasses import replace
from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.types import Adjustment


@pytest.mark.parametrize(
    ("path", "source", "line"),
    [
        ("a.py", "@deco\n@other\ndef zap(a):\n    return a\n", 3),
        ("b.rs", "#[inline]\n#[must_use]\npub fn zap(a: i32) -> i32 { a }\n", 3),
        ("C.java", "class C {\n    @Deprecated\n    public int zap(int a) { return a; }\n}\n", 3),
        ("d.ts", "class D {\n  @Input()\n  zap(a: number) { return a; }\n}\n", 3),
        ("E.cs", "class E {\n    [Obsolete]\n    public int zap(int a) { return a; }\n}\n", 3),
    ],
)
def test_every_surface_tells_the_line_of_the_name(tmp_path: Path, path: str, source: str, line: int) -> None:
    (tmp_path / path).write_text(source)
    workspace = Workspace(tmp_path, cache=False, workers=0)
    answer, symbol = workspace.search("zap"), workspace["zap"]
    assert symbol.line == line
    assert answer[0].location == f"{path}:{line}"
    for shown in (answer, answer.explain(1), workspace.callers("zap") | workspace.callees("zap")):
        assert f"{path}:{line - 1}" not in str(shown)
    assert f"{path}:{line}" in str(answer)
    assert f"{path}:{line}" in workspace.source("zap").view.to_markdown()


def test_ranks_that_are_shown_have_no_gaps_and_folded_hits_are_last(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "app.py").write_text(
        "def zap(): pass\n\n\ndef one():\n    zap()\n\n\ndef two():\n    zap()\n\n\ndef three():\n    zap()\n"
    )
    tests = "".join(f"def test_zap_{n}():\n    zap()\n\n\n" for n in range(4))
    (tmp_path / "tests" / "test_app.py").write_text(f"from app import zap\n\n\n{tests}")
    answer = Workspace(tmp_path, cache=False, workers=0).search("what calls zap?")
    names = [hit.name for hit in answer]
    tested = [name.startswith("tests.") for name in names]
    assert any(tested)
    assert tested == sorted(tested)
    assert [hit.rank for hit in answer] == list(range(1, len(answer) + 1))
    assert answer.explain(2).hit.name == names[1]


def test_a_hit_that_is_there_for_its_words_says_which(tmp_path: Path) -> None:
    (tmp_path / "store.py").write_text(
        "def drop(rows):\n    '''Forget the stale goblins of a cache.'''\n    return rows\n"
    )
    (tmp_path / "other.py").write_text("def pay(amount):\n    return amount\n")
    answer = Workspace(tmp_path, cache=False, workers=0).search("where are stale goblins forgotten?")
    assert answer[0].name == "store.drop"
    reason = answer.reason_of(answer[0])
    assert "“stale”, “goblins”" in reason
    assert "“where”" not in reason


@pytest.mark.parametrize(
    ("question", "added", "said"),
    [
        ("how is a show fetched?", ("download",), "its name matches a word that was added: download"),
        ("how is a show fetched?", ("download", "run"), "its name matches words that were added: download, run"),
        ("how do I get a show?", ("download",), "its name matches the question's “get”"),
        ("where does a download run?", (), "its name matches"),
    ],
)
def test_a_name_says_which_word_it_matches_unless_a_telling_one_was_asked(
    tmp_path: Path, question: str, added: tuple[str, ...], said: str
) -> None:
    """A word that was added, or an everyday word, does not look like the word that the question is about."""
    (tmp_path / "a.py").write_text("def download_and_get_and_run(url):\n    return url\n")
    answer = Workspace(tmp_path, cache=False, workers=0).search(question)
    match = (Adjustment("name match", 0.01, ""),)
    hit = replace(answer[0], fused=replace(answer[0].fused, adjustments=match))
    answer = replace(answer, result=replace(answer.result, plan=replace(answer.plan, added=added)))
    assert answer.reason_of(hit).rpartition("; ")[2] == said
    telling = replace(hit, fused=replace(hit.fused, adjustments=(Adjustment("telling words", 0.01, ""),)))
    has = said.replace("its name matches", "it has") if added else "it has the question's “download”, “run”"
    assert answer.reason_of(telling).rpartition("; ")[2].startswith(has)


def test_a_reason_names_the_word_that_a_misspelt_one_means(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def connect(path):\n    '''Open the database of goblins.'''\n    return path\n")
    answer = Workspace(tmp_path, cache=False, workers=0).search("where is the databse of goblins kept?")
    assert "“goblins”, “database”" in answer.reason_of(answer[0])
