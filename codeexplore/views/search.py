"""An answer to a question: a fused ranking joined with the symbols and chunks it ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, overload

from codeexplore.errors import QuestionError
from codeexplore.types import (
    SCHEMA_VERSION,
    Absence,
    ConfidenceLevel,
    FusedHit,
    QueryPlan,
    Ranking,
    SearchResult,
    Symbol,
)
from codeexplore.views.call_paths import PathsAnswer
from codeexplore.views.dicts import absence_dict, at, json_text, symbol_dict
from codeexplore.views.hit import COLUMNS, SearchHit

if TYPE_CHECKING:
    import pandas as pd

    from codeexplore.index.catalog import Catalog
    from codeexplore.search import Derivation
    from codeexplore.views.explanation import Explanation

    Derive: TypeAlias = Callable[[SearchResult, FusedHit], Derivation]


class Source(NamedTuple):
    """Where an answer comes from: what is needed to explain it."""

    catalog: Catalog
    derive: Derive


@dataclass(frozen=True, slots=True, repr=False)
class SearchAnswer(Sequence[SearchHit]):
    """A ranked answer: a sequence of hits, best first, with the plan and the lanes that led to it."""

    result: SearchResult
    hits: tuple[SearchHit, ...]
    source: Source | None = field(default=None, compare=False)

    @classmethod
    def of(cls, result: SearchResult, catalog: Catalog, derive: Derive | None = None) -> SearchAnswer:
        """Join a result with the symbols and chunks it names. Raises KeyError for an id the catalog doesn't have.

        `derive` works out a hit's derivation when `explain` is called.
        """
        hits = []
        for fused in result.hits:
            chunk = catalog.chunk(fused.chunk_id)
            hits.append(SearchHit(fused, chunk, catalog.symbol_of(chunk)))
        return cls(result, tuple(hits), None if derive is None else Source(catalog, derive))

    def explain(self, rank: int) -> Explanation:
        """Every number behind the hit at a rank (from 1): how each lane scored it, and what each signal changed.

        Raises
        ------
        QuestionError
            There is no hit of that rank, or the answer was put together by hand, without a workspace.
        """
        from codeexplore.views.explanation import Explanation

        if rank not in range(1, len(self.hits) + 1) or type(rank) is not int:
            raise QuestionError(f"there is no hit of rank {rank!r}; the ranks here are 1 to {len(self.hits)}")
        if self.source is None:
            raise QuestionError("this answer was made without a workspace, which alone can explain it")
        hit = self.hits[rank - 1]
        return Explanation(self.source.derive(self.result, hit.fused), hit, self.result, self.source.catalog)

    @property
    def question(self) -> str:
        """The question as it was asked."""
        return self.result.plan.text

    @property
    def plan(self) -> QueryPlan:
        """How the question was read, each choice with its reason."""
        return self.result.plan

    @property
    def rankings(self) -> tuple[Ranking, ...]:
        """What each lane answered, or why it did not."""
        return self.result.rankings

    @property
    def notices(self) -> tuple[str, ...]:
        """What the reader should know about this answer, in words."""
        return self.result.notices

    @property
    def confidence(self) -> ConfidenceLevel:
        """Whether the repository holds what was asked for: "answered", "weak" or "none".

        For a question in words, the best cosine is set against this repository's chance level for questions about other
        software, and the words of the question against those of the best chunks: see `codeexplore.search.confidence`.
        For a relation of a named symbol it is the graph's certainty: "none" where nothing in the repository can be the
        answer, "weak" where something may be. `result.confidence` holds the numbers.
        """
        return self.result.confidence.level

    @property
    def choices(self) -> Mapping[str, tuple[Symbol, ...]]:
        """The symbols that each ambiguous name of the question may mean, the likeliest first.

        Empty for a question that describes its symbol, also where the description contains a name.
        """
        from codeexplore.search.seeds import choices

        if self.source is None or self.plan.description:
            return {}
        return choices(self.plan.identifiers, self.source.catalog)

    @property
    def absence(self) -> Absence | None:
        """What it means that the graph found nothing certain for a relation; None for all other answers."""
        return self.result.absence

    @property
    def paths(self) -> PathsAnswer | None:
        """The paths that a question about a path asks for, each step with its edge; None for all other answers."""
        found = self.result.paths
        if found is None or self.source is None:
            return None
        catalog = self.source.catalog
        ends = catalog.symbol(found.source), catalog.symbol(found.target)
        return PathsAnswer(found.paths, *ends, catalog, found.absence)

    def standing(self, hit: SearchHit) -> str:
        """What a hit is to the question, in words: "caller, 2 steps away"; "" where the question asks for no relation.

        Hits that share nothing but words with the question say so.
        """
        from codeexplore.search.roles import WORDS_ONLY, role_name

        if hit.role == WORDS_ONLY:
            what = role_name(self.plan)
            return f"only shares words with the question, not a {what} as far as known" if what else ""
        steps = 0 if hit.call_path is None else len(hit.call_path.edges)
        if not hit.role or not steps or hit.call_path is None or self.plan.relation == "path":
            return hit.role
        of = ""
        if len(self.plan.seeds) > 1 and self.source is not None:
            joint = "by" if hit.role.endswith("ed") else "of"  # "affected by …", "caller of …"
            of = f" {joint} {self.source.catalog.symbol(hit.call_path.symbol_ids[0]).fqn}"
        return f"{hit.role}{of}{f', {steps} steps away' if steps > 1 else ''}"

    def to_dict(self) -> dict[str, object]:
        """The answer as plain data for JSON. `schema` tells how to read it."""
        plan = self.plan
        return {
            "schema": SCHEMA_VERSION,
            "kind": "search",
            "question": self.question,
            "plan": {
                "kind": plan.kind,
                "identifiers": list(plan.identifiers),
                "relation": plan.relation,
                "direction": plan.direction,
                "depth": plan.depth,
                "seeds": [seed._asdict() for seed in plan.seeds],
                "lanes": dict(plan.lanes),
                "reasons": [reason._asdict() for reason in plan.reasons],
            },
            "fusion": self.result.fusion,
            "rrf_k": self.result.rrf_k,
            "lanes": [
                {
                    "lane": ranking.lane,
                    "status": ranking.status,
                    "reason": ranking.reason,
                    "hits": len(ranking.hits),
                    "elapsed_ms": ranking.elapsed_ms,
                }
                for ranking in self.rankings
            ],
            "hits": [hit.to_dict() for hit in self.hits],
            "confidence": {**self.result.confidence._asdict(), "absent": list(self.result.confidence.absent)},
            "choices": {name: [symbol_dict(each) for each in found] for name, found in self.choices.items()},
            "absence": absence_dict(self.absence),
            "paths": None if self.paths is None else self.paths.to_dict(),
            "notices": list(self.notices),
            "elapsed_ms": self.result.elapsed_ms,
        }

    def to_json(self, indent: int | None = 2) -> str:
        """`to_dict` as JSON text."""
        return json_text(self.to_dict(), indent)

    def to_frame(self) -> pd.DataFrame:
        """One row per hit: rank, score, symbol, kind, path, lines, then a column for each lane and signal.

        A lane or signal that gave a hit nothing is 0.0, so that a row's shares add up to its score. Raises ImportError
        without pandas.
        """
        from codeexplore.views.tables import frame

        rows: list[dict[str, object]] = []
        shares: dict[str, None] = dict.fromkeys(f"lane_{ranking.lane}" for ranking in self.rankings)
        for hit in self.hits:
            given = hit.shares()
            shares.update(dict.fromkeys(given))
            rows.append(hit.row() | given)
        zeros: dict[str, object] = dict.fromkeys(shares, 0.0)
        return frame((*COLUMNS, *shares), [zeros | row for row in rows])

    def to_markdown(self, *, source: bool = True, max_lines: int = 40) -> str:
        """The answer as Markdown: a table, then each hit's arithmetic and at most `max_lines` lines of its source."""
        from codeexplore.views.markdown import search_markdown

        return search_markdown(self, source=source, max_lines=max_lines)

    @overload
    def __getitem__(self, index: int) -> SearchHit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[SearchHit, ...]: ...
    def __getitem__(self, index: int | slice) -> SearchHit | tuple[SearchHit, ...]:
        return at(self.hits, index, "hit")

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[SearchHit]:
        return iter(self.hits)

    def __repr__(self) -> str:
        from codeexplore.views.found import search_text

        return search_text(self)
