"""Starts of symbols without a call in the repository: by the language, a tool, a script of a manifest or a test runner.

Decorators, attributes and macros may also register or call what they stand at.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from glob import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import decorators_of, is_constructor, members
from codeexplore.languages.file_roles import marks
from codeexplore.languages.python.locate import entry_points, parse_toml
from codeexplore.languages.registry import record_of
from codeexplore.names.mentions import Mentions
from codeexplore.source.manifests import manifests_of, read_manifest
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, VALUE_KINDS, Site, Symbol

_TYPE_WORDS: Final = frozenset({"class", "interface", "enum", "record", "struct", "object", "trait", "@interface"})
"""Words of the declaration of a type, which the constant of an enum lacks although its body makes it a type."""
_SETUP: Final = ("setUp", "tearDown", "setup_", "teardown_", "pytest_")


_ITEMS: Final = re.compile(r"\$\w+:item\b")


class Starts:
    """Finder of symbols that are started or registered. `root` is the folder with the manifests that declare scripts.

    Known decorators are listed in the records of the languages.
    """

    def __init__(self, graph: CodeGraph, mentions: Mentions, root: Path | None) -> None:
        self.graph, self.mentions, self._root = graph, mentions, root

    def reason(self, symbol: Symbol) -> str:
        """Return a clause if the language, a script or a test runner starts the symbol; "" otherwise."""
        language = record_of(symbol.language)
        if self._is_test(symbol):
            return "a test runner finds it by its name or decorator"
        vertex = self.graph.vertex(symbol.id)
        made = vertex if symbol.kind in TYPE_KINDS else -1
        if symbol.parent is not None and is_constructor(self.graph, vertex):
            made = self.graph.vertex(symbol.parent)
        if made >= 0 and any(self._is_test(self.graph.symbol(each)) for each in members(self.graph, made)):
            return "a test runner makes instances of the type, whose methods are tests"
        if implicit := self.implicit(symbol):
            return implicit
        if script := self.script(symbol):
            return script.said
        if symbol.name in language.start_names and symbol.kind in language.start_kinds:
            pattern = language.start_signature
            if pattern is None or pattern.search(symbol.signature):
                return "the language or a launcher calls it by its name"
        return ""

    def _is_test(self, symbol: Symbol) -> bool:
        language = record_of(symbol.language)
        by_mark = marks(symbol) & (language.test_decorators | language.setup_decorators)
        by_name = symbol.name.startswith((*language.test_names, *_SETUP))
        named = by_name and self.graph.catalog.roles.is_test(symbol.path)
        return symbol.kind in CALLABLE_KINDS and (bool(by_mark or named) or self.graph.catalog.is_test(symbol))

    def implicit(self, symbol: Symbol) -> str:
        """Return a clause if the language itself uses the symbol, without its name; "" otherwise."""
        name, language = symbol.name, record_of(symbol.language)
        special = language.implicit_members is not None and language.implicit_members.fullmatch(name) is not None
        around = self.graph.catalog.around(symbol)
        at_top = around is not None and around.kind == "module" and symbol.kind in (*CALLABLE_KINDS, *VALUE_KINDS)
        if at_top and language.tool_files is not None and language.tool_files.search(symbol.path) is not None:
            return f"a tool reads the names of {symbol.path}"
        if symbol.kind not in CALLABLE_KINDS:
            if special and symbol.kind in VALUE_KINDS:
                return f"`{name}` is a special name, which the language or its tools read"
            of_enum = around is not None and around.kind == "enum"
            constant = of_enum and symbol.kind in TYPE_KINDS and _TYPE_WORDS.isdisjoint(symbol.signature.split())
            return f"`{name}` is a constant of an enum, which lists its constants" if constant else ""
        if special and at_top:
            return f"`{name}` is a special function, which the language or its tools call"
        if special or (name.startswith("__") and name.endswith("__") and len(name) > 4):
            return f"`{name}` is a special method, which the language calls"
        if name.startswith("<") and name.endswith("init>"):  # <clinit>
            return f"`{name}` runs when its type is loaded"
        owners = language.implicit_owners
        if around is not None and owners is not None and owners.search(around.signature):
            return f"`{name}` is a member of {around.name}, which the language or other code uses"
        vertex = self.graph.vertex(symbol.id)
        if symbol.parent is None or not is_constructor(self.graph, vertex):
            return ""
        words = symbol.signature.split()
        if "()" in symbol.signature and self.graph.incident(self.graph.vertex(symbol.parent), "in", ("EXTENDS",)):
            return f"`{name}` runs when a subtype is made, unless the subtype calls another constructor"
        if "static" in words:
            return f"`{name}` runs when its type is loaded"
        beside = members(self.graph, self.graph.vertex(symbol.parent))
        making = (self.graph.symbol(each) for each in beside if is_constructor(self.graph, each))
        if all("private" in each.signature.split() for each in making):
            return f"all constructors of its type are private, as {name} is, which forbids other code to make instances"
        return ""

    def script(self, symbol: Symbol) -> Script | None:
        """Return what a manifest starts or registers as this symbol."""
        return self._started.get(symbol.path if symbol.kind == "module" else symbol.id)

    @cached_property
    def scripts(self) -> tuple[Script, ...]:
        return read_scripts(self._root, {(each.path, each.language) for each in self.graph.catalog.symbols})

    @cached_property
    def _started(self) -> dict[str, Script]:
        """Id of an object, or path of a file → its script."""
        found: dict[str, Script] = {}
        for script in self.scripts:
            outer = script.name.replace(".__main__", "")  # which imports it from its package
            meant = self.graph.catalog.find(script.name) or self.graph.catalog.find(outer) if script.name else ()
            for each in (script.path, *(symbol.id for symbol in meant)):
                found.setdefault(each, script)
        return found

    # ----------------------------------------------------------------- decorators and macros

    def registered(self, symbol: Symbol) -> str:
        """Return a clause if a decorator, or a macro around the symbol, may register or call it; "" otherwise."""
        shown, noun = self._telling(symbol), record_of(symbol.language).mark_noun
        if symbol.kind not in (*CALLABLE_KINDS, *TYPE_KINDS):
            return f"its {noun} ({shown}) may use it" if shown and symbol.kind in VALUE_KINDS else ""
        if shown:
            return f"its {'macro' if shown.endswith('!') else noun} ({shown}) may register or call it"
        vertex = self.graph.vertex(symbol.id)
        made = self.graph.vertex(symbol.parent or "") if is_constructor(self.graph, vertex) else vertex
        inside = members(self.graph, made) if self.graph.symbol(made).kind in TYPE_KINDS else ()
        marked = next(
            filter(None, (self._telling(s) for s in map(self.graph.symbol, inside) if s.kind == "method")), ""
        )
        return f"what the {noun} of a method ({marked}) registers may make instances" if marked else ""

    def _telling(self, symbol: Symbol) -> str:
        """Return the decorators of a symbol that may register or call it, as a list in words; "" for none."""
        language = record_of(symbol.language)
        plain = language.plain_decorators | language.test_decorators | language.setup_decorators
        telling = [mark for mark in (*symbol.decorators, *self._macros(symbol)) if not self._keeps(symbol, mark, plain)]
        return ", ".join(dict.fromkeys(mark.replace("()", "") or "…" for mark in telling))

    def _macros(self, symbol: Symbol) -> Iterator[str]:
        """Yield the macros around a definition, in whose braces it is indented: ``proptest!``."""
        opened = self.mentions.opening(record_of(symbol.language).macro_blocks, Site(symbol.path, symbol.line))
        return (found[1] for found in opened)

    def in_closure(self, symbol: Symbol, site: Site) -> bool:
        """Return True if a line of a function is in a function without a name that is no symbol: in a block."""
        first = symbol.line - 1 if symbol.kind in CALLABLE_KINDS else 0
        return any(True for _ in self.mentions.opening(record_of(symbol.language).closures, site, first))

    def _keeps(self, symbol: Symbol, decorator: str, plain: Collection[str]) -> bool:
        """Return True if the decorator does not register the function that it decorates.

        This is so if its name is in `plain`. It is also so if every function in this repository with its
        name is a wrapper, which means that it uses ``wraps`` or ``update_wrapper`` of functools, or a macro that
        takes whole definitions (``$item:item``), whose names it cannot read. A member, such as ``app.route``, must be
        known to be such a function.
        """
        name = re.split(r"\.|::", decorator.partition("(")[0])[-1]
        if name in plain:
            return True
        defined = [each for each in self.graph.catalog.find(name.rstrip("!")) if each.kind == "function"]
        if "." in decorator.partition("(")[0]:
            used = decorators_of(self.graph, self.graph.vertex(symbol.id))
            defined = [each for each in defined if self.graph.vertex(each.id) in used]
        return bool(defined) and all(each.id in self._wrappers or self._takes_items(each) for each in defined)

    def _takes_items(self, macro: Symbol) -> bool:
        return macro.signature.startswith("macro_rules!") and _ITEMS.search(self.mentions.text(macro)) is not None

    @cached_property
    def _wrappers(self) -> frozenset[str]:
        """Ids of the functions that use functools' wraps or update_wrapper, and ids of the definitions around them."""
        externals, found = self.graph.externals, set[str]()
        for name in ("functools.wraps", "functools.update_wrapper"):
            for user, full, _ in externals.users(name) if name in externals else ():
                if full == name:
                    symbol = self.graph.catalog.symbol(user)
                    found.update(each.id for each in (symbol, *self.graph.catalog.all_around(symbol)))
        return frozenset(found)


# --------------------------------------------------------------------------- scripts of manifests

_ORDER: Final = ("pyproject.toml", "setup.cfg", "setup.py", "package.json", "Cargo.toml")
_PROGRAMS: Final = frozenset({"console_scripts", "gui_scripts"})
_PROGRAM_TABLES: Final = ("bin", "example", "bench")  # of Cargo.toml; each has a `main`, or a macro in its place
_RUN: Final = re.compile(
    r"(?:^|[\s;&|])(?:node|nodemon|tsx|ts-node|bun|deno run|python3?)\s+(?:-\S+\s+)*(?:\./)?([\w./-]+\.\w+)"
)
"""A command of a package's ``scripts`` that runs a file."""


class Script(NamedTuple):
    """A script that a manifest declares.

    It starts either an object, whose dotted name is `name`, or a whole file, whose path is `path`; `name` is then "".
    """

    script: str
    manifest: str
    name: str
    path: str = ""
    group: str = ""  # of plug-ins; "" for a program

    @property
    def said(self) -> str:
        """Clause on what the manifest does with the object or the file."""
        if self.group:
            return f"{self.manifest} registers it as {self.script} ({self.group})"
        return f"{self.manifest} {'starts it' if self.name else 'names its file'} as {self.script}"


def read_scripts(root: Path | None, files: Iterable[tuple[str, str]]) -> tuple[Script, ...]:
    """Return the scripts that manifests below `root` declare: those at the root first, then by the folders' depth.

    `files` contains pairs of path and language; a manifest is read in the folders of the files and above. One that
    cannot be read is ignored. If `root` is the folder of an installed package, scripts that its distribution
    (``NAME-VERSION.dist-info`` beside it) declares are included.
    """
    if root is None:
        return ()
    found: list[Script] = []
    for beside in sorted(root.parent.glob(f"{escape(root.name)}-*.dist-info")):
        found += _of_python("entry_points.txt", read_manifest(beside, "entry_points.txt") or "")
    texts = {path: text for path, text in manifests_of(root, files).items() if posixpath.basename(path) in _ORDER}
    for path in sorted(texts, key=lambda path: (path.count("/"), _ORDER.index(posixpath.basename(path)), path)):
        name = posixpath.basename(path)
        read = _of_package if name == "package.json" else _of_crate if name == "Cargo.toml" else _of_python
        found += read(path, texts[path])
    names: dict[tuple[str, str, str, str], list[str]] = {}
    for each in found:
        names.setdefault((each.manifest, each.name, each.path, each.group), []).append(each.script)
    return tuple(Script(" and ".join(scripts), *started) for started, scripts in names.items())


def _of_python(manifest: str, text: str) -> Iterator[Script]:
    for each in entry_points(manifest, text) if text else ():
        group = "" if each.group in _PROGRAMS else each.group
        yield Script(each.name, manifest, f"{each.module}.{each.attribute}", group=group)


def _of_package(manifest: str, text: str) -> Iterator[Script]:
    try:
        package = json.loads(text)
    except (ValueError, RecursionError):
        return
    if not isinstance(package, dict):
        return
    started, commands = package.get("bin"), package.get("scripts")
    files = started if isinstance(started, dict) else {str(package.get("name", "bin")): started}
    for script, path in (*files.items(), ("main", package.get("main")), ("module", package.get("module"))):
        yield from _of_file(str(script), manifest, path)
    for script, command in commands.items() if isinstance(commands, dict) else ():
        for run in _RUN.finditer(str(command)):
            yield from _of_file(f"npm run {script}", manifest, run[1])


def _of_crate(manifest: str, text: str) -> Iterator[Script]:
    crate = parse_toml(text)
    for table in _PROGRAM_TABLES:
        rows = crate.get(table)
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict):
                yield from _of_file(str(row.get("name", table)), manifest, row.get("path"))


def _of_file(script: str, manifest: str, path: Any) -> Iterator[Script]:
    if isinstance(path, str) and path:
        yield Script(script, manifest, "", posixpath.normpath(posixpath.join(posixpath.dirname(manifest), path)))
