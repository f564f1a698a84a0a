"""Language record and resolution rules of Go."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from codeexplore.languages.base import SLASHES, full, replacing, table, words
from codeexplore.languages.conventions import folders_above
from codeexplore.resolution import language_rules
from codeexplore.resolution.language_rules import Effect, Located, TypeRole, Units
from codeexplore.types import FileFacts

_APART = ":test"
"""Suffix of the key of a folder's second package, the external tests. They see only what the first package exports."""

_MODULE = re.compile(r"^[ \t]*module\s+(\S+)", re.MULTILINE)
_REPLACE = re.compile(
    r"""^[ \t]*(?:replace[ \t]+)?(?!//)(["`]?[^\s"`()]+["`]?)(?:[ \t]+\S+)?[ \t]+=>[ \t]+["`]?([^\s"`]+)""",
    re.MULTILINE,
)
"""A replaced module and what replaces it: a folder, which begins with ``./`` or ``../``, or another module."""


class GoLocator:
    """Module resolver of Go.

    A package is a folder. An import path is the module path in go.mod followed by the folder. The go.mod or go.work
    nearest above a file may replace modules.
    """

    def __init__(self, files: Sequence[FileFacts], manifests: Mapping[str, str]) -> None:
        self.units = Units()
        self._folders: dict[str, int] = {}
        self._unit: list[int] = []
        for index, facts in enumerate(files):
            folder = posixpath.dirname(facts.path)
            if facts.path.endswith("_test.go") and facts.module == (folder + "_test" if folder else facts.module):
                folder += _APART if folder or facts.module.endswith("_test") else ""
            folder = folder if facts.path.endswith(".go") else facts.path  # a template of a file is not compiled
            unit = self._folders.get(folder)
            if unit is None:
                unit = self._folders[folder] = self.units.add(folder)
            self.units.files[unit].append(index)
            self._unit.append(unit)
        self._modules: list[tuple[str, str]] = []  # (module path, folder), longest first
        self._replaced: dict[str, list[tuple[str, str]]] = {}  # folder of a manifest → (module path, replacement)
        for path, text in manifests.items():
            folder, found = posixpath.dirname(path), _MODULE.search(text)
            if found is not None:
                self._modules.append((found.group(1).strip('"'), folder))
            if pairs := [(old.strip('"`'), new) for old, new in _REPLACE.findall(text)]:
                self._replaced.setdefault(folder, []).extend(sorted(pairs, key=lambda pair: -len(pair[0])))
        self._modules.sort(key=lambda item: -len(item[0]))
        # by file: the folders above it whose manifests replace modules, the nearest first
        above = (folders_above(posixpath.dirname(facts.path)) for facts in files) if self._replaced else ()
        self._of_file = [[folder for folder in each if folder in self._replaced] for each in above]

    def unit_of(self, file: int) -> int:
        return self._unit[file]

    def locate(self, file: int, module: str) -> Located:
        """Return the package for the import path `module`, which may be in a ``vendor`` folder.

        Without go.mod, it is the folder in which the import path ends, if there is only one.
        """
        for above in self._of_file[file] if self._of_file else ():
            for name, target in self._replaced[above]:
                if module == name or module.startswith(name + "/"):
                    rest = module[len(name) :]
                    if target.startswith("."):
                        return self._in_folder(posixpath.normpath(posixpath.join(above, target)), rest, module)
                    return self._by_name(target + rest, module)
        return self._by_name(module, module)

    def _in_folder(self, folder: str, rest: str, module: str) -> Located:
        below = (folder if folder != "." else "") + rest
        return Located(self._folders.get(below.strip("/"), -1), module)

    def _by_name(self, path: str, module: str) -> Located:
        for name, folder in self._modules:
            if path == name or path.startswith(name + "/"):
                return self._in_folder(folder, path[len(name) :], module)
        for _, folder in self._modules:
            unit = self._folders.get(posixpath.join(folder, "vendor", path), -1)
            if unit >= 0:
                return Located(unit, module)
        if not self._modules and "/" in module:
            ending = [unit for folder, unit in self._folders.items() if folder and path.endswith("/" + folder)]
            if len(ending) == 1:
                return Located(ending[0], module)
        return Located(-1, module)


TYPES: dict[str, TypeRole] = table(
    {"nothing": "error string int int64 int32 uint uint64 byte bool float64 any rune", "same": "Pointer Value"}
)

METHODS: dict[str, Effect] = {}

_BUILTINS = words(
    """
    append cap clear close complex copy delete imag len make max min new panic print println real recover error string
    int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr byte rune float32 float64 complex64 complex128
    bool any comparable
    """
)
_COMMON = words(
    """
    Error String Close Read Write Len Less Swap Get Set Add Done Lock Unlock RLock RUnlock Wait Next Scan Err Value
    Printf Println Print Errorf Fatal Fatalf Log Logf Helper Run Do Name Format Sub Before After Unix Cancel Reset Stop
    """
)
_LOCKS = {
    "sync.Mutex": words("Lock TryLock Unlock"),
    "sync.RWMutex": words("Lock RLock RLocker RUnlock TryLock TryRLock Unlock"),
}


@cache
def rules() -> language_rules.Rules:
    return language_rules.Rules(
        family="go",
        modules=language_rules.ModuleRules(locator=GoLocator, manifests=("go.mod", "go.work"), clauses=True),
        scopes=language_rules.ScopeRules(types_apart=True, lambdas_apart=False),
        classes=language_rules.ClassRules(
            instance_names=frozenset(),
            super_names=frozenset(),
            structural=True,
            outside_methods=_LOCKS,
            same_types=GO.same_types,
            sealed_kinds=frozenset({"struct", "type", "enum"}),
        ),
        construction=language_rules.ConstructionRules(making_calls=False, record_kinds=frozenset({"struct"})),
        functions=language_rules.FunctionRules(results_in_tuples=True),
        builtins=language_rules.BuiltinModels(
            gives_callbacks=True,
            map_gives="values",
            types=TYPES,
            names=_BUILTINS,
            module="builtin",
            literals={"%str": "builtin.string", "%num": "builtin.int", "%bool": "builtin.bool"},
            common_methods=_COMMON,
            container_methods=METHODS,
        ),
    )


_NEW_OF_VALUE: Final = re.compile(
    rb"\bnew(?=\(\s*(?:"
    rb"[\"'`\d!^&-]|true\b|false\b"  # a literal or a prefix operator
    rb"|(?!(?:func|struct|interface)\b|map\[)[\w.]+(?:\[[^\]\n]*\][\w.]*)?\s*[({+*/%|^<>=!&-]"  # a call, an operation
    rb"|[\w.]+\[(?:\s*\d|[^\]\n]*\]\.)"  # an element of a slice, a field of an element
    rb"))"
)
"""The word `new` before a value, as in ``new(f(x))``, which Go has since 1.26: the grammar supports ``new(T)`` only.

Without the word the value stays, in parentheses.
"""
GO = replace(
    full("go", "Go"),
    rules=rules,
    extensions=(".go",),
    manifests=("go.mod", "go.work"),
    wrappings=replacing({_NEW_OF_VALUE: b""}),
    visibility="capitals",
    program="main",
    implicit_interfaces=True,
    mark_noun="directive",
    build_variants=True,
    overridden_fields=False,
    called_signatures=re.compile(r"^(?!(?:const|var) )[^`\"]*[`\"]"),  # any string is a tag: participle's have no keys
    called_because="{} has a tag, by which other code may find it",
    by_position=r"(?<![\]*])\b{0}\{{(?:\s|[{{&])*[^\s{{&}}](?!\w*\s*:)"
    r"|\]\*?{0}\{{\s*(?:[^\s{{}}][^\n{{}}]*:\s*)?\{{(?:\s|[{{&])*[^\s{{&}}](?!\w*\s*:)",  # the items of a slice or map
    reflection=re.compile(r"\.(?:Num(?:Field|Method)\(\)|(?:Field|Method)ByName\()"),
    start_names=("main", "init"),
    loaders=frozenset({"init"}),
    late_calls=re.compile(r"\s*defer\b"),
    start_kinds=frozenset({"function"}),
    checked_types=True,
    comment_start=SLASHES,
    same_types={"interface": "any", "byte": "uint8", "rune": "int32"},
    reexports=False,
    no_type=re.compile(r"\b(?!(?:chan|func|struct|interface|map)\b)\w+\s+(?=[\w*\[(])"),  # names of results
    test_files=re.compile(r".+_test\.go"),
    test_names=("Test", "Benchmark", "Example", "Fuzz"),
)
