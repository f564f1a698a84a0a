"""Ignore rules: the same answers as git's own, and no pattern that can hold up the walk."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from codeexplore.source import gitignore, skip_reasons
from codeexplore.source.gitignore import Matcher, Scope, parse_patterns, read_ignore_file
from tests.git_repos import git, repository, write
from tests.source_languages import AnyLanguage, discover, paths

# --------------------------------------------------------------------------- one pattern against git check-ignore

_PIECES = st.sampled_from([
    "a", "b", "ab", "A", "*", "**", "***", "?", "/", "/", "\\", "\\*", "\\A", ".", " ", "\t", "#", "!", "-", "^", "é",
    "+", "(", "$", "[ab]", "[!a]", "[^a]", "[a-c]", "[c-a]", "[]a]", "[!]a]", "[a-]", "[-a]", "[a", "[", "]", "[\\]]",
    "[a\\-c]", "[/]", "[[:alpha:]]", "[![:digit:]]", "[[:upper:]]", "[[:space:]b]", "[[:nope:]]", "[[:a]", "[[:]a]",
    "[a-[:digit:]-c]", "/**/", "**/", "/**", "*.a", "[[:punct:]]", "[[:xdigit:]]", "[A-B]", "[é]",
])  # fmt: skip
_GLOB = st.lists(_PIECES, min_size=1, max_size=6).map("".join).filter(lambda glob: "\0" not in glob)
_PROBES = [
    "a", "b", "c", "A", "B", "ab", "aa", "aab", "abb", "a.a", ".a", "a a", "a ", " a", "#a", "!a", "-", "^", "a-", "é",
    "aé", "a/a", "a/b", "a/ab", "b/a", "b/a/b", "a/b/c/a", "ab/a/b/a", "a*", "[a]", "[a", "]", "a]", "a\\", "\\", "\\a",
    "1", "a1",
    ":", "a+", "(a", "a$", "$", "a\tb", "abab", "ba/ab", "aab/b", "ab/b/ab", "[:a", "+",
]  # fmt: skip


def _ignored_by_git(folder: Path, globs: list[str], ignore_case: bool) -> set[tuple[int, str]]:
    repository(folder, {f"{row}/.gitignore": f"{glob}\n" for row, glob in enumerate(globs)}, None)
    asked = [f"{row}/{probe}" for row in range(len(globs)) for probe in _PROBES]
    told = git(
        folder, "-c", f"core.ignorecase={str(ignore_case).lower()}", "check-ignore", "--no-index", "-z", "--stdin",
        stdin="\0".join(asked).encode() + b"\0", allowed=(0, 1),
    )  # fmt: skip
    rows = (path.decode().partition("/") for path in told.split(b"\0") if path)
    return {(int(row), probe) for row, _, probe in rows}


def _ignored_by_us(globs: list[str], ignore_case: bool) -> set[tuple[int, str]]:
    return {
        (row, probe)
        for row, glob in enumerate(globs)
        for matcher in [Matcher(parse_patterns(f"{glob}\n".encode(), ignore_case=ignore_case)[0])]
        for probe in _PROBES
        if _hidden(matcher, probe.encode())
    }


def _hidden(matcher: Matcher, path: bytes) -> bool:
    """An entry is ignored when it, or the first folder above it that any line names, is."""
    parts = path.split(b"/")
    for depth in range(1, len(parts) + 1):
        found = matcher.last_match(b"/".join(parts[:depth]), is_folder=depth < len(parts))
        if found is not None and not found.negated:
            return True
    return False


@settings(max_examples=30, deadline=None)
@given(st.lists(_GLOB, min_size=20, max_size=40), st.booleans())
@example(
    ["a**/b", "**", "a/**", "**/a", "a/**/b", "a\\ ", "a ", "/", "//", "a//", "!", "\\", "[[:nope:]]", "a/**\\/b"],
    False,
)
@example(["\\A", "[A]", "[[:upper:]]", "[A-B]", "A", "É", "a/B"], True)
def test_a_pattern_matches_what_git_matches(globs: list[str], ignore_case: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        theirs = _ignored_by_git(Path(folder), globs, ignore_case)
    ours = _ignored_by_us(globs, ignore_case)
    assert {(globs[row], probe) for row, probe in ours} == {(globs[row], probe) for row, probe in theirs}


# --------------------------------------------------------------------------- whole trees against git ls-files

_NAME = st.sampled_from(["a", "b", "ab", "src", "x.py", "y.pyc", "gen", "out.log", "Makefile", "é", "a b"])
_FILE = st.lists(_NAME, min_size=1, max_size=4).map("/".join)
_LINE = st.builds(
    lambda mark, lead, parts, tail: mark + lead + "/".join(parts) + tail,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(st.one_of(_NAME, st.sampled_from(["*", "**", "*.py*", "?", "[ab]", "*.log"])), min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
)
_LINES = st.lists(_LINE, max_size=5).map("\n".join)


@settings(max_examples=30, deadline=None)
@given(
    files=st.sets(_FILE, min_size=1, max_size=14),
    rules=st.dictionaries(st.one_of(st.just(""), _FILE), _LINES, max_size=4),
    exclude=_LINES,
    tracked=st.sets(_FILE, max_size=3),
)
def test_a_folder_holds_what_git_says_it_holds(
    files: set[str], rules: dict[str, str], exclude: str, tracked: set[str]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = repository(Path(name), {}, None)
        for path in sorted(files | tracked):
            _write_if_possible(folder, path, "")
        for path, lines in sorted(rules.items()):
            _write_if_possible(folder, f"{path}/.gitignore".lstrip("/"), lines)
        write(folder, {".git/info/exclude": exclude})
        present = [path for path in sorted(tracked) if (folder / path).is_file()]
        if present:
            git(folder, "add", "-f", "--", *present)
        theirs = git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        assert paths(discover(folder, languages=AnyLanguage())) == sorted(set(theirs.decode().split("\0")) - {""})


def _write_if_possible(folder: Path, path: str, content: str) -> None:
    """Random paths may ask for a folder where a file is already."""
    if not any(parent.is_file() for parent in (folder / path).parents) and not (folder / path).exists():
        write(folder, {path: content})


def test_rules_above_the_root_count_as_in_git(tmp_path: Path) -> None:
    repository(tmp_path, {".gitignore": "*.log\nlib/gen/\n", "lib/.gitignore": "!keep.log\n"}, None)
    write(tmp_path / "lib", {"a.py": "", "a.log": "", "keep.log": "", "gen/b.py": "", "sub/gen/c.py": ""})
    found = discover(tmp_path / "lib", languages=AnyLanguage())
    assert paths(found) == [".gitignore", "a.py", "keep.log", "sub/gen/c.py"]
    assert {(entry.path, entry.detail) for entry in found.skipped} == {
        ("a.log", "*.log  (../.gitignore)"),
        ("gen/", "lib/gen/  (../.gitignore)"),
    }


def test_a_root_that_git_ignores_is_explored_by_its_own_rules(tmp_path: Path) -> None:
    repository(tmp_path, {".gitignore": "env/\n*.py\n"}, None)
    write(tmp_path / "env/lib/site-packages/networkx", {"a.py": "", "b.py": "", ".gitignore": "b.py\n"})
    found = discover(tmp_path / "env/lib/site-packages/networkx", languages=AnyLanguage())
    assert paths(found) == [".gitignore", "a.py"]


def test_rules_of_a_folder_without_git_count(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "gen/\n",
            "gen/a.py": "",
            "b.py": "",
            "sub/.gitignore": "*\n!c.py\n",
            "sub/c.py": "",
            "sub/d.py": "",
        },
    )
    assert paths(discover(tmp_path, languages=AnyLanguage())) == [".gitignore", "b.py", "sub/c.py"]


def test_what_git_tracks_is_taken_from_an_ignored_folder(tmp_path: Path) -> None:
    repository(tmp_path, {".gitignore": "build/\n", "build/rules.py": "", "build/deep/x.py": ""})
    write(tmp_path, {"build/made.py": "", "build/deep/made.py": "", "build/other/made.py": ""})
    found = discover(tmp_path, languages=AnyLanguage())
    assert paths(found) == [".gitignore", "build/deep/x.py", "build/rules.py"]
    assert {entry.path for entry in found.skipped} == {".git/", "build/made.py", "build/deep/made.py", "build/other/"}


def test_an_inner_repository_has_its_own_rules(tmp_path: Path) -> None:
    repository(tmp_path, {".gitignore": "*.log\n", "a.py": ""})
    repository(tmp_path / "inner", {"b.log": "", ".gitignore": "c.py\n", "c.py": "", "d.py": ""}, None)
    assert paths(discover(tmp_path, languages=AnyLanguage())) == [
        ".gitignore", "a.py", "inner/.gitignore", "inner/b.log", "inner/d.py",
    ]  # fmt: skip


def test_a_linked_worktree_uses_the_main_exclude_file_and_its_own_index(tmp_path: Path) -> None:
    main = repository(tmp_path / "main", {"a.py": "", "made/kept.py": ""})
    write(main, {".git/info/exclude": "made/\n"})
    git(main, "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    write(tmp_path / "linked", {"made/b.py": ""})
    found = discover(tmp_path / "linked", languages=AnyLanguage())
    assert paths(found) == [".git", "a.py", "made/kept.py"]
    assert ("made/b.py", skip_reasons.IGNORED) in {(entry.path, entry.reason) for entry in found.skipped}


# --------------------------------------------------------------------------- our own ignore file


def test_codeexploreignore_wins_over_gitignore(tmp_path: Path) -> None:
    repository(tmp_path, {".gitignore": "gen/\n*.pb.go\n", ".codeexploreignore": "docs/\n!gen/\n!api.pb.go\n"}, None)
    write(tmp_path, {"gen/a.py": "", "docs/b.py": "", "api.pb.go": "", "x.pb.go": "", "c.py": ""})
    found = discover(tmp_path, languages=AnyLanguage())
    assert [path for path in paths(found) if not path.startswith(".")] == ["api.pb.go", "c.py", "gen/a.py"]
    assert [c.path for c in found.candidates if c.wanted] == ["api.pb.go"]
    assert ("docs/", "docs/  (.codeexploreignore)") in {(entry.path, entry.detail) for entry in found.skipped}


def test_codeexploreignore_hides_what_git_tracks_and_brings_back_artefacts(tmp_path: Path) -> None:
    repository(tmp_path, {"a.py": "", "old/b.py": "", ".codeexploreignore": "old/\n!node_modules/\n"})
    write(
        tmp_path, {"node_modules/left/pad.js": "", "sub/.codeexploreignore": "d.py\n", "sub/c.py": "", "sub/d.py": ""}
    )
    found = paths(discover(tmp_path, languages=AnyLanguage()))
    assert [path for path in found if not path.endswith("ignore")] == ["a.py", "node_modules/left/pad.js", "sub/c.py"]


def test_a_list_of_what_to_keep_does_not_bring_back_artefacts(tmp_path: Path) -> None:
    write(
        tmp_path,
        {".codeexploreignore": "*\n!*/\n!*.py\n", "a.py": "", "b.md": "", "sub/c.py": "", "node_modules/x.py": ""},
    )
    assert paths(discover(tmp_path, languages=AnyLanguage())) == ["a.py", "sub/c.py"]


def test_include_ignored_lifts_gits_rules_alone(tmp_path: Path) -> None:
    repository(tmp_path, {".gitignore": "gen/\n", ".codeexploreignore": "docs/\n"}, None)
    write(tmp_path, {"gen/a.py": "", "docs/b.py": "", "__pycache__/c.py": ""})
    found = discover(tmp_path, languages=AnyLanguage(), include_ignored=True)
    assert paths(found) == [".codeexploreignore", ".gitignore", "gen/a.py"]


# --------------------------------------------------------------------------- hostile and damaged rules

_SLOW = "(" * 3 + "*a" * 200 + "b"


def test_a_pattern_that_backtracks_elsewhere_is_matched_in_linear_time(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": f"{_SLOW}\n{'**/' * 150}x\nz.py\n", "a" * 200 + ".py": "", "z.py": ""})
    assert paths(discover(tmp_path, languages=AnyLanguage())) == [".gitignore", "a" * 200 + ".py"]


def test_lines_that_cannot_be_used_are_counted_and_the_others_hold(tmp_path: Path) -> None:
    greedy = "*" + "?" * 900
    write(
        tmp_path,
        {".gitignore": "\n".join(["x" * 2_000, *[greedy + str(n) for n in range(4)], "b.py"]), "a.py": "", "b.py": ""},
    )
    found = discover(tmp_path, languages=AnyLanguage())
    assert paths(found) == [".gitignore", "a.py"]
    refused = [entry for entry in found.skipped if entry.reason == skip_reasons.RULE]
    assert [entry.path for entry in refused] == [".gitignore"] * 3
    assert [entry.detail[:3] for entry in refused] == ["*??", "*??", "xxx"]


def test_an_ignore_file_that_is_too_large_or_no_file_is_counted(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "a\n" * 300_000, "a": "", "sub/.gitignore/x": "", "sub/b": ""})
    found = discover(tmp_path, languages=AnyLanguage())
    assert paths(found) == [".gitignore", "a", "sub/.gitignore/x", "sub/b"]
    assert [(entry.path, entry.reason) for entry in found.skipped] == [
        (".gitignore", skip_reasons.RULE),
        ("sub/.gitignore", skip_reasons.RULE),
    ]


def test_a_linked_gitignore_is_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("*.py\n")
    root = write(tmp_path / "root", {"a.py": ""})
    (root / ".gitignore").symlink_to(secret)
    found = discover(root, languages=AnyLanguage())
    assert paths(found) == ["a.py"]
    assert {entry.reason for entry in found.skipped} == {skip_reasons.RULE, skip_reasons.SYMLINK}


def test_a_matcher_short_of_memory_still_answers_right(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = b"\n".join(b"[ab]*%d?????" % n for n in range(60)) + b"\n*.py\n!keep.py\n"
    parsed = parse_patterns(lines)[0]
    large = Matcher(parsed)
    monkeypatch.setattr(gitignore, "MATCHER_BYTES", 40_000)
    small = Matcher(parsed)
    assert small.refused == []
    for path in (b"x/y.py", b"keep.py", b"a-7abcde", b"b59-----", b"c7abcde", b"ab" * 60 + b"12abcde"):
        assert small.last_match(path, False) == large.last_match(path, False)


def test_a_pattern_too_large_for_its_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = parse_patterns(b"[ab]*" + b"?" * 900 + b"\n*.py\n")[0]
    monkeypatch.setattr(gitignore, "MATCHER_BYTES", 20_000)
    small = Matcher(parsed)
    assert small.refused == [parsed[0].line]
    assert small.last_match(b"a.py", False) == parsed[1]


@given(st.binary(max_size=300))
def test_any_bytes_are_a_usable_ignore_file(data: bytes) -> None:
    patterns, _ = parse_patterns(data)
    matcher = Matcher(patterns)
    assert matcher.refused == []
    matcher.last_match(b"a/b.py", False)
    assert all(len(pattern.line.encode()) <= 4 * gitignore.MAX_PATTERN_BYTES for pattern in patterns)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_deeper_files_decide_before_those_above(tmp_path: Path, ending: str) -> None:
    top, _ = read_ignore_file(write(tmp_path, {"top": f"*.log{ending}"}) / "top", "top")
    deep, _ = read_ignore_file(write(tmp_path, {"deep": f"!a.log{ending}"}) / "deep", "deep", b"sub/")
    assert top is not None
    assert deep is not None
    scope = Scope((top, deep))
    assert [scope.by_git(path, False) for path in (b"a.log", b"sub/a.log", b"sub/b.log", b"sub/c.py")] == [
        gitignore.Verdict(True, "*.log", "top"),
        gitignore.Verdict(False, "!a.log", "deep"),
        gitignore.Verdict(True, "*.log", "top"),
        None,
    ]
