"""Answers about a change: the symbols that differ, what they may affect, and the tests to run."""

from __future__ import annotations

import shlex
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block, Inline, Line, notes
from codeexplore.answers.data import edge_dict, symbol_dict
from codeexplore.answers.exports import Exports
from codeexplore.answers.graph import GraphAnswer
from codeexplore.answers.network import Network, arcs_of, vertex_of
from codeexplore.answers.shown import ShownRows
from codeexplore.answers.wording import plural
from codeexplore.features.review.changed_symbol import ChangedSymbol, ChangedSymbols
from codeexplore.features.review.history.answers import hidden_blocks, together_dict
from codeexplore.features.review.impact import Impact
from codeexplore.features.review.pull_request import Comment, pull_request_comment
from codeexplore.features.review.records import (
    CERTAINTIES,
    CHANGE_KINDS,
    Certainty,
    Comparison,
    FileChange,
    ReachedSymbol,
    SelectedTest,
)
from codeexplore.features.review.tests.selection import Selection, select
from codeexplore.types import SCHEMA_VERSION, Symbol

if TYPE_CHECKING:
    import pandas as pd

    from codeexplore.features.review.history.records import Together

_MOST_DRAWN = 60  # symbols in the drawing of an impact
_MOST_ESCAPES = 12
_COMMAND_IDS = 40  # a longer command line is better made by `xargs`
T = TypeVar("T")


class _Records(ShownRows[T]):
    """Base class of an answer that is a sequence of records. It can be converted to JSON and to a data frame."""

    @property
    @abstractmethod
    def items(self) -> tuple[T, ...]:
        """The records, in order."""

    @property
    def _records(self) -> Sequence[T]:
        return self.items


@dataclass(frozen=True, repr=False)
class ChangesAnswer(ChangedSymbols, Exports):
    """The symbols that differ between two states: a sequence of `ChangedSymbol`.

    Breaking changes are first, then the files in order. Members of an added, removed, renamed or moved type are not
    listed unless they differ too; `comparison.symbols` has every symbol.
    """

    comparison: Comparison
    walks: Impact = field(repr=False, compare=False)
    hidden_of: Callable[[Sequence[str]], tuple[Together, ...]] | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(
        cls, comparison: Comparison, hidden_of: Callable[[Sequence[str]], tuple[Together, ...]] | None = None
    ) -> ChangesAnswer:
        """Return the answer for a comparison.

        `hidden_of` returns the files that often changed together with some files, without a path in the graph.
        """
        return cls(comparison, Impact(comparison), hidden_of)

    @cached_property
    def items(self) -> tuple[ChangedSymbol, ...]:
        """The symbols that differ, in order."""
        listed = [c for c in self.comparison.symbols if not (c.inside and c.kind in ("added", "removed"))]
        listed.sort(key=lambda c: (not c.breaking, c.symbol.path, c.symbol.line, CHANGE_KINDS.index(c.kind)))
        return tuple(
            ChangedSymbol(change, self._text(change.old, new=False), self._text(change.new, new=True))
            for change in listed
        )

    def _text(self, symbol: Symbol | None, *, new: bool) -> str:
        if symbol is None or symbol.kind == "module":
            return "" if symbol is None else self._module_text(symbol, new)
        data = self._data(symbol.path, new)
        return data[symbol.span.start_byte : symbol.span.end_byte].decode("utf-8", "replace")

    def _module_text(self, module: Symbol, new: bool) -> str:
        """Return the lines of a module that are in none of its symbols."""
        side = self.comparison.new if new else self.comparison.old
        lines = self._data(module.path, new).decode("utf-8", "replace").split("\n")
        for symbol in side.catalog.in_file(module.path):
            if symbol.parent == module.id and symbol.kind != "lambda":
                for number in range(symbol.span.start_line - 1, min(symbol.span.end_line, len(lines))):
                    lines[number] = ""
        return "\n".join(line for line in lines if line.strip())

    def _data(self, path: str, new: bool) -> bytes:
        side = self.comparison.new if new else self.comparison.old
        return bytes(side.sources.data(path))

    @property
    def files(self) -> tuple[FileChange, ...]:
        """Files that differ and have no symbols to compare: texts, data, binary files, submodules."""
        return self.comparison.files

    @property
    def notes(self) -> tuple[str, ...]:
        """Notices about the answer, in sentences."""
        return self.comparison.notes

    @property
    def headline(self) -> str:
        """The answer in one line: ``3 symbols changed since HEAD: 1 added, 2 changed``."""
        new, old = self.comparison.new.label, self.comparison.old.label
        span = f"since {old}" if new == "the working tree" else f"from {old} to {new}"
        if not len(self):
            files = f"; {plural(len(self.files), 'file')} without symbols" if self.files else ""
            return f"No symbol changed {span}{files}"
        breaking = len(self.breaking)
        broken = f"; {breaking} may break code outside of the repository" if breaking else ""
        return f"{plural(len(self), 'symbol')} changed {span}: {self.counts()}{broken}"

    # ----------------------------------------------------------------- the questions that follow

    def impact(self, depth: int | None = None, *, history: bool = False) -> ChangeImpactAnswer:
        """List the symbols that the change may affect, found in the graphs of both states.

        Parameters
        ----------
        depth
            Largest number of steps from a changed symbol, at least 1; None for no limit.
        history
            True also finds the answer's `hidden`: files that often changed together with a changed file, although the
            graph has no path between them (`Review.together`). The commits are read if they were not before.

        Raises
        ------
        QuestionError
            The depth is below 1.
        GitError
            The history can't be read.
        GraphUnresolved, LoadCancelled
            The graph of a state could not be made.
        """
        from codeexplore.search.options import check_count

        steps = None if depth is None else check_count("depth", depth)
        reached = tuple(self.walks.reached(steps))
        hidden: tuple[Together, ...] = ()
        if history and self.hidden_of is not None:
            known = {each.symbol.path for each in reached}
            hidden = tuple(each for each in self.hidden_of(sorted(self.walks.changed_files)) if each.item not in known)
        return ChangeImpactAnswer(self, reached, hidden)

    def tests(self, *, safe: bool = False) -> TestsAnswer:
        """List the tests to run, each with its reason.

        Parameters
        ----------
        safe
            True adds the files of tests that only import a changed file, directly or through other files.

        Raises
        ------
        GraphUnresolved, LoadCancelled
            The graph of a state could not be made.
        """
        return TestsAnswer(self, select(self.comparison, self.walks, safe=safe))

    # ----------------------------------------------------------------- other forms

    def network(self) -> Network:
        """The changed symbols and the symbols within a few steps from them, in the state after the change."""
        return self.impact(2).network()

    def to_dict(self) -> dict[str, object]:
        """The answer as plain data for JSON. `schema` names its format."""
        return {
            "schema": SCHEMA_VERSION, "kind": "changes", "headline": self.headline,
            "base": self.comparison.old.label, "target": self.comparison.new.label,
            "symbols": [each.to_dict() for each in self.items],
            "files": [each._asdict() for each in self.files],
            "notes": list(self.notes),
        }  # fmt: skip

    def to_frame(self) -> pd.DataFrame:
        """Return a frame with one row per symbol: change, place, aspects, breaking clauses.

        Raises ImportError without pandas.
        """
        from codeexplore.answers.data import frame

        rows: list[dict[str, object]] = [
            {
                "change": each.kind, "symbol": each.symbol.fqn, "kind": each.symbol.kind, "path": each.symbol.path,
                "line": each.symbol.line, "aspects": list(each.change.aspects), "breaking": list(each.breaking),
            }
            for each in self.items
        ]  # fmt: skip
        return frame(("change", "symbol", "kind", "path", "line", "aspects", "breaking"), rows)

    def blocks(self) -> list[Block]:
        """The headline, a table by file with the sources before and after, and the files without symbols."""
        shown: list[Block] = [b.Heading(self.headline)]
        rows = [
            b.Row(
                (
                    each.symbol.path, b.Words(each.kind), each.symbol, b.Words(each.symbol.kind),
                    b.Place(each.symbol.path, each.symbol.line), each.what,
                ),
                tuple((b.Piece("may break: ", "dim"), clause) for clause in each.breaking),
                (each.difference(aside=True),),
            )
            for each in self.items
        ]  # fmt: skip
        if rows:
            columns = ("file", "change", "symbol", "kind", "where", "what differs")
            shown.append(b.Table("Breaking changes first, then by file", columns, rows, "grouped"))
        if self.files:
            title = b.Words(f"{plural(len(self.files), 'file')} without symbols to compare")
            shown.append(b.Items(title, [file_line(each) for each in self.files], "files", brief=8))
        return [*shown, *notes(self.notes)]

    def to_markdown(self) -> str:
        """The change, its impact and its tests as Markdown for a pull request.

        The text has at most 60 lines, most of them in folded sections.
        """
        impact, tests = self.impact(), self.tests()
        return pull_request_comment(Comment(
            self.headline,
            [(each.symbol.fqn, "; ".join(each.breaking)) for each in self.breaking],
            [(each.kind, each.symbol.fqn, f"{each.symbol.path}:{each.symbol.line}", each.what) for each in self],
            impact.headline,
            [(each.certainty, each.depth, each.symbol.fqn, each.way[0].fqn) for each in impact],
            tests.headline,
            [(each.id, each.reason) for each in tests],
            tests.short_commands() if len(tests) else (),
            self.notes,
        ))  # fmt: skip


@dataclass(frozen=True, repr=False)
class ChangeImpactAnswer(_Records[ReachedSymbol], Exports):
    """The symbols that a change may affect: a sequence of `ReachedSymbol`. Certain ones are first, then the nearest."""

    changes: ChangesAnswer
    reached: tuple[ReachedSymbol, ...]
    hidden: tuple[
        Together, ...
    ] = ()  # files that often changed together with changed ones, without a path in the graph

    @property
    def items(self) -> tuple[ReachedSymbol, ...]:
        """The reached symbols, in order."""
        return self.reached

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The reached symbols without the paths to them."""
        return tuple(each.symbol for each in self.reached)

    def of_class(self, certainty: Certainty) -> tuple[ReachedSymbol, ...]:
        """Return the symbols of one class: "certain", "possible" or "by import"."""
        return tuple(each for each in self.reached if each.certainty == certainty)

    @property
    def headline(self) -> str:
        """The answer in one line."""
        counts = Counter(each.certainty for each in self.reached)
        listed = ", ".join(f"{counts[each]:,} {each}" for each in CERTAINTIES if counts[each])
        what = plural(len(self.changes), "changed symbol")
        return (
            f"{plural(len(self), 'symbol')} affected by {what}: {listed}"
            if listed
            else f"Nothing is affected by {what}"
        )

    def network(self) -> Network:
        """The symbols, and the edges on the paths to them."""
        depths = {each.symbol.id: each.depth for each in self.reached}
        symbols = {symbol.id: symbol for each in self.reached for symbol in (*each.way, each.symbol)}
        seeds = {each.way[0].id for each in self.reached if each.way}
        vertices = tuple(
            vertex_of(symbol, depth=0 if symbol.id in seeds else depths.get(symbol.id, -1), seed=symbol.id in seeds)
            for symbol in symbols.values()
        )
        edges = {(edge.source, edge.target, edge.kind): edge for each in self.reached for edge in each.edges}
        return Network(self.headline, vertices, tuple(arcs_of(tuple(edges.values()), vertices)))

    def to_dict(self) -> dict[str, object]:
        """The answer as plain data for JSON. `schema` names its format."""
        symbols = [
            symbol_dict(each.symbol)
            | {
                "certainty": each.certainty, "depth": each.depth, "confidence": each.confidence,
                "way": [symbol.id for symbol in each.way], "edges": [edge_dict(edge) for edge in each.edges],
                "before": each.before,
            }
            for each in self.reached
        ]  # fmt: skip
        hidden = [together_dict(item) for item in self.hidden]
        return {"schema": SCHEMA_VERSION, "kind": "change impact", "headline": self.headline, "symbols": symbols,
                "hidden": hidden, "notes": list(self.changes.notes)}  # fmt: skip

    def to_frame(self) -> pd.DataFrame:
        """One row per symbol with its class, depth, confidence and start. Raises ImportError without pandas."""
        from codeexplore.answers.data import frame

        rows: list[dict[str, object]] = [
            {
                "certainty": each.certainty, "depth": each.depth, "confidence": each.confidence,
                "symbol": each.symbol.fqn, "path": each.symbol.path, "line": each.symbol.line,
                "start": each.way[0].fqn if each.way else "",
            }
            for each in self.reached
        ]  # fmt: skip
        return frame(("certainty", "depth", "confidence", "symbol", "path", "line", "start"), rows)

    def blocks(self) -> list[Block]:
        """The headline, a drawing, and a table of the symbols for each class."""
        shown: list[Block] = [b.Heading(self.headline)]
        drawn = self._drawn()
        if drawn is not None:
            shown.append(b.Drawing(drawn))
        for certainty in CERTAINTIES:
            found = self.of_class(certainty)
            if not found:
                continue
            rows = [
                b.Row(
                    (
                        b.Tint("depth", str(each.depth), str(each.depth)), each.symbol, b.Words(each.symbol.kind),
                        b.Place(each.symbol.path, each.symbol.line), f"{each.confidence:.2f}", _way(each),
                    )
                )
                for each in found
            ]  # fmt: skip
            columns = ("distance", "symbol", "kind", "where", "confidence", "way")
            table = b.Table(_CAPTIONS[certainty], columns, rows, brief=30 if certainty != "by import" else 8)
            shown.append(table)
        return [*shown, *hidden_blocks(self.hidden), *notes(self.changes.notes)]

    def _drawn(self) -> GraphAnswer | None:
        """Return the impact in the state after the change as a `GraphAnswer`, which can be drawn."""
        from codeexplore.graph import queries

        seeds = self.changes.walks.new_seeds
        graph = self.changes.comparison.new.graph
        if not seeds:
            return None
        depth = max((each.depth for each in self.reached if each.edges), default=0)
        if not depth:
            return None
        return GraphAnswer(queries.walk(graph, "impact", seeds, depth=depth, limit=_MOST_DRAWN), graph.catalog)


_CAPTIONS = {
    "certain": "Certain: every edge on the way has a confidence of 0.9 or more",
    "possible": "Possible: an edge on the way has several targets, or the way leads through the body of a type",
    "by import": "By import: the file imports a changed file, directly or through others",
}


@dataclass(frozen=True, repr=False)
class TestsAnswer(_Records[SelectedTest]):
    """The tests to run for a change: a sequence of `SelectedTest`, sorted by certainty and file."""

    __test__ = False  # its name begins like that of a test class

    changes: ChangesAnswer
    selection: Selection

    @property
    def items(self) -> tuple[SelectedTest, ...]:
        """The tests, in order."""
        return self.selection.tests

    @property
    def ids(self) -> tuple[str, ...]:
        """The names of the tests, as their test runner spells them."""
        return tuple(each.id for each in self.items)

    @property
    def command(self) -> str:
        """The command lines that run the tests, one line for each runner; "" if there are none."""
        return "\n".join(each.line for each in self.selection.commands)

    @property
    def escapes(self) -> tuple[str, ...]:
        """Sentences about effects of the change that the selected tests may miss."""
        return self.selection.escapes

    @property
    def headline(self) -> str:
        """The answer in one line."""
        skipped, files = self.selection.skipped_files, self.selection.files
        if not len(self):
            return f"No test is affected; {plural(files, 'test file')} can be skipped"
        return f"{plural(len(self), 'test')} to run; {skipped:,} of {plural(files, 'test file')} can be skipped"

    def to_dict(self) -> dict[str, object]:
        """The answer as plain data for JSON. `schema` names its format."""
        tests = [
            {"id": each.id, "path": each.path, "certainty": each.certainty, "reason": each.reason,
             "confidence": each.confidence}
            for each in self.items
        ]  # fmt: skip
        return {
            "schema": SCHEMA_VERSION, "kind": "tests", "headline": self.headline, "safe": self.selection.safe,
            "tests": tests, "commands": [each._asdict() for each in self.selection.commands],
            "test_files": self.selection.files, "skipped_files": self.selection.skipped_files,
            "escapes": list(self.escapes), "notes": list(self.changes.notes),
        }  # fmt: skip

    def to_frame(self) -> pd.DataFrame:
        """One row per test: id, path, certainty, reason. Raises ImportError without pandas."""
        from codeexplore.answers.data import frame

        columns = ("id", "path", "certainty", "reason")
        return frame(columns, [{name: getattr(each, name) for name in columns} for each in self.items])

    def blocks(self) -> list[Block]:
        """The headline, a checklist of tests for each certainty, the command lines, and the sentences of `escapes`."""
        shown: list[Block] = [b.Heading(self.headline)]
        for certainty in CERTAINTIES:
            found = [each for each in self.items if each.certainty == certainty]
            if found:
                items: list[Line] = [(each.id, "  ", b.Piece(each.reason, "dim")) for each in found]
                title = b.Words(f"{certainty}: {plural(len(found), 'test')}")
                shown.append(b.Items(title, items, "items", brief=30, opened=True, boxes=True))
                shown.append(b.Copy("the names of these tests", "\n".join(each.id for each in found)))
        if self.items:
            shown.append(b.Text(b.Words("To run them:"), apart=True))
            shown.append(b.Plain(self.short_commands()))
        if self.escapes:
            shown.append(b.Items(b.Words("what may escape"), self.escapes[:_MOST_ESCAPES], "escapes"))
        return [*shown, *notes(self.changes.notes)]

    def short_commands(self) -> list[str]:
        """Return the command lines. If there are very many tests, return the command that lists them."""
        base = self.changes.comparison.reference
        python = all(each.runner == "pytest" for each in self.selection.commands)
        if base and python and len(self) > _COMMAND_IDS:
            safe = " --safe" if self.selection.safe else ""
            return [f"codeexplore tests . --base {shlex.quote(base)}{safe} | xargs pytest"]
        return [each.line for each in self.selection.commands]


def file_line(file: FileChange) -> Line:
    """Return a changed file as one line."""
    note: tuple[Inline, ...] = (b.Piece(f"  {file.note}", "dim"),) if file.note else ()
    return (b.Words(f"{file.kind} "), file.path, *note)


def _way(reached: ReachedSymbol) -> Line:
    """Return the path from the changed symbol to a reached symbol, without the reached symbol."""
    names = " → ".join(symbol.name for symbol in reached.way[:-1])
    return f"{names}{' (before the change)' if reached.before else ''}"
