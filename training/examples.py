"""Packages → chunks with the questions they answer, through the project's own chunker.

usage: python -m training.examples WORK

What the model is trained on is what the index embeds: a chunk's context and text as
`codeexplore.text.word_counts.indexed_text` composes them. Each package becomes one file of JSON lines, the first of
which counts what was left out and why.
"""

from __future__ import annotations

import json
import re
import sys
import warnings
from collections import Counter, defaultdict
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from codeexplore.languages import registry
from codeexplore.languages.extraction.expressions import Layout
from codeexplore.languages.file_roles import path_role
from codeexplore.syntax.analyse import analyse
from codeexplore.types import TYPE_KINDS, FileIndex, SourceFile
from training.archives import Contents, Member, read_package
from training.fetch import archive
from training.licences import file_reason, verdict
from training.packages import Locked, names, read_lock, settings
from training.questions import sentences, subjects_of_tests

PACKAGE_BYTES = 6_000_000
"""Of sources, of one package: no large one decides alone."""

DOCUMENTED, OTHERS, TESTS = 2_500, 1_500, 150
"""Chunks of a package that are kept: with documentation, without, of test files. Validation packages keep all."""

TEXT_CHARS = 6_000
_LONG_LINE = 1_000
_IDENTIFIER = re.compile(r"[A-Za-z_]\w{3,}")
_TEST_CHARS = 900
"""How far below a test's name the code under test is looked for."""


class Task(NamedTuple):
    """One package to read."""

    registry: str
    name: str
    version: str
    declared: str
    archives: tuple[Path, ...]
    target: Path


def tasks(work: Path) -> list[Task]:
    """The locked packages, largest first, so that two processes end together."""
    grouped: dict[tuple[str, str], list[Locked]] = defaultdict(list)
    for row in read_lock():
        grouped[row.registry, row.name].append(row)
    found = []
    for (source, name), rows in grouped.items():
        target = work / "examples" / f"{source}-{name.replace('/', '-')}.jsonl"
        archives = tuple(archive(row, work) for row in rows)
        found.append(Task(source, name, rows[0].version, rows[0].licence, archives, target))
    return sorted(found, key=lambda task: -sum(path.stat().st_size for path in task.archives))


def extract(task: Task) -> dict[str, Any]:
    """Read one package and write its examples. Returns the report that the file begins with."""
    focus = settings()["focus"]
    assert isinstance(focus, dict)
    contents = read_package(list(task.archives), PACKAGE_BYTES, tuple(str(focus.get(task.name, "")).split()))
    reason, licence, stanzas = verdict(task.registry, task.declared, contents.licences)
    report: dict[str, Any] = {
        "registry": task.registry, "name": task.name, "version": task.version, "licence": licence, "left_out": reason,
    }  # fmt: skip
    rows: list[dict[str, Any]] = []
    if task.name.lower() in names("benchmark"):
        report["left_out"] = "named like a benchmark repository"
    elif not reason:
        kept = _licensed(contents, stanzas)
        rows = package_rows(kept, everything=task.name in names("validation"), skipped=contents.skipped)
        report["files"], report["chunks"] = len(kept), len(rows)
        report["bytes"] = sum(len(member.data) for member in kept)
    report["skipped"] = dict(contents.skipped)
    partial = task.target.with_suffix(".partial")
    with partial.open("w", encoding="utf-8") as file:
        for row in (report, *rows):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    partial.replace(task.target)
    return report


def _licensed(contents: Contents, stanzas: list[Any]) -> list[Member]:
    kept = []
    for member in contents.sources:
        why = file_reason(member, stanzas)
        if why:
            contents.skipped[why] += 1
        else:
            kept.append(member)
    return kept


def package_rows(members: list[Member], everything: bool, skipped: Counter[str]) -> list[dict[str, Any]]:
    """The chunks of a package's files, each with its questions; a sample by hash unless `everything` is asked for."""
    layout = Layout(paths=frozenset(member.path for member in members))
    rows: list[dict[str, Any]] = []
    tests: list[tuple[str, str]] = []
    for number, member in enumerate(members):
        try:
            text = member.data.decode("utf-8")
        except UnicodeDecodeError:
            skipped["not UTF-8"] += 1
            continue
        if any(len(line) > _LONG_LINE for line in text.split("\n", 60)[:60]):
            skipped["long lines"] += 1
            continue
        language = registry.by_path(member.path)
        assert language is not None
        index = analyse(SourceFile(member.path, language.name, text, ""), layout)
        role = path_role(member.path)
        if role in ("test", "example", "benchmark"):
            tests.append((member.path, text))
        rows += _file_rows(index, number, test=role != "source")
    _drop_repeated(rows)
    _add_tests(rows, tests)
    return rows if everything else sample(rows, DOCUMENTED, OTHERS, TESTS)


def _file_rows(index: FileIndex, number: int, test: bool) -> list[dict[str, Any]]:
    """One row a chunk: file, language, kind, name, part, context, text, documentation, its sentences, by initials."""
    symbols = {symbol.id: symbol for symbol in index.facts.symbols}
    rows = []
    for chunk in index.chunks:
        symbol = symbols.get(chunk.symbol or "")
        if symbol is None or len(chunk.text) < 30:
            continue
        doc = symbol.doc if chunk.part < 2 else ""
        rows.append(
            {
                "f": number, "l": index.facts.language, "k": symbol.kind, "n": symbol.name, "p": chunk.part,
                "id": chunk.id, "c": chunk.context, "t": chunk.text[:TEXT_CHARS], "d": doc[:1500],
                "q": [] if test or not doc else sentences(doc, symbol.name), "test": test,
            }
        )  # fmt: skip
    return rows


def _drop_repeated(rows: list[dict[str, Any]]) -> None:
    """Take away sentences that stand at several chunks of a package: overloads, copies, builds beside their sources."""
    seen = Counter(sentence.lower() for row in rows for sentence in row["q"])
    for row in rows:
        row["q"] = [sentence for sentence in row["q"] if seen[sentence.lower()] == 1]


def _add_tests(rows: list[dict[str, Any]], tests: list[tuple[str, str]]) -> None:
    """Give chunks the names of the tests that use them: a name defined once, the one rarest among the tests."""
    defined: dict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        if not row["test"] and row["p"] < 2 and (row["k"] in ("function", "method") or row["k"] in TYPE_KINDS):
            defined[row["n"]].append(number)
    once = {name: found[0] for name, found in defined.items() if len(found) == 1}
    windows = [
        (words, {name for name in _IDENTIFIER.findall(text[at : at + _TEST_CHARS]) if name in once})
        for _, text in tests
        for words, at in subjects_of_tests(text)
    ]
    used = Counter(name for _, found in windows for name in found)
    for words, found in windows:
        if found:
            target = rows[once[min(found, key=lambda name: (used[name], name))]]
            if len(target.setdefault("a", [])) < 4:
                target["a"].append(words)


def sample(rows: list[dict[str, Any]], documented: int, others: int, tests: int) -> list[dict[str, Any]]:
    """At most so many chunks of each sort, those with the smallest ids, which are hashes; in their old order."""
    room = {"documented": documented, "others": others, "tests": tests}
    kept = []
    for number, row in sorted(enumerate(rows), key=lambda item: (item[1]["id"], item[0])):
        sort = "tests" if row["test"] else "documented" if row["q"] or row.get("a") else "others"
        if room[sort]:
            room[sort] -= 1
            kept.append((number, row))
    return [row for _, row in sorted(kept, key=lambda item: item[0])]


def main(work: Path) -> None:
    (work / "examples").mkdir(parents=True, exist_ok=True)
    todo = [task for task in tasks(work) if not task.target.exists()]
    warnings.simplefilter("ignore")
    with get_context("spawn").Pool(2, maxtasksperchild=30) as pool:
        for number, report in enumerate(pool.imap_unordered(extract, todo), 1):
            left = report["left_out"] or f"{report['files']} files, {report['chunks']} chunks"
            print(f"{number}/{len(todo)} {report['registry']} {report['name']} {report['version']}: {left}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
