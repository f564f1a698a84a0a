"""Answer to a question: a fused ranking, joined with the symbols and chunks that it ranks, and a comparison of two."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, TypeAlias

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block, Inline, Line
from codeexplore.answers.data import frame, symbol_dict, verdict_dict
from codeexplore.answers.graph import in_tests, step_blocks, verdict_blocks
from codeexplore.answers.hit import COLUMNS, EXPLAINED, Explanation, SearchHit, summand_blocks
from codeexplore.answers.markdown import markdown
from codeexplore.answers.paths import PathsAnswer
from codeexplore.answers.plain_words import BAR_TITLE, plain_legend, plain_shares, ranking_line, sentence
from codeexplore.answers.score_terms import SIGNAL_WORDS, number, terms
from codeexplore.answers.shown import ShownRows
from codeexplore.answers.wording import (
    cut,
    edge_words,
    first_sentence,
    member_name,
    one_line,
    plural,
    signature_line,
)
from codeexplore.graph.traversal import WHOLE_HIERARCHY
from codeexplore.index.qualified_names import name_parts
from codeexplore.text.everyday import EVERYDAY
from codeexplore.text.tokens import analyze, question_words, tokenize
from codeexplore.types import (
    SCHEMA_VERSION,
    ConfidenceLevel,
    Edge,
    FusedHit,
    NextStep,
    QueryPlan,
    Ranking,
    SearchResult,
    Symbol,
    Verdict,
)
from codeexplore.types.certainty import certainty
from codeexplore.types.displayed import explain
from codeexplore.types.errors import QuestionError

if TYPE_CHECKING:
    import pandas as pd

    from codeexplore.index.catalog import Catalog
    from codeexplore.search.explain import Derivation

    Derive: TypeAlias = Callable[[SearchResult, FusedHit], Derivation]


@dataclass(frozen=True, slots=True, repr=False)
class SearchAnswer(ShownRows[SearchHit]):
    """A ranked answer: a sequence of hits, best first, with the plan and the rankings of the lanes."""

    _records_in: ClassVar[str] = "hits"

    result: SearchResult
    hits: tuple[SearchHit, ...]
    catalog: Catalog = field(compare=False)
    derive: Derive | None = field(default=None, compare=False)  # computes an explanation; None without a workspace

    @classmethod
    def of(cls, result: SearchResult, catalog: Catalog, derive: Derive | None = None) -> SearchAnswer:
        """Return the answer for `result`, joined with its symbols and chunks.

        `derive` computes a hit's explanation when `explain` is called. Raises KeyError for an id that is not in the
        catalog.
        """
        hits = []
        for fused in result.hits:
            chunk = catalog.chunk(fused.chunk_id)
            hits.append(SearchHit(fused, chunk, catalog.symbol_of(chunk)))
        return cls(result, tuple(hits), catalog, derive)

    def explain(self, rank: int) -> Explanation:
        """Return every number behind the hit at `rank` (from 1): the score of each lane, and the change by each signal.

        Raises QuestionError if there is no hit with that rank, or the answer was made without a workspace.
        """
        if rank not in range(1, len(self.hits) + 1) or type(rank) is not int:
            raise QuestionError(f"there is no hit of rank {rank!r}; the ranks here are 1 to {len(self.hits)}")
        if self.derive is None:
            raise QuestionError("this answer was made without a workspace, which is needed to explain it")
        hit = self.hits[rank - 1]
        return Explanation.of(self.derive(self.result, hit.fused), hit, self.result, self.catalog)

    @property
    def question(self) -> str:
        """The question as the user wrote it."""
        return self.result.plan.text

    @property
    def plan(self) -> QueryPlan:
        """The plan for the question: each choice with its reason."""
        return self.result.plan

    @property
    def rankings(self) -> tuple[Ranking, ...]:
        """The ranking of each lane, or the reason why it has none."""
        return self.result.rankings

    @property
    def notices(self) -> tuple[str, ...]:
        """Notices about this answer, as sentences."""
        return self.result.notices

    @property
    def confidence(self) -> ConfidenceLevel:
        """The confidence that the repository answers the question: "answered", "weak" or "none".

        For a question in words, the ten nearest chunks decide: how similar they are to the whole question, and how near
        their words are to each telling word of it; see `search.confidence`. It is only "none" if, besides, a word of
        the question occurs nowhere. For a relation of a named symbol, the graph decides: "none" if nothing in the
        repository can be the answer, "weak" if something may be. `result.confidence` has the numbers.
        """
        return self.result.confidence.level

    @property
    def choices(self) -> Mapping[str, tuple[Symbol, ...]]:
        """The symbols that each ambiguous name in the question may mean, the most likely first.

        It is empty for a question that describes its symbol, even if the description contains a name.
        """
        from codeexplore.search.seeds import choices

        return {} if self.plan.description else choices(self.plan.identifiers, self.catalog)

    @property
    def absence(self) -> Verdict | None:
        """The explanation if a relation has no results in the graph; None for all other answers."""
        return None if self.verdict is None or self.verdict.kind == "found" else self.verdict

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on the relation for which a question asks, the same as that of the walk with its name."""
        return self.result.verdict

    @property
    def next_steps(self) -> tuple[NextStep, ...]:
        """Calls that may find what the call graph does not have for certain, or that survey the whole repository."""
        return self.result.surveys if self.verdict is None else self.verdict.next_steps

    @property
    def paths(self) -> PathsAnswer | None:
        """The paths for which the question asks, each step with its edge; None for all other questions."""
        found = self.result.paths
        if found is None:
            return None
        ends = self.catalog.symbol(found.source), self.catalog.symbol(found.target)
        return PathsAnswer(found.paths, *ends, self.catalog, self.verdict)

    def role_of(self, hit: SearchHit) -> str:
        """Return the role of a hit in words: "caller, 2 steps away"; "" if the question does not ask for a relation.

        A hit that only shares words with the question has a role of its own.
        """
        from codeexplore.search.hit_roles import ASKED_ABOUT, WORDS_ONLY, role_name

        if hit.role == ASKED_ABOUT:
            return hit.role
        if hit.role == WORDS_ONLY:
            near = "it has no word of the question, but a near meaning"
            return (self._shared(hit) or near) if role_name(self.plan) else ""
        steps = 0 if hit.call_path is None else len(hit.call_path.edges)
        if not hit.role or not steps or hit.call_path is None or self.plan.relation == "path":
            return hit.role
        of = ""
        if len(self.plan.seeds) > 1:
            joint = "by" if hit.role.endswith("ed") else "of"  # "affected by …", "caller of …"
            start = self.catalog.symbol(hit.call_path.symbol_ids[0])
            of = f" {joint} {'.'.join(name_parts(start.fqn)[-2:]) or start.name}"
        return f"{hit.role}{of}{f', {steps} steps away' if steps > 1 else ''}"

    def to_dict(self) -> dict[str, object]:
        """Return the answer as plain data for JSON. `schema` names its format."""
        plan, found = self.plan, self.result.confidence
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
            "confidence": {
                **found._asdict(),
                "absent": list(found.absent),
                "misspelt": dict(found.misspelt),
                "meant": list(found.meant),
            },
            "choices": {name: [symbol_dict(each) for each in found] for name, found in self.choices.items()},
            "verdict": verdict_dict(self.verdict),
            "absence": verdict_dict(self.absence),
            "story": [[step.level, step.symbol_id] for step in self.result.story],
            "paths": None if self.paths is None else self.paths.to_dict(),
            "notices": list(self.notices),
            "elapsed_ms": self.result.elapsed_ms,
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each hit: rank, score, symbol, kind, path, lines, then a column for each lane and signal.

        A lane or signal that did not contribute to a hit has the value 0.0, so that the shares in a row add up to its
        score. Raises ImportError without pandas.
        """
        rows: list[dict[str, object]] = []
        shares: dict[str, None] = dict.fromkeys(f"lane_{ranking.lane}" for ranking in self.rankings)
        for hit in self.hits:
            given = hit.shares()
            shares.update(dict.fromkeys(given))
            rows.append(hit.row() | given)
        zeros: dict[str, object] = dict.fromkeys(shares, 0.0)
        return frame((*COLUMNS, *shares), [zeros | row for row in rows])

    def to_markdown(self, *, source: bool = True, max_lines: int = 40) -> str:
        """Return the answer as Markdown: a table, then the score and the source of each hit.

        At most `max_lines` lines of the source of a hit are included.
        """
        return markdown(self.blocks(), max_lines=max_lines if source else 0)

    def blocks(self) -> list[Block]:
        """Return the question, how it was read, and the hits; in an explaining session also lanes and numbers."""
        hits = b.Words(f"{plural(len(self), 'hit') if len(self) else 'No hits'} for ")
        lanes: list[Inline] = []
        for ranking in self.rankings:
            lanes += [" · " if lanes else "", b.Tint("lane", ranking.lane, ranking.lane), " ", *ranking_line(ranking)]
        paths = [] if self.paths is None else step_blocks(self.paths.paths, self.paths.catalog)
        question = f"“{cut(one_line(self.result.subject), _QUESTION_CHARS)}”"
        heading = b.Heading((hits, question))
        if explain():
            return [heading, reading(self.result), b.Text(tuple(lanes)), *self.found_blocks(paths)]
        return [heading, reading(self.result, lanes=False), *self.plain_blocks(paths)]

    def notice_blocks(self, paths: Sequence[Block] = ()) -> list[Block]:
        """Return what must be known before the hits: confidence, absence, `paths` and the notices."""
        style: Literal["warning", ""] = "warning" if self.confidence == "none" else ""
        blocks: list[Block] = [b.Text(said, style)] if (said := confidence_words(self)) else []
        first = 0 if self.verdict is None else 1  # the notice that is the verdict
        notices = (*self.notices[first:], *(f"{step}." for step in self.next_steps))
        places = [block for block in verdict_blocks(self.verdict, "") if isinstance(block, b.Items)]
        blocks += [*map(b.Text, self.notices[:first]), *places]
        return [*blocks, *paths, *self._story(), *map(b.Text, notices)]

    def _story(self) -> list[Block]:
        catalog, lines = self.catalog, defaultdict[str, list[Line]](list)
        for step in self.result.story:
            word = certainty(step.edge.confidence)
            how = b.Piece("  " if word == "certain" else f"  {word}, ", "dim")
            deeper = b.Piece("· " * (step.level - 1), "dim")
            lines[step.start].append((deeper, catalog.symbol(step.symbol_id), how, *step.edge.sites[:1]))
        said = {each: f": {catalog.symbol(each).signature:.100}" if len(lines) > 1 else "" for each in lines}
        title = "What runs, in the order of the lines"
        return [b.Items(b.Words(title + said[e]), lines[e], "result.story", brief=40, opened=True) for e in lines]

    @property
    def longest_bar(self) -> float:
        """The largest sum of positive summands of a hit, which fills the width of a bar."""
        parts = ((*(c.value for c in hit.contributions), *(a.value for a in hit.adjustments)) for hit in self)
        return max((sum(value for value in values if value > 0) for values in parts), default=0.0) or 1.0

    def plain_blocks(self, paths: Sequence[Block] = ()) -> list[Block]:
        """Return the notices and `paths`, then each hit with its bar, its sentence and its source, without numbers."""
        blocks = self.notice_blocks(paths)
        if not self.hits:
            return blocks
        longest, rows, tested = self.longest_bar, list[b.Row](), list[Line]()
        folded = set(self.in_tests())
        for hit in self:
            bar = b.Bar(plain_shares(hit, self.result), longest, wide=True)
            shown = self.hit_block(hit, longest)._replace(summands=list, sentence=self.reason_of(hit))
            if hit.symbol is not None:
                doc = first_sentence(hit.symbol.doc)
                shown = shown._replace(signature=signature_line(hit.symbol.signature), doc=doc)
            place = b.Place(hit.path, hit.line)
            if hit.symbol in folded:
                tested.append((hit.shown_name, "  ", place, "  ", b.Piece(shown.sentence, "dim")))
                continue
            rows.append(b.Row((str(hit.rank), hit.shown_name, b.Words(hit.kind), place, bar), blocks=(shown,)))
        bars = b.Column("why it is here", "html", title=BAR_TITLE)
        columns: tuple[str | b.Column, ...] = ("#", "symbol", "kind", b.Column("where", "text"), bars)
        title = b.Words(f"{plural(len(tested), 'more hit')} {'is' if len(tested) == 1 else 'are'} in tests")
        tests = [b.Items(title, tested, "hits", brief=0)] if tested else []
        return [*blocks, self._table(columns, rows), *tests, *self._left(), plain_legend(self.rankings)]

    def _left(self) -> list[Block]:
        """Return the number of symbols that have the relation in question and are not among the hits."""
        if self.verdict is None or self.plan.relation == "path":
            return []
        found = next((len(each.hits) for each in self.rankings if each.lane == "graph"), 0)
        left = found - sum(any(each.lane == "graph" for each in hit.contributions) for hit in self)
        said = f"{left:,} more from the call graph not listed; a higher top_k (--top-k) lists them"
        return [b.Text(said, "notice")] if left > 0 else []

    def in_tests(self) -> tuple[Symbol, ...]:
        """Return the symbols that use those asked about, and that displays fold: see `graph.in_tests`."""
        if self.plan.direction != "in" or self.plan.relation in (None, "path"):
            return ()
        used = [hit.symbol for hit in self if hit.symbol is not None and hit.call_path is not None]
        return in_tests(used, [self.catalog.symbol(seed.symbol_id) for seed in self.plan.seeds], self.catalog)

    def edge_of(self, hit: SearchHit) -> Edge | None:
        """Return the edge that a relation has followed to a hit, or to a function within it; None if there is none."""
        own = "" if hit.symbol is None else hit.symbol.id
        edges = hit.call_path.edges[-1:] if self.plan.relation is not None and hit.call_path is not None else ()
        if self.result.paths is not None:  # the step that leads to it, and not the one that the search came by
            steps = (zip(each.symbol_ids[1:], each.edges, strict=True) for each in self.result.paths.paths)
            edges = tuple(edge for path in steps for symbol_id, edge in path if symbol_id == own)[:1]
        ends = ((edge, edge.target == own or f"{edge.source}.".startswith(f"{own}.")) for edge in edges)
        return next((edge for edge, is_own in ends if is_own), None)

    def reason_of(self, hit: SearchHit) -> str:
        """Return why a hit is here: the edge that a relation has followed to it, or its ranks."""
        if self.result.whole and self.plan.seeds:
            return self.plan.seeds[0].reason
        edge = self.edge_of(hit)
        if edge is not None and hit.symbol is not None and edge.source == hit.symbol.id:
            return edge_words(edge, hit.path)
        if edge is not None:
            return f"{member_name(self.catalog.symbol(edge.source))} {edge_words(edge, hit.path)}"
        said, shared = sentence(hit), self._shared(hit)
        if not shared and (added := self._by_weak_words(f"{hit.name} {hit.path} {hit.text}")):
            shared = f"it has{added}"
        for vague in (SIGNAL_WORDS["telling words"], SIGNAL_WORDS["file coverage"]) if shared else ():
            said = said.replace(vague, shared)
        parts = () if hit.symbol is None else name_parts(hit.symbol.fqn)
        names = {"name match": parts[-1:], "owner match": parts[-2:-1], "file name": (hit.path.rpartition("/")[2],)}
        for signal, name in names.items():
            said = said.replace(words := SIGNAL_WORDS[signal], f"{words}{self._by_weak_words(' '.join(name))}")
        return said

    def _by_weak_words(self, name: str) -> str:
        """Return by which words a name matches if all are everyday words, or were added to the question; else ""."""
        tokens = set(tokenize(name))
        found, added = (
            [word for word in dict.fromkeys(words) if not tokens.isdisjoint(analyze(word))]
            for words in (self._asked_words(), self.plan.added)
        )
        if found:
            weak = all(EVERYDAY.issuperset(tokens.intersection(analyze(word))) for word in found)
            return f" the question's {_quoted(found)}" if weak else ""
        return (
            f" {'a word that was' if len(added) == 1 else 'words that were'} added: {', '.join(added)}" if added else ""
        )

    def _asked_words(self) -> list[str]:
        """Return the words of the question, and those that are searched for instead of misspelt ones."""
        return [*question_words(self.question), *dict(self.result.confidence.misspelt).values()]

    def _shared(self, hit: SearchHit) -> str:
        """Return which words of the question are in a hit, which a reader can check in its source; "" for none."""
        text = f"{hit.name} {hit.path} {hit.text}"
        tokens, lower = set(tokenize(text)), text.lower()
        found = [word for word in self._asked_words() if not tokens.isdisjoint(analyze(word))]
        whole = [word for word in found if word.lower() in lower or (word.isalpha() and word[1:].islower())]
        return f"it has {'' if whole else 'parts of '}the question's {_quoted(whole or found)}" if found else ""

    def found_blocks(self, paths: Sequence[Block] = ()) -> list[Block]:
        """Return the notices, then the hits with the legend of their bars. `paths` are placed before the hits."""
        blocks = self.notice_blocks(paths)
        if not self.hits:
            return blocks
        lanes = [each.lane for each in self.rankings]
        ranks = [b.Column(f"{lane}\nrank", "html", lane, _RANK.format(_measure(lane))) for lane in lanes]
        columns: list[str | b.Column] = ["#", "symbol", "kind", b.Column("where", "text"), *ranks]
        columns += ["score", b.Column("parts of\nthe score", "html")]
        longest = self.longest_bar
        rows = [self._row(hit, longest) for hit in self]
        return [*blocks, self._table(tuple(columns), rows), self._legend()]

    def _table(self, columns: tuple[str | b.Column, ...], rows: Sequence[b.Row]) -> b.Table:
        dim = self.confidence if self.confidence != "answered" else ""
        return b.Table(f"{plural(len(self), 'hit')}, best first", columns, rows, "spaced", dim=dim, brief=len(rows))

    def _row(self, hit: SearchHit, longest: float) -> b.Row:
        found = {share.lane: str(share.rank) for share in hit.contributions}
        ranks = [found.get(each.lane) or b.Piece("–", "dim") for each in self.rankings]
        named = (str(hit.rank), hit.shown_name, b.Words(hit.kind), b.Place(hit.path, hit.line))
        cells = (*named, *ranks, number(hit.score), b.Bar(terms(hit.fused, self.result), longest))
        return b.Row(cells, blocks=(self.hit_block(hit, longest),))

    def hit_block(self, hit: SearchHit, longest: float) -> b.Hit:
        """Return the role, the place, the source and the score of a hit. `longest` is the sum that fills a bar."""
        role = self.role_of(hit)
        short_role = cut(one_line(role), _ROLE_CHARS)
        place = b.Place(hit.path, hit.line, hit.end_line)
        source = b.Source(hit.numbered_lines(), hit.chunk.language, brief=_BRIEF)
        return b.Hit(hit.fused, self.result, place, source, partial(self.summands, hit), longest, role, short_role)

    def summands(self, hit: SearchHit) -> list[Block]:
        """Return the terms of a hit's score as blocks, for the first hits with the parts of the lanes' own scores."""
        why = self.explain(hit.rank) if self.derive is not None and hit.rank <= EXPLAINED else None
        return list(summand_blocks(hit, self.result, why))

    def _legend(self) -> b.Legend:
        line: list[Inline] = []
        for each in self.rankings:
            line += [b.Tint("lane", each.lane, each.lane), f": by {_measure(each.lane)}  ·  "]
        line += [b.Tint("signal", "signals", "signals"), ": name, definition, agreement of files and others"]
        if self.result.fusion == "rrf":
            return b.Legend((tuple(line), f"score = Σ weight/({self.result.rrf_k} + rank in lane) + signals"))
        return b.Legend((tuple(line), f"score = contributions by {self.result.fusion} + signals"))


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"“{cut(one_line(word), _WORD_CHARS)}”" for word in dict.fromkeys(words[:_MOST_WORDS]))


class Move(NamedTuple):
    """The rank of one hit before and after; None if it is not among the hits."""

    name: str
    location: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rank changes from one answer to another. Hits are ordered by their previous rank; new hits follow."""

    before: SearchAnswer
    after: SearchAnswer
    moves: tuple[Move, ...]

    def shown(self, top_k: int) -> tuple[Move, ...]:
        """Return the moves from or to a rank of at most `top_k`."""
        return tuple(m for m in self.moves if min(m.before or top_k + 1, m.after or top_k + 1) <= top_k)


def compare(before: SearchAnswer, after: SearchAnswer) -> Comparison:
    """Return the rank changes from `before` to `after`. Hits match by their symbol, or by their chunk of a file."""
    new = {_key(hit): hit for hit in after}
    moves = []
    for hit in before:
        other = new.pop(_key(hit), None)
        moves.append(Move(hit.name, hit.location, hit.rank, None if other is None else other.rank))
    moves += [Move(hit.name, hit.location, None, hit.rank) for hit in new.values()]
    return Comparison(before, after, tuple(moves))


def _key(hit: SearchHit) -> str:
    return hit.chunk.id if hit.symbol is None else hit.symbol.id


_MEASURES = {
    "bm25": "the words of {}",
    "embedding": "the meaning of {}",
    "graph": "the call graph",
    "frames": "the stack frames",
    "names": "the names written as code",
}
_PARTS = {
    "": "the question",
    "whole": "the whole report",
    "title": "the title",
    "body": "the prose",
    "code": "the code",
}  # of a report, as its rankings are called
_RANK = "Rank by {}; – if the hit is not in this ranking"
_BRIEF = 3  # lines of a hit's source in a terminal
_QUESTION_CHARS = 300
_NAME_CHARS = 60
_ROLE_CHARS = 120
_WORD_CHARS = 40
_MOST_WORDS = 6  # of the question, that a reason names
_KINDS = {
    "identifier": "as the name",
    "conceptual": "as a description in plain words",
    "mixed": "as a description that names",
    "structural": "as a question about the graph:",
    "report": "as a bug report",
}


def _measure(ranking: str) -> str:
    part, _, lane = ranking.rpartition("-")
    return _MEASURES.get(lane, ranking).format(_PARTS.get(part, part))


def _says(plan: QueryPlan, choice: str) -> bool:
    return any(reason.choice == choice for reason in plan.reasons)


def confidence_words(answer: SearchAnswer) -> str:
    """Return the confidence of an answer in a few sentences; "" if there is nothing to report.

    ``Nothing here mentions kubernetes, ingress. Probably not in this code.``
    ``No good match for these words. Also searched for words of this code: truncate, summary.``
    """
    found = answer.result.confidence
    said = [f"Nothing here mentions {', '.join(map(one_line, found.absent))}."] if found.absent else []
    ask = "Searched for {} instead." if _says(answer.plan, "spelling") else "Did you mean {}?"
    said += [f"Nothing here mentions {one_line(typed)}. {ask.format(meant)}" for typed, meant in found.misspelt]
    if answer.plan.relation is not None or not len(answer):
        return " ".join(said)
    if found.level != "answered":
        said.append("Probably not in this code." if found.level == "none" else "No good match for these words.")
    if found.meant:
        also = _says(answer.plan, "other words")
        words = "Also searched for words of this code" if also else "Words of this code that may be meant"
        said.append(f"{words}: {', '.join(map(one_line, found.meant))}.")
    return " ".join(said)


def reading(result: SearchResult, before: str = "How it was found: ", *, lanes: bool = True) -> Block:
    """Return the plan in words, such as ``callers of `f`, 1 step by bm25 + graph``, which unfolds to its reasons."""
    plan = result.plan
    planned = {str(lane): weight for lane, weight in plan.lanes.items()}
    weights = result.weights if plan.kind == "report" else planned
    whole = (b.Words("as a question about the whole repository"),)
    title = (b.Words(before), *(whole if result.whole else _reading(plan, weights if lanes else {})))
    reasons = b.Items("", [(b.Piece(f"{each.choice}: ", "dim"), each.why) for each in plan.reasons])
    return b.Fold(title, (reasons,), aside=True) if plan.reasons else b.Text(title)


def _reading(plan: QueryPlan, weights: Mapping[str, float]) -> Iterator[Inline]:
    names = () if plan.description and plan.relation != "path" else plan.identifiers[:3]  # part of the description
    subjects = [b.Piece(cut(one_line(name), _NAME_CHARS), "code") for name in names]
    described = (plan.description, plan.target_description)
    subjects += [b.Piece(f"“{cut(one_line(what), _NAME_CHARS)}”") for what in described if what]
    if plan.relation is not None:
        way = f"{plan.relation} of " if subjects else plan.relation
        yield b.Words("path between " if plan.relation == "path" else way)
        yield from _listed(subjects, " and ")
        if plan.relation in WHOLE_HIERARCHY:
            yield b.Words(", any number of steps")
        elif plan.relation != "path":
            yield b.Words(f", {plural(plan.depth, 'step')}")
    else:
        yield b.Words(_KINDS.get(plan.kind, plan.kind))
        yield from (b.Words(" "), *_listed(subjects, ", ")) if subjects else ()
    lanes = [
        b.Tint("lane", lane, lane if weight == 1.0 else f"{lane} × {weight:g}") for lane, weight in weights.items()
    ]
    yield from (b.Words(" by "), *_listed(lanes, " + ")) if lanes else ()


def _listed(found: Sequence[Inline], between: str) -> list[Inline]:
    return [each for number, piece in enumerate(found) for each in ((b.Words(between), piece) if number else (piece,))]
