"""The part of a file's facts that a program slice has, see `program_slice`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.graph.demand.facts_index import PARAMETERS

if TYPE_CHECKING:
    from codeexplore.graph.demand.facts_index import FactsIndex
    from codeexplore.types import Binding, FileFacts, Import, Reference


class SlicedFile(NamedTuple):
    """A part of a file's facts. `rows` are the rows of its symbols among all symbols of the file."""

    facts: FileFacts
    rows: Sequence[int]


@dataclass(slots=True)
class SlicePart:
    """The part of a file that is in a slice."""

    index: FactsIndex
    number: int  # of the file in its family
    scopes: set[int] = field(default_factory=lambda: {0})
    results: set[int] = field(default_factory=set)  # functions whose results are needed
    bindings: set[Binding] = field(default_factory=set)
    imports: set[Import] = field(default_factory=set)
    references: dict[int, set[int]] = field(default_factory=dict)  # → positions of the arguments that are needed
    names: set[str] = field(default_factory=set)  # module-level names whose meaning is needed
    locals: set[tuple[int, str]] = field(default_factory=set)
    callers: set[str] = field(default_factory=set)  # functions whose calls decide a parameter
    called: set[int] = field(default_factory=set)  # functions whose parameters are followed to their calls
    extent: tuple[int, int] = (0, 0)  # numbers of scopes and of functions that take one, when both were compared last
    opened: bool = False  # a member of the module may be any needed member

    def sliced(self, all_imports: bool) -> SlicedFile:
        """Return the facts of the part. `all_imports` is True to keep all imports of its scopes."""
        facts = self.index.facts
        rows = sorted(self.scopes)
        place = {row: number for number, row in enumerate(rows)}
        references = [_with_arguments(facts.references[row], self.references[row]) for row in sorted(self.references)]
        made = replace(
            facts,
            symbols=tuple(facts.symbols[row] for row in rows),
            imports=tuple(
                row._replace(scope=place[row.scope])
                for row in facts.imports
                if row.scope in place and (row in self.imports or all_imports)
            ),
            bindings=tuple(
                row._replace(scope=place[row.scope])
                for row in facts.bindings
                if row.scope in place and (row in self.bindings or _is_kept(row))
            ),
            returns=tuple(row._replace(scope=place[row.scope]) for row in facts.returns if row.scope in self.results),
            references=tuple(row._replace(scope=place[row.scope]) for row in references if row.scope in place),
            bases=tuple(row._replace(scope=place[row.scope]) for row in facts.bases if row.scope in place),
        )
        return SlicedFile(made, rows)


def _with_arguments(reference: Reference, kept: Collection[int]) -> Reference:
    """Return a reference with the values of some arguments only, given by their positions."""
    if len(kept) == len(reference.args):
        return reference
    return reference._replace(args=tuple(text if n in kept else "" for n, text in enumerate(reference.args)))


def _is_kept(binding: Binding) -> bool:
    """Return True if a binding is needed with its scope: parameters, receivers and marks without a value."""
    is_mark = binding.name[:1] == "%" and not binding.value
    return is_mark or binding.manner == "receiver" or binding.manner in PARAMETERS
