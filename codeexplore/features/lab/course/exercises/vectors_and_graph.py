"""Exercises of notebooks 3 and 4: cosines and static embeddings, and personalised PageRank by hand."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable

from codeexplore.features.lab.course.exercises.exercise import OTHER, Count, Exercise, Mistakes, Names, NameSet, Number
from codeexplore.features.lab.course.material import SENTENCES, VECTORS, Material, pagerank
from codeexplore.text.tokens import tokenize, tokenize_question, words
from codeexplore.types.settings import DAMPING


def _dot() -> float:
    return sum(a * b for a, b in zip(*VECTORS, strict=True))


def _norms() -> tuple[float, float]:
    left, right = (math.hypot(*vector) for vector in VECTORS)
    return left, right


def _cosine_mistakes(_: Material) -> Mistakes:
    left, right = _norms()
    value = _dot() / (left * right)
    yield _dot(), "That is the dot product. Divide it by both lengths."
    yield _dot() / left, "You divided by one length only."
    yield _dot() / right, "You divided by one length only."
    yield math.dist(*VECTORS), "That is the distance of the two points. The cosine looks at the angle."
    yield math.acos(value), "That is the angle itself, in radians. The cosine of it is asked."
    yield 1 - value, "That is the cosine distance, 1 − cosine."
    yield _dot() / (left * left * right * right), "A length is a square root: you divided by the squares."
    yield OTHER, "Three sums: the products of the coordinates, and the squares of each vector."


def _rank(m: Material) -> int:
    return [name for name, _ in m.ranking(m.paraphrase, "embedding")].index(m.wanted) + 1


def _rank_mistakes(m: Material) -> Mistakes:
    other = [name for name, _ in m.ranking(m.paraphrase, "bm25")]
    fused = [hit.symbol.fqn for hit in m.ws.search(m.paraphrase, top_k=20) if hit.symbol is not None]
    listed = [name for name, _ in m.ranking(m.paraphrase, "embedding")]
    yield _rank(m) - 1, "list.index counts from 0. A rank counts from 1."
    yield other.index(m.wanted) + 1 if m.wanted in other else 0, "That is BM25's view of it."
    hint = "That is the rank in the fused answer: look at one lane."
    yield fused.index(m.wanted) + 1 if m.wanted in fused else 0, hint
    yield len(listed), "That is the number of hits of the lane."
    yield len(listed) - _rank(m) + 1, "You counted from the end."
    yield OTHER, "Find the place of lab.wanted in lab.ranking(lab.paraphrase, 'embedding')."


def _shared(m: Material) -> set[str]:
    return set(tokenize_question(m.paraphrase)) & set(m.documents[m.wanted])


def _shared_mistakes(m: Material) -> Mistakes:
    asked, held = tokenize_question(m.paraphrase), m.documents[m.wanted]
    hint = "That includes little words such as the: a question's tokens are without them."
    yield len(set(tokenize(m.paraphrase)) & set(held)), hint
    yield len(set(asked)), "Those are all tokens of the question."
    yield len(held), "Those are all tokens of the symbol."
    yield len(set(asked) - set(held)), "Those are the tokens that they do not share."
    yield len(set(words(m.paraphrase)) & set(words(m.texts[m.wanted]))), "You compared words as written."
    yield OTHER, "Make a set of tokens of the question and one of lab.documents[lab.wanted], and intersect them."


def _by_cosine(m: Material) -> list[str]:
    return sorted(SENTENCES, key=lambda label: -m.cosine(*SENTENCES[label]))


def _pair_mistakes(m: Material) -> Mistakes:
    right = _by_cosine(m)
    by_meaning = "That is an order by meaning. What does the model compute?"
    yield right[::-1], "That is the lowest first."
    yield from ((order, by_meaning) for order in (["C", "A", "B"], ["C", "B", "A"]))
    told = (right, right[::-1], ["C", "A", "B"], ["C", "B", "A"])
    others = (list(order) for order in itertools.permutations(SENTENCES) if list(order) not in told)
    yield from ((order, "Compute lab.cosine for each pair, and sort.") for order in others)
    yield OTHER, "Compute lab.cosine for each pair, and sort from the highest."


VECTORS_EXERCISES = (
    Exercise("3.1", "cosine of two vectors", Number(), lambda _: _dot() / math.prod(_norms()), _cosine_mistakes),
    Exercise("3.2", "common tokens of a question and its answer", Count(), lambda m: len(_shared(m)), _shared_mistakes),
    Exercise("3.3", "rank in the embedding lane", Count(), _rank, _rank_mistakes),
    Exercise("3.4", "sentence pairs by cosine", Names("a list of the labels A, B and C"), _by_cosine, _pair_mistakes),
)


# --------------------------------------------------------------------------- notebook 4


def _callers(m: Material) -> list[str]:
    return sorted(source for source, target in m.calls if target == m.start)


def _caller_mistakes(m: Material) -> Mistakes:
    callees = sorted(target for source, target in m.calls if source == m.start)
    transitive = set(_callers(m))
    for _ in m.vertices:
        transitive |= {source for source, target in m.calls if target in transitive}
    every = {source for source, _ in m.calls}
    yield callees, "That is the other direction: what the start calls."
    yield [*callees, *_callers(m)], "Those are the neighbours in both directions. A caller stands before the arrow."
    yield [m.start, *_callers(m)], "The start itself does not belong to its callers."
    yield sorted(transitive), "Those are callers over several steps. Direct ones are asked."
    yield sorted(every), "Those are all vertices that call anything."
    yield [], "There is one: look for edges whose second name is the start."
    yield OTHER, "An edge is (caller, callee): keep the first names of edges whose second name is lab.start."


def _degrees(m: Material) -> Counter[str]:
    return Counter(itertools.chain.from_iterable(m.calls))


def both_ways(m: Material) -> list[tuple[str, str]]:
    """Return the edges of the small graph in both directions, as the random walk follows them."""
    return [*m.calls, *((target, source) for source, target in m.calls)]


def _ppr(m: Material, damping: float = DAMPING, steps: int = 200) -> dict[str, float]:
    return pagerank(m.vertices, both_ways(m), {m.start: 1.0}, damping, steps)


def _plain_pagerank(m: Material) -> dict[str, float]:
    return pagerank(m.vertices, both_ways(m), dict.fromkeys(m.vertices, 1.0), DAMPING)


def _one_step_mistakes(m: Material) -> Mistakes:
    degree, other = _degrees(m)[m.start], _degrees(m)[m.neighbour]
    yield 1 / degree, "The walk follows an edge only with probability d. Multiply."
    yield (1 - DAMPING) / degree, "d and 1 − d are swapped: d is the probability to walk on."
    yield DAMPING, "All of it goes to one neighbour in your answer: the start has several."
    yield DAMPING / other, "The start divides what it has among its own neighbours: use the start's degree."
    yield 1 - DAMPING, "That is what jumps back to the start. The neighbour is asked."
    yield DAMPING / len(m.vertices), "A step goes along edges, not to all vertices alike."
    yield DAMPING / degree + 1 - DAMPING, "The jump goes back to the start only, not to the neighbour."
    yield OTHER, "At the beginning everything is at the start. How much leaves it, and over how many edges?"


def _walked(m: Material, edges: list[tuple[str, str]], share: Callable[[float, int, int], float]) -> float:
    """Return what `lab.neighbour` has after 100 steps of exercise 4.3 with another line in the function `step`.

    `share` is that line: a function of the rank of a vertex, the number of its neighbours, and the number of neighbours
    of the vertex that gets the share.
    """
    near = {vertex: [target for source, target in edges if source == vertex] for vertex in m.vertices}
    ranks = {vertex: float(vertex == m.start) for vertex in m.vertices}
    for _ in range(100):
        after = dict.fromkeys(m.vertices, 0.0)
        after[m.start] += 1 - DAMPING
        for vertex, rank in ranks.items():
            for other in near[vertex]:
                after[other] += share(rank, len(near[vertex]), len(near[other]))
        ranks = after
    return ranks[m.neighbour]


def _ppr_mistakes(m: Material) -> Mistakes:
    edges, sum_grows = both_ways(m), "The ranks must sum to 1, and yours do not: "
    caller = "Your walker only follows calls. It may also go back to a caller."
    hint = "What a vertex gives away is divided by the number of its own neighbours."
    yield _walked(m, edges, lambda rank, _, other: DAMPING * rank / other), hint
    yield _walked(m, edges, lambda rank, *_: DAMPING * rank), sum_grows + "divide by the number of neighbours."
    yield _walked(m, edges, lambda rank, own, _: rank / own), sum_grows + "only the part d walks on."
    yield _walked(m, m.calls, lambda rank, own, _: DAMPING * rank / own), caller
    yield pagerank(m.vertices, m.calls, {m.start: 1.0}, DAMPING)[m.neighbour], caller
    yield _ppr(m)[m.start], "That is the rank of the start. The one of lab.neighbour is asked."
    yield _ppr(m, steps=1)[m.neighbour], "That is after one step. Repeat until the numbers no longer change."
    yield _ppr(m, steps=2)[m.neighbour], "That is after two steps. Repeat until the numbers no longer change."
    yield _ppr(m, 1 - DAMPING)[m.neighbour], "d and 1 − d are swapped: d is the probability to walk on."
    hint = "That is ordinary PageRank: the jump goes to all vertices. Here it goes to the start."
    yield _plain_pagerank(m)[m.neighbour], hint
    yield _ppr(m, 1.0)[m.neighbour], "Nothing jumps back to the start in your walk: add the part with 1 − d."
    hint = (
        "Call step 100 times, and print sum(ranks.values()) after each: it must stay 1. If it does not, look at d and "
        "at what you divide by."
    )
    yield OTHER, hint


def _by_value(values: dict[str, float], m: Material) -> list[str]:
    others = [vertex for vertex in m.vertices if vertex != m.start]
    return sorted(others, key=lambda vertex: (-round(values[vertex], 9), vertex))


def _near(m: Material) -> list[str]:
    near, everywhere = _ppr(m), _plain_pagerank(m)
    return _by_value({vertex: near[vertex] / everywhere[vertex] for vertex in m.vertices}, m)[:3]


def _near_mistakes(m: Material) -> Mistakes:
    near, everywhere = _ppr(m), _plain_pagerank(m)
    ratio = {vertex: near[vertex] / everywhere[vertex] for vertex in m.vertices}
    lowest = _by_value({vertex: -value for vertex, value in ratio.items()}, m)
    hint = "That is the order by personalised PageRank alone: hubs are near to everything. Divide by PageRank."
    yield _by_value(near, m)[:3], hint
    yield _near(m)[::-1], "That is the lowest first."
    yield lowest[:3], "That is the lowest first: those three are farthest."
    yield _by_value(everywhere, m)[:3], "That is the order by PageRank, which does not know the start."
    yield _by_value(dict(_degrees(m)), m)[:3], "That is the order by degree."
    yield [m.start, *_near(m)[:2]], "The start is nearest to itself: leave it out."
    yield _by_value(ratio, m)[::-1][:3], "That is the lowest first: those three are farthest."
    yield _by_value(ratio, m), "Give the first three."
    yield OTHER, "Divide each vertex's personalised PageRank by its PageRank; sort from the highest, without the start."


GRAPH_EXERCISES = (
    Exercise("4.1", "direct callers", NameSet(), _callers, _caller_mistakes),
    Exercise("4.2", "one step of the walk", Number(), lambda m: DAMPING / _degrees(m)[m.start], _one_step_mistakes),
    Exercise("4.3", "personalised PageRank of a neighbour", Number(), lambda m: _ppr(m)[m.neighbour], _ppr_mistakes),
    Exercise("4.4", "the three vertices nearest to the start", Names(), _near, _near_mistakes),
)
