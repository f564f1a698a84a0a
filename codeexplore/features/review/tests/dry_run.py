"""A dry run of the tests to run: over past commits, what would have been skipped, and which failures that misses.

Failures come from reports of runs in the folder: JUnit files, and the cache of pytest. A report belongs to the commit
that its path names, any other one to the newest commit.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Row
from codeexplore.answers.shown import Listing
from codeexplore.answers.wording import plural
from codeexplore.source.safe_io import read_regular
from codeexplore.text.enumeration import shortened

if TYPE_CHECKING:
    from codeexplore.features.review.answers import TestsAnswer

_REPORT = re.compile(r"(?:report|junit|/TEST-).*\.xml$")
_MOST_FOLDERS, _MOST_REPORTS, _MOST_BYTES = 20_000, 500, 16 << 20
_CASE = re.compile(r"<testcase\b([^>]*?)(/>|>(.*?)</testcase>)", re.DOTALL)
_ATTRIBUTE = re.compile(r'\b(name|classname|file)="([^"]*)"')
_FAILED = re.compile(r"<(?:failure|error)\b")
_WORDS = re.compile(r"\w+")


class DryRun(NamedTuple):
    """The selection for one commit."""

    commit: str
    day: str
    tests: int  # that were selected
    skipped: int  # files of tests
    files: int
    failed: int  # tests that failed by the reports of this commit; 0 without a report
    missed: tuple[str, ...]  # failed ones that the selection would have skipped
    reported: bool


@dataclass(frozen=True, slots=True, repr=False)
class DryRunAnswer(Listing[DryRun]):
    """Files of tests that past commits would have skipped: a sequence of `DryRun`, the newest first."""

    columns: ClassVar = ("commit", "day", "tests", "files skipped", "failed", "missed")
    items: tuple[DryRun, ...]
    reports: int
    notes: tuple[str, ...] = ()  # sentences on reports that count for nothing

    @property
    def headline(self) -> str:
        files, skipped = sum(each.files for each in self.items), sum(each.skipped for each in self.items)
        said = f"{plural(len(self.items), 'commit')}: {skipped:,} of {files:,} runs of test files would be skipped"
        failed, missed = sum(each.failed for each in self.items), sum(len(each.missed) for each in self.items)
        if not self.reports:
            return f"{said}; no report of a run was found, so nothing is known of failures"
        return f"{said}; {missed:,} of {plural(failed, 'failure')} in {plural(self.reports, 'report')} missed"

    def row(self, item: DryRun, number: int) -> Row:  # noqa: ARG002 - they are ordered, not numbered
        failed = str(item.failed) if item.reported else "no report"
        shares = str(item.tests), f"{item.skipped} of {item.files}", failed, " ".join(item.missed[:3])
        return Row((item.commit[:10], b.Words(item.day), *shares))


def dry_run(root: Path, commits: Sequence[tuple[str, str]], tests: Callable[[str], TestsAnswer]) -> DryRunAnswer:
    """Select the tests of each commit, given with its day, and compare them with what failed in it."""
    reports, unread = _reports(root)
    of_newest = {path for path, _ in reports if not any(commit[:7] in path for commit, _ in commits)}
    rows = []
    for number, (commit, day) in enumerate(commits):
        own = [names for path, names in reports if commit[:7] in path or (number == 0 and path in of_newest)]
        failed = sorted(set().union(*own))
        answer = tests(commit)
        whole = {test.path for test in answer if test.symbol is None}
        chosen = [set(_WORDS.findall(test.id)) for test in answer]
        missed = [each for each in failed if not _is_chosen(each, chosen, whole)]
        files = answer.skipped_files, answer.files
        rows.append(DryRun(commit, day, len(answer), *files, len(failed), tuple(missed), bool(own)))
    return DryRunAnswer(tuple(rows), len(reports), tuple(unread))


def _is_chosen(failed: str, chosen: Sequence[set[str]], whole: set[str]) -> bool:
    """Return True if a test, by the name in a report, was selected itself or with its file."""
    words = [each for each in _WORDS.findall(failed.partition("[")[0]) if each != "py"]
    files = (set(_WORDS.findall(path.rpartition(".")[0])) for path in whole)
    return any(set(words) <= each for each in chosen) or any(each <= set(words) for each in files)


def _reports(root: Path) -> tuple[list[tuple[str, set[str]]], list[str]]:
    """Return the path of each report with the names of the tests that failed in it, and sentences on what is unread."""
    found, unread, notes = list[tuple[str, set[str]]](), list[str](), list[str]()
    cache = root / ".pytest_cache/v/cache/lastfailed"
    files = [cache] if os.path.lexists(cache) else []
    walked = os.walk(root, onerror=lambda error: unread.append(os.path.relpath(error.filename, root)))
    for folders, (folder, below, names) in enumerate(walked, 1):
        below[:] = sorted(each for each in below if not each.startswith(".") and each != "node_modules")
        files += [Path(folder, each) for each in sorted(names) if _REPORT.search(f"{Path(folder).name}/{each}")]
        if folders == _MOST_FOLDERS or len(files) > _MOST_REPORTS:
            notes.append(f"Reports were looked for in {plural(folders, 'folder')} only.")
            break
    for path in files[:_MOST_REPORTS]:
        name = path.relative_to(root).as_posix()
        try:
            text = read_regular(path, _MOST_BYTES).decode("utf-8", "replace")
            if path == cache:
                found.append((".pytest_cache", set(map(str, json.loads(text)))))
            elif "<testcase" in text:
                found.append((name, set(_failures(text))))
        except (OSError, ValueError, TypeError):
            unread.append(name)
    if unread:
        notes.append(f"{plural(len(unread), 'report')} can't be read and count for nothing: {shortened(unread, 3)}.")
    return found, notes


def _failures(text: str) -> Iterator[str]:
    for case in _CASE.finditer(text):
        if case[3] and _FAILED.search(case[3]):
            known = dict(_ATTRIBUTE.findall(case[1]))
            owner = known.get("classname") or known.get("file", "")
            yield f"{owner}.{known.get('name', '')}" if owner else known.get("name", "")
