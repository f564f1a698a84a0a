"""Tours: an order of symbols that explains a repository, with the reasons for each step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block
from codeexplore.answers.data import symbol_dict
from codeexplore.answers.shown import ShownRows
from codeexplore.answers.wording import cut, member_name, one_line
from codeexplore.types import SCHEMA_VERSION, EdgeKind, Site, Symbol
from codeexplore.types.visible import visible_json

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog
    from codeexplore.types import SourceFile

_SCHEMA: Final = "https://aka.ms/codetour-schema"
VERBS: Final[Mapping[str, str]] = {
    "CALLS": "calls",
    "USES": "uses",
    "EXTENDS": "extends",
    "IMPLEMENTS": "implements",
    "CONTAINS": "defines",
}
"""Verbs for the kinds of edges that lead from step to step."""
_CHARS: Final = 160  # of a signature
_LINES: Final = 40  # of a symbol that a step shows at first


class Lead(NamedTuple):
    """An edge from a step to a later one: the number of the later step, the kind of the edge, and its place."""

    to: int
    kind: EdgeKind  # CONTAINS leads from a type to its member
    path: str
    line: int


class Step(NamedTuple):
    """A step of a tour."""

    number: int  # 1-based
    symbol: Symbol
    said: str  # a sentence from its documentation, or from its edges
    why: tuple[str, ...]  # clauses: why it is in the tour, and why here
    leads: tuple[Lead, ...]  # to later steps
    part: Literal["use", "inside"]  # how the repository is used, or how it works


@dataclass(frozen=True, slots=True, repr=False)
class Tour(ShownRows[Step]):
    """An order in which to read the symbols of a repository. It is a sequence of `Step`."""

    _records_in: ClassVar[str] = "steps"

    name: str  # of the repository
    question: str  # "" for a tour of the whole repository
    steps: tuple[Step, ...]
    sources: Mapping[str, SourceFile] = field(repr=False, compare=False)
    catalog: Catalog = field(repr=False, compare=False)
    notes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return f"Tour of {one_line(self.name)}" + (f": {one_line(self.question)}" if self.question else "")

    def lines(self, step: Step) -> list[tuple[int, str]]:
        span = step.symbol.span
        lines = self.sources[step.symbol.path].text.split("\n")[span.start_line - 1 : span.end_line]
        return [(number, line.rstrip()) for number, line in enumerate(lines, span.start_line)]

    def blocks(self) -> list[Block]:
        said: list[Block] = [b.Heading((b.Piece(self.title, "strong"), f"  {len(self.steps)} steps"))]
        for step in self.steps:
            if step.part == "inside" and self.steps[step.number - 2].part == "use":
                said.append(b.Text(b.Words("How it works"), apart=True))
            said += self.step_blocks(step)
        return [*said, *b.notes(self.notes)]

    def step_blocks(self, step: Step, *, opened: bool = False) -> list[Block]:
        """Return the blocks of one step. The source is folded below the signature, unless `opened`."""
        symbol = step.symbol
        place = Site(symbol.path, symbol.line)
        title = (b.Piece(f"{step.number}. "), symbol, b.Piece(f"  {symbol.kind} ", "kind"), place)
        code = b.Source(self.lines(step), symbol.language, brief=_LINES, path=symbol.path)
        return [
            b.Text(title, apart=True),
            b.Text(step.said),
            *([b.Text(f"Why here: {'; '.join(step.why)}", "dim")] if step.why else []),
            *([b.Text(f"Leads to: {self.led(step)}", "dim")] if step.leads else []),
            code
            if opened
            else b.Fold(b.Piece(cut(one_line(symbol.signature or symbol.name), _CHARS), "code"), (code,), aside=True),
        ]

    def led(self, step: Step) -> str:
        """Return the later steps that a step leads to, as ``4 Flask.route (defines, app.py:12)``."""
        names = {each.number: one_line(member_name(each.symbol)) for each in self.steps}
        return ", ".join(
            f"{lead.to} {names[lead.to]} ({VERBS[lead.kind]}, {lead.path}:{lead.line})" for lead in step.leads
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA_VERSION,
            "kind": "tour",
            "repository": self.name,
            "question": self.question,
            "steps": [
                step._asdict()
                | {"symbol": symbol_dict(step.symbol), "why": list(step.why)}
                | {"leads": [lead._asdict() for lead in step.leads]}
                for step in self.steps
            ],
            "notes": list(self.notes),
        }

    def to_codetour(self) -> str:
        """Return the tour as the JSON of a ``.tour`` file, which the editor extension CodeTour plays.

        Save it in the folder ``.tours`` of the repository. The steps name files by their path in the repository.
        """
        steps = [
            {
                "file": step.symbol.path,
                "line": step.symbol.line,
                "title": one_line(member_name(step.symbol)),
                "description": self._described(step),
            }
            for step in self.steps
        ]
        return visible_json({"$schema": _SCHEMA, "title": self.title, "steps": steps})

    def _described(self, step: Step) -> str:
        from codeexplore.answers.markdown import markdown

        return markdown([block for block in self.step_blocks(step)[1:] if not isinstance(block, b.Fold)])
