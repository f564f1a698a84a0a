"""Repositories that mean harm: each loads, what can't be used is counted with its reason, the rest is found."""

from __future__ import annotations

import json
import os
import random
import sys
import time
import zlib
from html.parser import HTMLParser
from pathlib import Path

import pytest

from codeexplore.answers.html.components import COPY_SCRIPT
from codeexplore.answers.html.writer import shown_html
from codeexplore.graph.usage.starts import read_scripts
from codeexplore.languages import registry
from codeexplore.languages.base import Language
from codeexplore.source.git_clone import clone
from codeexplore.source.manifests import manifests_of
from codeexplore.syntax import parse
from codeexplore.types import settings
from codeexplore.types.errors import GitError, SymbolNotFound
from codeexplore.workspace.workers import child_process, pool
from codeexplore.workspace.workspace import Workspace
from tests.git_repos import git, repository, write
from tests.same_index import assert_same

GOOD = {"good.py": "def helper():\n    return 1\n\n\ndef main():\n    return helper()\n"}


def load(folder: Path, **options: object) -> Workspace:
    return Workspace(folder, progress=lambda *_: None, workers=0, **options)  # type: ignore[arg-type]


def still_answers(ws: Workspace) -> None:
    """What stands beside the hostile file is found and walked."""
    assert ws.search("what calls helper")[0].symbol.name == "main"
    assert [caller.name for caller in ws.callers("helper")] == ["main"]


def reasons(ws: Workspace) -> dict[str, str]:
    return {item.path: item.reason for item in ws.summary.skipped_files}


# --------------------------------------------------------------------------- size


def test_a_hundred_megabytes_on_one_line_are_not_read(tmp_path: Path) -> None:
    write(tmp_path, GOOD)
    with (tmp_path / "line.py").open("wb") as file:
        file.write(b"x = '")
        file.truncate(100 << 20)
    ws = load(tmp_path)
    assert reasons(ws) == {"line.py": "too large"}
    still_answers(ws)


def test_a_long_line_within_the_limit_is_no_source(tmp_path: Path) -> None:
    write(tmp_path, {**GOOD, "line.py": f"x = [{'1, ' * 300_000}]\n"})
    ws = load(tmp_path)
    assert reasons(ws) == {"line.py": "minified"}
    still_answers(ws)


@pytest.mark.slow
def test_two_hundred_thousand_lines(tmp_path: Path) -> None:
    write(tmp_path, {**GOOD, "rows.py": "x    \n" * 200_000})
    assert reasons(load(tmp_path)) == {"rows.py": "too large"}
    ws = load(tmp_path, max_file_bytes=10_000_000)
    assert ws.file("rows.py").text.count("\n") == 200_000
    still_answers(ws)


def test_a_notebook_that_is_huge_or_broken(tmp_path: Path) -> None:
    picture = {"cell_type": "code", "source": "pass", "outputs": [{"data": {"image/png": "A" * 3_000_000}}]}
    cells = [{"cell_type": "code", "source": "def helper(): pass\n"}, picture]
    files = {
        "pictures.ipynb": json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}),
        "deep.ipynb": "[" * 100_000,
        "number.ipynb": '{"cells": ' + "9" * 10_000 + "}",
        "good.py": GOOD["good.py"],
    }
    ws = load(write(tmp_path, files))
    assert sorted(reasons(ws)) == ["deep.ipynb", "number.ipynb"]
    assert [symbol.path for symbol in ws.outline("pictures.ipynb")]
    assert [caller.name for caller in ws.callers("good.helper")] == ["main"]


# --------------------------------------------------------------------------- depth

NESTED = [("(\n", "\n)"), ("[\n", "\n]"), ("{\n", "\n}"), ("f(\n", "\n)"), ("a\n.", ""), ("<a>\n", "</a>\n")]
NESTED += [("if (a) {\n", "}\n"), ("class A {\n", "}\n"), ("def f\n", "end\n"), ("function f() {\n", "}\n")]


@pytest.mark.slow
@pytest.mark.parametrize("language", [each for each in registry.LANGUAGES if each.grammar], ids=lambda each: each.name)
def test_ten_thousand_levels_end_in_every_language(
    language: Language, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse, "FILE_SECONDS", 0.04)  # some grammars need their square: they are cut off
    ending = min(language.extensions)
    files = {f"n{i}{ending}": opening * 10_000 + "x" + closing * 10_000 for i, (opening, closing) in enumerate(NESTED)}
    ws = load(write(tmp_path, {**GOOD, **files}))
    large = {path for path, reason in reasons(ws).items() if reason == "too large"}  # JSON has a limit of its own
    assert {*ws.files, *large} == {*GOOD, *files}
    still_answers(ws)


def test_a_tree_too_deep_to_be_searched_is_kept_as_text(tmp_path: Path) -> None:
    write(tmp_path, {**GOOD, "minus.py": "\n" * 200_000 + "def f():\n    return " + "-" * 150_000 + "1\n"})
    ws = load(tmp_path, cache=False)
    assert any(line.startswith("minus.py") and "levels deep" in line for line in ws.summary.warnings)
    assert "minus.py" in {hit.chunk.path for hit in ws.search("minus", lanes=["bm25"]).hits}
    still_answers(ws)


def test_a_parse_that_runs_away_is_cut_off_and_the_next_file_parses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse, "FILE_SECONDS", 0.2)
    slow = "".join(random.Random(1).choices("#if A\n(){}[]<>*&;:,abcdef\n\"'", k=900_000))
    ws = load(write(tmp_path, {**GOOD, "a.lua": "#if A\n" * 20_000, "b.cpp": slow, "z.lua": "function z() end\n"}))
    told = [warning for warning in ws.summary.warnings if "took longer than 0.2 s" in warning]
    assert any(warning.startswith("a.lua") for warning in told)
    assert ws.search("#if A", lanes=["bm25"]) is not None
    assert ws.symbol("z").path == "z.lua"
    still_answers(ws)


def test_only_time_that_is_worked_counts() -> None:
    """A machine that is busy with something else skips no file."""
    deadline = parse.Deadline(0.05)
    time.sleep(0.2)
    assert not deadline.passed()
    while not deadline.passed():
        pass


# --------------------------------------------------------------------------- what is no source, what is no name


def test_archives_with_a_source_suffix(tmp_path: Path) -> None:
    packed = zlib.compress(random.Random(2).randbytes(50_000))
    write(tmp_path, {**GOOD, "a.py": b"PK\x03\x04" + packed, "b.js": b"\x1f\x8b" + packed, "c.go": b"\x7fELF" + packed})
    ws = load(tmp_path)
    assert reasons(ws) == dict.fromkeys(["a.py", "b.js", "c.go"], "binary")
    still_answers(ws)


@pytest.mark.parametrize("name", ["a\u202eyp.exe", "z\u200bero", "ﬁle", "x" * 5_000, "__", "ünï_cödé"])
def test_identifiers_made_to_deceive_are_found_as_written(name: str, tmp_path: Path) -> None:
    ws = load(write(tmp_path, {**GOOD, "odd.py": f"def {name}():\n    return 1\n\n\n{name}()\n# {name}\n"}))
    assert ws.search(name[:1_000]) is not None
    assert "\u202e" not in repr(ws.search(name[:1_000]))  # text that turns the line around is shown by its number
    still_answers(ws)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_the_longest_file_name(tmp_path: Path) -> None:
    name = "n" * (255 - len(".py")) + ".py"
    ws = load(write(tmp_path, {**GOOD, name: "def longest(): pass\n"}))
    assert ws.symbol("longest").path == name


@pytest.mark.parametrize("content", [b"a\0b\n", b"a" * 300, b"../" * 3_000, b"\xff" * 90, b""], ids=len)
@pytest.mark.parametrize("name", ["commondir", "HEAD", "index"])
def test_what_git_keeps_may_name_no_place(name: str, content: bytes, tmp_path: Path) -> None:
    write(tmp_path, {**GOOD, ".gitignore": "ignored.py\n", "ignored.py": "x = 1\n"})
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / ".git" / name).write_bytes(content)
    ws = load(tmp_path)
    still_answers(ws)
    ws.refresh()
    assert "ignored.py" not in ws.files


@pytest.mark.skipif(os.name == "nt", reason="Windows takes a backslash for a separator")
def test_a_backslash_in_a_name_is_a_character_of_it(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    write(tmp_path, {**GOOD, "a\\b.py": "def of_backslash(): pass\n", "a/b.py": "def of_folder(): pass\n"})
    ws = load(tmp_path)
    for path, name in (("a\\b.py", "of_backslash"), ("a/b.py", "of_folder")):
        assert path in ws.files
        assert name in ws.file(path).text
        assert ws.outline(path)[-1].name == name
        assert ws.symbol_at(path, 1).name == name
    assert ws.explore() is not None


def test_a_file_that_changes_while_the_repository_is_read(tmp_path: Path) -> None:
    write(tmp_path, {**GOOD, **{f"m{i}.py": f"def f{i}(): pass\n" for i in range(50)}})

    def meddle(stage: str, done: int, total: int) -> None:
        if stage == "parse" and done == 0:
            (tmp_path / "m1.py").unlink()
            (tmp_path / "m2.py").write_bytes(b"\0" * 100)
            (tmp_path / "m3.py").write_text("def changed(): pass\n")

    ws = Workspace(tmp_path, progress=meddle, workers=0)
    assert reasons(ws) == {"m1.py": "vanished", "m2.py": "binary"}
    assert ws.symbol("changed").path == "m3.py"
    still_answers(ws)


MANIFESTS = {
    "package.json": '{"bin": {"x": "./a.js"}}', "tsconfig.json": "{}", "go.mod": "module x\n",
    "pyproject.toml": "[project]\n", "Cargo.toml": '[package]\nname = "x"\n', "setup.cfg": "[metadata]\n",
}  # fmt: skip
SOURCES = {**GOOD, "a.js": "import x from 'x'\nexport const f = () => x()\n", "b.ts": "export const g = () => 1\n",
           "c.go": "package x\n\nfunc F() {}\n", "src/lib.rs": "use x::y;\npub fn r() { y() }\n"}  # fmt: skip
LONG = {
    "nesting": "[" * 400_000,
    "nested objects": '{"a":' * 100_000,
    "nested tables": "a" + ".a" * 3_000 + " = 1\n",
    "a number": "version = " + "9" * 100_000,
    "blank lines": "\n" * 900_000,
    "quotes": '"\\' * 400_000,
    "open comments": "/* " * 300_000,
    "a package": "[package]" + "\n" * 900_000,
    "names": "[lib]\n" + "name\n" * 150_000,
    "a long name": "module " + "a" * 900_000,
    "commas": ", " * 400_000,
    "bytes": "\0\ufffd" * 100_000,
}


@pytest.mark.parametrize("content", LONG)
def test_manifests_that_mean_harm_say_nothing(content: str, tmp_path: Path) -> None:
    """Each is read whole and by patterns: one that backtracks would not end."""
    ws = load(write(tmp_path, {**SOURCES, **dict.fromkeys(MANIFESTS, LONG[content])}), cache=False)
    assert set(SOURCES) <= set(ws.files)
    assert ws.dead_code() is not None  # asks which scripts the manifests start
    still_answers(ws)


@pytest.mark.skipif(os.name == "nt", reason="needs pipes and links")
@pytest.mark.parametrize("what", ["pipe", "link to a device", "link out", "folder"])
def test_manifests_that_are_no_files_are_not_read(what: str, tmp_path: Path) -> None:
    root = write(tmp_path / "repo", SOURCES)
    write(tmp_path / "outside", MANIFESTS)
    for name in MANIFESTS:
        match what:
            case "pipe":
                os.mkfifo(root / name)
            case "link to a device":
                (root / name).symlink_to("/dev/zero")
            case "link out":
                (root / name).symlink_to(tmp_path / "outside" / name)
            case _:
                (root / name).mkdir()
    ws = load(root, cache=False)
    assert read_scripts(root, [(path, ws.file(path).language) for path in ws.files]) == ()
    assert manifests_of(root, [(path, ws.file(path).language) for path in ws.files]) == {}
    assert ws.dead_code() is not None
    still_answers(ws)


class Tags(HTMLParser):
    """The elements of a page and the names of their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.scripts: set[str | None] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.scripts |= {value for name, value in attrs if name == "onclick"}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_everything_at_once_is_loaded_kept_and_refreshed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names and files of every bad kind in one folder, from nothing, from the cache, and after an edit."""
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    root = write(tmp_path / "repo", GOOD)
    odd = [
        "-rf.py",
        "a\nb.py",
        "\u202etxt.py",
        "<img src=x onerror=alert(1)>.py",
        "a#b:c.py",
        "x" * 252 + ".py",
        " .py",
        "'\".py",
    ]
    write(root, {name: f"def odd_{number}():\n    pass\n" for number, name in enumerate(odd)})
    os.mkfifo(root / "pipe.py")
    (root / "loop").symlink_to(root)
    (root / "zero.py").symlink_to("/dev/zero")
    (root / "dangling.py").symlink_to(root / "nothing")
    if sys.platform == "linux":
        (root / os.fsdecode(b"no\xffutf8.py")).write_text("def hidden(): pass\n")
    slow = "(" * 3 + "*a" * 200 + "b\n" + "**/" * 150 + "x\n"
    write(root, {"deep/" * 60 + "m.py": "def deep(): pass\n", ".gitignore": slow})
    cold, warm = load(root), load(root)
    assert [stage.stage for stage in warm.summary.stages] == ["discover", "open", "compare"]
    for ws in (cold, warm):
        assert {f"odd_{number}" for number in range(len(odd))} <= {symbol.name for symbol in ws.symbols}
        assert ws.symbol("deep")
        still_answers(ws)
        answer = ws.search("odd", top_k=50)
        assert "\u202e" not in repr(answer) + repr(ws) + repr(ws.grep("odd_"))
        tags = Tags()
        tags.feed(shown_html(answer))
        assert "img" not in tags.names
        assert {name for name in tags.attributes if name.startswith("on")} == {"onclick"}
        assert tags.scripts == {COPY_SCRIPT}
    write(root, {"a\nb.py": "def odd_anew():\n    pass\n"})
    (root / "-rf.py").unlink()
    changes = warm.refresh()
    assert (changes.changed, changes.removed) == (("a\nb.py",), ("-rf.py",))
    assert warm.symbol("odd_anew").path == "a\nb.py"
    still_answers(warm)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_names_of_every_kind_reach_the_child_that_resolves_and_come_back(tmp_path: Path) -> None:
    """Loaded here and by a child; edited, answered with edges of before, settled: the same as from nothing."""
    root = write(tmp_path / "re\npo\u202e", GOOD)
    odd = [
        "-rf.py",
        "a\nb.py",
        "\u202etxt.py",
        "a#b:c.py",
        "external:x.py",
        "<a>/__init__.py",
        "x" * 252 + ".py",
        "'\".py",
    ]
    write(root, {name: f"import good\ndef odd_{n}():\n    good.helper()\n" for n, name in enumerate(odd)})
    (root / "loop").symlink_to(root)
    os.mkfifo(root / "pipe.py")
    here, apart = load(root, cache=False), Workspace(root, progress=lambda *_: None, workers=1, cache=False)
    assert_same(apart, here)
    assert {f"odd_{number}" for number in range(len(odd))} <= {symbol.name for symbol in apart.callers("helper")}
    write(
        root,
        {"a\nb.py": "import good\ndef anew():\n    good.main()\n", "good.py": GOOD["good.py"] + "\n\nLAST = main\n"},
    )
    (root / "-rf.py").unlink()
    (root / "x\ty.py").symlink_to("/dev/zero")
    assert apart.refresh(graph="background").changed == ("a\nb.py", "good.py")
    assert apart.graph_pending
    assert "main" in {caller.name for caller in apart.callers("helper")}
    assert apart.wait_for_graph(60)
    assert [caller.name for caller in apart.callers("main")] == ["anew"]
    assert_same(apart, load(root, cache=False))
    with pytest.raises(SymbolNotFound) as refused:
        apart.callers("odd_0")
    assert "\u202e" not in str(refused.value) + repr(apart) + repr(apart.status())


@pytest.mark.slow
def test_nothing_in_a_repository_is_imported_by_the_children_that_parse_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "was-imported"
    harm = f"open({str(mark)!r}, 'w').close()\n"
    names = (
        "codeexplore/__init__",
        "sitecustomize",
        "usercustomize",
        "json",
        "numpy",
        "tree_sitter",
        "marshal",
        "_worker",
        "re",
    )
    filler = "".join(f"def f{number}():\n    return {number}\n" for number in range(1_000))
    root = write(
        tmp_path / "repo", {**GOOD, **{f"{name}.py": harm for name in names}, "big.py": filler, "also.py": filler}
    )
    monkeypatch.chdir(root)
    monkeypatch.setattr(pool, "BATCH_BYTES", 10_000)
    started = []
    real = child_process.start_worker
    monkeypatch.setattr(child_process, "start_worker", lambda *given: started.append(1) or real(*given))
    ws = Workspace(".", workers=2, cache=False, progress=lambda *_: None)
    assert started
    assert not ws.summary.warnings
    assert not mark.exists()
    still_answers(ws)


@pytest.mark.parametrize("ending", [".java", ".kt", ".c", ".js", ".py", ".md"])
def test_long_runs_of_one_character_take_no_square_of_their_length(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a pattern or a query that looks for its beginning anew at each of them, this test would not end."""
    monkeypatch.setattr(parse, "FILE_SECONDS", 0.5)
    runs = "".join(f"/** a{unit * 100_000}x\n */\n// {unit * 100_000}\n" for unit in ("\t", "$", "*", "-", "="))
    write(tmp_path, {**GOOD, f"runs{ending}": "\n" * 300_000 + runs + "int f() { return 1; }\n"})
    ws = load(tmp_path, max_file_bytes=3_000_000, cache=False)
    assert f"runs{ending}" in ws.files
    still_answers(ws)


@pytest.mark.slow
def test_a_notebook_of_twenty_thousand_cells(tmp_path: Path) -> None:
    """Each cell is looked at once; looking through the whole notebook for each would take minutes."""
    cells = [{"cell_type": ("code", "markdown")[n % 2], "source": f"# cell {n}\nx{n} = {n}\n"} for n in range(20_000)]
    write(tmp_path, {**GOOD, "many.ipynb": json.dumps({"cells": cells, "metadata": {}, "nbformat": 4})})
    ws = load(tmp_path, cache=False)
    assert len(ws.outline("many.ipynb")) > 20_000
    still_answers(ws)


# --------------------------------------------------------------------------- git


@pytest.mark.parametrize("path", ["../outside.py", ".git/hooks/post-checkout", "a/../../outside.py", "/etc/outside.py"])
def test_a_tree_whose_paths_lead_out_is_refused(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    origin = repository(tmp_path / "origin", {"a.py": "x = 1\n"})
    blob = git(origin, "hash-object", "-w", "--stdin", stdin=b"print('planted')\n").decode().strip()
    tree = git(
        origin, "hash-object", "-t", "tree", "-w", "--literally", "--stdin",
        stdin=b"100755 " + path.encode() + b"\0" + bytes.fromhex(blob),
    ).decode().strip()  # fmt: skip
    planted = git(origin, "commit-tree", tree, "-m", "planted").decode().strip()
    git(origin, "update-ref", "refs/heads/planted", planted)
    with pytest.raises(GitError):
        clone(str(origin), "planted")
    assert not list(tmp_path.rglob("outside.py"))
    assert (tmp_path / "cache").is_dir()
    assert not list((tmp_path / "cache").rglob("post-checkout"))


def test_links_in_a_clone_lead_nowhere(tmp_path: Path) -> None:
    write(tmp_path, {"secret.py": "def secret(): pass\n"})
    origin = repository(tmp_path / "origin", GOOD, None)
    (origin / "link.py").symlink_to(tmp_path / "secret.py")
    (origin / "folder").symlink_to(tmp_path)
    git(origin, "add", "-A")
    git(origin, "commit", "-q", "-m", "links")
    ws = load(clone(str(origin)))
    assert ws.files == ("good.py",)
    assert not ws.grep("secret")
    still_answers(ws)


def test_the_limits_are_the_documented_ones() -> None:
    assert settings.MAX_FILE_BYTES >= 1_000_000
    assert parse.FILE_SECONDS > 1
