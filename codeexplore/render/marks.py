"""Where a question's words stand in source, by the tokeniser's own rules: "expiry" marks part of ``is_expired``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from codeexplore.text.tokens import analyze, parts, tokenize
from codeexplore.types import QueryPlan

_WORD = re.compile(r"\w+")


def sought_tokens(plan: QueryPlan) -> frozenset[str]:
    """The tokens worth marking: of the symbol asked about where a question names or describes one, else of it all."""
    if plan.description:
        return frozenset(tokenize(plan.description)) & frozenset(plan.tokens) or frozenset(plan.tokens)
    if plan.identifiers and plan.kind in ("identifier", "structural"):
        return frozenset(token for name in plan.identifiers for token in tokenize(name))
    return frozenset(plan.tokens)


def pieces(text: str, sought: Collection[str]) -> Iterator[tuple[str, bool]]:
    """The text in pieces, each with whether it is to be marked; joined, they are the text."""
    position = 0
    for start, end in _places(text, sought):
        if start > position:
            yield text[position:start], False
        yield text[start:end], True
        position = end
    if position < len(text):
        yield text[position:], False


def _places(text: str, sought: Collection[str]) -> Iterator[tuple[int, int]]:
    """Start and end of what answers to a sought token: a whole word, else parts of it; in order, none twice."""
    if not sought:
        return
    for word in _WORD.finditer(text):
        tokens = analyze(word[0])
        if not any(token in sought for token in tokens):
            continue
        if tokens[0] in sought:
            yield word.span()
            continue
        position = 0
        for part in parts(word[0]):
            start = word[0].find(part, position)
            if start >= 0 and any(token in sought for token in analyze(part)):
                yield word.start() + start, word.start() + start + len(part)
                position = start + len(part)
