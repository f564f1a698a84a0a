"""``ws.context``: packs, maps and tours of a workspace, and its tools for assistants."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final, Literal

from codeexplore.answers import GraphAnswer, SearchAnswer
from codeexplore.answers.search import confidence_words
from codeexplore.answers.wording import cut, one_line, plural
from codeexplore.features.context.packs.candidates import Answer, Candidates
from codeexplore.features.context.packs.pack import Description, Pack, budget_of, pack_of
from codeexplore.features.context.tours.tour import Tour
from codeexplore.index.qualified_names import is_place
from codeexplore.languages.file_roles import PathRoles
from codeexplore.search.options import check_count
from codeexplore.source.safe_io import LARGEST, read_regular
from codeexplore.text.enumeration import shortened
from codeexplore.types import Filters, Symbol
from codeexplore.types.errors import QuestionError
from codeexplore.types.settings import POOL
from codeexplore.workspace import searches
from codeexplore.workspace.view import Target

if TYPE_CHECKING:
    from collections.abc import Callable

    from codeexplore.features.context.tours.evidence import TourEvidence
    from codeexplore.workspace.view import SnapshotView
    from codeexplore.workspace.workspace import Workspace

_TITLE_CHARS: Final = 120
_MOST_STEPS: Final = 50
_PATIENCE: Final = 10.0  # seconds of a lane: packs and tours are read for longer than an answer


class Context:
    """Context for a language model, orders to read in, and tools."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def pack(
        self,
        what: str | BaseException | SearchAnswer | GraphAnswer | Target | Sequence[Target] | None = None,
        tokens: int = 4_000,
        *,
        counter: str | Callable[[str], int] | None = None,
        form: Literal["markdown", "xml", "json"] = "markdown",
        tests: bool | None = None,
        filters: Filters | None = None,
    ) -> Pack:
        """Return the lines of the repository that best answer a question, in a text of at most `tokens` tokens.

        The symbols that answer are there with their source, as many as fit; what they call, extend and name with its
        signature; and their callers and tests with the line of the call. The notes at its end say what was left out.

        Parameters
        ----------
        what
            A question or bug report, as for `search`; an answer of `search`, `localise` or a walk; a symbol, or a list
            of symbols, as for `source`. None makes a map of the repository, as `map`.
        tokens
            The budget, at least 200.
        counter
            Counts the tokens: None counts those of cl100k_base, whose vocabulary is part of the package; the name of
            another encoding of tiktoken ("o200k_base") needs the extra ``jupyter-codeexplore[tokens]``; a function
            takes a text and counts.
        form
            Form of the text: "markdown", "xml" (text between tags) or "json".
        tests, filters
            As for `search`.

        Raises
        ------
        QuestionError
            The question is empty, or an option is out of range or unknown.
        SymbolNotFound, AmbiguousSymbol
            A target does not mean one symbol.
        SourceNotIncluded
            The workspace was opened from a file that was saved without sources.

        >>> print(ws.context.pack("how are expired sessions handled?", tokens=2_000))
        """
        if what is None:
            return self.map(tokens, counter=counter, form=form)
        view = self._workspace.view(graph=False)
        budget = budget_of(tokens, counter, form)
        title, question, refusal, answers, notes = _asked(view, what, tests, filters)
        graph = None if view.index.pending is not None and view.index.pending.not_built else view.graph
        if graph is None:
            notes = (*notes, "The call graph is not known yet: callers and callees are left out")
        elif said := view.graph_note:
            notes = (*notes, said)
        listed = Candidates(
            view.catalog,
            view.sources,
            graph,
            tests=tests is not False,
            question=question,
            imports=lambda path: {row.line for row in view.index.files[path].facts.imports},
        )
        candidates = listed.of(answers)
        description = Description(view.index.name, title, notes, refusal)
        pack = pack_of(candidates, view.sources, description, budget)
        changed = outdated(view, pack.files)
        if not changed:
            return pack
        shown = shortened(changed, 5)
        said = f"Outdated: {plural(len(changed), 'file')} changed since the last load or refresh: {shown}"
        return pack_of(candidates, view.sources, description._replace(notes=(said, *notes)), budget)

    def map(
        self,
        tokens: int = 4_000,
        *,
        counter: str | Callable[[str], int] | None = None,
        form: Literal["markdown", "xml", "json"] = "markdown",
    ) -> Pack:
        """Return a map of the repository: modules, dependencies, entry points, public interface, central symbols.

        The parameters are those of `pack`. Raises GraphUnresolved and SourceNotIncluded.

        >>> print(ws.context.map(2_000))
        """
        from codeexplore.features.context.map.material import Material
        from codeexplore.features.context.map.repository_map import map_of

        view = self._workspace.view()
        budget = budget_of(tokens, counter, form)
        material = Material(view.graph, view.evidence, view.sources)
        description = Description(view.index.name, f"Map of {one_line(view.index.name)}", view.graph_notes)
        return map_of(material, view.index.summary, description, budget)

    def tour(self, question: str = "", steps: int = 15, *, filters: Filters | None = None) -> Tour:
        """Return an order of symbols in which to read the repository, with a sentence and the reasons for each step.

        Three quarters of the steps show how the repository is used: what its documentation shows in examples, what its
        tests and examples use, what has a high PageRank, and what manifests start; each after the type it belongs to,
        and otherwise in the order of the documentation and the tests. The other steps show how it works: the calls
        through which most of the code is reached, and what the steps before depend on most. The tour of a program that
        users only start begins with the function that is started. The same repository gives the same tour.

        The hits of a `question` are the first steps of its tour; "" explains the whole repository. There are at most
        `steps`, 1 to 50. `filters` are as for `search`, for a question only. Raises QuestionError for a question or a
        number of steps out of range, and SourceNotIncluded and GraphUnresolved.

        >>> ws.context.tour("how does routing work?").to_markdown()
        """
        from codeexplore.features.context.map.centre import MainCalls
        from codeexplore.features.context.map.material import Material

        view = self._workspace.view()
        if not isinstance(question, str):
            raise QuestionError(f"the question must be a text, not {question!r:.80}")
        if check_count("steps", steps) > _MOST_STEPS:
            raise QuestionError(f"steps must be at most {_MOST_STEPS}, not {steps}")
        material = Material(view.graph, view.evidence, view.sources)
        notes: tuple[str, ...] = ()
        if question.strip():
            asked, notes = _hits(view, material.tour, question, filters)
            made = material.planner.steps(steps, asked)
        else:
            made = material.planner.steps(steps, main=[step.symbol for step in MainCalls(material).steps])
        if not made:
            notes = (*notes, "No function, method or type was found in the source files")
        changed = outdated(view, sorted({step.symbol.path for step in made}))
        if changed:
            notes = (*notes, f"Outdated: files changed since the last load or refresh: {shortened(changed, 5)}")
        notes = (*notes, *view.graph_notes)
        return Tour(view.index.name, question.strip(), tuple(made), view.sources, view.catalog, notes)

    def outdated(self, paths: Collection[str]) -> tuple[str, ...]:
        """Return those of some indexed files that differ on the disk, or are gone; none without the repository.

        It reads these files alone; `stale` looks at all. Raises the exceptions of `source`.
        """
        return outdated(self._workspace.view(graph=False), paths)

    def as_tools(self) -> tuple[Callable[..., str], ...]:
        """Return four functions for an agent library: ask, walk, read and map.

        Each takes and returns text, has a docstring with its arguments, and an attribute `schema` with name,
        description and parameters as JSON schema. They never raise for a name or an argument: the text says what was
        wrong. ``codeexplore mcp PATH`` serves the same tools to assistants.
        """
        from codeexplore.features.context.assistants.tools import as_functions

        return as_functions(self._workspace)


def outdated(view: SnapshotView, paths: Collection[str]) -> tuple[str, ...]:
    if not view.index.root.is_dir():
        return ()
    return tuple(path for path in map(view.path, paths) if _digest(view, path) != view.sources[path].sha256)


def _digest(view: SnapshotView, path: str) -> str:
    try:
        return hashlib.sha256(read_regular(view.index.root / path, LARGEST, within=view.index.root)).hexdigest()
    except OSError:
        return ""  # it was deleted, or cannot be read any more


def _asked(
    view: SnapshotView, what: object, tests: bool | None, filters: Filters | None
) -> tuple[str, str, str, list[Answer], tuple[str, ...]]:
    """Return title, question, refusal, answers and notes of a pack for a question, report, answer or symbols."""
    if isinstance(what, BaseException):
        what = searches.localise(view, what, tests=tests, filters=filters, top_k=POOL, timeout=_PATIENCE)
    elif isinstance(what, str) and not is_place(what):
        what = searches.search(view, what, seeds=None, tests=tests, filters=filters, top_k=POOL, timeout=_PATIENCE)
    if isinstance(what, SearchAnswer):
        return _of_search(what, view.catalog.roles)
    if isinstance(what, GraphAnswer):
        symbols: list[Symbol] = [*what.seeds, *what.symbols]
        title, notes = what.headline, what.notes
    else:
        targets = what if isinstance(what, list | tuple | set | frozenset) else (what,)
        symbols, notes = [view.symbol(target) for target in targets], ()
        title = f"Context for {', '.join(symbol.fqn for symbol in symbols[:3])}{' …' * (len(symbols) > 3)}"
    found = [symbol for symbol in dict.fromkeys(symbols) if symbol.path]
    if not found:
        raise QuestionError("there is nothing to pack: give a question, a report, or symbols of the repository")
    answers = [Answer(symbol, None, 1 / len(found)) for symbol in found]
    return cut(one_line(title), _TITLE_CHARS), "", "", answers, notes


def _of_search(answer: SearchAnswer, roles: PathRoles) -> tuple[str, str, str, list[Answer], tuple[str, ...]]:
    lines = answer.question.strip().splitlines() or [""]
    ranks = _ranks(answer, roles)
    weights = [max(0.0, hit.score) / rank for hit, rank in zip(answer.hits, ranks, strict=True)]
    total = sum(weights) or 1.0
    answers = [Answer(hit.symbol, hit.chunk, weight / total) for hit, weight in zip(answer.hits, weights, strict=True)]
    title = f"Context for: {cut(one_line(lines[0]), _TITLE_CHARS)}"
    notices = [*filter(None, answer.notices)]
    answering = answer.plan.relation is not None or answer.result.whole
    told = notices[:1] if answering else []  # the verdict on the relation or the repository, or an unknown name
    first = " ".join(filter(None, (confidence_words(answer), *told)))
    return title, answer.question, first, answers, tuple(notices[len(told) :])


def _ranks(answer: SearchAnswer, roles: PathRoles) -> list[int]:
    """Return the rank of each hit. In a report, code is ranked without tests: the fault is mostly in what they run."""
    if answer.plan.kind != "report":
        return [hit.rank for hit in answer.hits]
    code, ranks = 0, []
    for hit in answer.hits:
        test = roles.is_test(hit.chunk.path) if hit.symbol is None else roles.is_test_symbol(hit.symbol)
        code += not test
        ranks.append(hit.rank if test else code)
    return ranks


def _hits(
    view: SnapshotView, evidence: TourEvidence, question: str, filters: Filters | None
) -> tuple[dict[str, float], tuple[str, ...]]:
    """Return id → share of the scores of a question's hits, for the hits that a tour may contain; and its notes."""
    answer = searches.search(view, question, seeds=None, tests=None, filters=filters, top_k=POOL, timeout=_PATIENCE)
    shares: dict[str, float] = defaultdict(float)
    for hit in answer.hits:
        standing = None if hit.symbol is None else evidence.standing_for(hit.symbol)
        if standing is not None:
            shares[standing.id] += max(0.0, hit.score) / hit.rank
    notes = tuple(said for said in (confidence_words(answer), *answer.notices) if said)
    return dict(shares), notes
