"""Answers about a change: the symbols that differ, what they may affect, and the tests to run."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block, Inline, Line, notes
from codeexplore.answers.data import Exports, Frame, Network, arcs_of, edge_dict, frame, symbol_dict, vertex_of
from codeexplore.answers.graph import GraphAnswer
from codeexplore.answers.markdown import code_block, code_span
from codeexplore.answers.shown import Shown, ShownRows, place_of
from codeexplore.answers.wording import cut, one_line, plural
from codeexplore.features.review.difference import Difference
from codeexplore.features.review.history.answers import Together, hidden_blocks, together_dict
from codeexplore.features.review.impact import Impact
from codeexplore.features.review.records import (
    CERTAINTIES,
    CHANGE_KINDS,
    Certainty,
    Comparison,
    FileChange,
    ReachedSymbol,
    SelectedTest,
    Side,
    SymbolChange,
)
from codeexplore.features.review.tests.commands import Command
from codeexplore.features.review.tests.selection import Selector
from codeexplore.types import CALLABLE_KINDS, SCHEMA_VERSION, Symbol
from codeexplore.types.visible import visible


@dataclass(frozen=True, repr=False)
class ChangedSymbol(Shown):
    """A symbol that differs, with its source before and after. The source of a symbol that does not exist is ""."""

    change: SymbolChange
    before: str
    after: str

    @property
    def symbol(self) -> Symbol:
        """The symbol after the change, or the removed one."""
        return self.change.symbol

    @property
    def kind(self) -> str:
        """Return "added", "removed", "changed", "renamed" or "moved"."""
        return self.change.kind

    @property
    def breaking(self) -> tuple[str, ...]:
        """Reasons why code outside of the repository may break, as clauses; empty if none was found."""
        return self.change.breaking

    @property
    def what(self) -> str:
        """The differences in words: ``signature, body``; for a renamed symbol its old name and the evidence."""
        change = self.change
        said = [", ".join(change.aspects)] if change.aspects else []
        if change.kind in ("renamed", "moved") and change.old is not None:
            said.insert(0, f"was {change.old.fqn} ({change.evidence})")
        return "; ".join(said)

    def difference(self, *, aside: bool = False) -> Difference:
        old, new = self.change.old, self.change.new
        before = tuple(self.before.split("\n")) if old else ()
        after = tuple(self.after.split("\n")) if new else ()
        starts = old.span.start_line if old else 1, new.span.start_line if new else 1
        return Difference(before, after, *starts, self.symbol.language, aside)

    def blocks(self) -> list[Block]:
        head: list[Block] = [b.Heading((b.Words(f"{self.kind} "), self.symbol))]
        if self.what:
            head.append(b.Text(self.what))
        head += [b.Text(clause, "warning") for clause in self.breaking]
        return [*head, self.difference()]

    def diff(self) -> str:
        """Return the difference as the lines of a unified diff, without a header."""
        return "\n".join(self.difference().diff_lines())

    def to_dict(self) -> dict[str, object]:
        change = self.change
        return {
            "change": change.kind,
            "old": None if change.old is None else symbol_dict(change.old),
            "new": None if change.new is None else symbol_dict(change.new),
            "aspects": list(change.aspects),
            "evidence": change.evidence,
            "similarity": round(change.similarity, 3),
            "breaking": list(change.breaking),
            "before": self.before,
            "after": self.after,
        }


_MOST_DRAWN = 60  # symbols in the drawing of an impact
_MOST_ESCAPES = 12
_COMMAND_IDS = 40  # a longer command line is better made by `xargs`


class ChangedSymbols(ShownRows[ChangedSymbol]):
    """Base class of an answer that is a sequence of symbols that differ."""

    _columns: ClassVar[tuple[str, ...]] = ("change", "symbol", "kind", "path", "line", "aspects", "breaking")

    @property
    def breaking(self) -> tuple[ChangedSymbol, ...]:
        """The public symbols whose change may break code outside of the repository."""
        return tuple(each for each in self.items if each.breaking)

    def counts(self) -> str:
        """Return the number of symbols of each kind of change: ``1 added, 2 changed``."""
        counts = Counter(each.kind for each in self.items)
        return ", ".join(f"{counts[kind]} {kind}" for kind in reversed(CHANGE_KINDS) if counts[kind])

    def to_frame(self) -> Frame:
        rows = []
        for each in self.items:
            symbol = {"symbol": each.symbol.fqn, "kind": each.symbol.kind, "path": each.symbol.path}
            what = {"aspects": list(each.change.aspects), "breaking": list(each.breaking)}
            rows.append({"change": each.kind, **symbol, "line": each.symbol.line, **what})
        return frame(self._columns, rows)

    def _table(self, caption: str) -> list[Block]:
        """Return a table by file with the sources before and after; none without symbols."""
        rows = []
        for each in self.items:
            symbol = each.symbol
            cells = (symbol.path, b.Words(each.kind), symbol, b.Words(symbol.kind), place_of(symbol), each.what)
            below = tuple((b.Piece("may break: ", "dim"), clause) for clause in each.breaking)
            rows.append(b.Row(cells, below, (each.difference(aside=True),)))
        columns = ("file", "change", "symbol", "kind", "where", "what differs")
        return [b.Table(caption, columns, rows, "grouped")] if rows else []


@dataclass(frozen=True, repr=False)
class ChangesAnswer(ChangedSymbols, Exports):
    """The symbols that differ between two states: a sequence of `ChangedSymbol`.

    Breaking changes are first, then the files in order. Members of an added, removed, renamed or moved type are not
    listed unless they differ too; `comparison.symbols` has every symbol.
    """

    comparison: Comparison
    hidden_of: Callable[[Sequence[str]], tuple[Together, ...]] | None = field(default=None, repr=False, compare=False)
    """Function that returns the files that often changed together with some files, without a path in the graph."""

    @cached_property
    def walks(self) -> Impact:
        return Impact(self.comparison)

    @cached_property
    def items(self) -> tuple[ChangedSymbol, ...]:  # type: ignore[override]  # it is made
        listed = [c for c in self.comparison.symbols if not (c.inside and c.kind in ("added", "removed"))]
        listed.sort(key=lambda c: (not c.breaking, c.symbol.path, c.symbol.line, CHANGE_KINDS.index(c.kind)))
        return tuple(
            ChangedSymbol(change, self._text(change.old, new=False), self._text(change.new, new=True))
            for change in listed
        )

    def _text(self, symbol: Symbol | None, *, new: bool) -> str:
        if symbol is None:
            return ""
        side = self.comparison.new if new else self.comparison.old
        return _module_text(symbol, side) if symbol.kind == "module" else side.source(symbol)

    @property
    def files(self) -> tuple[FileChange, ...]:
        """Files that differ and have no symbols to compare: texts, data, binary files, submodules."""
        return self.comparison.files

    @property
    def notes(self) -> tuple[str, ...]:
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

    @property
    def untested(self) -> tuple[Symbol, ...]:
        """The changed functions that no test reaches over any edge, even a possible one."""
        from codeexplore.graph.traversal import RELATING, seeds_of, walk

        graph, way = self.comparison.new.graph, replace(RELATING["impact"], direction="out")
        is_test, everything = graph.catalog.roles.is_test, len(graph.catalog.symbols) + 1
        tests = [symbol.id for path in graph.catalog.paths() if is_test(path) for symbol in graph.catalog.in_file(path)]
        walked = walk(graph, seeds_of(graph, tests, way), way, depth=None, minimum=0.0, limit=everything)
        changed = [each.new for each in self.comparison.symbols if each.is_code and not each.runs_as_before]
        found = [s for s in changed if s is not None and s.kind in CALLABLE_KINDS - {"lambda"} and not is_test(s.path)]
        return tuple(s for s in found if graph.vertex(s.id) not in walked.depth)

    def impact(self, depth: int | None = None, *, history: bool = False) -> ChangeImpactAnswer:
        """List the symbols that the change may affect, found in the graphs of both states.

        `depth` is the largest number of steps from a changed symbol, at least 1; None for no limit. With `history`, the
        answer's `hidden` has the files that often changed together with a changed file, although the graph has no path
        between them (`Review.together`). The commits are read for it if they were not before.

        Raises QuestionError for a depth below 1, GitError if the history can't be read, and GraphUnresolved or
        LoadCancelled if the graph of a state could not be made.
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

        `safe` adds the files of tests that only import a changed file, directly or through other files. Raises
        GraphUnresolved or LoadCancelled if the graph of a state could not be made.
        """
        return TestsAnswer(self, *Selector(self.comparison, self.walks).selected(safe), safe)

    def network(self) -> Network:
        """The changed symbols and the symbols within a few steps from them, in the state after the change."""
        return self.impact(2).network()

    def to_dict(self) -> dict[str, object]:
        symbols, files = [each.to_dict() for each in self.items], [each._asdict() for each in self.files]
        return {
            **heading("changes", self.headline),
            **self.comparison.labels(),
            "symbols": symbols,
            "files": files,
            "notes": list(self.notes),
        }

    def blocks(self) -> list[Block]:
        shown: list[Block] = [b.Heading(self.headline), *self._table("Breaking changes first, then by file")]
        if self.files:
            title = b.Words(f"{plural(len(self.files), 'file')} without symbols to compare")
            lines: list[Line] = []
            for each in self.files:
                note: tuple[Inline, ...] = (b.Piece(f"  {each.note}", "dim"),) if each.note else ()
                lines.append((b.Words(f"{each.kind} "), each.path, *note))
            shown.append(b.Items(title, lines, "files", brief=8))
        return [*shown, *notes(self.notes)]

    def to_markdown(self) -> str:
        """The change, its impact and its tests as Markdown for a pull request.

        The text has at most 60 lines, most of them in folded sections.
        """
        return _comment(self, self.impact(), self.tests())


@dataclass(frozen=True, repr=False)
class ChangeImpactAnswer(ShownRows[ReachedSymbol], Exports):
    """The symbols that a change may affect: a sequence of `ReachedSymbol`. Certain ones are first, then the nearest."""

    changes: ChangesAnswer
    items: tuple[ReachedSymbol, ...]
    hidden: tuple[Together, ...] = ()
    """Files that often changed together with changed ones, without a path in the graph."""

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        return tuple(each.symbol for each in self.items)

    def of_class(self, certainty: Certainty) -> tuple[ReachedSymbol, ...]:
        return tuple(each for each in self.items if each.certainty == certainty)

    @property
    def headline(self) -> str:
        counts = Counter(each.certainty for each in self.items)
        listed = ", ".join(f"{counts[each]:,} {each}" for each in CERTAINTIES if counts[each])
        what = plural(len(self.changes), "changed symbol")
        affected = f"{plural(len(self), 'symbol')} affected by {what}: {listed}"
        return affected if listed else f"Nothing is affected by {what}"

    def network(self) -> Network:
        depths = {each.symbol.id: each.depth for each in self.items}
        symbols = {symbol.id: symbol for each in self.items for symbol in (*each.way, each.symbol)}
        seeds = {each.way[0].id for each in self.items if each.way}
        vertices = tuple(
            vertex_of(symbol, depth=0 if symbol.id in seeds else depths.get(symbol.id, -1), seed=symbol.id in seeds)
            for symbol in symbols.values()
        )
        edges = {(edge.source, edge.target, edge.kind): edge for each in self.items for edge in each.edges}
        return Network(self.headline, vertices, tuple(arcs_of(tuple(edges.values()), vertices)))

    def to_dict(self) -> dict[str, object]:
        symbols = []
        for each in self.items:
            facts = {"certainty": each.certainty, "depth": each.depth, "confidence": each.confidence}
            way = {"way": [symbol.id for symbol in each.way], "edges": [edge_dict(edge) for edge in each.edges]}
            symbols.append({**symbol_dict(each.symbol), **facts, **way, "before": each.before})
        found = {"symbols": symbols, "hidden": [together_dict(item) for item in self.hidden]}
        return {**heading("change impact", self.headline), **found, "notes": list(self.changes.notes)}

    def to_frame(self) -> Frame:
        columns = ("certainty", "depth", "confidence", "symbol", "path", "line", "start")
        rows = []
        for each in self.items:
            symbol, start = each.symbol, each.way[0].fqn if each.way else ""
            rows.append((each.certainty, each.depth, each.confidence, symbol.fqn, symbol.path, symbol.line, start))
        return frame(columns, rows)

    def blocks(self) -> list[Block]:
        shown: list[Block] = [b.Heading(self.headline)]
        drawn = self._drawn()
        if drawn is not None:
            shown.append(b.Drawing(drawn))
        for certainty in CERTAINTIES:
            found = self.of_class(certainty)
            if not found:
                continue
            rows = []
            for each in found:
                symbol, distance = each.symbol, b.Tint("depth", str(each.depth), str(each.depth))
                kind, place, confidence = b.Words(symbol.kind), place_of(symbol), f"{each.confidence:.2f}"
                way = " → ".join(passed.name for passed in each.way[:-1])  # from the changed symbol to this one
                way += " (before the change)" if each.before else ""
                rows.append(b.Row((distance, symbol, kind, place, confidence, way)))
            columns = ("distance", "symbol", "kind", "where", "confidence", "way")
            brief = 30 if certainty != "by import" else 8
            shown.append(b.Table(_CAPTIONS[certainty], columns, rows, brief=brief))
        return [*shown, *hidden_blocks(self.hidden), *notes(self.changes.notes)]

    def _drawn(self) -> GraphAnswer | None:
        from codeexplore.graph import queries

        seeds, graph = self.changes.walks.new_seeds, self.changes.comparison.new.graph
        depth = max((each.depth for each in self.items if each.edges), default=0)
        if not seeds or not depth:
            return None
        return GraphAnswer(queries.walk(graph, "impact", seeds, depth=depth, limit=_MOST_DRAWN), graph.catalog)


_CAPTIONS = {
    "certain": "Certain: every edge on the way is certain",
    "likely": "Likely: every edge on the way is at least likely",
    "possible": "Possible: an edge on the way has several targets, or the way leads through the body of a type",
    "by import": "By import: the file imports a changed file, directly or through others",
}


@dataclass(frozen=True, repr=False)
class TestsAnswer(ShownRows[SelectedTest]):
    """The tests to run for a change: a sequence of `SelectedTest`, sorted by certainty and file."""

    __test__ = False  # its name begins like that of a test class

    changes: ChangesAnswer
    items: tuple[SelectedTest, ...]
    commands: tuple[Command, ...]  # one for each runner
    escapes: tuple[str, ...]
    """Sentences about effects of the change that the selected tests may miss."""
    files: int  # number of test files in the repository
    safe: bool

    @property
    def skipped_files(self) -> int:
        return self.files - len({test.path for test in self.items})

    @property
    def ids(self) -> tuple[str, ...]:
        """The names of the tests, as their test runner spells them."""
        return tuple(each.id for each in self.items)

    @property
    def command(self) -> str:
        """The command lines that run the tests, one line for each runner; "" if there are none."""
        return "\n".join(each.line for each in self.commands)

    @property
    def headline(self) -> str:
        files = plural(self.files, "test file")
        if not len(self):
            return f"No test is affected; {files} can be skipped"
        return f"{plural(len(self), 'test')} to run; {self.skipped_files:,} of {files} can be skipped"

    def to_dict(self) -> dict[str, object]:
        fields = ("id", "path", "certainty", "reason", "confidence")
        tests = [{name: getattr(each, name) for name in fields} for each in self.items]
        return {
            **heading("tests", self.headline),
            "safe": self.safe,
            "tests": tests,
            "commands": [each._asdict() for each in self.commands],
            "test_files": self.files,
            "skipped_files": self.skipped_files,
            "escapes": list(self.escapes),
            "notes": list(self.changes.notes),
        }

    def to_frame(self) -> Frame:
        return frame(("id", "path", "certainty", "reason"), [each._asdict() for each in self.items])

    def blocks(self) -> list[Block]:
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
        python = all(each.runner == "pytest" for each in self.commands)
        if base and python and len(self) > _COMMAND_IDS:
            safe = " --safe" if self.safe else ""
            return [f"codeexplore tests . --base {shlex.quote(base)}{safe} | xargs -r pytest"]
        return [each.line for each in self.commands]


def _module_text(module: Symbol, side: Side) -> str:
    """Return the lines of a module that are in none of its symbols."""
    lines = bytes(side.sources.data(module.path)).decode("utf-8", "replace").split("\n")
    for symbol in side.catalog.in_file(module.path):
        if symbol.parent == module.id and symbol.kind != "lambda":
            for number in range(symbol.span.start_line - 1, min(symbol.span.end_line, len(lines))):
                lines[number] = ""
    return "\n".join(line for line in lines if line.strip())


def heading(kind: str, headline: str) -> dict[str, object]:
    """Return the first fields of an answer as plain data. `schema` names its format."""
    return {"schema": SCHEMA_VERSION, "kind": kind, "headline": headline}


_MOST_BREAKING, _MOST_SYMBOLS, _MOST_REACHED, _MOST_TESTS, _MOST_NOTES = 8, 12, 5, 5, 3  # lines of a comment
_CELL_CHARS = 160


def _comment(changes: ChangesAnswer, impact: ChangeImpactAnswer, tests: TestsAnswer) -> str:
    """Return a comment for a pull request: Markdown of at most 60 lines, with parts that unfold."""
    lines = [f"## {_plain(changes.headline)}", ""]
    if changes.breaking:
        lines += ["**May break code outside of the repository**", ""]
        said = [f"- {_span(each.symbol.fqn)}: {_span('; '.join(each.breaking))}" for each in changes.breaking]
        lines += [*_cut(said, _MOST_BREAKING), ""]
    if len(changes):
        rows = [
            f"| {each.kind} | {_span(each.symbol.fqn)} | {_span(f'{each.symbol.path}:{each.symbol.line}')} | "
            f"{_span(each.what) if each.what else ''} |"
            for each in changes
        ]
        head = ["| change | symbol | where | what differs |", "| --- | --- | --- | --- |"]
        lines += _folded(plural(len(rows), "symbol"), [*head, *_cut(rows, _MOST_SYMBOLS, "| … | {} more | | |")])
    if len(impact):
        certain = [each for each in impact if each.certainty != "by import"]
        ways = [(f"{each.certainty}, distance {each.depth}", each.symbol.fqn, each.way[0].fqn) for each in certain]
        shown = _cut([f"- {how}: {_span(name)} from {_span(changed)}" for how, name, changed in ways], _MOST_REACHED)
        if importing := len(impact) - len(certain):
            shown.append(f"- {importing:,} more files only import a changed file")
        lines += _folded(_plain(impact.headline), shown)
    if len(tests):
        shown = [f"- [ ] {_span(each.id)}: {_span(each.reason)}" for each in tests]
        command = code_block(visible("\n".join(cut(each, 1_000) for each in tests.short_commands()[:3])), "sh")
        lines += _folded(_plain(tests.headline), [*_cut(shown, _MOST_TESTS), "", *command.split("\n")])
    lines += [f"> {_plain(note)}" for note in changes.notes[:_MOST_NOTES]]
    return "\n".join(lines).rstrip() + "\n"


def _folded(title: str, content: Sequence[str]) -> list[str]:
    return [f"<details><summary>{title}</summary>", "", *content, "", "</details>", ""]


def _cut(lines: Sequence[str], most: int, rest: str = "- and {} more") -> list[str]:
    """Return at most `most` lines. If lines are left out, the last line gives their number."""
    if len(lines) <= most:
        return list(lines)
    return [*lines[: most - 1], rest.format(f"{len(lines) - most + 1:,}")]


def _span(text: str) -> str:
    return code_span(cut(one_line(text), _CELL_CHARS))


def _plain(text: str) -> str:
    """Return a sentence in which no character can begin markup. It may contain names from the repository."""
    shown = one_line(text)
    for sign in "\\`*_<>[]|#":
        shown = shown.replace(sign, f"&#{ord(sign)};")
    return shown
