"""Map of a repository: the pack that is made without a question.

Its sections are: the purpose, the first steps of the tour, modules with their purpose and dependencies, entry points,
the public interface, the symbols that most others need, modules and dependencies that connect parts of the repository,
cycles, and what the tests use.

The value of a row falls with its rank in its section. The knapsack of packs chooses the rows and their detail. Nothing
is guessed: purposes are quoted from documentation, and dependencies are edges with a confidence of at least 0.8.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from codeexplore.file_roles import PACKAGE_FILES, is_test_path, own_files
from codeexplore.graph.communities import DEPENDING, hubs, module_graph
from codeexplore.graph.cycles import Cycles
from codeexplore.graph.model import betweenness
from codeexplore.graph.ranking import importance_of
from codeexplore.graph.usage.entry_points import entry_points
from codeexplore.packs import document, knapsack
from codeexplore.packs.document import FORMS, Page, Row, Section
from codeexplore.packs.pack import Budget, Description, Pack, fitted
from codeexplore.results.text.clip import cut, first_sentence, one_line
from codeexplore.results.text.phrases import counts, plural
from codeexplore.tours.evidence import TourEvidence
from codeexplore.tours.planner import TourPlanner
from codeexplore.types import CALLABLE_KINDS, TEXT_KINDS, TYPE_KINDS

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.graph.records import ModuleEdge
    from codeexplore.graph.usage.evidence import UsageEvidenceTable
    from codeexplore.types import Edge, SourceFile, Symbol, WorkspaceSummary

_MOST_FILES: Final = 40  # source files up to which the modules of the map are files; above, they are folders
_MOST_ROWS: Final = 100  # of a section that are considered
_NAMED: Final = 5  # dependencies, tests or members that one row names
_MOST_NAMES: Final = 12  # methods of a type, variables of a module, members of a cycle that one row names
_ROW_CHARS: Final = 600
_SIGNATURE_CHARS: Final = 160
_PROSE: Final = re.compile(r"[A-Za-z*_`][^\n]{20,}")
_UNDERLINE: Final = re.compile(r"^([=\-~^*+#\"'`])\1{2,}[ \t]*$", re.MULTILINE)  # of a heading, in reStructuredText
_DEFINITION: Final = re.compile(r"\W*[\w.+-]+\W*(?:\([^)]*\))? is (?:an?|the) ")
_STEPS: Final = 10  # of the tour that are considered
_LEAST_USERS: Final = 3  # of a symbol that "most others" need
_IN_FUNCTION: Final = "inside functions"
_IN_BLOCK: Final = "in a block such as if TYPE_CHECKING"
_ENTRIES: Final = ("main", "script", "module", "registered")


class Detail(NamedTuple):
    """A row of a section: its texts at each level of detail, shortest first."""

    texts: tuple[str, ...]


class Module(NamedTuple):
    """A source file, or a folder of source files.

    `depends` is (module that it needs, number of edges), most edges first.
    """

    path: str
    purpose: str  # the first sentence of its documentation; "" if it has none
    symbols: int
    importance: float  # share of the PageRank
    depends: tuple[tuple[str, int], ...]
    documented_at: str = ""  # path of the file with the purpose
    defines: tuple[str, ...] = ()  # its most important definitions outside of others


class Organiser:
    """Finds the contents of the map.

    Parameters
    ----------
    graph
        Symbols and edges.
    evidence
        Evidence of use besides edges, for entry points and the public interface.
    sources
        The files by path.
    """

    def __init__(self, graph: CodeGraph, evidence: UsageEvidenceTable, sources: Mapping[str, SourceFile]) -> None:
        self._graph, self._evidence, self._sources = graph, evidence, sources

    # ----------------------------------------------------------------- modules

    @cached_property
    def level(self) -> str:
        """Kind of the modules of the map: "file" for a small repository, "folder" for a large one."""
        return "file" if len(self._files) <= _MOST_FILES else "folder"

    @cached_property
    def _files(self) -> frozenset[str]:
        """The paths of the source files that define or document something."""
        symbols = (symbol for symbol in self._graph.catalog.symbols if symbol.kind not in TEXT_KINDS)
        return own_files((symbol.path for symbol in symbols if symbol.kind != "module" or symbol.doc), "source")

    def place(self, path: str) -> str:
        """Return the module of a file: the file itself, or its folder.

        In a large repository, a folder with more than a third of all definitions is shown file by file.
        """
        folder = posixpath.dirname(path) or "."
        return path if self.level == "file" or folder in self._opened else folder

    @cached_property
    def _opened(self) -> frozenset[str]:
        """The folders that are shown file by file."""
        defined = Counter(
            posixpath.dirname(symbol.path) or "."
            for symbol in self._graph.catalog.symbols
            if symbol.path in self._files and symbol.kind in CALLABLE_KINDS | TYPE_KINDS
        )
        return frozenset(folder for folder, count in defined.items() if count > defined.total() / 3)

    @cached_property
    def dependencies(self) -> tuple[ModuleEdge, ...]:
        """The dependencies between source modules over certain edges, most edges first.

        Edges from a method to its possible overrides do not count: they lead from a base class to a subclass, and the
        base class does not depend on it.
        """
        _, edges = module_graph(self._graph, self.place, kinds=DEPENDING, minimum=_CERTAIN, tests=False)
        known = self._members
        return tuple(edge for edge in edges if edge.source in known and edge.target in known)

    @cached_property
    def _members(self) -> Mapping[str, list[Symbol]]:
        found: dict[str, list[Symbol]] = defaultdict(list)
        for symbol in self._graph.catalog.symbols:
            if symbol.kind != "section" and symbol.path in self._files:
                found[self.place(symbol.path)].append(symbol)
        return found

    @cached_property
    def modules(self) -> tuple[Module, ...]:
        """Every source module, the most important first."""
        ranks = importance_of(self._graph)
        needs: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for edge in self.dependencies:
            needs[edge.source].append((edge.target, edge.count))
        found = []
        for path, members in self._members.items():
            purpose, where = self._purpose(path, members)
            rank = sum(ranks[self._graph.vertex(symbol.id)] for symbol in members)
            defined = sum(symbol.kind in CALLABLE_KINDS | TYPE_KINDS and symbol.kind != "lambda" for symbol in members)
            found.append(Module(path, purpose, defined, rank, tuple(needs[path]), where, self._defines(members)))
        return tuple(sorted(found, key=lambda module: (-module.importance, module.path)))

    def _defines(self, members: Sequence[Symbol]) -> tuple[str, ...]:
        """Return the names of a module's most important top-level definitions, public names first."""
        top = [s for s in members if s.kind in CALLABLE_KINDS | TYPE_KINDS and self._is_top(s)]
        public = self._evidence.visibility.reason
        top.sort(key=lambda symbol: (not public(symbol), self._by_importance(symbol)))
        return tuple(dict.fromkeys(symbol.name for symbol in top))[:_NAMED]

    def _is_top(self, symbol: Symbol) -> bool:
        return symbol.parent is not None and self._graph.catalog.symbol(symbol.parent).kind == "module"

    def _by_importance(self, symbol: Symbol) -> tuple[float, str]:
        return -importance_of(self._graph)[self._graph.vertex(symbol.id)], symbol.id

    def _purpose(self, path: str, members: Sequence[Symbol]) -> tuple[str, str]:
        """Return the first sentence of a module's documentation, and the path of the file that contains it.

        For a folder, this is the documentation of its package file, such as ``__init__.py``, or its README.
        Documentation of other files in the folder is not used, because it does not describe the folder.
        """
        documented = [s for s in members if s.kind == "module" and s.doc]
        if path in self._files:
            return (first_sentence(documented[0].doc), path) if documented else ("", "")
        own = {*PACKAGE_FILES, posixpath.basename(path)}
        for symbol in documented:
            if posixpath.basename(symbol.path).partition(".")[0] in own:
                return first_sentence(symbol.doc), symbol.path
        return self._readme("" if path == "." else path)

    def _readme(self, folder: str) -> tuple[str, str]:
        """Return the first sentence of prose in the README of a folder, and the path of the README.

        A paragraph such as "Gin is a web framework" goes before other prose, such as news. Both results are "" if there
        is no prose.
        """
        for name in ("README.md", "README.rst", "README", "README.txt"):
            file = self._sources.get(posixpath.join(folder, name))
            if file is None:
                continue
            paragraphs = (one_line(text) for text in _UNDERLINE.sub("", file.text[:5_000]).split("\n\n"))
            found = [text for text in paragraphs if _PROSE.match(text)]
            if found:
                return first_sentence(next(filter(_DEFINITION.match, found), found[0])), file.path
        return "", ""

    # ----------------------------------------------------------------- sections

    def sections(self) -> Iterator[tuple[str, float, Sequence[Detail]]]:
        """Yield title, weight and rows of each section, the most important row first."""
        yield "Purpose", 3.0, self._purpose_rows()
        yield "Where to start reading (the first steps of the tour)", 3.0, self._tour_rows()
        yield f"Modules ({self.level}s; → needs, with the number of certain edges)", 3.0, self._module_rows()
        yield "Entry points", 1.0, self._entry_rows()
        yield "Public interface", 1.0, self._public_rows()
        yield "Needed by most others (PageRank)", 0.5, self._hub_rows()
        yield "Bridges (share of the pairs of modules whose shortest path they are on)", 0.5, self._bridge_rows()
        yield "Cycles", 1.0, self._cycle_rows()
        yield "Tests (modules by the number of tests that use them directly)", 1.0, self._test_rows()

    def _purpose_rows(self) -> list[Detail]:
        """Return the first sentence of the repository's README as a quotation, if there is one."""
        said, path = self._readme("")
        return [_row(f"{path}: {said}")] if said else []

    def _tour_rows(self) -> list[Detail]:
        planner = TourPlanner(self._graph, TourEvidence(self._graph, self._evidence, self._sources))
        return [
            _row(*dict.fromkeys((place, f"{place} — {one_line(step.said)}" if step.said else place)))
            for step in planner.steps(_STEPS)
            for place in [f"{step.number}. {step.symbol.path}:{step.symbol.line} {step.symbol.fqn}"]
        ]

    def _module_rows(self) -> list[Detail]:
        rows = []
        for module in self.modules[:_MOST_ROWS]:
            if not (module.symbols or module.purpose or module.depends):
                continue  # an empty package file, or a script of a few lines
            brief = f"{module.path}: {plural(module.symbols, 'definition')}"
            said = f"{module.path}: {module.purpose or 'defines ' + ', '.join(module.defines)}"
            said = said if module.purpose or module.defines else brief
            if not module.depends:
                rows.append(_row(*dict.fromkeys((brief, said))))
                continue
            number = plural(len(module.depends), "module")  # without it, a cut row would say that nothing is needed
            needs = ", ".join(f"{path} {count}" for path, count in module.depends[:_NAMED])
            more = f" and {len(module.depends) - _NAMED} more" if len(module.depends) > _NAMED else ""
            texts = [f"{brief} → {number}", f"{said} → {number}", f"{said} → {needs}{more}"]
            if module.purpose and module.defines:
                texts.append(f"{said}; defines {', '.join(module.defines)} → {needs}{more}")
            rows.append(_row(*texts))
        return rows

    def _entry_rows(self) -> list[Detail]:
        """Return a row for each entry point; one row for all that have the same reason, if there are many."""
        same: dict[str, list[Symbol]] = defaultdict(list)
        for entry in entry_points(self._graph, self._evidence, _ENTRIES):
            symbol = self._graph.catalog.symbol(entry.symbol_id)
            if symbol.path in self._files:
                same[entry.reason].append(symbol)
        rows = []
        for reason, symbols in same.items():
            if len(symbols) <= _NAMED:
                rows += [self._symbol_row(symbol, reason) for symbol in symbols]
            else:
                rows.append(_row(f"{_some([symbol.path for symbol in symbols])} — {reason}"))
        return rows[:_MOST_ROWS]

    def _public_rows(self) -> list[Detail]:
        """Return the public functions and types, types with their methods and fields, then each module's variables.

        Variables come last, because the graph has no edges to them and so their importance is unknown. Those of a file
        that nothing needs and that defines nothing else, such as a shell script, are left out.
        """
        reason = self._evidence.visibility.reason
        members: dict[str | None, dict[str, dict[str, None]]] = defaultdict(lambda: {"methods": {}, "fields": {}})
        for symbol in self._graph.catalog.symbols:
            kind = "methods" if symbol.kind in CALLABLE_KINDS else "fields" if symbol.kind == "field" else ""
            if kind and reason(symbol):
                members[symbol.parent][kind][symbol.name] = None
        top = [s for each in self._members.values() for s in each if self._is_top(s) and reason(s)]
        defined = sorted((s for s in top if s.kind in CALLABLE_KINDS | TYPE_KINDS), key=self._by_importance)
        rows = []
        for symbol in defined[:_MOST_ROWS]:
            name = cut(one_line(symbol.signature or symbol.name), _SIGNATURE_CHARS)
            texts = self._symbol_row(symbol, first_sentence(symbol.doc), name=name).texts
            named = [f" · {kind} {_some(list(names))}" for kind, names in members[symbol.id].items() if names]
            rows.append(_row(*texts, *([f"{texts[-1]}{''.join(named)}"] if named else [])))
        variables: dict[str, list[str]] = defaultdict(list)
        used = {symbol.path for symbol in defined} | {edge.target for edge in self.dependencies}
        for symbol in top:
            if symbol.kind == "constant" and (symbol.path in used or self.place(symbol.path) in used):
                variables[symbol.path].append(symbol.name)
        return rows + [_row(f"{path}: variables {_some(names)}") for path, names in sorted(variables.items())]

    def _hub_rows(self) -> list[Detail]:
        found = hubs(self._graph, _MOST_ROWS, sorted(CALLABLE_KINDS | TYPE_KINDS), tests=False)
        rows = [(self._graph.catalog.symbol(hub.symbol_id), hub) for hub in found]
        return [
            self._symbol_row(symbol, f"{plural(hub.users, 'user')} in {plural(hub.files, 'file')}")
            for symbol, hub in rows
            if symbol.path in self._files and hub.users >= _LEAST_USERS
        ]

    def _bridge_rows(self) -> list[Detail]:
        paths = sorted({end for edge in self.dependencies for end in (edge.source, edge.target)})
        place = {path: number for number, path in enumerate(paths)}
        pairs = sorted({tuple(sorted((place[e.source], place[e.target]))) for e in self.dependencies})
        vertices, edges = betweenness(len(paths), [(a, b) for a, b in pairs])
        between = len(paths) * (len(paths) - 1) / 2 or 1.0
        rows = [(value / between, path) for path, value in zip(paths, vertices, strict=True)]
        rows += [
            (value / between, f"{paths[a]} – {paths[b]}") for (a, b), value in zip(pairs, edges, strict=True)
        ]  # fmt: skip
        rows.sort(key=lambda row: (-row[0], row[1]))
        return [_row(f"{share:.0%} {text}") for share, text in rows[:_MOST_ROWS] if share >= _LEAST_SHARE]

    def _cycle_rows(self) -> list[Detail]:
        rows = []
        for kind, noun in (("IMPORTS", "modules import each other"), ("CALLS", "functions call each other")):
            cycles = Cycles(self._graph, kind, minimum=_CERTAIN, tests=False)  # type: ignore[arg-type]
            for cycle in cycles.found():
                way = [self._graph.catalog.symbol(each) for each in cycle.path.symbol_ids]
                if any(symbol.path not in self._files for symbol in way):
                    continue
                name = attrgetter("path" if kind == "IMPORTS" else "name")
                said = f"{len(cycle.members)} {noun}: {way[0].path}:{way[0].line} {' → '.join(map(name, way))}"
                texts = [said]
                if kind == "IMPORTS":
                    texts.append(texts[-1] + self._import_times(cycles.between(cycle.members)))
                if len(cycle.members) > len(way) - 1:
                    every = [name(self._graph.catalog.symbol(each)) for each in cycle.members]
                    texts.append(f"{texts[-1]} · all: {_some(every)}")
                rows.append((len(cycle.members), _row(*texts)))
        if not rows:
            return [_row("No modules import each other and no functions call each other in a circle")]
        return [row for _, row in sorted(rows, key=lambda row: -row[0])[:_MOST_ROWS]]

    def _import_times(self, imports: Sequence[Edge]) -> str:
        """Return a clause with the number of imports that do not run when their module is imported, or not always."""
        times = Counter(self._import_time(edge) for edge in imports)
        later = " and ".join(f"{times[when]} {when}" for when in (_IN_FUNCTION, _IN_BLOCK) if times[when])
        return f" · {plural(len(imports), 'import')}" + (f", of which {later}" if later else "")

    def _import_time(self, edge: Edge) -> str:
        """Return where the first site of an import stands: in a function, in a block of Python, or ""."""
        if not edge.sites:
            return ""
        path, line = edge.sites[0].path, edge.sites[0].line
        around = (s for s in self._graph.catalog.in_file(path) if s.kind in CALLABLE_KINDS)
        if any(symbol.span.start_line <= line <= symbol.span.end_line for symbol in around):
            return _IN_FUNCTION
        if self._sources[path].language != "python":
            return ""
        above = reversed(self._sources[path].text.split("\n")[:line])
        begins = next((text for text in above if text[:1].strip()), "import")  # the statement that is not indented
        return "" if re.match(r"from\b|import\b|\)", begins) else _IN_BLOCK

    def _test_rows(self) -> list[Detail]:
        tests = self._tests()
        order = sorted(tests, key=lambda place: (-tests[place].total(), place))
        rows = [
            _row(f"{place}: {tests[place].total()}", f"{place}: {tests[place].total()}, {_listed(tests[place])}")
            for place in order[:_MOST_ROWS]
        ]
        unused = [module.path for module in self.modules if module.path not in tests and module.symbols]
        if tests and unused:
            more = f" and {len(unused) - _NAMED} more" if len(unused) > _NAMED else ""
            listed = f"{', '.join(unused[:_NAMED])}{more}"
            rows.insert(0, _row(f"named by no test, but perhaps reached through others: {listed}"))
        return rows

    def _tests(self) -> Mapping[str, Counter[str]]:
        """Return module → test file → number of its test functions with a certain edge into the module."""
        edges, symbols = self._graph.edges, self._graph.catalog.symbols
        testing = {v for v, s in enumerate(symbols) if s.kind in CALLABLE_KINDS and is_test_path(s.path)}
        pairs = {
            (source, self.place(symbols[target].path))
            for source, target, sure in zip(edges.source, edges.target, edges.confidence, strict=True)
            if source in testing and sure >= _CERTAIN - 1e-6 and symbols[target].path in self._files
        }
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for source, place in sorted(pairs):
            found[place][symbols[source].path] += 1
        return found

    def _symbol_row(self, symbol: Symbol, said: str, *, name: str = "") -> Detail:
        brief = f"{symbol.path}:{symbol.line} {name or symbol.fqn}"
        return _row(brief, f"{brief} — {said}") if said else _row(brief)


_LEAST_SHARE: Final = 0.005  # a bridge below it would be shown as 0%
_CERTAIN: Final = 0.8  # as for `Workspace.cycles`: less certain edges lead through wrappers and to overrides


def _row(*texts: str) -> Detail:
    return Detail(tuple(cut(one_line(text), _ROW_CHARS) for text in texts))


def _some(names: Sequence[str]) -> str:
    """Return names separated by commas, at most `_MOST_NAMES`, and the number of the others."""
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more


def _listed(paths: Counter[str]) -> str:
    named = ", ".join(f"{path} {count}" for path, count in sorted(paths.items(), key=lambda p: (-p[1], p[0]))[:_NAMED])
    return named + (" …" if len(paths) > _NAMED else "")


_LEVELS: Final = (0.6, 0.9, 1.0, 1.05)  # share of a row's value at each level of detail


def map_of(organiser: Organiser, summary: WorkspaceSummary, description: Description, budget: Budget) -> Pack:
    """Return the map of a repository, cut to fit the budget."""
    sections = [(title, weight, rows) for title, weight, rows in organiser.sections() if rows]
    form, count = FORMS[budget.form], budget.counter.count
    headings = {title: count(document.heading(form, title, "")) for title, _, _ in sections}
    rows = [
        (title, n, row, knapsack.Item([
            knapsack.Level(weight / n * _LEVELS[level], {(title, n): count(form.row(Row(0, text)))})
            for level, text in enumerate(row.texts)
        ]))
        for title, weight, listed in sections
        for n, row in enumerate(listed, 1)
    ]  # fmt: skip

    def made(room: int) -> Pack:
        chosen = knapsack.choose([item for *_, item in rows], room, headings)
        return _written(rows, chosen, summary, description, budget)

    return fitted(made, budget)


def _written(
    rows: Sequence[tuple[str, int, Detail, knapsack.Item]],
    chosen: Sequence[int],
    summary: WorkspaceSummary,
    description: Description,
    budget: Budget,
) -> Pack:
    shown: dict[str, list[str]] = defaultdict(list)
    missing: Counter[str] = Counter()
    for (title, _, row, _), level in zip(rows, chosen, strict=True):
        if level >= 0:
            shown[title].append(row.texts[level])
        else:
            missing[title.partition(" (")[0]] += 1
    sections = tuple(Section(title, "", tuple(Row(0, text) for text in texts)) for title, texts in shown.items())
    left = f"Left out: {counts({title.lower(): n for title, n in missing.items()})}" if missing else ""
    about = f"{counts(summary.files)} files; {plural(sum(summary.symbols.values()), 'symbol')}"
    facts = (("repository", description.name), ("budget", budget.tokens), ("counter", budget.counter.name))
    page = Page(description.title, about, sections, tuple(note for note in (left, *description.notes) if note), facts)
    return Pack(page, budget.tokens, budget.counter, budget.form)
