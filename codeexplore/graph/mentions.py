"""Where names stand in a repository's texts, resolved or not: what an honest "nobody uses this" must have looked at."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from codeexplore.types import FileIndex, Site

_WORD = re.compile(r"[^\W\d]\w*")
_COMMENT = re.compile(r"\s*(?:#(?!\[)|//|/\*|\*(?!\w)|--\s|;;|%\s)")
_PROSE: Final = frozenset({"markdown", "rst", "text"})

# a literal that names are put together from, in files that look attributes up by computed names
_COMPUTED: Final = re.compile(
    r"\b(?:getattr|hasattr|globals|vars|methodcaller)\s*\(|\bthis\[|\bself\[|\bpublic_send\b|call_user_func"
    r"|\bgetMethods?\s*\(|\bgetDeclaredMethods?\s*\(|\bMethodByName\s*\("
)
_HINTS: Final = ("attr", "globals", "vars", "methodcaller", "this[", "self[", "public_send", "call_user_func", "Method")
"""One of these stands in every match of `_COMPUTED`: cheaper to look for than the expression."""

_PREFIX: Final = re.compile(
    r"""["'](\w{2,}_)["']\s*\+|[fF]["'](\w{2,}_)\{|["'](\w{2,}_)(?:%s|\{\w*\})["']|`(\w{2,})\$\{"""
)
_LOOKED_UP: Final = re.compile(
    r"""\bgetattr\s*\(\s*(?:self|cls|type\(self\)|self\.__class__)\s*,\s*(?!['"\s])"""
    r"""|\bthis\[(?!['"\d])\w+\]\s*\(|\.MethodByName\s*\(|\.getDeclaredMethods?\s*\(|\.getMethods\s*\("""
)
"""An object that looks its own members up, or reflection."""


class Prefix(NamedTuple):
    """The beginning of names that are put together at run time, and where."""

    text: str
    site: Site


class Mentions:
    """Occurrences of names in the indexed files.

    Parameters
    ----------
    files
        By path; only their texts and languages are read.
    """

    def __init__(self, files: Mapping[str, FileIndex]) -> None:
        self.files = files
        self._computed: dict[str, Site | None] = {}
        self._lines_of: tuple[str, list[str]] = ("", [])

    def quoted(self, name: str, within: Sequence[Site] | None = None, limit: int = 20) -> tuple[Site, ...]:
        """Where a name is a whole string, or the end of a dotted one, in code: ``"load"``, ``'app.tasks:load'``.

        `within` limits the search to known mentions of the name; None searches every file.
        """
        pattern = re.compile(rf"""(["'])(?:[\w$./-]*[.:/#])?{re.escape(name)}\1""")
        if within is None:
            found = self._found(name, pattern)
        else:
            found = (site for site in within if pattern.search(self._line(site)))
        return tuple(site for site, _ in zip(found, range(limit), strict=False))

    def words(self, name: str, limit: int = 1_000) -> tuple[Site, ...]:
        """Where a name stands as a word in code; comment lines are passed over."""
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        return tuple(site for site, _ in zip(self._found(name, pattern), range(limit), strict=False))

    def index(self, names: Collection[str]) -> Mapping[str, tuple[Site, ...]]:
        """`words` of many names by one pass over every file."""
        wanted = frozenset(names)
        found: dict[str, dict[Site, None]] = defaultdict(dict)
        for path, text in self._code():
            if wanted.isdisjoint(_WORD.findall(text)):
                continue
            for number, line in enumerate(text.split("\n"), start=1):
                here = wanted.intersection(_WORD.findall(line))
                if here and not _COMMENT.match(line):
                    for name in here:
                        found[name][Site(path, number)] = None
        return {name: tuple(sites) for name, sites in found.items()}

    @cached_property
    def prefixes(self) -> tuple[Prefix, ...]:
        """Beginnings of names that are put together and looked up at run time: ``getattr(self, "visit_" + kind)``."""
        found = []
        for path, text in self._code():
            if any(hint in text for hint in _HINTS) and _COMPUTED.search(text):
                for line, match in _lines(text, _PREFIX):
                    found.append(Prefix(next(group for group in match.groups() if group), Site(path, line)))
        return tuple(found)

    def computed(self, path: str) -> Site | None:
        """The first place in a file where an object looks its own members up by computed names."""
        if path not in self._computed:
            self._computed[path] = self._look(path)
        return self._computed[path]

    def _look(self, path: str) -> Site | None:
        text = self.files[path].file.text if path in self.files else ""
        return next((Site(path, line) for line, _ in _lines(text, _LOOKED_UP)), None)

    def _line(self, site: Site) -> str:
        if self._lines_of[0] != site.path:  # sites come by file
            self._lines_of = (site.path, self.files[site.path].file.text.split("\n"))
        return self._lines_of[1][site.line - 1]

    def _code(self) -> Iterator[tuple[str, str]]:
        return ((path, file.file.text) for path, file in self.files.items() if file.file.language not in _PROSE)

    def _found(self, name: str, pattern: re.Pattern[str]) -> Iterator[Site]:
        for path, text in self._code():
            if name not in text:
                continue
            last = 0
            for line, match in _lines(text, pattern):
                if line != last and not _COMMENT.match(text, text.rfind("\n", 0, match.start()) + 1):
                    last = line
                    yield Site(path, line)


def _lines(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str]]]:
    """Every match with its line, 1-based."""
    line, counted = 1, 0
    for match in pattern.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        yield line, match
