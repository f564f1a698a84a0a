"""The modules of a whole repository, for a resolution that has the facts of a few files only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from codeexplore.resolution.language_rules import Rules
from codeexplore.resolution.module_tree import Located, ModuleResolver, Units


class SlicedModules:
    """Module resolver that finds the same modules as `whole`. Only the files of a slice offer names.

    Parameters
    ----------
    whole
        The modules of all files.
    files
        Numbers of the sliced files among all files.
    """

    def __init__(self, whole: ModuleResolver, files: Sequence[int]) -> None:
        self._whole, self._files = whole, files
        units, place = Units(), {file: number for number, file in enumerate(files)}
        units.children, units.parent, units.name = whole.units.children, whole.units.parent, whole.units.name
        units.files = [[place[file] for file in unit if file in place] for unit in whole.units.files]
        self.units = units

    def unit_of(self, file: int) -> int:
        """Return the number of the module that offers the names of a sliced file."""
        return self._whole.unit_of(self._files[file])

    def locate(self, file: int, module: str) -> Located:
        """Return the target of `module`, as written in an import of a sliced file."""
        return self._whole.locate(self._files[file], module)


def rules_of_slice(rules: Rules, whole: ModuleResolver, files: Sequence[int]) -> Rules:
    """Return the rules of a family, with the modules of all its files for a resolution of the given files.

    All types count as public, because the code that makes instances of a private type may be outside the slice.
    """

    def locator(_files: Sequence[object], _manifests: Mapping[str, str]) -> ModuleResolver:
        return SlicedModules(whole, files)

    modules, classes = replace(rules.modules, locator=locator), replace(rules.classes, opening_words=frozenset())
    return replace(rules, modules=modules, classes=classes)
