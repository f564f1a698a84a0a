"""Packs of a workspace: finds the answers and notes from which `codeexplore.packs` makes a pack.

`packed` takes the arguments of `Workspace.pack`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from codeexplore.errors import QuestionError
from codeexplore.languages.file_roles import is_test_path
from codeexplore.packs.candidates import Answer, Candidates
from codeexplore.packs.pack import Description, Pack, budget_of, pack_of
from codeexplore.results import GraphAnswer, SearchAnswer
from codeexplore.results.search import confidence_words
from codeexplore.results.text.clip import cut, one_line
from codeexplore.results.text.phrases import plural
from codeexplore.settings import POOL
from codeexplore.text.enumeration import shortened
from codeexplore.types import Filters, Symbol
from codeexplore.workspace import searches
from codeexplore.workspace.targets import Target, is_place

if TYPE_CHECKING:
    from codeexplore.packs.tokens import Count
    from codeexplore.workspace.view import SnapshotView

_TITLE_CHARS: Final = 120
_PATIENCE: Final = 10.0  # seconds of a lane: a pack is read by a model, which waits longer than a person


def packed(
    view: SnapshotView,
    what: str | BaseException | SearchAnswer | GraphAnswer | Target | Sequence[Target],
    tokens: int,
    counter: str | Count | None,
    form: str,
    tests: bool | None,
    filters: Filters | None,
) -> Pack:
    """Return the pack for a question, report, answer or symbols."""
    budget = budget_of(tokens, counter, form)
    title, answers, notes = _asked(view, what, tests, filters)
    graph = None if view.index.pending is not None and view.index.pending.not_built else view.graph
    if graph is None:
        notes = (
            *notes,
            "The call graph is not known yet: callers and callees are left out",
        )
    elif said := view.graph_note:
        notes = (*notes, said)
    sources = view.sources
    candidates = Candidates(view.catalog, sources, graph, tests=tests is not False).of(answers)
    pack = pack_of(candidates, sources, Description(view.index.name, title, notes), budget)
    changed = outdated(view, pack.files)
    if not changed:
        return pack
    shown = shortened(changed, 5)
    said = f"Outdated: {plural(len(changed), 'file')} changed since the last load or refresh: {shown}"
    return pack_of(candidates, sources, Description(view.index.name, title, (said, *notes)), budget)


def mapped(view: SnapshotView, tokens: int, counter: str | Count | None, form: str) -> Pack:
    """Return the map of the repository."""
    from codeexplore.packs.organiser import Material, map_of

    budget = budget_of(tokens, counter, form)
    material = Material(view.graph, view.evidence, view.sources)
    description = Description(view.index.name, f"Map of {one_line(view.index.name)}", view.graph_notes)
    return map_of(material, view.index.summary, description, budget)


def outdated(view: SnapshotView, paths: Collection[str]) -> tuple[str, ...]:
    """Return the given files that differ on disk from the index. The result is empty if the folder does not exist."""
    if not view.index.root.is_dir():
        return ()
    return tuple(path for path in paths if _digest(view, path) != view.sources[path].sha256)


def _digest(view: SnapshotView, path: str) -> str:
    try:
        return hashlib.sha256((view.index.root / path).read_bytes()).hexdigest()
    except OSError:
        return ""  # it was deleted, or cannot be read any more


def _asked(
    view: SnapshotView, what: object, tests: bool | None, filters: Filters | None
) -> tuple[str, list[Answer], tuple[str, ...]]:
    """Return the title, the answers and the notes of a pack for `what`: a question, report, answer or symbols."""
    if isinstance(what, BaseException):
        what = searches.localise(view, what, tests=tests, filters=filters, top_k=POOL, timeout=_PATIENCE)
    elif isinstance(what, str) and not is_place(what):
        what = searches.search(
            view, what, seeds=None, tests=tests, filters=filters, top_k=POOL, timeout=_PATIENCE
        )  # fmt: skip
    if isinstance(what, SearchAnswer):
        return _of_search(what)
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
    return cut(one_line(title), _TITLE_CHARS), answers, notes


def _of_search(answer: SearchAnswer) -> tuple[str, list[Answer], tuple[str, ...]]:
    lines = answer.question.strip().splitlines() or [""]
    ranks = _ranks(answer)
    weights = [max(0.0, hit.score) / rank for hit, rank in zip(answer.hits, ranks, strict=True)]
    total = sum(weights) or 1.0
    answers = [Answer(hit.symbol, hit.chunk, weight / total) for hit, weight in zip(answer.hits, weights, strict=True)]
    notes = [said for said in (confidence_words(answer), *answer.notices) if said]
    return f"Context for: {cut(one_line(lines[0]), _TITLE_CHARS)}", answers, tuple(notes)


def _ranks(answer: SearchAnswer) -> list[int]:
    """Return the rank of each hit. For a report, a hit in other code than tests is ranked among such hits alone.

    If the title of a report has a word such as "test" or "fixture", tests are ranked too, and often fill the first
    ranks. The fault is mostly in the code that they run.
    """
    if answer.plan.kind != "report":
        return [hit.rank for hit in answer.hits]
    code, ranks = 0, []
    for hit in answer.hits:
        test = is_test_path(hit.chunk.path)
        code += not test
        ranks.append(hit.rank if test else code)
    return ranks
