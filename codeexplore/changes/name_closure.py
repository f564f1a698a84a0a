"""Python test files that a change can affect, by imports and by the names that code mentions.

A test file that imports a package depends on all of its modules if ``__init__.py`` imports them. Few of these tests can
run changed code, because code runs only if something names it. So a file counts as affected if two things are true: it
imports the changed file, directly or through others, and it mentions the changed name, or the name of a definition that
mentions it, and so on. The unit is a definition at the top level of a module. A class is one unit: its methods run only
if something creates an instance, which needs the name of the class or of a subclass. Of these files, those remain that
also reach the changed definition if each method is looked at alone (`name_reach`). Dotted names in strings count, and
other words in strings of files that look up names at run time.

Code that runs when a module is imported affects all files that import the module: statements that define no name,
definitions with a decorator that may register them, and subclasses of a class that registers them.

The closure over names is that of name-based call graphs (Reif et al., "Judge", 2019); the limit to imported files is
the "firewall" of regression test selection. What escapes: names that are built at run time, and code that other
programs start.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from codeexplore.changes.impact import ImportedFiles
from codeexplore.changes.inherited import EMPTY_BASES
from codeexplore.changes.name_reach import NameReach, Unit
from codeexplore.changes.records import Comparison, Side, SymbolChange
from codeexplore.types import Symbol

_LEXEME = re.compile(
    r"""(?P<comment>\#[^\n]*)"""
    r'''|(?P<string>[rRbBuUfF]{0,2}(?:"""(?:\\.|[^\\])*?(?:"""|\Z)|\'\'\'(?:\\.|[^\\])*?(?:\'\'\'|\Z)'''
    r"""|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))""",
    re.DOTALL,
)
_WORD = re.compile(r"[^\W\d]\w*")
_CONTINUED = re.compile(r"\s|[)\]}]|(?:else|elif|except|finally|case)\b|$")
_IMPORT = re.compile(r"^[ \t]*(?:import|from)\b(?:[^\n(\\]*\((?:[^)]*)\)[^\n]*|(?:[^\n\\]|\\\n)*)", re.MULTILINE)
_ALIAS = re.compile(r"\b(\w+)\s+as\s+(\w+)")
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
_NO_EFFECT = re.compile(r"(?:'\d*'|\s)*")  # strings alone: the documentation of a module
_MAIN = re.compile(r"if\s+__name__\s*==")
_REGISTERS = frozenset({"__init_subclass__", "__subclasses__", "metaclass"})
_HARMLESS = frozenset({
    "property", "staticmethod", "classmethod", "cached_property", "contextmanager", "asynccontextmanager", "wraps",
    "lru_cache", "cache", "total_ordering", "dataclass", "define", "frozen", "mutable", "attrs", "s", "overload",
    "final", "abstractmethod", "runtime_checkable", "fixture", "singledispatch", "deprecated", "no_type_check",
    "unique",
})  # fmt: skip
"""Last names of decorators of the standard library, attrs and pytest that keep no reference by which others find the
decorated definition."""


_LOOKS_UP = frozenset(
    {
        "globals",
        "vars",
        "eval",
        "exec",
        "import_module",
        "__import__",
        "modules",
        "compile",
        "makepyfile",
        "entry_points",
    }
)
"""Words of files in which a string can be the name of a definition, or code."""

_OF_OBJECT = frozenset({"getattr", "setattr", "delattr", "hasattr", "object", "attrgetter", "methodcaller"})
"""Words of statements in which a string can be the name of an attribute; ``object`` is that of ``patch.object``."""

_KEYWORD = re.compile(r"[(,]\s*\w+\s*=(?!=)")  # the name of an argument or of a parameter with a default
_DEFINED = re.compile(r"\b(?:def|class)[ \t]+\w+")
_DOTTED = re.compile(r"[rRbBuUfF]{0,2}[\"']+((?:\w+[.:])+\w+)[\"']+")

Reach: TypeAlias = Literal["file", "importers", "all"]
"""Files in which a word can mean a changed name: the defining one, also those that import it, or all of them. Code that
calls a method need not import its class."""


class _Seed(NamedTuple):
    """A name that a change affects, and the file that defines it."""

    path: str
    name: str
    reach: Reach = "importers"
    runs: bool = False  # the import of the file itself changed
    word: bool = False  # no definition, but a name that the file imports


def units_of(path: str, text: str) -> list[Unit]:
    """Return the top-level statements of a Python module, without its imports; aliases of imports are units."""
    code, strings = _without_strings(text)
    aliases = [pair for found in _IMPORT.findall(code) for pair in _ALIAS.findall(found)]
    units = [Unit(path, (new,), frozenset((old,)), frozenset(), False) for old, new in aliases if old != new]
    looks_up = not _LOOKS_UP.isdisjoint(_WORD.findall(code))
    return units + [_unit(path, each, strings, looks_up) for each in _statements(_IMPORT.sub("", code))]


def _without_strings(text: str) -> tuple[str, list[str]]:
    """Return the code without comments and documentation, each string as ``'number'``, and the strings."""
    strings: list[str] = []
    end = 0

    def replaced(found: re.Match[str]) -> str:
        nonlocal end
        before, end = text[end : found.start()], found.end()
        if found["comment"] is not None:
            return ""
        line = before.rpartition("\n")[2] if "\n" in before else None
        if line is not None and not line.strip() and before.rstrip().endswith(":"):
            return "''"  # the documentation of a definition
        strings.append(found["string"])
        return f"'{len(strings) - 1}'"

    return _LEXEME.sub(replaced, text), strings


def _statements(code: str) -> Iterator[str]:
    """Yield the statements at column 0, each with the lines that belong to it."""
    lines: list[str] = []
    decorated = False
    for line in code.split("\n"):
        if lines and not (_CONTINUED.match(line) or decorated):
            yield "\n".join(lines)
            lines = []
        if line.strip() or lines:
            lines.append(line)
            decorated = line.startswith("@") or (decorated and bool(_CONTINUED.match(line)))
    if lines:
        yield "\n".join(lines)


def _unit(path: str, statement: str, strings: Sequence[str], looks_up: bool) -> Unit:
    words = frozenset(_WORD.findall(_DEFINED.sub("", _KEYWORD.sub("(", statement))))
    every = looks_up or not _OF_OBJECT.isdisjoint(words)
    quoted = frozenset(
        word for number in re.findall(r"'(\d+)'", statement) for word in _names_in(strings[int(number)], every)
    )
    words |= quoted
    if _MAIN.match(statement) or _NO_EFFECT.fullmatch(statement):
        return Unit(path, (), frozenset(), frozenset(), False)  # an import does not run it, or it does nothing
    defined = _DEFINITION.search(statement)
    if defined is not None and (statement.startswith("@") or defined.start() == 0):
        head = statement[: defined.start()]
        named = _FIXTURE_NAME.findall(_with_strings(head, strings))
        unit = Unit(path, (defined[1], *named), words, quoted, _registered(head))
        return _with_methods(unit, statement, strings, looks_up) if _CLASS.search(statement) else unit
    assigned = _ASSIGNED.match(statement)
    if assigned is not None:
        return Unit(path, tuple(_WORD.findall(assigned[1])), words, quoted, False)
    inner = tuple(one or other for one, other in _INNER.findall(statement))
    return Unit(path, inner, words, quoted, True)


def _with_methods(unit: Unit, statement: str, strings: Sequence[str], looks_up: bool) -> Unit:
    """Return the unit of a class with a unit for each of its methods."""
    head, _, body = statement.partition("\n")
    while body and not _INDENTED.match(body):  # decorators, or a header of several lines
        more, _, body = body.partition("\n")
        head += f"\n{more}"
    indent = _INDENTED.match(body)
    if indent is None:
        return unit
    rest, methods = [head], []
    for each in _statements(re.sub(rf"^{re.escape(indent[0])}", "", body, flags=re.MULTILINE)):
        defined = _FUNCTION.search(each)
        if defined is None or not (each.startswith("@") or defined.start() == 0):
            rest.append(each)
            continue
        method = _unit(unit.path, each, strings, looks_up)
        methods.append(method)
        rest.append(each[: defined.start()])  # decorators run with the body of the class
    own = _unit(unit.path, "\n".join(rest), strings, looks_up).words
    return unit._replace(own=own, members=tuple(methods))


def _names_in(string: str, every: bool) -> list[str]:
    """Return the words of a string that may be names; without `every`, of code or of a dotted name alone."""
    if every or _CODE.search(string):
        return _WORD.findall(string)
    dotted = _DOTTED.fullmatch(string)
    return _WORD.findall(dotted[1]) if dotted else []


def _with_strings(code: str, strings: Sequence[str]) -> str:
    return re.sub(r"'(\d+)'", lambda found: strings[int(found[1])].strip("\"'"), code)


def _registered(decorators: str) -> bool:
    """Return True if a decorator may keep the definition where others find it."""
    for name, options in _DECORATOR.findall(decorators):
        last = name.strip().rpartition(".")[2]
        if ".mark." not in name and (last not in _HARMLESS or _AUTOUSE.search(options)):
            return True
    return False


class NameClosure:
    """The Python files that a comparison can affect. See the module's documentation."""

    def __init__(self, comparison: Comparison, imported: ImportedFiles) -> None:
        self._comparison, self._imported = comparison, imported
        self._side = comparison.new
        self._dependents: dict[str, frozenset[str]] = {}
        self._closures: dict[_Seed, frozenset[str]] = {}

    @cached_property
    def files(self) -> frozenset[str]:
        """Paths of the affected files after the change, test files and others."""
        found: set[str] = set()
        for seeds, named in self._named:
            found |= named if self._runs_at_import(seeds) else named & self._reaching(seeds)
        return frozenset(found)

    @cached_property
    def _named(self) -> list[tuple[tuple[_Seed, ...], frozenset[str]]]:
        """The names of each change, all of them necessary, and the files that mention names which lead to them."""
        return [
            (seeds, frozenset.intersection(*(self._closure(seed) for seed in seeds)))
            for change in self._comparison.symbols
            for seeds in self._seeds(change)
        ]

    def _runs_at_import(self, seeds: Sequence[_Seed]) -> bool:
        """Return True if the change affects each file that imports the changed one."""
        return any(seed.runs or self._runs(seed) for seed in seeds)

    def _reaching(self, seeds: Sequence[_Seed]) -> frozenset[str]:
        """Return the files whose code reaches what changed."""
        first, *others = seeds
        if first.word:
            bits = self._reach.to_word(first.path, first.name, lent=first.reach == "importers")
        else:
            bits = self._reach.to_definition(first.path, first.name, *(each.name for each in others))
        return self._reach.files(bits) | {first.path}

    @cached_property
    def _reach(self) -> NameReach:
        files = {path for _, named in self._named for path in named}
        units = [
            unit._replace(runs=True) if not unit.runs and any(self._starts_itself(unit.path, n) for n in unit.names)
            else unit for units in self._by_path.values() for unit in units
        ]  # fmt: skip
        return NameReach(units, sorted(files), self._depends_on, self._is_called)

    def _starts_itself(self, path: str, name: str) -> bool:
        """Return True for hooks of pytest and for classes that register themselves."""
        hook = posixpath.basename(path) == "conftest.py" and name.startswith("pytest_")
        return hook or name in self._registering

    def _is_called(self, owner: Unit, method: Unit) -> bool:
        """Return True if Python or a library may call a method, or if its definition is not clear."""
        classes = self._methods_by_class.get((owner.path, owner.names[0]), [])
        found = [each for each in classes if each[1].name == method.names[0]]
        return not found or any(self._is_called_from_outside(*each) for each in found)

    @cached_property
    def _methods_by_class(self) -> dict[tuple[str, str], list[tuple[Symbol, Symbol]]]:
        found: dict[tuple[str, str], list[tuple[Symbol, Symbol]]] = defaultdict(list)
        classes = {symbol.id: symbol for symbol in self._classes}
        for path in self._by_path:
            for symbol in self._side.catalog.in_file(path):
                if symbol.kind == "method" and symbol.parent in classes:
                    owner = classes[symbol.parent]
                    found[path, owner.name].append((owner, symbol))
        return found

    # ----------------------------------------------------------------- the changes

    def _seeds(self, change: SymbolChange) -> Iterator[tuple[_Seed, ...]]:
        for side, symbol in ((self._comparison.old, change.old), (self._comparison.new, change.new)):
            if symbol is None or symbol.language != "python":
                continue
            if symbol.kind != "module":
                if change.is_code:
                    yield self._names(side, symbol)
            elif change.kind in ("added", "removed") or "body" in change.aspects:
                yield (_Seed(symbol.path, "", runs=True),)
            elif "imports" in change.aspects and change.old is not None and change.new is not None:
                before = _imported_words(self._comparison.old, change.old.path)
                after = _imported_words(self._comparison.new, change.new.path)
                for word in sorted(before.keys() ^ after.keys()):
                    lends = (before.get(word) or after.get(word)) and self._is_taken(symbol.path, word)
                    reach: Reach = "importers" if lends else "file"
                    yield (_Seed(symbol.path, word, reach, word=True),)

    def _names(self, side: Side, symbol: Symbol) -> tuple[_Seed, ...]:
        """Return the names that code must mention to run a symbol: that of its class too, for a method."""
        around = _top_level(side, symbol)
        own = _Seed(symbol.path, around.name)
        if symbol.kind != "method" or around.id != symbol.parent or self._is_called_from_outside(around, symbol):
            return (own,)
        return own, _Seed(symbol.path, symbol.name, "all")

    def _is_called_from_outside(self, owner: Symbol, method: Symbol) -> bool:
        """Return True if Python or a library may call a method without its name in the repository."""
        if method.name.startswith("__") or method.name not in self._by_word:
            return True
        if any(each.partition("(")[0].rpartition(".")[2] not in _HARMLESS for each in method.decorators):
            return True
        bases = frozenset(_WORD.findall(owner.signature.partition("(")[2]))
        return bool(bases - self._class_names - EMPTY_BASES)

    def _is_taken(self, path: str, word: str) -> bool:
        """Return True if other code may take a name from a file that imports it: ``from file import word``."""
        name = posixpath.basename(path)
        if name == "__init__.py":
            return True
        both = {name.removesuffix(".py"), word}
        if any(both <= unit.words for unit in self._by_word.get(word, ())):  # file.word
            return True
        return any(
            both <= (words := set(_WORD.findall(statement))) or (both - words == {word} and "*" in statement)
            for each in self._depends_on(path) if each in self._by_path
            for statement in _imports_of(self._side, each)
        )  # fmt: skip

    # ----------------------------------------------------------------- the closure

    def _closure(self, seed: _Seed) -> frozenset[str]:
        """Return the files that a changed name can affect."""
        if seed not in self._closures:
            self._closures[seed] = frozenset(self._followed(seed))
        return self._closures[seed]

    def _followed(self, start: _Seed) -> set[str]:
        files, running, seen, waiting = {start.path}, set[str](), {start}, [start]
        while waiting:
            seed = waiting.pop()
            if seed.runs or self._runs(seed):
                running.add(seed.path)
            for unit in self._mentions(seed):
                files.add(unit.path)
                if unit.runs:
                    running.add(unit.path)
                more = {_Seed(unit.path, name) for name in unit.names} - seen
                seen |= more
                waiting += more
        for path in running:
            files |= self._depends_on(path)
        return files

    def _mentions(self, seed: _Seed) -> Iterator[Unit]:
        """Yield the units that may mean the seed by a word."""
        near = self._depends_on(seed.path) if seed.reach == "importers" else frozenset()
        for unit in self._by_word.get(seed.name, ()):
            quoted = seed.reach == "importers" and seed.name in unit.quoted
            if unit.path == seed.path or unit.path in near or quoted or seed.reach == "all":
                yield unit

    def _runs(self, seed: _Seed) -> bool:
        """Return True if importing the file runs the definition, or if pytest does."""
        if self._starts_itself(seed.path, seed.name):
            return True
        return any(unit.runs and seed.name in unit.names for unit in self._by_path.get(seed.path, ()))

    def _depends_on(self, path: str) -> frozenset[str]:
        """Return the files that import a file, directly or through others."""
        if path not in self._dependents:
            self._dependents[path] = frozenset(self._imported.importers([path]))
        return self._dependents[path]

    # ----------------------------------------------------------------- the units

    @cached_property
    def _by_path(self) -> dict[str, list[Unit]]:
        sources = self._side.sources
        return {path: units_of(path, sources[path].text) for path in sources if sources.language(path) == "python"}

    @cached_property
    def _by_word(self) -> dict[str, list[Unit]]:
        found: dict[str, list[Unit]] = defaultdict(list)
        for units in self._by_path.values():
            for unit in units:
                for word in unit.words:
                    found[word].append(unit)
        return found

    @cached_property
    def _classes(self) -> list[Symbol]:
        in_file = self._side.catalog.in_file
        return [symbol for path in self._by_path for symbol in in_file(path) if symbol.kind == "class"]

    @cached_property
    def _class_names(self) -> frozenset[str]:
        return frozenset(symbol.name for symbol in self._classes)

    @cached_property
    def _registering(self) -> frozenset[str]:
        """Names of classes that register their subclasses, and of these subclasses."""
        found = {name for units in self._by_path.values() for unit in units if unit.words & _REGISTERS
                 for name in unit.names}  # fmt: skip
        found &= self._class_names
        bases = [
            (symbol.name, frozenset(_WORD.findall(symbol.signature.partition("(")[2]))) for symbol in self._classes
        ]
        grown = True
        while grown:
            more = {name for name, words in bases if words & found} - found
            found |= more
            grown = bool(more)
        return frozenset(found)


def _top_level(side: Side, symbol: Symbol) -> Symbol:
    """Return the definition at the top level of the module around a symbol."""
    while symbol.parent is not None:
        around = side.catalog.symbol(symbol.parent)
        if around.kind == "module":
            break
        symbol = around
    return symbol


def _imported_words(side: Side, path: str) -> dict[str, bool]:
    """Return the words of the imports of a file, and for each if other files can import it from there again."""
    found: dict[str, bool] = {}
    for statement in _imports_of(side, path):
        for word in _WORD.findall(statement):
            found[word] = found.get(word, False) or statement.lstrip().startswith("from")
    return found


def _imports_of(side: Side, path: str) -> list[str]:
    """Return the import statements of a file."""
    return _IMPORT.findall(_without_strings(side.sources[path].text)[0])
