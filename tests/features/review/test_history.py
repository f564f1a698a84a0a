"""The history of files and symbols: renames, contributors, and what changes together."""

from __future__ import annotations

import json
import shutil
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore import Workspace
from codeexplore.answers.html.writer import shown_html
from codeexplore.cli import main
from codeexplore.features.review import states
from codeexplore.features.review.git_objects import GitObjects
from codeexplore.features.review.history import log as history_log
from codeexplore.features.review.history.answers import HistoryAnswer, RepositoryHistoryAnswer
from codeexplore.features.review.history.log import MOST_FILES, History, list_commits, read_log
from codeexplore.features.review.history.view import Lines, compared, reached_both_ways
from codeexplore.index.archive import Archive
from codeexplore.types.errors import GitError, LoadCancelled, QuestionError, SymbolNotFound
from tests.git_repos import ENVIRONMENT, commit, git, repository, write
from tests.shells import refused, run

ADD = "def add_up(coins):\n    total = 0\n    for coin in coins:\n        total += coin\n    return total\n"
TILL = f"{ADD}\n\ndef close(coins):\n    return add_up(coins)\n"
DOOR = "def open_door(key):\n    return key.turn()\n"
LAMP = "def light(on):\n    return bool(on)\n"


def loaded(folder: Path, **options: object) -> Workspace:
    return Workspace(folder, workers=0, progress=lambda *step: None, **{"cache": False, **options})  # type: ignore[arg-type]


def by(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, day: str, files: dict[str, str]) -> str:
    for key in ("GIT_AUTHOR", "GIT_COMMITTER"):
        monkeypatch.setitem(ENVIRONMENT, f"{key}_NAME", name)
        monkeypatch.setitem(ENVIRONMENT, f"{key}_EMAIL", f"{name.lower()}@example.org")
        monkeypatch.setitem(ENVIRONMENT, f"{key}_DATE", f"{day}T12:00:00Z")
    return commit(folder, "change", files)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Seven commits: door and lamp change together four times without calling each other; till.py was cash.py."""
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    folder = repository(
        tmp_path / "shop", {"cash.py": TILL, ".mailmap": "Ada <ada@example.org> Countess <old@x.org>\n"}
    )
    for number, day in enumerate(("2024-02-01", "2024-03-01", "2024-04-01", "2024-05-01")):
        by(
            folder,
            monkeypatch,
            "Bob",
            day,
            {"door.py": f"{DOOR}\n\nKEYS = {number}\n", "lamp.py": LAMP.replace("bool", f"f{number}")},
        )
    git(folder, "mv", "cash.py", "till.py")
    by(folder, monkeypatch, "Ada", "2024-06-01", {"till.py": TILL.replace("total = 0", "total = 1")})
    by(folder, monkeypatch, "Ada", "2024-07-01", {"till.py": TILL.replace("total = 0", "total = 2"), "door.py": DOOR})
    return folder


def test_a_renamed_file_keeps_its_history(shop: Path) -> None:
    ws = loaded(shop)
    answer = ws.review.history("till.py")
    assert isinstance(answer, HistoryAnswer)
    assert [each.day for each in answer] == ["2024-07-01", "2024-06-01", "2024-01-01"]
    assert answer.names == ("cash.py",)
    assert [(each.name, each.commits, each.lines) for each in answer.contributors] == [("A", 1, 9), ("Ada", 2, 2)]
    assert (
        ws.review.history("cash.py").headline
        == answer.headline
        == "till.py changed in 3 commits from 2024-01-01 to 2024-07-01"
    )


def test_a_symbol_has_the_commits_that_changed_its_lines(shop: Path) -> None:
    ws = loaded(shop)
    assert [each.lines for each in ws.review.history("add_up")] == [1, 1, 5]
    assert [each.day for each in ws.review.history("close")] == ["2024-01-01"]


def test_recency_counts_for_contributors(shop: Path) -> None:
    """A line of half a year earlier counts less than one of today."""
    first, second = (
        loaded(shop).review.history("lamp.py").contributors,
        loaded(shop).review.history("door.py").contributors,
    )
    assert [each.name for each in first] == ["Bob"]
    assert first[0].weight == pytest.approx(1.0)
    assert {each.name: round(each.weight, 2) for each in second} == {"Bob": 1.0, "Ada": 0.0}


def test_the_history_of_the_repository_lists_files_and_authors(shop: Path) -> None:
    answer = loaded(shop).review.history()
    assert isinstance(answer, RepositoryHistoryAnswer)
    assert [(each.path, each.commits, each.authors) for each in answer][:2] == [("door.py", 5, 2), ("lamp.py", 4, 1)]
    assert [(each.name, each.commits) for each in answer.contributors] == [("Bob", 4), ("Ada", 2), ("A", 1)]
    assert answer.headline == "7 commits by 3 authors from 2024-01-01 to 2024-07-01"


def test_mailmap_names_authors_and_addresses_are_never_shown(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENVIRONMENT, "GIT_AUTHOR_NAME", "x@secret.example")
    monkeypatch.setitem(ENVIRONMENT, "GIT_AUTHOR_EMAIL", "old@x.org")
    commit(shop, "as somebody else", {"door.py": DOOR + "#\n"})
    monkeypatch.setitem(ENVIRONMENT, "GIT_AUTHOR_EMAIL", "x@secret.example")
    commit(shop, "as an address", {"door.py": DOOR})
    ws = loaded(shop)
    shown = [str(ws.review.history(each)) + json.dumps(ws.review.history(each).to_dict()) for each in (None, "door.py")]  # type: ignore[union-attr]
    assert all("Ada" in each and "x@…" in each for each in shown)
    assert not any("example" in each or "old@" in each for each in shown)


# --------------------------------------------------------------------------- together


def test_files_that_change_together_have_support_and_confidence(shop: Path) -> None:
    answer = loaded(shop).review.together("lamp.py")
    assert [(each.item, each.support, each.commits, each.confidence) for each in answer] == [("door.py", 4, 4, 1.0)]
    assert answer[0].last == "2024-05-01"
    assert answer.hidden == tuple(answer)  # no edge leads from one to the other
    assert "no path" in str(answer)
    back = loaded(shop).review.together("door.py")
    assert [(each.item, each.support, each.confidence) for each in back] == [("lamp.py", 4, 0.8), ("till.py", 1, 0.2)]


def test_symbols_that_change_together(shop: Path) -> None:
    write(shop, {"lamp.py": "import door\n\n\n" + LAMP.replace("bool(on)", "door.open_door(on)")})
    commit(shop, "call it", {"door.py": DOOR.replace("key.turn", "key.spin")})
    answer = loaded(shop).review.together("light")
    assert [(each.item.fqn, each.support) for each in answer] == [("door.open_door", 2)]  # type: ignore[union-attr]
    assert answer[0].connected
    assert not answer.hidden


def test_merges_and_mass_commits_are_left_out(shop: Path) -> None:
    git(shop, "checkout", "-q", "-b", "side", "HEAD~2")
    commit(shop, "side", {"side.py": LAMP})
    git(shop, "checkout", "-q", "main")
    git(shop, "merge", "-q", "-m", "merge", "side")
    commit(shop, "all", {f"data/{number}.txt": "x" for number in range(MOST_FILES)} | {"lamp.py": LAMP, "door.py": ""})
    ws = loaded(shop)
    repository_history = ws.review.history()
    assert isinstance(repository_history, RepositoryHistoryAnswer)
    assert (repository_history.commits, repository_history.merges) == (9, 1)
    assert ws.review.together("lamp.py")[0].support == 4
    assert len(ws.review.history("lamp.py")) == 5  # type: ignore[arg-type]


def test_an_impact_with_history_lists_hidden_coupling(shop: Path) -> None:
    for number in range(3):
        lamp, door = LAMP.replace("bool", f"g{number}"), DOOR.replace("turn", f"turn{number}")
        commit(shop, "both", {"lamp.py": lamp, "door.py": door})
    ws = loaded(shop)
    assert not ws.impact("open_door").additions
    impact = ws.review.impact("open_door")
    assert [(each.item.fqn, each.support, each.commits) for each in impact.additions[0].items] == [("lamp.light", 4, 4)]  # type: ignore[union-attr]
    assert "changed together 4 of 4 times, no path in the graph" in str(impact)
    assert impact.to_dict()["hidden"]
    write(shop, {"lamp.py": LAMP.replace("bool", "int")})
    ws.refresh()
    changes = ws.review.changes().impact(history=True)
    assert [each.item for each in changes.hidden] == ["door.py"]
    assert "hidden coupling" in changes.to_markdown()
    assert not ws.review.changes().impact().hidden
    write(shop, {"door.py": "x = 1\n"})
    ws.refresh()
    assert not ws.review.changes().impact(history=True).hidden  # both changed


def test_an_impact_of_an_outside_symbol_has_no_hidden_coupling(shop: Path) -> None:
    commit(shop, "outside", {"store.py": "import json\n\n\ndef store(coins):\n    return json.dumps(coins)\n"})
    impact = loaded(shop).review.impact("json.dumps")
    assert [each.fqn for each in impact.symbols] == ["store.store"]
    assert not impact.additions[0].items  # type: ignore[attr-defined]


# --------------------------------------------------------------------------- versions


TEXT = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=12)


@settings(max_examples=100, deadline=None)
@given(TEXT, TEXT, st.integers(1, 12), st.integers(0, 12))
def test_lines_are_carried_to_lines_of_the_other_version(old: list[str], new: list[str], first: int, more: int) -> None:
    data = ["".join(f"{line}\n" for line in lines).encode() for lines in (old, new)]
    versions = compared(data[0], data[1])
    assert versions is not None
    made = list(old)
    for hunk in reversed(versions.hunks):
        made[hunk.old.first - 1 : hunk.old.last] = new[hunk.new.first - 1 : hunk.new.last]
    assert made == new  # the hunks are the whole difference
    if first > len(new):
        return
    lines = Lines(first, min(len(new), first + more))
    there = versions.before(lines)
    assert not there or 1 <= there.first <= there.last <= len(old)
    if not versions.within(lines):  # unchanged lines keep their text
        assert old[there.first - 1 : there.last] == new[lines.first - 1 : lines.last]
    if there and not versions.hunks:
        assert there == lines
    back = compared(data[1], data[0])
    assert back is not None
    kept = [number for place in back.kept(lines) for number in range(place.first, place.last + 1)]
    changed = {number for hunk in back.hunks for number in range(hunk.old.first, hunk.old.last + 1)}
    still = [number for number in range(lines.first, lines.last + 1) if number not in changed]
    assert [old[number - 1] for number in kept] == [new[number - 1] for number in still]


def test_a_binary_version_is_not_compared() -> None:
    assert compared(b"a\0b", b"a") is None
    versions = compared(b"a\r\nb\r\n", b"a\nb\n")
    assert versions is not None
    assert not versions.hunks


# --------------------------------------------------------------------------- reading


def test_the_history_is_kept_in_the_cache_until_head_moves(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = loaded(shop, cache=True).review.history()
    reads = []
    monkeypatch.setattr("codeexplore.features.review.history.log.read_log", lambda *args: reads.append(1) or iter(()))
    assert str(loaded(shop, cache=True).review.history()) == str(first)
    assert not reads
    monkeypatch.undo()
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(shop.parent / "cache"))
    ws = loaded(shop, cache=True)
    commit(shop, "more", {"lamp.py": "#\n"})
    moved = ws.review.history()
    assert isinstance(moved, RepositoryHistoryAnswer)
    assert moved.commits == 8
    (file,) = (shop.parent / "cache").rglob("history.zip")
    file.write_bytes(file.read_bytes()[:-200])
    assert str(loaded(shop, cache=True).review.history()) == str(moved)  # a damaged file is read again


def test_a_stored_history_is_equal_and_a_column_that_does_not_fit_is_refused(shop: Path, tmp_path: Path) -> None:
    from codeexplore.index.archive import write_archive
    from codeexplore.types.errors import DamagedIndex

    objects = GitObjects(shop)
    commits = list_commits(objects)
    history = History.of(commits, read_log(objects, commits.ids, lambda done: None))
    write_archive(tmp_path / "a.zip", history.meta(), history.members())
    stored = History.stored(Archive(tmp_path / "a.zip"))
    assert stored.paths == list(history.paths)
    assert all((a == b).all() for a, b in ((stored.files, history.files), (stored.starts, history.starts)))
    write_archive(tmp_path / "b.zip", history.meta(), {**history.members(), "history_files": history.files + 99})
    with pytest.raises(DamagedIndex, match="does not fit"):
        History.stored(Archive(tmp_path / "b.zip"))


def test_reading_reports_progress_and_can_be_cancelled(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_log, "_BATCH", 2)
    steps: list[tuple[str, int, int]] = []
    ws = loaded(shop)
    ws.review.history(progress=lambda *step: steps.append(step))
    assert [(done, total) for stage, done, total in steps if stage == "history"] == [
        (0, 7), (2, 7), (4, 7), (6, 7), (7, 7), (7, 7)
    ]  # fmt: skip
    cancel = threading.Event()
    with pytest.raises(LoadCancelled):
        loaded(shop).review.history(progress=lambda *step: cancel.set(), cancel=cancel)


def test_a_bound_on_commits_is_told(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_log, "MOST_COMMITS", 3)
    answer = loaded(shop).review.history()
    assert "Only the newest 3 commits were read." in answer.notes


# --------------------------------------------------------------------------- bad input


def test_folders_without_a_usable_repository_are_refused(tmp_path: Path) -> None:
    plain = write(tmp_path / "plain", {"a.py": LAMP})
    with pytest.raises(GitError, match="not in a git repository; clone the repository"):
        loaded(plain).review.history()
    unborn = repository(tmp_path / "unborn", {"a.py": LAMP}, None)
    with pytest.raises(GitError, match=r"no commit yet; commit first$"):
        loaded(unborn).review.history()
    bare = tmp_path / "bare"
    repository(tmp_path / "full", {"a.py": LAMP})
    git(tmp_path, "clone", "-q", "--bare", str(tmp_path / "full"), str(bare))
    write(bare, {"a.py": LAMP})
    with pytest.raises(GitError, match="bare repository"):
        loaded(bare).review.history()


def test_shallow_partial_and_detached_clones_are_told(shop: Path, tmp_path: Path) -> None:
    url = shop.as_uri()
    git(tmp_path, "clone", "-q", "--depth", "2", url, "shallow")
    answer = loaded(tmp_path / "shallow").review.history()
    assert isinstance(answer, RepositoryHistoryAnswer)
    assert answer.commits == 1  # the oldest seems to add all files
    assert "shallow" in answer.notes[0]
    git(shop, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", url, "partial")
    partial = loaded(tmp_path / "partial")
    assert "partial clone" in partial.review.history().notes[0]
    with pytest.raises(GitError, match="partial clone lacks it"):
        partial.review.history("door.py")
    git(shop, "checkout", "-q", "--detach", "HEAD~1")
    assert len(loaded(shop).review.history("door.py")) == 4  # type: ignore[arg-type]


def test_hostile_names_are_shown_harmlessly(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = "a\x1b[31m\n<script>x</script>\t.py"
    monkeypatch.setitem(ENVIRONMENT, "GIT_AUTHOR_NAME", "Eve\x1b[2J<script>alert(1)</script>\u202e")
    commit(shop, "x", {hostile: LAMP, "door.py": "#\n", "blob.bin": b"\0\1\2", 'b"q\\.py': LAMP})
    ws = loaded(shop)
    assert any(each.item == hostile for each in ws.review.together("door.py"))
    for answer in (
        ws.review.history(),
        ws.review.history("door.py"),
        ws.review.history(hostile),
        ws.review.history("blob.bin"),
        ws.review.together("door.py"),
    ):
        assert "\x1b" not in str(answer)
        assert "\u202e" not in str(answer)
        assert "<script>" not in shown_html(answer)
        assert "<script>" not in answer.to_markdown().replace("`", "") or "`" in answer.to_markdown()
        json.dumps(answer.to_dict())


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs a shell")
def test_nothing_of_the_repository_runs(shop: Path, tmp_path: Path) -> None:
    trap = tmp_path / "ran"
    script = tmp_path / "trap.sh"
    script.write_text(f"#!/bin/sh\ntouch {trap}\ncat\n")
    script.chmod(0o755)
    for key in ("diff.external", "diff.x.textconv", "diff.x.command", "core.pager", "pager.log", "core.fsmonitor",
                "filter.x.smudge", "filter.x.clean", "gpg.program", "core.sshCommand"):  # fmt: skip
        git(shop, "config", key, str(script))
    for key in ("log.showSignature", "diff.mnemonicPrefix"):
        git(shop, "config", key, "true")
    write(shop, {".gitattributes": "* diff=x filter=x\n"})
    ws = loaded(shop)
    assert len(ws.review.history("till.py")) == 3  # type: ignore[arg-type]
    assert len(ws.review.together("lamp.py"))
    assert not trap.exists()


def test_a_folder_inside_a_repository_has_the_history_of_its_files(shop: Path) -> None:
    commit(shop, "move", {"inner/a.py": LAMP, "inner/b.py": DOOR, "door.py": "#\n"})
    commit(shop, "again", {"inner/a.py": LAMP + "#\n", "inner/b.py": DOOR + "#\n"})
    git(shop, "mv", "till.py", "inner/till.py")
    commit(shop, "in")
    ws = loaded(shop / "inner")
    assert [(each.item, each.support) for each in ws.review.together("a.py")] == [("b.py", 2)]
    assert len(ws.review.history("till.py")) == 1  # type: ignore[arg-type]
    assert [each.lines for each in ws.review.history("a.py")] == [1, 2]  # type: ignore[union-attr]


def test_targets_that_mean_nothing_are_refused(shop: Path) -> None:
    ws = loaded(shop)
    with pytest.raises(SymbolNotFound):
        ws.review.history("no_such_thing")
    with pytest.raises(QuestionError):
        ws.review.history("")
    with pytest.raises(QuestionError, match="top_k"):
        ws.review.together("door.py", 0)
    write(shop, {"new.py": LAMP})
    ws.refresh()
    assert ws.review.history("new.py").headline == "No commit changed new.py"
    assert not ws.review.together("new.py")


# --------------------------------------------------------------------------- displays


def test_commands_and_magics(shop: Path, shell, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    assert main(["history", str(shop)]) == 0
    assert "door.py" in capsys.readouterr().out
    assert main(["history", str(shop), "add_up", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["contributors"]
    assert main(["history", str(shop), "lamp.py", "--together", "--format", "mermaid"]) == 0
    assert "TOGETHER 4" in capsys.readouterr().out
    assert main(["history", str(shop), "--together"]) == 2
    capsys.readouterr()
    run(shell, "%load_ext codeexplore")
    run(shell, f"from codeexplore import Workspace; ws = Workspace({str(shop)!r}, cache=False, workers=0)")
    assert run(shell, "%commits add_up").contributors
    assert run(shell, "%commits").items
    assert run(shell, "%together lamp.py").hidden
    assert "needs a symbol" in refused(shell, capsys, "%together")


def test_connections_go_both_ways(shop: Path) -> None:
    graph = loaded(shop).graph
    assert "till.py:till.close" in reached_both_ways(graph, "till.py")
    assert history_log.day(1 << 60) == ""


def test_a_deleted_definition_leads_to_what_took_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "(rows):\n    total = 0\n    for row in rows:\n        total += row.price * row.count\n    return total\n\n"
    user = "from m import {0}\n\ndef bill_{1}(rows):\n    return {0}(rows) + {1}\n"
    first = {f"u{n}.py": user.format("sum_old", n) for n in range(2)}
    repository(
        tmp_path, {"m.py": f"def sum_old{body}def fetch(a):\n    'Use load_all instead.'\n    return a\n", **first}
    )
    commit(tmp_path, "rename", {"m.py": f"def sum_mid{body}def load_all(a):\n    return [a]\n"})
    users = {f"u{n}.py": user.format("sum_new", n) for n in range(2)}
    commit(tmp_path, "rename again", {**users, "m.py": f"def sum_new{body}def load_all(a):\n    return [a]\n"})
    commit(tmp_path, "other", {"n.py": "def tally(rows):\n    return sum(each.price for each in rows)\n"})
    other = {f"u{n}.py": user.format("tally", n).replace("from m", "from n") for n in range(2)}
    commit(tmp_path, "replace", {**other, "m.py": "def load_all(a):\n    return [a]\n"})
    ws = loaded(tmp_path)
    monkeypatch.setattr(states, "with_breaking", None)  # it resolves a whole state, for each of ten commits
    renamed = ws.review.replaced("sum_old")  # followed: to sum_mid, to sum_new, which was deleted for tally
    assert [each.symbol.fqn for each in ws.review.replaced("m.sum_new")] == ["n.tally"]
    assert [each.symbol.fqn for each in renamed] == ["n.tally"]
    assert renamed[0].evidence.startswith(
        "m.sum_old became m.sum_mid; m.sum_mid became m.sum_new; 4 symbols used sum_new"
    )
    assert [each.symbol.name for each in ws.review.replaced("fetch")] == ["load_all"]
    assert not len(ws.review.replaced("tally"))
    assert main(["history", str(tmp_path), "fetch", "--replaced"]) == 0
    assert "the documentation of fetch named it" in capsys.readouterr().out
    for question in ("What replaced `sum_old`?", "what happened to the function fetch()", "where did m.fetch go?"):
        answer = ws.search(question)
        assert {hit.symbol.fqn for hit in answer if hit.symbol} == {"n.tally" if "sum" in question else "m.load_all"}
        assert answer.confidence == "answered"
        assert " deleted " in answer.notices[0]
    assert ws.search("what replaced tally").notices[0].startswith("No commit of this history deleted")
    assert main(["ask", str(tmp_path), "what replaced fetch"]) == 0
    assert "the documentation of fetch named it" in capsys.readouterr().out


def test_a_question_for_a_replacement_without_a_history_is_answered(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("def load_all(a):\n    return [a]\n")
    assert "not known" in loaded(tmp_path).search("what replaced load_all").notices[0]


def test_symbols_that_share_one_commit_and_members_of_listed_types_are_left_out(tmp_path: Path) -> None:
    text = "class Box:\n    size = {0}\n    def area(self):\n        return {0}\n\ndef wrap():\n    return {0}\n"
    repository(tmp_path, {"a.py": text.format(1), "b.py": "def once():\n    return 1\n"})
    commit(tmp_path, "both", {"a.py": text.format(2), "b.py": "def once():\n    return 2\n"})
    commit(tmp_path, "more", {"a.py": text.format(3)})
    found = {each.item.name for each in loaded(tmp_path).review.together("wrap") if not isinstance(each.item, str)}
    assert "once" in found  # with the first commit they share two
    assert ("Box" in found) != ({"size", "area"} <= found)
