"""Program slices: the part of a repository's facts that is needed to resolve the uses in a few scopes.

A *scope* is a symbol whose body contains uses, given by its row among the file's symbols.

Resolving a whole repository takes seconds. The references of one edited function usually depend on few facts: the names
in the function, the definitions of these names, and the results of the functions among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import NamedTuple

from codeexplore.graph.families import rules_of
from codeexplore.resolution.access_paths import last_name
from codeexplore.types import TYPE_KINDS, FileFacts

_NAME = re.compile(r"[^\W\d]\w*")
_CALLS = frozenset({"call", "new"})
_MAKING = frozenset({"__init__", "__new__", "__call__", "constructor"})
"""Functions that a call runs without naming them."""


MOST_USES = 4_000
"""Maximal number of references in edited scopes. An edit with more references waits for the full resolution."""

_STEPS = 2  # first step: results of a named function; second step: names in these results


class FactsSlice(NamedTuple):
    """Facts of some scopes of a file. `rows` are the rows of these scopes among all symbols of the file."""

    facts: FileFacts
    rows: Sequence[int]

    @property
    def size(self) -> int:
        """Number of facts in the slice, an estimate of the cost of resolving it."""
        facts = self.facts
        return len(self.rows) + len(facts.bindings) + len(facts.returns) + 2 * len(facts.references)


def uses_in(facts: FileFacts, scopes: AbstractSet[int]) -> int:
    """Return the number of references in the given scopes."""
    return sum(row.scope in scopes for row in facts.references)


def names_in(texts: Iterable[str]) -> set[str]:
    """Return all names that occur in the given access paths and types."""
    return {name for text in set(texts) for name in _NAME.findall(text)}


def names_used(facts: FileFacts, scopes: AbstractSet[int]) -> set[str]:
    """Return the names that the given scopes use.

    Names that these scopes bind, and built-in names of the language, are left out.
    """
    rules = rules_of(facts.language)
    own = {row.name for row in facts.bindings if row.scope in scopes} | (rules.builtins.names if rules else frozenset())
    paths = set(_paths(facts, scopes))
    steps = names_in(path.partition(".")[2] for path in paths)
    return names_in(paths) - (own - steps)


def names_from_elsewhere(facts: FileFacts, names: AbstractSet[str]) -> set[str]:
    """Return those of `names` that the file imports, or uses without defining them."""
    here = {symbol.name for symbol in facts.symbols} | {row.name for row in facts.bindings}
    imported = {last_name(row.member or row.module)[0] for row in facts.imports}
    roots = {row.path.partition(".")[0].partition("(")[0] for row in facts.references}
    return {name for name in names if name in imported or (name in roots and name not in here)}


def names_imported(facts: FileFacts, names: AbstractSet[str]) -> set[str]:
    """Return the original names of the file's imports that concern `names`.

    An import counts if the name that it defines, or its original name, is one of `names`.
    """
    return {row.member for row in facts.imports if row.member and not names.isdisjoint((row.name, row.member))}


def _paths(facts: FileFacts, scopes: AbstractSet[int]) -> Iterator[str]:
    for reference in facts.references:
        if reference.scope in scopes:
            yield reference.path
            yield from reference.args
    for binding in facts.bindings:
        if binding.scope in scopes:
            yield binding.value
            yield binding.type
    yield from (row.value for row in facts.returns if row.scope in scopes)
    yield from (row.path for row in facts.bases if row.scope in scopes)
    yield from (f"{row.module}.{row.member}" for row in facts.imports if row.scope in scopes)


def passing_on(facts: FileFacts, names: AbstractSet[str]) -> set[str]:
    """Return the modules from which the file re-exports one of `names`, as written in the file."""
    return {row.module for row in facts.exports if row.module and (row.name == "*" or row.name in names)}


def scopes_using(facts: FileFacts, names: AbstractSet[str]) -> set[int]:
    """Return the scopes that contain a reference whose path includes one of `names`."""
    if not names:
        return set()
    return {row.scope for row in facts.references if not names.isdisjoint(_NAME.findall(row.path))}


def slice_facts(
    facts: FileFacts, names: AbstractSet[str], using: AbstractSet[int], called: AbstractSet[str]
) -> tuple[FactsSlice, set[str]]:
    """Return the part of a file's facts that is needed to resolve uses of `names`.

    Parameters
    ----------
    names
        Names of functions, types and fields. Definitions with such a name are in the slice.
    using
        Scopes that are in the slice with all their references.
    called
        Names of functions. Every call of such a name is in the slice, because an edit may have moved the call.

    Returns
    -------
    FactsSlice, set of str
        The slice, and further names to which it refers in results of functions, supertypes and imports.
    """
    wanted, further = _wanted(facts, names, using)
    references = [
        row
        for row in facts.references
        if row.scope in using or (called and row.kind in _CALLS and row.path.rpartition(".")[2] in called)
    ]
    rows = sorted(_with_parents(facts, wanted | {row.scope for row in references}))
    place = {row: number for number, row in enumerate(rows)}
    made = replace(
        facts,
        symbols=tuple(facts.symbols[row] for row in rows),
        imports=tuple(row._replace(scope=place[row.scope]) for row in facts.imports if row.scope in place),
        bindings=tuple(row._replace(scope=place[row.scope]) for row in facts.bindings if row.scope in place),
        returns=tuple(row._replace(scope=place[row.scope]) for row in facts.returns if row.scope in place),
        references=tuple(row._replace(scope=place[row.scope]) for row in references),
        bases=tuple(row._replace(scope=place[row.scope]) for row in facts.bases if row.scope in place),
    )
    return FactsSlice(made, rows), further


def _wanted(facts: FileFacts, names: AbstractSet[str], using: AbstractSet[int]) -> tuple[set[int], set[str]]:
    """Return the scopes whose facts are needed, and the further names that they need.

    The scopes are definitions of `names`, and definitions that their results name.
    """
    symbols = facts.symbols
    wanted, further, known = {0, *using}, set[str](), set(names)
    for _ in range(_STEPS):
        wanted |= {row for row, symbol in enumerate(symbols) if symbol.name in known}
        wanted |= {row.scope for row in facts.bindings if "." in row.name and row.name.rpartition(".")[2] in known}
        if any(symbols[row].kind in TYPE_KINDS for row in wanted):
            wanted |= {row for row, symbol in enumerate(symbols) if symbol.name in _MAKING}
        fresh = names_in(_leading_on(facts, known, wanted)) - known
        if not fresh:
            break
        further |= fresh
        known |= fresh
    return wanted, further


def _leading_on(facts: FileFacts, names: AbstractSet[str], scopes: AbstractSet[int]) -> Iterator[str]:
    """Yield the expressions on which the meaning of `names` may depend.

    These are the results and supertypes of the given scopes, values assigned to `names`, and imports and exports of
    `names`.
    """
    yield from (row.value for row in facts.returns if row.scope in scopes)
    yield from (row.path for row in facts.bases if row.scope in scopes)
    for row in facts.bindings:
        if row.scope in scopes and row.name.rpartition(".")[2] in names:
            yield row.value
            yield row.type
    for bound in facts.imports:
        if bound.name == "*" or (bound.scope in scopes and bound.name.rpartition(".")[2] in names):
            yield f"{bound.module}.{bound.member}"
    for offered in facts.exports:
        if offered.name == "*" or offered.name in names:
            yield f"{offered.module}.{offered.target}"


def _with_parents(facts: FileFacts, scopes: set[int]) -> set[int]:
    rows = {symbol.id: row for row, symbol in enumerate(facts.symbols)}
    found = set(scopes)
    for row in scopes:
        parent = facts.symbols[row].parent
        while parent is not None and rows[parent] not in found:
            found.add(rows[parent])
            parent = facts.symbols[rows[parent]].parent
    return found
