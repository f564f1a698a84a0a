"""Ignore files: which of them decides about an entry, and how. The only door to google-re2.

RE2 matches in linear time whatever the pattern; Python's ``re`` can be kept busy for minutes by one line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.source import reasons
from codeexplore.source.files import failure, read_regular
from codeexplore.source.patterns import Pattern, parse_patterns
from codeexplore.types import Skipped

if TYPE_CHECKING:
    import re2

GITIGNORE = ".gitignore"
OWN = ".codeexploreignore"

MAX_RULES_BYTES = 512_000
"""Bytes of one ignore file. Git's own sources ignore with 6 kB; half a megabyte is a generated list."""

MAX_WILDCARDS = 2_000
"""Wildcards in one ignore file. Each may cost a step per byte of every path; the largest common template has 400."""

MATCHER_BYTES = 8 << 20
"""Bytes of memory for one compiled matcher; RE2's own default."""


class Verdict(NamedTuple):
    """What the deciding line says about an entry."""

    ignored: bool
    line: str
    file: str

    @property
    def why(self) -> str:
        """The line and its file, for display."""
        return f"{self.line}  ({self.file})"


class Matcher:
    """Patterns compiled into sets that are matched at once; of those that match, the last one counts.

    A pattern that RE2 can't compile is left out and listed in `refused`.
    """

    def __init__(self, patterns: Sequence[Pattern], memory: int = MATCHER_BYTES) -> None:
        self.refused: list[str] = []
        self._options = _options(memory)
        self._blocks: list[tuple[tuple[Pattern, ...], re2.Set]] = []
        self._add(tuple(patterns))

    def _add(self, patterns: tuple[Pattern, ...]) -> None:
        import re2

        if not patterns:
            return
        compiled = re2.Set.FullMatchSet(self._options)
        try:
            for pattern in patterns:
                compiled.Add(pattern.regex)
            compiled.Add(b".*")  # always matches: no match at all means that RE2 ran out of memory
            compiled.Compile()
        except re2.error:
            if len(patterns) == 1:
                self.refused.append(patterns[0].line)
                return
            middle = len(patterns) // 2
            self._add(patterns[:middle])
            self._add(patterns[middle:])
        else:
            self._blocks.append((patterns, compiled))

    def last_match(self, path: bytes, is_folder: bool) -> Pattern | None:
        """The last pattern that matches a path (relative to the ignore file, without a slash at its end)."""
        for patterns, compiled in reversed(self._blocks):
            matches: list[int] = compiled.Match(path) or self._one_by_one(patterns, path)
            found = [i for i in matches if i < len(patterns) and (is_folder or not patterns[i].folders_only)]
            if found:
                last: Pattern = patterns[max(found)]
                return last
        return None

    def _one_by_one(self, patterns: tuple[Pattern, ...], path: bytes) -> list[int]:
        """Slower and in little memory: a single expression falls back to a walk over its states."""
        import re2

        return [
            row
            for row, pattern in enumerate(patterns)
            if re2.compile(pattern.regex, self._options).fullmatch(path) is not None
        ]


def _options(memory: int) -> re2.Options:
    import re2

    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1  # bytes, as git matches them
    options.dot_nl = True
    options.never_capture = True
    options.log_errors = False
    options.max_mem = memory
    return options


@dataclass(frozen=True)
class Rules:
    """One ignore file. Paths are bytes, relative to the folder that `Scope` counts from."""

    name: str  # for display: the file's path
    folder: bytes  # of the ignore file, b"" or b"a/b/"
    matcher: Matcher

    def verdict(self, path: bytes, is_folder: bool) -> Verdict | None:
        """What this file says about a path below its folder; None when no line matches."""
        pattern = self.matcher.last_match(path[len(self.folder) :], is_folder)
        return None if pattern is None else Verdict(not pattern.negated, pattern.line, self.name)


@dataclass(frozen=True)
class Scope:
    """The ignore files in force in one folder, outermost first. A deeper file decides before those above it."""

    git: tuple[Rules, ...] = ()
    own: tuple[Rules, ...] = ()

    @cached_property
    def _git_inside_out(self) -> tuple[Rules, ...]:
        return self.git[::-1]

    def by_git(self, path: bytes, is_folder: bool) -> Verdict | None:
        """What git's files say; None when they say nothing."""
        return _first(self._git_inside_out, path, is_folder)

    def by_own(self, path: bytes, is_folder: bool) -> Verdict | None:
        """What the ``.codeexploreignore`` files say, which win over everything else; None when they say nothing."""
        return _first(self.own[::-1], path, is_folder) if self.own else None


def _first(files: tuple[Rules, ...], path: bytes, is_folder: bool) -> Verdict | None:
    for rules in files:
        verdict = rules.verdict(path, is_folder)
        if verdict is not None:
            return verdict
    return None


def read_rules(
    file: Path, name: str, folder: bytes = b"", *, ignore_case: bool = False
) -> tuple[Rules | None, list[Skipped]]:
    """Read one ignore file.

    Parameters
    ----------
    file
        Where it is on disk. A link is refused, as git does inside a repository.
    name
        What to call it in messages.
    folder
        The folder its patterns are relative to, b"" or ending in a slash, counted as in `Scope`.
    ignore_case
        Git's ``core.ignorecase``.

    Returns
    -------
    The rules, or None when there are none, and what could not be used.
    """
    try:
        data = read_regular(file, MAX_RULES_BYTES + 1)
    except OSError as error:
        problem = failure(name, error)
        return None, [Skipped(name, reasons.RULE, f"the whole file: {problem.reason}, {problem.detail}")]
    if len(data) > MAX_RULES_BYTES:
        return None, [Skipped(name, reasons.RULE, f"the whole file: larger than {MAX_RULES_BYTES:,} bytes")]
    parsed = parse_patterns(data, ignore_case=ignore_case)
    usable, refused = _within_budget(parsed.patterns)
    matcher = Matcher(usable)
    skipped = [Skipped(name, reasons.RULE, line) for line in (*parsed.refused, *refused, *matcher.refused)]
    return (Rules(name, folder, matcher) if usable else None), skipped


def _within_budget(patterns: Sequence[Pattern]) -> tuple[list[Pattern], list[str]]:
    """The patterns whose wildcards together stay within MAX_WILDCARDS, and the lines of the others."""
    usable, refused, wildcards = [], [], 0
    for pattern in patterns:
        if wildcards + pattern.wildcards > MAX_WILDCARDS:
            refused.append(pattern.line)
        else:
            wildcards += pattern.wildcards
            usable.append(pattern)
    return usable, refused
