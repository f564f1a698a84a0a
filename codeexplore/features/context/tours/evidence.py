"""Evidence of what matters in a repository, from which a tour is made.

Each piece of evidence is a ranking of symbols. In the order of their authority they are: each document, which ranks the
symbols that its examples show in their order; what manifests and the language start; the number of test files and
examples that use a symbol; the examples in the documentation of modules; and PageRank. The rankings are fused by
reciprocal rank (Cormack, Clarke and Büttcher 2009), as the lanes of a search are; the n-th one counts 1/n².
"""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Final

from codeexplore.features.context.tours.documents import DocumentReader, Mention, documents_of
from codeexplore.graph.traversal import is_constructor
from codeexplore.index.qualified_names import name_parts
from codeexplore.languages.file_roles import PACKAGE_FILES
from codeexplore.types import CALLABLE_KINDS, EDGE_KINDS, TYPE_KINDS, EdgeKind
from codeexplore.types.settings import RESOLVED_CONFIDENCE, RRF_K

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.graph.usage.evidence import UsageEvidenceTable
    from codeexplore.types import SourceFile, Symbol

_MOST_DOCUMENTS: Final = 12
_DOCUMENT_K: Final = 20  # in place of RRF_K: what a document shows first counts more. Chosen with 1/n² on 11 libraries
_DEFINED: Final = (CALLABLE_KINDS | TYPE_KINDS) - {"lambda"}
LEADING: Final[tuple[EdgeKind, ...]] = ("CALLS", "USES", "EXTENDS", "IMPLEMENTS")
"""Kinds of edges by which one symbol builds on another."""
_USING: Final = frozenset(map(EDGE_KINDS.index, LEADING))


class TourEvidence:
    """Evidence about the symbols of `files`, which are without tests, examples and tools. `sources` are all files."""

    def __init__(
        self, graph: CodeGraph, usage: UsageEvidenceTable, sources: Mapping[str, SourceFile], files: Collection[str]
    ) -> None:
        self._graph, self._usage, self._sources, self._files = graph, usage, sources, files

    @cached_property
    def candidates(self) -> Mapping[str, Symbol]:
        """The functions, methods and types of the files, by id, without functions inside of functions."""
        graph = self._graph
        found: dict[str, Symbol] = {}
        for vertex, symbol in enumerate(graph.catalog.symbols):
            if symbol.path not in self._files or symbol.kind not in _DEFINED or not self.is_last(symbol):
                continue
            inside = symbol.parent is not None and graph.catalog.symbol(symbol.parent).kind in CALLABLE_KINDS
            if not inside and not is_constructor(graph, vertex) and not graph.catalog.roles.is_test_symbol(symbol):
                found[symbol.id] = symbol
        return found

    def is_last(self, symbol: Symbol) -> bool:
        return self._last[symbol.path, symbol.fqn] == symbol.id

    @cached_property
    def _last(self) -> Mapping[tuple[str, str], str]:
        """Path and qualified name → id of the last definition. In Python, it implements the overloads before it."""
        return {(symbol.path, symbol.fqn): symbol.id for symbol in self._graph.catalog.symbols}

    @cached_property
    def public(self) -> Mapping[str, str]:
        """The candidates that code outside the repository may use: id → reason."""
        reason = self._usage.visibility.reason
        return {each: said for each, symbol in self.candidates.items() if (said := reason(symbol))}

    @cached_property
    def documents(self) -> Sequence[Sequence[Mention]]:
        """The symbols that each document shows, in reading order: text files, then the main files of packages."""
        paths = documents_of(self._sources, self._graph.catalog.roles)
        read = (self._reader.mentions(path, self._sources[path].text) for path in paths)
        found = [mentions for mentions in read if mentions]
        return [*found, *self._module_documents(main=True)][:_MOST_DOCUMENTS]

    @cached_property
    def _reader(self) -> DocumentReader:
        return DocumentReader(self._graph, self.candidates)

    def _module_documents(self, *, main: bool) -> list[list[Mention]]:
        """Return the symbols that the documentation of modules shows, modules nearest to the root first."""
        modules = [s for s in self._graph.catalog.symbols if s.kind == "module" and s.doc and s.path in self._files]
        modules = [s for s in modules if (posixpath.basename(s.path).partition(".")[0] in PACKAGE_FILES) == main]
        modules.sort(key=lambda module: (module.path.count("/"), module.path))
        read = (self._reader.mentions(module.path, module.doc) for module in modules[:_MOST_DOCUMENTS])
        lines = {module.path: module.line for module in modules}
        return [[mention._replace(line=lines[mention.path]) for mention in found] for found in read if found]

    @cached_property
    def shown(self) -> Mapping[str, Mention]:
        found: dict[str, Mention] = {}
        for mentions in self.documents:
            for mention in mentions:
                found.setdefault(mention.symbol_id, mention)
        return found

    @cached_property
    def exemplified(self) -> Sequence[Sequence[str]]:
        """The ids that the examples of each document show, in its order. Names in sentences are left out."""
        return [ids for each in self.documents if (ids := [m.symbol_id for m in each if m.manner != "text"])]

    @cached_property
    def is_library(self) -> bool:
        """True if users import the repository, and do not only start it.

        An example imports something of it, or the ``__init__.py`` of an outermost package exports what other files
        define.
        """
        if any(mention.manner == "import" for mentions in self.documents for mention in mentions):
            return True
        graph = self._graph
        users = (user for each in self.public for user in graph.neighbours(graph.vertex(each), "in", ("IMPORTS",)))
        return any(self._is_outermost(graph.symbol(user).path) for user in users)

    def _is_outermost(self, path: str) -> bool:
        folder, name = posixpath.split(path)
        above = posixpath.join(posixpath.dirname(folder), name)
        return name == "__init__.py" and path in self._files and (not folder or above not in self._sources)

    @cached_property
    def sequences(self) -> Mapping[str, Sequence[str]]:
        """Id of an outermost test or example → the candidates that it uses, in the order of their first lines."""
        graph, edges = self._graph, self._graph.edges
        symbols, roles = graph.catalog.symbols, graph.catalog.roles
        around: dict[str, str] = {}
        user: list[str] = []
        for symbol in symbols:
            outer = around.get(symbol.parent or "", "")
            shows = roles.is_test_symbol(symbol) or roles.of(symbol.path) == "example"
            user.append((outer or symbol.id) if shows else "")
            around[symbol.id] = outer or (symbol.id if symbol.kind in CALLABLE_KINDS else "")
        found: dict[str, dict[str, tuple[int, str]]] = defaultdict(dict)
        rows = zip(edges.source, edges.target, edges.kind, edges.confidence, strict=True)
        for row, (source, target, kind, confidence) in enumerate(rows):
            if not user[source] or kind not in _USING or confidence < RESOLVED_CONFIDENCE - 1e-6:
                continue
            standing = self.standing_for(symbols[target])
            if standing is not None:
                line = min((site.line for site in graph.edge(row).sites), default=0)
                used = found[user[source]]
                used[standing.id] = min((line, standing.id), used.get(standing.id, (line, standing.id)))
        return {each: sorted(used, key=lambda a: used[a]) for each, used in found.items()}

    def standing_for(self, symbol: Symbol) -> Symbol | None:
        """Return the candidate for a symbol: the type of a constructor, the last of several definitions, or None."""
        if symbol.parent is not None and is_constructor(self._graph, self._graph.vertex(symbol.id)):
            symbol = self._graph.catalog.symbol(symbol.parent)
        return self.candidates.get(self._last.get((symbol.path, symbol.fqn), symbol.id))

    @cached_property
    def users(self) -> Mapping[str, int]:
        """Id → number of tests and examples that use it."""
        return Counter(each for sequence in self.sequences.values() for each in sequence)

    @cached_property
    def spread(self) -> Mapping[str, int]:
        """Id → number of files of tests and examples that use it."""
        path = {user: self._graph.catalog.symbol(user).path for user in self.sequences}
        return Counter(each for each, _ in {(a, path[user]) for user, used in self.sequences.items() for a in used})

    @cached_property
    def importance(self) -> Mapping[str, float]:
        """Id → PageRank of the candidates. That of a constructor counts for its type."""
        found: dict[str, float] = defaultdict(float)
        for symbol, rank in zip(self._graph.catalog.symbols, self._graph.ranks, strict=True):
            if (standing := self.standing_for(symbol)) is not None:
                found[standing.id] += rank
        return found

    @cached_property
    def entries(self) -> Mapping[str, str]:
        """Id → reason, for the functions that a manifest or the language starts."""
        scripts = {parts[-1] for script in self._usage.scripts if (parts := name_parts(script.name))}
        named = [s for s in self.candidates.values() if s.kind in CALLABLE_KINDS and s.name in scripts | {"main"}]
        return {symbol.id: said for symbol in named if (said := self._usage.started(symbol))}

    @cached_property
    def scores(self) -> Mapping[str, float]:
        """Id → fused score of the symbols that users meet: public and started ones, and those that examples show.

        The n-th ranking counts 1/n², so that the first documents decide. Other evidence decides where there are none.
        """
        met = {*self.public, *self.entries, *(each for shown in self.exemplified for each in shown)}
        documents = ([m.symbol_id for m in mentions if m.symbol_id in met] for mentions in self.documents)
        rankings = [(ids, _DOCUMENT_K) for ids in documents]
        rankings.append((sorted(self.entries, key=lambda each: (-self.importance[each], each)), RRF_K))
        used = [each for each in self.users if each in met]
        rankings.append((sorted(used, key=lambda each: (-self.spread[each], -self.users[each], each)), RRF_K))
        rankings += [([m.symbol_id for m in mentions], RRF_K) for mentions in self._module_documents(main=False)]
        rankings.append((sorted(met, key=lambda each: (-self.importance[each], each)), RRF_K))
        fused: dict[str, float] = defaultdict(float)
        for n, (ranking, k) in enumerate((row for row in rankings if row[0]), 1):
            for place, each in enumerate(ranking, 1):
                fused[each] += (k + 1) / (k + place) / n**2
        return fused

    def preferences(self, ids: Collection[str]) -> dict[tuple[str, str], float]:
        """Return (a, b) → how much of the evidence shows a before b, 0 to 1, for the pairs of some symbols.

        The first document that shows both symbols decides: the n-th one counts 1/n. If there is none, the symbol of an
        earlier document comes first, and n is the later document. For other pairs, it is the share of the tests and
        examples with both that use a first, and counts as one more document.
        """
        found: dict[tuple[str, str], float] = {}
        document: dict[str, int] = {}  # id → number of the first document that shows it
        for n, mentions in enumerate(self.documents, 1):
            document |= {mention.symbol_id: document.get(mention.symbol_id, n) for mention in mentions}
            shown = [mention.symbol_id for mention in mentions if mention.symbol_id in ids]
            for pair in combinations(shown, 2):
                if pair[::-1] not in found:
                    found.setdefault(pair, 1 / n)
        for a, b in combinations([each for each in document if each in ids], 2):
            if document[a] < document[b] and (b, a) not in found:
                found.setdefault((a, b), 1 / document[b])
        counted: Counter[tuple[str, str]] = Counter()
        for sequence in self.sequences.values():
            counted.update(combinations([each for each in sequence if each in ids], 2))
        decided = set(found)
        for (a, b), count in counted.items():
            if (a, b) not in decided and (b, a) not in decided:
                found[a, b] = count / (count + counted[b, a]) / (len(self.documents) + 1)
        return found
