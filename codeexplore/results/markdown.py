"""Views as Markdown, for notes, tickets and language models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.results.frames import code_block, code_span, markdown_table
from codeexplore.results.score_terms import number, sum_line
from codeexplore.results.text.clip import cut, visible
from codeexplore.results.text.phrases import confidence_words, edge_words, plural, unresolved_words, whereabouts

if TYPE_CHECKING:
    from codeexplore.results.graph import GraphAnswer
    from codeexplore.results.paths import PathsAnswer
    from codeexplore.results.search import SearchAnswer, SearchHit
    from codeexplore.types import Absence, Edge

_QUESTION_CHARS = 300
_MOST_MENTIONS = 50


def search_markdown(answer: SearchAnswer, *, source: bool = True, max_lines: int = 40) -> str:
    """A table of the hits, then each one's arithmetic and source."""
    parts = [f"## {code_span(cut(answer.question, _QUESTION_CHARS))}"]
    lanes = [
        f"{ranking.lane}: {len(ranking.hits)} hits"
        if ranking.status in ("ok", "empty")
        else f"{ranking.lane}: {ranking.status} ({code_span(ranking.reason)})"
        for ranking in answer.rankings
    ]
    parts.append(f"Read as {answer.plan.kind}. " + "; ".join(lanes) + ".")
    if said := confidence_words(answer):
        parts.append(f"> {code_span(said)}")
    parts += [f"> {code_span(notice)}" for notice in answer.notices]
    if answer.absence is not None and answer.absence.mentions:
        parts += _absence(answer.absence)[1:]
    if answer.paths is not None and answer.paths.paths:
        parts.append("\n".join(_paths(answer.paths)))
    rows = [
        (str(hit.rank), code_span(hit.name), hit.kind, code_span(hit.location), number(hit.score)) for hit in answer
    ]
    parts.append(markdown_table(("#", "symbol", "kind", "where", "score"), rows))
    if source:
        parts += [_hit(hit, answer, max_lines) for hit in answer]
    return "\n\n".join(parts) + "\n"


def graph_markdown(answer: GraphAnswer) -> str:
    """A table of the symbols by depth, then the edges that are only possible by name."""
    parts = [f"## {code_span(answer.headline)}"]
    parts += _absence(answer.absence)
    incoming = answer.incoming()
    rows = [
        (
            str(reached.depth),
            code_span(symbol.fqn),
            symbol.kind,
            code_span(whereabouts(symbol)),
            "; ".join(code_span(edge_words(edge)) for edge in incoming.of(reached)),
        )
        for symbol, reached in zip(answer.symbols, answer.reached, strict=True)
    ]
    if rows:
        parts.append(markdown_table(("depth", "symbol", "kind", "where", "edge"), rows))
    if answer.subgraph.cut:
        parts.append(f"{answer.subgraph.cut} more symbols are not listed; raise top_k=.")
    if answer.possible:
        parts.append("Matched by name only:")
        parts.append("\n".join(f"- {_edge(edge, answer)}" for edge in answer.possible))
    if answer.unresolved and answer.absence is None:
        parts.append(code_span(unresolved_words(answer.unresolved)))
    if answer.tests:
        shown = ", ".join(code_span(f"{test.path}:{test.line}") for test in answer.tests[:20])
        reach = "reaches" if len(answer.tests) == 1 else "reach"
        parts.append(f"{plural(len(answer.tests), 'test')} {reach} it: {shown}")
    parts += [code_span(note) for note in answer.notes]
    return "\n\n".join(parts) + "\n"


def paths_markdown(answer: PathsAnswer) -> str:
    """One numbered line per path."""
    lines = [f"## {code_span(answer.headline)}", ""]
    for block in _absence(answer.absence):
        lines += [block, ""]
    lines += _paths(answer)
    for note in answer.notes:
        lines += ["", code_span(note)]
    return "\n".join(lines).rstrip() + "\n"


def _paths(answer: PathsAnswer) -> list[str]:
    """One numbered line per path, each step with its rule, confidence and places."""
    lines = []
    for order, path in enumerate(answer.paths, 1):
        symbols = answer.symbols(path)
        text = f"{code_span(symbols[0].fqn)} ({code_span(whereabouts(symbols[0]))})"
        for symbol, edge in zip(symbols[1:], path.edges, strict=True):
            arrow = "→" if edge.target == symbol.id else "←"
            text += f" {arrow} {code_span(symbol.fqn)} ({code_span(edge_words(edge))})"
        lines.append(f"{order}. {text}")
    return lines


def _absence(absence: Absence | None) -> list[str]:
    """Return the meaning of an empty answer, then the places that may be uses."""
    if absence is None:
        return []
    items = [
        f"- {code_span(f'{use.site.path}:{use.site.line}')} {code_span(use.text) if use.text else ''}".rstrip()
        for use in absence.mentions[:_MOST_MENTIONS]
    ]
    if len(absence.mentions) > _MOST_MENTIONS:
        items.append(f"- and {len(absence.mentions) - _MOST_MENTIONS} more")
    return [code_span(absence.text), "\n".join(items)] if items else [code_span(absence.text)]


def _hit(hit: SearchHit, answer: SearchAnswer, max_lines: int) -> str:
    lines = visible(hit.text).split("\n")
    more = f"\n\n… {len(lines) - max_lines} more lines" if len(lines) > max_lines else ""
    title = f"### {hit.rank}. {code_span(hit.name)} ({code_span(hit.location)})"
    return (
        f"{title}\n\n{code_span(sum_line(hit.fused, answer.result))}\n\n"
        f"{code_block(chr(10).join(lines[:max_lines]), hit.chunk.language)}{more}"
    )


def _edge(edge: Edge, answer: GraphAnswer) -> str:
    source, target = answer.catalog.symbol(edge.source), answer.catalog.symbol(edge.target)
    return f"{code_span(source.fqn)} → {code_span(target.fqn)}: {code_span(edge_words(edge))}"
