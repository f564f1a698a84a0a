"""Ignore files: matching of paths, and precedence between files.

The rules are those of gitignore(5), and of ``dir.c`` and ``wildmatch.c`` in git's sources. As in git, they work on
bytes: a ``?`` matches one byte, and only ASCII letters have upper and lower case. Each line is translated to a regular
expression, which has to match the entry only, and never the paths below it.

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
from codeexplore.source.safe_io import failure, read_regular
from codeexplore.text.tokens import joined
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


# --------------------------------------------------------------------------- lines to regular expressions

MAX_PATTERN_BYTES = 1_000
"""Bytes. File systems limit a name to fewer bytes, so a longer line was not written by a person."""

_SLASH, _STAR, _ESCAPE, _OPEN, _CLOSE = b"/*\\[]"
_ANY = b"[^/]"
_ANY_RUN = b"[^/]*"
_ANY_FOLDERS = b"(?:.*/)?"


class Pattern(NamedTuple):
    """One line of an ignore file, translated."""

    line: str  # as written, for display
    regex: bytes  # must match the whole path, relative to the ignore file's folder, in RE2's Latin-1 syntax
    negated: bool  # the line includes files again
    folders_only: bool
    wildcards: int  # number of states that a matcher may have to track at the same time


def parse_patterns(data: bytes, *, ignore_case: bool = False) -> tuple[list[Pattern], list[str]]:
    """Return the patterns in an ignore file's content, in their order, and the lines that can't be used.

    Comments, blank lines and lines that match nothing are left out.
    """
    patterns: list[Pattern] = []
    refused: list[str] = []
    for raw in data.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        line = _trim(raw)
        if not line or line.startswith(b"#"):
            continue
        if len(line) > MAX_PATTERN_BYTES:
            refused.append(_shown(line[:60]) + "…")
        elif (pattern := _pattern(line, ignore_case)) is not None:
            patterns.append(pattern)
    return patterns, refused


def _trim(raw: bytes) -> bytes:
    """Return a line without its carriage return and trailing spaces. A backslash before a space protects that space."""
    line = raw.removesuffix(b"\r").split(b"\0", 1)[0]
    kept = line.rstrip(b" ")
    escapes = len(kept) - len(kept.rstrip(b"\\"))
    return kept + b" " if escapes % 2 and len(kept) < len(line) else kept


def _pattern(line: bytes, ignore_case: bool) -> Pattern | None:
    negated = line.startswith(b"!")
    glob = line[1:] if negated else line
    folders_only = glob.endswith(b"/")
    glob = glob[:-1] if folders_only else glob
    translated = _Translation(glob, ignore_case).run()
    if translated is None:
        return None
    regex, wildcards = translated
    return Pattern(_shown(line), regex, negated, folders_only, wildcards)


def _shown(line: bytes) -> str:
    return line.decode("utf-8", "backslashreplace")


class _Translation:
    """Translation of one glob to a regular expression. A glob without a slash matches a name in any folder below."""

    def __init__(self, glob: bytes, ignore_case: bool) -> None:
        self.anywhere = b"/" not in glob
        self.glob = glob.removeprefix(b"/")
        self.ignore_case = ignore_case
        self.at = 0
        self.wildcards = 0
        # dir.c compares the text before the first wildcard literally, and matches the rest as if it began there:
        # so the two stars in "a**/b" are treated as a separate path component
        self.start = next((i for i, byte in enumerate(self.glob) if byte in b"*?[\\"), len(self.glob))

    def run(self) -> tuple[bytes, int] | None:
        """Return the regular expression and its number of wildcards; None if the glob can't match anything."""
        if not self.glob or self.glob.startswith(b"/") or self.glob.endswith(b"/"):
            return None  # git's paths have no empty parts
        pieces = [_ANY_FOLDERS] if self.anywhere else []
        while self.at < len(self.glob):
            piece = self._piece()
            if piece is None:
                return None
            pieces.append(piece)
        return b"".join(pieces), self.wildcards

    def _piece(self) -> bytes | None:
        byte = self.glob[self.at]
        if byte == _STAR:
            self.wildcards += 1
            return self._stars()
        if byte == _OPEN:
            self.wildcards += 1
            return self._bracket()
        self.at += 1
        if byte == ord("?"):
            self.wildcards += 1
            return _ANY
        if byte == _ESCAPE:
            if self.at == len(self.glob):
                return None  # a lone backslash at the end matches nothing
            byte = self.glob[self.at]
            self.at += 1
            if self.ignore_case and byte in _UPPER:
                return None  # git converts the path to lower case but not an escaped byte, so the two never match
        return self._literal(byte)

    def _literal(self, byte: int) -> bytes:
        if self.ignore_case and (byte in _UPPER or byte in _LOWER):
            return b"[%c%c]" % (byte & ~0x20, byte | 0x20)
        return b"%c" % byte if byte in _PLAIN else b"\\x%02x" % byte

    def _stars(self) -> bytes:
        glob, first = self.glob, self.at
        while self.at < len(glob) and glob[self.at] == _STAR:
            self.at += 1
        rest = glob[self.at :]
        opens = first == self.start or glob[first - 1] == _SLASH
        closes = not rest or rest.startswith((b"/", b"\\/"))
        if self.anywhere or self.at - first < 2 or not opens or not closes:
            return _ANY_RUN
        if rest.startswith(b"/"):
            self.at += 1
            return _ANY_FOLDERS
        return b".*"

    def _bracket(self) -> bytes | None:
        """Return a regular expression for the bytes that a bracket expression matches; None if there are none."""
        members = _Bracket(self.glob, self.at + 1, self.ignore_case)
        if not members.closed:
            return None
        self.at = members.end
        return _byte_class([byte for byte in range(1, 256) if byte != _SLASH and members.matches(byte)])


def _byte_class(members: list[int]) -> bytes | None:
    runs = joined((byte, byte) for byte in members)
    return b"[%b]" % b"".join(b"\\x%02x-\\x%02x" % run for run in runs) if runs else None


class _Bracket:
    """A parsed bracket expression: the single bytes, ranges and character classes in it."""

    def __init__(self, glob: bytes, at: int, ignore_case: bool) -> None:
        self.ignore_case = ignore_case
        self.negated = glob[at : at + 1] in (b"!", b"^")
        self.ranges: list[tuple[int, int]] = []
        self.singles: set[int] = set()
        self.classes: list[bytes] = []
        self.closed = False
        self.end = at + self.negated
        self._parse(glob)

    def _parse(self, glob: bytes) -> None:
        previous = 0  # the byte a range may start with; 0 where none can
        first = True
        while self.end < len(glob):
            byte = glob[self.end]
            if byte == _CLOSE and not first:
                self.closed = True
                self.end += 1
                return
            first = False
            if byte == ord("-") and previous and glob[self.end + 1 : self.end + 2] not in (b"", b"]"):
                self.end += 1 + (glob[self.end + 1] == _ESCAPE)
                if self.end >= len(glob):
                    return
                self.ranges.append((previous, glob[self.end]))
                previous = 0
            elif byte == _OPEN and glob[self.end + 1 : self.end + 2] == b":":
                close = glob.find(b"]", self.end + 2)
                if close == -1:
                    return
                if close > self.end + 2 and glob[close - 1] == ord(":"):
                    name = glob[self.end + 2 : close - 1]
                    if name not in _CLASSES:
                        return
                    self.classes.append(name)
                    self.end, previous = close, 0
                else:
                    self.singles.add(byte)
                    previous = byte
            else:
                self.end += byte == _ESCAPE
                if self.end >= len(glob):
                    return
                previous = glob[self.end]
                self.singles.add(previous)
            self.end += 1

    def matches(self, byte: int) -> bool:
        upper = 0
        if self.ignore_case:  # as in git: the path is converted to lower case, single bytes of the pattern are not
            byte = byte | 0x20 if byte in _UPPER else byte
            upper = byte & ~0x20 if byte in _LOWER else 0
        found = (
            byte in self.singles
            or any(low <= byte <= high or (upper and low <= upper <= high) for low, high in self.ranges)
            or any(byte in _CLASSES[name] or (upper and name == b"upper") for name in self.classes)
        )
        return bool(found) != self.negated


_LOWER = frozenset(b"abcdefghijklmnopqrstuvwxyz")
_UPPER = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_DIGITS = frozenset(b"0123456789")
_SPACE = frozenset(b" \t\n\r")  # git's own isspace, without form feed and vertical tab
_PRINTED = frozenset(range(0x20, 0x7F))
_PLAIN = _LOWER | _UPPER | _DIGITS | frozenset(b"/_-")
_CLASSES: dict[bytes, frozenset[int]] = {
    b"alnum": _LOWER | _UPPER | _DIGITS,
    b"alpha": _LOWER | _UPPER,
    b"blank": frozenset(b" \t"),
    b"cntrl": frozenset(range(0x20)) | {0x7F},
    b"digit": _DIGITS,
    b"graph": _PRINTED - {0x20},
    b"lower": _LOWER,
    b"print": _PRINTED,
    b"punct": _PRINTED - {0x20} - _LOWER - _UPPER - _DIGITS,
    b"space": _SPACE,
    b"upper": _UPPER,
    b"xdigit": _DIGITS | frozenset(b"abcdefABCDEF"),
}


# --------------------------------------------------------------------------- matching


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
