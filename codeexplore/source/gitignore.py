"""Ignore files: matching of paths, and precedence between files.

The rules are those of gitignore(5) and of ``dir.c`` in git's sources; `gitignore_patterns` translates the lines.

Each entry is matched by itself, from the top folder down, and entries below an ignored folder are not visited.

We do not use pathspec's GitIgnoreSpec. It matches whole paths, and its result differs from git's for one in twenty
random pattern lists. For example, with ``a/`` and ``!a/bar`` it applies the second line to ``a/bar/foo``.

This is the only module that imports google-re2. RE2 matches every pattern in linear time. Python's ``re`` can take
minutes for one line of an ignore file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.source import skip_reasons
from codeexplore.source.gitignore_patterns import Pattern, parse_patterns
from codeexplore.source.safe_io import failure, read_regular
from codeexplore.types import Skipped

if TYPE_CHECKING:
    import re2


GITIGNORE = ".gitignore"
OWN = ".codeexploreignore"

MAX_RULES_BYTES = 512_000
"""Bytes of one ignore file. That of git's own sources has 6 kB; a file of half a megabyte was generated."""

MAX_WILDCARDS = 2_000
"""Most wildcards in one ignore file. Each may cost a step for each byte of every path. The largest template in common
use has 400."""

MATCHER_BYTES = 8 << 20
"""Bytes of memory for one compiled matcher; RE2's own default."""


class Verdict(NamedTuple):
    """Decision about an entry, made by the last line that matches it."""

    ignored: bool
    line: str
    file: str

    @property
    def why(self) -> str:
        return f"{self.line}  ({self.file})"


class Matcher:
    """Patterns of one ignore file, compiled into sets so that one call matches all of them.

    The last pattern that matches decides. A pattern that RE2 can't compile is left out and listed in `refused`.
    """

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self.refused: list[str] = []
        self._options = _options()
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
            compiled.Add(b".*")  # matches every path, so an empty result means that RE2 ran out of memory
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
        """Return the last pattern that matches a path; None if no pattern does.

        The path is relative to the ignore file's folder and has no slash at its end.
        """
        for patterns, compiled in reversed(self._blocks):
            matches: list[int] = compiled.Match(path) or self._one_by_one(patterns, path)
            found = [i for i in matches if i < len(patterns) and (is_folder or not patterns[i].folders_only)]
            if found:
                last: Pattern = patterns[max(found)]
                return last
        return None

    def _one_by_one(self, patterns: tuple[Pattern, ...], path: bytes) -> list[int]:
        """Return the indices of the patterns that match the path, matching one after the other.

        This is slower than matching a set but needs little memory: RE2 can match a single pattern without building an
        automaton.
        """
        import re2

        return [
            row
            for row, pattern in enumerate(patterns)
            if re2.compile(pattern.regex, self._options).fullmatch(path) is not None
        ]


def _options() -> re2.Options:
    import re2

    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1  # bytes, as git matches them
    options.dot_nl = True
    options.never_capture = True
    options.log_errors = False
    options.max_mem = MATCHER_BYTES
    return options


@dataclass(frozen=True)
class IgnoreFile:
    """One ignore file. Paths are of type bytes and relative to `IgnoreScope.top`."""

    name: str  # for display: the file's path
    folder: bytes  # the ignore file's folder: b"" or b"a/b/"
    matcher: Matcher

    def verdict(self, path: bytes, is_folder: bool) -> Verdict | None:
        pattern = self.matcher.last_match(path[len(self.folder) :], is_folder)
        return None if pattern is None else Verdict(not pattern.negated, pattern.line, self.name)


@dataclass(frozen=True)
class Scope:
    """The ignore files in force in one folder, outermost first. A file in a deeper folder has precedence."""

    git: tuple[IgnoreFile, ...] = ()
    own: tuple[IgnoreFile, ...] = ()

    @cached_property
    def _git_inside_out(self) -> tuple[IgnoreFile, ...]:
        return self.git[::-1]

    def by_git(self, path: bytes, is_folder: bool) -> Verdict | None:
        return _first(self._git_inside_out, path, is_folder)

    def by_own(self, path: bytes, is_folder: bool) -> Verdict | None:
        """Return the decision of the ``.codeexploreignore`` files, which have precedence; None if no line matches."""
        return _first(self.own[::-1], path, is_folder) if self.own else None


def _first(files: tuple[IgnoreFile, ...], path: bytes, is_folder: bool) -> Verdict | None:
    verdicts = (file.verdict(path, is_folder) for file in files)
    return next((verdict for verdict in verdicts if verdict is not None), None)


def read_ignore_file(
    file: Path, name: str, folder: bytes = b"", *, ignore_case: bool = False
) -> tuple[IgnoreFile | None, list[Skipped]]:
    """Read one ignore file.

    Parameters
    ----------
    file
        Its path on disk. A link is refused, as git does inside a repository.
    name
        Its name in messages.
    folder
        The folder that its patterns are relative to: b"", or a path ending in a slash, relative to `IgnoreScope.top`.
    ignore_case
        Git's ``core.ignorecase``.

    Returns
    -------
        The ignore file, or None if it has no usable line, and the lines or files that could not be used.
    """
    try:
        data = read_regular(file, MAX_RULES_BYTES + 1)
    except OSError as error:
        problem = failure(name, error)
        return None, [Skipped(name, skip_reasons.RULE, f"the whole file: {problem.reason}, {problem.detail}")]
    if len(data) > MAX_RULES_BYTES:
        return None, [Skipped(name, skip_reasons.RULE, f"the whole file: larger than {MAX_RULES_BYTES:,} bytes")]
    return ignore_rules(data, name, folder, ignore_case=ignore_case)


def ignore_rules(
    data: bytes, name: str, folder: bytes = b"", *, ignore_case: bool = False
) -> tuple[IgnoreFile | None, list[Skipped]]:
    """Return the rules in the text of an ignore file; see `read_ignore_file`."""
    patterns, unread = parse_patterns(data, ignore_case=ignore_case)
    usable, refused = _within_budget(patterns)
    matcher = Matcher(usable)
    skipped = [Skipped(name, skip_reasons.RULE, line) for line in (*unread, *refused, *matcher.refused)]
    return (IgnoreFile(name, folder, matcher) if usable else None), skipped


def _within_budget(patterns: Sequence[Pattern]) -> tuple[list[Pattern], list[str]]:
    """Return the patterns that together have at most MAX_WILDCARDS wildcards, and the lines of the other patterns."""
    usable, refused, wildcards = [], [], 0
    for pattern in patterns:
        if wildcards + pattern.wildcards > MAX_WILDCARDS:
            refused.append(pattern.line)
        else:
            wildcards += pattern.wildcards
            usable.append(pattern)
    return usable, refused
