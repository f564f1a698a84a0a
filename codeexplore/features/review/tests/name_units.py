"""The statements of Python modules with the names that they define and mention.

A *unit* is a statement at the top level of a module, or a method of a class. Words are read from the text, because a
name in a string counts too: dotted names in all strings, other words in strings of code that looks up names when it
runs. The stored facts can't take its place: they have neither the words of strings nor the statements of a module, and
what they miss must not mislead a safe selection. Nor do the trees of the parser: to walk those of networkx takes 0.9 s
before a single node is read, all words of it are found here in 0.7 s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.types.rows import grouped

if TYPE_CHECKING:
    from codeexplore.index.files import SourceTexts, StoredSources

_LEXEME = re.compile(  # a comment or a string; each alternative starts with a literal, which the search then skips to
    r'''#[^\n]*|"(?:""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*(?:"""|\Z)|[^"\\\n]*(?:\\.[^"\\\n]*)*"?)'''
    r"""|'(?:''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*(?:'''|\Z)|[^'\\\n]*(?:\\.[^'\\\n]*)*'?)""",
    re.DOTALL,
)
_PREFIX = " \t\r\frRbBuUfF"  # what can stand on a line before a string
_WORD = re.compile(r"[^\W\d]\w*")
_MENTION = re.compile(  # a word or the number of a string; no names of arguments, of definitions or prefixes of strings
    r"[(,]\s*\w+\s*=(?!=)|\b(?:def|class)[ \t]+\w+|([^\W\d]\w*(?![\w'])|'\d+')|[^\W\d]\w*"
)
_NEXT = re.compile(r"\n(?!\s|[)\]}]|(?:else|elif|except|finally|case)\b|$)")  # the end of a statement at column 0
_IMPORT = re.compile(r"^[ \t]*(?:import|from)\b(?:[^\n(\\]*\((?:[^)]*)\)[^\n]*|(?:[^\n\\]|\\\n)*)", re.MULTILINE)
_ALIAS = re.compile(r"\b(\w+)\s+as\s+(\w+)")
_IMPORTED_TEST = re.compile(r"[ ,(\n]((?:test|Test)\w*)(?=[ \t]*(?:[,)\n]|$))")
_DEFINITION = re.compile(r"^(?:async[ \t]+def|def|class)[ \t]+(\w+)", re.MULTILINE)
_ASSIGNED = re.compile(r"^(?:type[ \t]+)?((?:\w+[ \t]*,[ \t]*)*\w+)[ \t]*(?::[^\n=]*)?=(?!=)")
_INNER = re.compile(r"^[ \t]+(?:(?:async[ \t]+def|def|class)[ \t]+(\w+)|(\w+)[ \t]*(?::[^\n=]*)?=(?!=))", re.MULTILINE)
_CODE = re.compile(r"^[ \t]*(?:from[ \t]+[\w.]+[ \t]+)?import[ \t]+\w", re.MULTILINE)  # that a test runs or writes
_CLASS = re.compile(r"^class\b", re.MULTILINE)
_FUNCTION = re.compile(r"^(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)
_INDENTED = re.compile(r"[ \t]+(?=\S)")
_DECORATOR = re.compile(r"^@([^\n(]*)(\([^\n]*)?", re.MULTILINE)
_FIXTURE_NAME = re.compile(r"\bname\s*=\s*(\w+)")
_AUTOUSE = re.compile(r"\bautouse\s*=\s*True\b")
_NO_EFFECT = re.compile(  # strings alone, the documentation of a module, and names alone, which keep linters quiet
    r"(?:[rRbBuUfF]*'\d*'|\s)*|\s*(?:assert\s+)?[^\W\d]\w*(?:(?:\s*,\s*|\s+and\s+)[^\W\d]\w*)*\s*"
)
_MAIN = re.compile(r"if\s+__name__\s*==")
_DECORATORS = """
    property staticmethod classmethod cached_property contextmanager asynccontextmanager wraps lru_cache cache
    total_ordering dataclass define frozen mutable attrs s overload final abstractmethod runtime_checkable fixture
    singledispatch deprecated no_type_check unique
"""
HARMLESS = frozenset(_DECORATORS.split())
"""Last names of decorators of the standard library, attrs and pytest that keep no reference by which others find the
decorated definition."""

_LOOKING = """
    globals vars eval exec import_module __import__ modules compile makepyfile entry_points
    getfixturevalue lazy_fixture usefixtures
"""
_LOOKS_UP = frozenset(_LOOKING.split())
"""Words of files in which a string can be the name of a definition, or code."""

LOADERS = frozenset({"entry_points", "iter_entry_points", "load_entry_point", "iter_modules", "walk_packages"})
"""Functions that find code by names that are not in the source."""

_OF_OBJECT = frozenset({"getattr", "setattr", "delattr", "hasattr", "object", "attrgetter", "methodcaller"})
"""Words of statements in which a string can be the name of an attribute; ``object`` is that of ``patch.object``."""

_DOTTED = re.compile(r"[\"']+((?:\w+[.:])+\w+)[\"']+")


class Unit(NamedTuple):
    """A statement at the top level of a module, or a method."""

    path: str
    names: tuple[str, ...]  # that it defines
    words: frozenset[str]  # identifiers that it mentions, those in strings included
    quoted: frozenset[str]  # identifiers in its strings
    runs: bool  # importing the module runs it, with an effect that needs no name: it registers something
    own: frozenset[str] = frozenset()  # the words of a class outside of its methods
    members: tuple[Unit, ...] = ()  # the methods of a class


class NameUnits:
    """The units of the Python files of a state. A file is read when it is first asked for."""

    def __init__(self, sources: SourceTexts | StoredSources) -> None:
        self._sources = sources
        self._paths = dict.fromkeys(path for path in sources if sources.language(path) == "python")
        self._units = cache(lambda path: units_of(path, sources[path].text))
        self._by_word = cache(lambda path: grouped((word, unit) for unit in self.of(path) for word in unit.words))
        self.running = cache(lambda path: {name for unit in self.of(path) if unit.runs for name in unit.names})
        self.mentioning = cache(self._mentioning)  # the units that mention a word, in all files

    def __contains__(self, path: str) -> bool:
        return path in self._paths

    def of(self, path: str) -> Sequence[Unit]:
        """Return the units of a file, in order; none for a file that is not Python or does not exist."""
        return self._units(path) if path in self else ()

    def every(self) -> Iterator[Unit]:
        for path in self._paths:
            yield from self.of(path)

    def _mentioning(self, word: str) -> Sequence[Unit]:
        return [unit for path in self._paths_by_word.get(word, ()) for unit in self._by_word(path).get(word, ())]

    @cached_property
    def _paths_by_word(self) -> Mapping[str, Sequence[str]]:
        return grouped((word, path) for path in self._paths for word in set(_WORD.findall(self._sources[path].text)))


def words_in(code: str) -> list[str]:
    return _WORD.findall(code)


def imports_of(text: str) -> list[str]:
    return _IMPORT.findall(_without_strings(text)[0])


def passes_on(text: str, name: str) -> bool:
    """Return True if code has a name as a whole value, or the name's ``__dict__``; not as in ``name.member``."""
    code = _IMPORT.sub("", _without_strings(text)[0])
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w|\s*\.\s*(?!__dict__\b)|\s*[(:]|\s*=(?!=))", code) is not None


def names_module(text: str, name: str) -> bool:
    """Return True if code has a string that names a module, other than to import it and use its members by name."""
    return re.search(rf"(?<!import_module\()(?<!__import__\()[\"']{re.escape(name)}[\"']", text) is not None


def strings_of(text: str) -> set[str]:
    """Return the contents of the strings of a Python module, as the source spells them."""
    return {string.strip("\"'") for string in _without_strings(text)[1]}


def units_of(path: str, text: str) -> list[Unit]:
    """Return the top-level statements of a Python module, without its imports.

    Aliases of imports are units, and so are imported tests, which pytest runs again.
    """
    code, strings = _without_strings(text)
    imports = _IMPORT.findall(code)
    aliases = [pair for found in imports for pair in _ALIAS.findall(found)]
    units = [Unit(path, (new,), frozenset((old,)), frozenset(), False) for old, new in aliases if old != new]
    tests = frozenset(word for found in imports for word in _IMPORTED_TEST.findall(found))
    units += [Unit(path, (), tests, frozenset(), False)] if tests else []
    looks_up = not _LOOKS_UP.isdisjoint(_WORD.findall(code))
    return units + [_unit(path, each, strings, looks_up) for each in _statements(_IMPORT.sub("", code))]


def _without_strings(text: str) -> tuple[str, list[str]]:
    """Return the code without comments and documentation, each string as ``'number'``, and the strings."""
    strings: list[str] = []
    end = 0

    def replaced(found: re.Match[str]) -> str:
        nonlocal end
        before, end = text[end : found.start()], found.end()
        if found[0].startswith("#"):
            return ""
        line = before.rpartition("\n")[2] if "\n" in before else None
        if line is not None and not line.strip(_PREFIX) and before.rstrip(f"\n{_PREFIX}").endswith(":"):
            return "''"  # the documentation of a definition
        strings.append(found[0])
        return f"'{len(strings) - 1}'"

    return _LEXEME.sub(replaced, text), strings


def _statements(code: str) -> Iterator[str]:
    """Yield the statements at column 0, each with the lines that belong to it."""
    decorators = ""
    for part in _NEXT.split(code):
        if part.startswith("@"):
            decorators += f"{part}\n"
        elif decorators or part.strip():
            yield decorators + part
            decorators = ""
    if decorators:
        yield decorators


def _unit(path: str, statement: str, strings: Sequence[str], looks_up: bool) -> Unit:
    if _MAIN.match(statement) or _NO_EFFECT.fullmatch(statement):
        return Unit(path, (), frozenset(), frozenset(), False)  # an import does not run it, or it does nothing
    defined = _DEFINITION.search(statement)
    if defined is not None and (statement.startswith("@") or defined.start() == 0):
        head = statement[: defined.start()]
        named = _FIXTURE_NAME.findall(re.sub(r"'(\d+)'", lambda found: strings[int(found[1])].strip("\"'"), head))
        if _CLASS.search(statement):
            unit = _of_class(path, statement, strings, looks_up)
        else:
            unit = Unit(path, (), *_mentions(statement, strings, looks_up), False)
        return unit._replace(names=(defined[1], *named), runs=_registered(head))
    words, quoted = _mentions(statement, strings, looks_up)
    assigned = _ASSIGNED.match(statement)
    if assigned is not None:
        return Unit(path, tuple(_WORD.findall(assigned[1])), words, quoted, False)
    inner = tuple(one or other for one, other in _INNER.findall(statement))
    return Unit(path, inner, words, quoted, True)


def _of_class(path: str, statement: str, strings: Sequence[str], looks_up: bool) -> Unit:
    """Return the unit of a class, with a unit for each of its methods."""
    head, _, body = statement.partition("\n")
    while body and not _INDENTED.match(body):  # decorators, or a header of several lines
        more, _, body = body.partition("\n")
        head += f"\n{more}"
    indent = _INDENTED.match(body)
    if indent is None:
        return Unit(path, (), *_mentions(statement, strings, looks_up), False)
    rest, methods = [head], []
    for each in _statements(f"\n{body}".replace(f"\n{indent[0]}", "\n")[1:]):
        defined = _FUNCTION.search(each)
        if defined is None or not (each.startswith("@") or defined.start() == 0):
            rest.append(each)
            continue
        methods.append(_unit(path, each, strings, looks_up))
        rest.append(each[: defined.start()])  # decorators run with the body of the class
    own, quoted = _mentions("\n".join(rest), strings, looks_up)
    words = own.union(*(each.words for each in methods))
    if looks_up or _OF_OBJECT.isdisjoint(words):
        quoted = quoted.union(*(each.quoted for each in methods))
    else:  # one method may get an attribute that a string in another part names
        words, quoted = _mentions(statement, strings, looks_up)
    return Unit(path, (), words, quoted, False, own, tuple(methods))


def _mentions(code: str, strings: Sequence[str], looks_up: bool) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names that code mentions, and those that are in its strings."""
    words = set(_MENTION.findall(code))
    words.discard("")
    numbers = {word for word in words if word.startswith("'")}
    words -= numbers
    every = looks_up or not _OF_OBJECT.isdisjoint(words)
    quoted = {name for number in numbers for name in _names_in(strings[int(number[1:-1])], every)}
    return frozenset(words | quoted), frozenset(quoted)


def _names_in(string: str, every: bool) -> list[str]:
    """Return the words of a string that may be names; without `every`, of code or of a dotted name alone."""
    if every or _CODE.search(string):
        return _WORD.findall(string)
    dotted = _DOTTED.fullmatch(string)
    return _WORD.findall(dotted[1]) if dotted else []


def _registered(decorators: str) -> bool:
    """Return True if a decorator may keep the definition where others find it."""
    for name, options in _DECORATOR.findall(decorators):
        last = name.strip().rpartition(".")[2]
        if ".mark." not in name and (last not in HARMLESS or _AUTOUSE.search(options)):
            return True
    return False
