"""Occurrences of names in a repository's texts, resolved or not.

They are checked before a symbol is reported as unused.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import islice, zip_longest
from typing import Final, Literal, NamedTuple, TypeAlias

from codeexplore.languages.embedded import CODE_OF, template_view
from codeexplore.languages.registry import is_text, record_of
from codeexplore.languages.resources import DOCUMENTS
from codeexplore.types import Site, SourceFile, Symbol

_WORD = re.compile(r"[^\W\d]\w*")
_SPACE = re.compile(r"\s(?=//|#)")
_ESCAPED = re.compile(r"(?<=\\[abfnrtv0])[^\W\d]\w*")  # ``run`` in a string such as "\nrun()"
_WITH_DOLLAR = re.compile(r"[\w$]*\$[\w$]*")
_BLOCK: Final = re.compile(r"^[ \t]*/\*", re.MULTILINE)
_AFTER: Final = string.whitespace + ";,)}"  # characters that may stand between a definition and a comment

_COMPUTED: Final = tuple(
    (text, re.compile(rf"\b{pattern}"))
    for text, pattern in (
        *((name, rf"{name}\s*\(") for name in ("getattr", "hasattr", "globals", "locals", "getmembers", "vars")),
        *((name, rf"{name}s?\s*\(") for name in ("getMethod", "getDeclaredMethod", "MethodByName", "methodcaller")),
        *((text, re.escape(text)) for text in ("dir(", "this[", "self[", "public_send", "__getattribute__(self")),
        ("this as ", r"this as [^;\n]*\)\s*\["),
    )
)
"""Patterns of calls that look up computed names. Each match contains the text before the pattern, found faster."""
_ALWAYS_COMPUTED: Final = "call_user_func"  # counts wherever it occurs

WITHOUT_CODE: Final = DOCUMENTS | {"css", "scss"}
_LICENCE: Final = re.compile(r"(?:^|/)(?:LICEN[CS]E|COPYING|NOTICE|PATENTS)[^/]*$")
KEYED: Final = frozenset({"yaml", "toml", "json", "ini"})
"""Languages of data: a name is a whole value or the end of one, no key, and no word of a sentence."""

_JOIN: Final = r"(?:\+|\.\.|<>)"  # between the parts of a string, in different languages
_PREFIX: Final = re.compile(
    rf"""["'](\w{{2,}}_)["']\s*{_JOIN}|"""
    r"""[fF]["'](\w{2,}_)\{|["'](\w{2,}_)(?:%s|\{\w*\})["']|`(\w{2,}|_)\$\{"""
    r"""|"(\w{2,})(?:#\{|\{?\$\w)|["'](\w{2,})["']\s+\.\s"""
    rf"""|["']([a-z]{{2,}})["']\s*{_JOIN}[^\n;]*(?:[cC]apital|[uU]pper)"""
)
"""String literal that is the first part of a name built at run time: ``"visit_" + kind``, ``f"visit_{kind}"``."""

_LOOKED_UP: Final = re.compile(
    r"""\b(?:getattr|object\.__getattribute__)\s*\(\s*(?:self|cls|type\(self\)|self\.__class__)\s*,"""
    r"""\s*(?!['"\s]|[fF](["'])(?:\w|\{[^{}\n]*\})*\1)"""
    r"""|\bthis\[(?!['"`\d]|Symbol\.)(?:[^\[\]\n]|\[[^\[\]\n]*\])+\](?:\.(?:call|apply|bind))?\s*\(|\.MethodByName\s*\("""
)
"""Code that looks up members of its own object by computed names."""

_LISTED: Final = re.compile(
    r"\b(?:dir|vars|getmembers)\s*\(\s*(?:self|cls|type\(self\)|self\.__class__)\b|\bself\.__dict__"
    r"|\b(?:getOwnPropertyNames|ownKeys)\s*\(\s*(?:this|Object\.getPrototypeOf)\b|\bgetClass\(\)\s*\.\s*get(?:Declared)?Methods?\s*\("
    r"""|\bthis\[\s*(?:["']_["']\s*\+|`_\$\{)"""
)
"""Code that lists the members of its own object, or uses reflection on its own class."""


_TEMPLATE: Final = re.compile(
    r"""\b(?:getattr|hasattr|methodcaller|attrgetter)\s*\(\s*"""
    r"""(?:(self|cls|type\(self\)|super\(\))\s*,|[^,()'"\n]*(?:\(\w*\))?\s*,)?"""
    r"""\s*[fF]?(["'])((?:\w|\{[^{}\n]*\}|%\w|%\(\w+\)\w)*)\2\s*(\+)?"""
)
"""Look-up of a name that a literal with fields builds: ``getattr(self, f"_{kind}_{name}")``."""
_FIELD: Final = re.compile(r"\{[^{}]*\}|%\(\w+\)\w|%\w")
_LINE_END: Final = re.compile("\n")
_MOST_STARS: Final = 4
_MOST_SITES: Final = 1_000  # of one name
_MOST_FILES: Final = 4_096  # whose lines are kept
_MOST_LOOKUPS: Final = 200  # places in a file that look up computed names
_FEW_LETTERS: Final = 2
_MOST_ABOVE: Final = 2_000  # lines above a place in which what it is indented in may begin
_AFFIX: Final = re.compile(r"""\b([A-Z][A-Z\d_]+)\s*(?::[^=\n]*)?=\s*["'](\w*_|_\w+)["']""")
"""Constant with the beginning or the end of names: ``PREFIX = "do_"``."""
_AFFIXED: Final = re.compile(
    r"""(?:\b(start|end)s[wW]ith\(\s*(?:[a-z_]\w*\.)*(?:["'](\w*_|_\w+)["']|([A-Z][A-Z\d_]+)\b)|"""
    rf"""\b([A-Z][A-Z\d_]+)\s*{_JOIN})|{_JOIN}\s*["'](_\w+)["']"""
)
"""Test of names by their beginning or end, a name that begins with a constant, or one that ends with a string."""
_KEY: Final = re.compile(r"""\[\s*["'](\w{2,})["']\s*\+|\+\s*["'](\w{2,})["']\s*\]""")
"""Key that begins or ends with a string: ``this["on" + kind]``."""
_GENERATED: Final = re.compile(r"\}(_\w{3,})\(")
"""End of the name of a function, in a string that is code: ``"#{module}_init();"``."""
_BEGINNING: Final = re.compile(r"""[sS]tarts?_?[wW]ith\??\(?\s*["'](\w{2,})["']""")
_LISTED_METHODS: Final = re.compile(r"\b(?:get(?:Declared)?Methods|GetMethods|getmembers|getOwnPropertyNames)\(")
"""Beginning of names that is tested, and code that lists methods, whose names it may test."""
_WHOLE: Final = re.compile(r"""(?<![\w"'])["'](\w{2,}_)["']""")
"""String that is the beginning of a name, and may be handed on to code that joins it with the rest."""
_HTML: Final = re.compile(
    r"""(?P<script><script\b(?:[^<>{]*>)?)|(?P<field>\{\{)|(?P<tag>\{%)|(?P<erb><%)|(?P<part>[$\#]\{)"""
    r"""|[\s"'](?:on[a-z]+|[@:#*(\[][^\s=<>"']*|(?:v|x|ng|hx|wire|th|data)[-:][^\s=<>"']*)\s*=\s*(?P<quote>["'])""",
    re.IGNORECASE,
)
_MARKS: Final = {
    "html": _HTML,
    **dict.fromkeys(CODE_OF, _HTML),
    "xml": re.compile(
        r"""=\s*(?P<quote>["'])|(?P<element>>)(?=\s*[\w.$\#]+\s*</)"""
        r"""|<(?P<typed>)(?=[\w.-]+:[A-Z]\w*[\s/.>]|[\w.]+\.[A-Z]\w*[\s/>])|\s(?P<member>)(?=(?:\w+:)?[A-Z]\w*\.\w+\s*=)"""
    ),
}
PAGES: Final = frozenset(_MARKS)
"""Languages of pages, templates and XML, whose scripts and fields have code without edges."""
READING_PROPERTIES: Final = PAGES | {"groovy", "kotlin"}
"""Languages in which ``cart.total`` calls the accessor ``getTotal``."""
WITH_ACCESSORS: Final = frozenset({"groovy", "java", "scala"})
"""Languages that use properties of others by their accessors."""
_ENDS: Final = {"script": "</script", "field": "}}", "tag": "%}", "erb": "%>", "part": "}", "element": "<"}
"""Beginnings and ends of code in pages and templates: scripts, fields, and attributes that handle events. XML has names
in all attributes, in elements of one word, and in tags: ``<my:Card>``, ``<app.Card>``, ``my:Card.Back="…"``."""
_NAME_END: Final = re.compile(r"[\s/>=]|\Z")

_MEMBER: Final = re.compile(
    r"(?P<dot>(?:\.|->|::)\s*)?(?P<name>(?<!\w)[^\W\d][\w$]*)(?P<call>[ \t]*(?:<[^<>()\n]*>)?\()?"
)

_Lookup: TypeAlias = Literal["members", "listed", "names", "types", "texts"]


class Built(NamedTuple):
    """A pattern of names that code builds from parts, such as ``visit_*``, and the site."""

    text: str
    site: Site
    of_members: bool = False  # True if only names of members are built
    of_own: bool = False  # True if they are looked up in the object itself, and few letters of them are known

    def fits(self, name: str) -> bool:
        """Return True if `name` may be built here."""
        return _built(self.text).fullmatch(name) is not None

    @property
    def form(self) -> str:
        start, _, end = self.text.partition("*")
        if "*" in end:
            return f"look like {self.text}"
        return " and ".join(f"{verb} with {part}" for verb, part in (("begin", start), ("end", end)) if part)


def _is_quoted(name: str, line: str) -> bool:
    # most lines are told apart without a pattern, which is slow to make
    return (f'{name}"' in line or f"{name}'" in line) and _quoted(name).search(line) is not None


@lru_cache(maxsize=1_000)
def _quoted(name: str) -> re.Pattern[str]:
    return re.compile(rf"""(["'])(?:[\w$./\\-]*[.:/#\\])?{re.escape(name)}\1""")


@cache
def _built(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text).replace(r"\*", ".+"))


class Mentions:
    """Occurrences of names in the indexed files, which `sources` has by path."""

    def __init__(self, sources: Mapping[str, SourceFile]) -> None:
        self._sources, self.has_texts = sources, bool(sources)
        self.computed = cache(self._look)
        self.language = cache(lambda path: sources[path].language)
        self._folds = cache(lambda path: record_of(self.language(path)).folds_case)
        # in some languages, one of the marks may be an operator
        self._ends_lines = cache(lambda path: not all(map(self._comment_start(path).match, ("# ", "// "))))
        self._blocks = cache(lambda path: () if is_text(sources[path].language) else _blocks(sources[path].text))
        self._inside = cache(lambda path: _code_of_page(sources[path]))
        # a survey asks for lines of all files again for each name
        lines = lru_cache(maxsize=_MOST_FILES)(lambda path: sources[path].text.split("\n") if path in sources else [])
        self._lines_of = lines
        self._data = lru_cache(maxsize=1)(lambda path: sources[path].text.encode("utf-8", "replace"))

    def quoted(self, name: str, within: Sequence[Site] | None) -> tuple[Site, ...]:
        """Return the sites where `name` is a whole string in code, or the last part of a dotted string.

        Examples: ``"load"``, ``'app.tasks:load'``.

        `within` limits the search to known sites of the name. None searches every file.
        """
        sites = self._found(name) if within is None else within
        return tuple(islice((site for site in sites if _is_quoted(name, self.line(site))), _MOST_SITES))

    def words(self, name: str, limit: int = _MOST_SITES) -> tuple[Site, ...]:
        """Return at most `limit` sites where `name` is a word in code or data, without comment lines."""
        return tuple(islice(self._found(name), limit))

    def index(self, names: Collection[str]) -> Mapping[str, tuple[Site, ...]]:
        """Return the sites of each of `names`, as `words` finds them. Every file is searched once for all names."""
        found: dict[str, dict[Site, None]] = defaultdict(dict)
        left = set(names)
        for pattern in (_WORD, _WITH_DOLLAR):
            wanted = frozenset(name for name in left if pattern.fullmatch(name))
            left -= wanted
            for path, text in self._texts() if wanted else ():
                if self._folds(path):
                    words = set(pattern.findall(text.lower()))
                    here = {name for name in wanted if name.lower() in words}
                else:
                    here = set(wanted.intersection(pattern.findall(text)))
                    here |= wanted.intersection(_ESCAPED.findall(text)) if "\\" in text else set()
                for name in here:
                    for site in self._sites(name, path, text):
                        found[name][site] = None
        others = {name: self.words(name) for name in left}  # ``valid?``, ``operator==``
        return {**{name: tuple(sites) for name, sites in found.items()}, **others}

    @cached_property
    def built(self) -> tuple[Built, ...]:
        """Patterns of names that code builds, to look them up at run time or by macros.

        Example: ``visit_*`` in ``getattr(self, "visit_" + kind)``.
        """
        found, constants, joined = [], dict[str, str](), False
        for _, text in self._code():
            constants.update(_AFFIX.findall(text))
        for path, text in self._code():
            if _looks_up_names(text) or self._calls_computed(path):
                for line, match in _lines(text, _AFFIXED):
                    affix = match[2] or match[5] or constants.get(match[3] or match[4], "")
                    if len(affix) > _FEW_LETTERS:
                        found.append(
                            Built(f"*{affix}" if match[1] == "end" or match[5] else f"{affix}*", Site(path, line))
                        )
                for line, match in _lines(text, _KEY):
                    found.append(Built(f"{match[1]}*" if match[1] else f"*{match[2]}", Site(path, line)))
                for line, match in _lines(text, _PREFIX):
                    found.append(Built(next(group for group in match.groups() if group) + "*", Site(path, line)))
                for line, match in _lines(text, _TEMPLATE):
                    pattern = re.sub(r"\*+", "*", _FIELD.sub("*", match[3]) + "*" * bool(match[4]))
                    joined |= "*" in pattern and not pattern.strip("*") and match[3].count("{") > 1
                    if "*" in pattern and pattern.strip("*") and pattern.count("*") <= _MOST_STARS:
                        own = bool(match[1]) and sum(map(str.isalnum, pattern)) < _FEW_LETTERS
                        found.append(Built(pattern, Site(path, line), True, own))
            for position, start, end in self._pieces(path, text):
                found.append(Built(f"{start}*{end}", Site(path, text.count("\n", 0, position) + 1)))
        for path, text in self._code() if joined else ():
            found += [Built(f"{match[1]}*", Site(path, line), True) for line, match in _lines(text, _WHOLE)]
        return tuple(found)

    def _pieces(self, path: str, text: str) -> Iterator[tuple[int, str, str]]:
        """Yield (position, beginning, end) of the names that a text builds by the rules of its language, or as code."""
        if (names := record_of(self.language(path)).built_names) is not None:
            yield from names(text)
        for match in _BEGINNING.finditer(text) if _LISTED_METHODS.search(text) else ():
            yield match.start(), match[1], ""
        for match in _GENERATED.finditer(text):
            start = text.rfind("\n", 0, match.start()) + 1
            if in_string(text[start : match.end()], match.start() - start):
                yield match.start(), "", match[1]

    def _look(self, path: str, lookup: _Lookup = "members") -> tuple[Site, ...]:
        """Return the sites in a file where an object looks up its own members by names built at run time.

        With `lookup="listed"` they are those where an object lists its own members, with "names" where a module or
        function looks up its names, with "types" where types are found, and with "texts" where a text that is computed
        runs as code. Comments do not count.
        """
        if path not in self._sources:
            return ()
        file = self._sources[path]
        record = record_of(file.language)
        patterns = {
            "members": (_LOOKED_UP, record.computed_members),
            "listed": (_LISTED,),
            "names": (record.computed_names,),
            "types": (record.computed_types,),
            "texts": (record.evaluating,),
        }[lookup]
        found = (item for each in patterns if each for item in _lines(file.text, each))
        lines = (line for line, match in found if not self._in_comment(path, file.text, match.start()))
        return tuple(Site(path, line) for line in dict.fromkeys(islice(lines, _MOST_LOOKUPS)))

    def _in_comment(self, path: str, text: str, place: int) -> bool:
        return self._is_comment(path, text, text.rfind("\n", 0, place) + 1, place)

    def matches(self, field: str) -> Iterator[Site]:
        """Yield the sites that match the pattern in a field of the record of their language."""
        for path, text in self._code():
            if (pattern := getattr(record_of(self.language(path)), field)) is not None:
                yield from (Site(path, line) for line, _ in _lines(text, pattern))

    def types_at(self, site: Site) -> list[str]:
        """Return the names of the types that the line at `site` hands to other code."""
        pattern = record_of(self.language(site.path)).type_values
        return pattern.findall(self.line(site)) if pattern is not None else []

    def _calls_computed(self, path: str) -> bool:
        pattern = record_of(self.language(path)).computed_members
        return pattern is not None and pattern.search(self._sources[path].text) is not None

    def line(self, site: Site, lines: int = 1) -> str:
        """Return the source line at `site`, or more `lines`; "" without its text. Further sites of a file are fast."""
        return "\n".join(self._lines_of(site.path)[site.line - 1 : site.line - 1 + lines])

    def text(self, symbol: Symbol) -> str:
        """Return the lines of a symbol; "" without the text of its file."""
        first = symbol.span.start_line
        return self.line(Site(symbol.path, first), symbol.span.end_line + 1 - first)

    def opening(self, form: re.Pattern[str] | None, site: Site, first: int = 0) -> Iterator[re.Match[str]]:
        """Yield the matches of `form` in the lines after `first` that open what a place is indented in."""
        indent, least = _MOST_ABOVE, max(first, site.line - _MOST_ABOVE)
        lines = range(site.line, least, -1) if form is not None and self.has_texts else ()
        for line in (self.line(Site(site.path, number)) for number in lines):
            inner, indent = indent, min(indent, len(line) - len(line.lstrip()) if line.strip() else indent)
            opened = form.match(line) if form is not None and indent < inner else None
            if opened is not None:
                yield opened
            if not indent:
                return

    def elsewhere(self, symbol: Symbol) -> list[Site]:
        """Return the sites with the name of a symbol outside its own lines."""
        path, own = symbol.path, symbol.span.lines
        return [site for site in self.words(symbol.name) if site.path != path or site.line not in own]

    def outside(self, symbol: Symbol, site: Site, places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return those `places` of the first or last line of a symbol that are before or after it and no comment."""
        span, line = symbol.span, self.line(site)
        if len(places) < 2 and site.line == span.start_line:
            return []  # the definition itself
        data = self._data(site.path)

        def column(offset: int) -> int:
            return len(data[data.rfind(b"\n", 0, offset) + 1 : offset].decode("utf-8", "replace"))

        first = column(span.start_byte) if site.line == span.start_line else 0
        last = column(span.end_byte) if site.line == span.end_line else len(line)
        if self._comment_start(site.path).match(line[last:].lstrip(_AFTER)):
            last = len(line)
        return [(start, end) for start, end in places if end <= first or start >= last]

    def _comment_start(self, path: str) -> re.Pattern[str]:
        return record_of(self.language(path)).comment_start

    def _is_comment(self, path: str, text: str, start: int, place: int) -> bool:
        """Return True if the line that begins at `start` is a comment up to a place in it, or from a space on.

        A block around the line is one, too.
        """
        row = bisect_right(self._blocks(path), (place, len(text))) - 1
        if row >= 0 and place < self._blocks(path)[row][1]:
            return True
        comment = self._comment_start(path)
        if start < place and self._ends_lines(path):
            line = text[start:place]
            marks = (comment.match(line, space.start()) for space in _SPACE.finditer(line))
            if any(mark and mark[0].strip() in ("//", "#") and not in_string(line, mark.end()) for mark in marks):
                return True
        found = comment.match(text, start)
        mark = "" if found is None else found[0].lstrip()
        if mark[:1] == "*":  # perhaps a product
            return text.rfind("/*", 0, start) > text.rfind("*/", 0, start)
        return bool(mark) and not (mark == "/*" and text.find("*/", start, place) >= 0)

    def places(self, name: str, site: Site, is_value: bool = False) -> list[tuple[int, int]]:
        """Return where `name` is a word in the line at `site`, as columns. No value has a name with other capitals."""
        word = word_of(name, not is_value and self._folds(site.path))
        return [match.span() for match in word.finditer(self.line(site))]

    def _code(self) -> Iterator[tuple[str, str]]:
        return (
            (path, text) for path, text in self._texts() if not is_text(lang := self.language(path)) or lang in _MARKS
        )

    def _texts(self) -> Iterator[tuple[str, str]]:
        for path, file in self._sources.items():
            if file.language in _MARKS:
                yield path, self._inside(path)
            elif file.language not in WITHOUT_CODE and _LICENCE.search(path) is None:
                yield path, file.text

    def members(self, symbol: Symbol, known: Callable[[str], object]) -> Iterator[tuple[str, Site, str]]:
        """Yield the `known` names in the lines of a symbol as (name, site, form): "call", "member" or ""."""
        text, start = self._sources[symbol.path].text, 0
        for number, line in enumerate(text.split("\n"), start=1):
            if symbol.line <= number <= symbol.span.end_line:
                for match in _MEMBER.finditer(line):
                    at = match.start("name")
                    if not known(match["name"]) or self._is_comment(symbol.path, text, start, start + at):
                        continue
                    inserted = max(line.rfind(mark, 0, at) for mark in ("{", "\\(")) > line.rfind("}", 0, at)
                    if inserted or not in_string(line, at):
                        form = "call" if match["call"] else "member" if match["dot"] else ""
                        yield match["name"], Site(symbol.path, number), form
            start += len(line) + 1

    def within(self, languages: Collection[str], names: Collection[str]) -> Iterator[Site]:
        """Yield the sites that may use one of `names` in files of some languages."""
        texts = ((path, text) for path, text in self._texts() if self.language(path) in languages)
        return (site for path, text in texts for name in names for site in self._sites(name, path, text))

    def _found(self, name: str) -> Iterator[Site]:
        return (site for path, text in self._texts() for site in self._sites(name, path, text))

    def _sites(self, name: str, path: str, text: str) -> Iterator[Site]:
        """Yield the lines of a text that may use `name`."""
        word, last = word_of(name, self._folds(path), self.language(path) in KEYED), 0
        searched, part = (_lowered(text), name.lower()) if self._folds(path) else (text, name)
        if len(searched) == len(text):
            matches: Iterable[re.Match[str] | None] = (word.match(text, place) for place in _places(searched, part))
        else:  # a character has two in small letters
            matches = word.finditer(text)
        for match in filter(None, matches):
            line = bisect_left(_line_ends(text), match.start()) + 1
            if line != last and not self._in_comment(path, text, match.start()):
                last = line
                yield Site(path, line)


def _code_of_page(file: SourceFile) -> str:
    """Return the code in a page, a template or XML, with all line ends of the text."""
    found, place, text, marks = list[str](), 0, file.text, _MARKS[file.language]
    while (match := marks.search(text, place)) is not None:
        ending = match["quote"] or _ENDS.get(match.lastgroup or "", "")
        named = None if ending else _NAME_END.search(text, match.end())
        end = named.start() if named is not None else text.find(ending, match.end())
        end = len(text) if end < 0 else end
        found += ["\n" * text.count("\n", place, match.end()), " ", text[match.end() : end]]
        place = end
    page = "".join(found)
    if file.language not in CODE_OF:
        return page
    code = template_view(file.language, file.text.encode("utf-8", "replace")).decode("utf-8", "replace")
    return "\n".join(map(" ".join, zip_longest(code.split("\n"), page.split("\n"), fillvalue="")))


def _blocks(text: str) -> tuple[tuple[int, int], ...]:
    """Return beginning and end of each comment of several lines that begins a line: ``/*``."""
    found, opening = list[tuple[int, int]](), _BLOCK.search(text)
    while opening is not None and (end := text.find("*/", opening.end())) >= 0:
        found += [(opening.end(), end)] if "\n" in text[opening.end() : end] else []
        opening = _BLOCK.search(text, end)
    return tuple(found)


@lru_cache(maxsize=1_000)
def word_of(name: str, folds_case: bool = False, is_value: bool = False) -> re.Pattern[str]:
    """Return the pattern of a name as a word; a name may begin or end with a sign: ``[RELEASE]``, ``valid?``.

    With `is_value`, it is a whole value of a data file, or the end of one: ``app.tasks:load``.
    """
    before, after = (
        (r"(?:(?<!\w)|(?<=\\[abfnrtv0]))" if name[:1] != "[" else ""),
        (r"(?!\w)" if name[-1:] != "]" else ""),
    )
    after += rf"(?![{re.escape(name[-1])}=>])" if name[-1:] in {*"=<>+-*/%&|^"} else ""  # operator= is not operator==
    if is_value:
        before, after = rf"(?<![\w-])(?<!\w ){before}", rf"""{after}(?!-| \w|["']?\s*[:=](?!:))"""
    before = r"(?<=[:.\"'])" if name[:2] == "[]" else before  # alone they are an empty list
    return re.compile(f"{before}{re.escape(name)}{after}", re.IGNORECASE if folds_case else re.NOFLAG)


def in_string(line: str, place: int) -> bool:
    return any(line.count(quote, 0, place) % 2 for quote in "\"'`")


def _looks_up_names(text: str) -> bool:
    return _ALWAYS_COMPUTED in text or any(
        pattern.match(text, place) for literal, pattern in _COMPUTED for place in _places(text, literal)
    )


@lru_cache(maxsize=1)  # for the names of one text after the other
def _lowered(text: str) -> str:
    return text.lower()


@lru_cache(maxsize=1)
def _line_ends(text: str) -> list[int]:
    return [end.start() for end in _LINE_END.finditer(text)]


def _places(text: str, part: str) -> Iterator[int]:
    place = text.find(part)
    while place >= 0:
        yield place
        place = text.find(part, place + 1)


def _lines(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield (line, match) for every match of `pattern`. Lines are 1-based."""
    line, counted = 1, 0
    for match in pattern.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        yield line, match
