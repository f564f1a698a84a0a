"""Words of a question that ask for no relation: politeness, kinds of things, where and how deep; data only."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from codeexplore.types import Relation


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class DepthCue(NamedTuple):
    """Words that ask for a deeper walk; `depth` None means that the pattern's group holds the number."""

    pattern: re.Pattern[str]
    depth: int | None
    why: str


LEAD: Final = re.compile(
    r"^\s*(?:(?:please|can you|could you|show(?: me)?|find(?: me)?|list|give me|tell me|display|print"
    r"|i want to (?:see|know))\b\s*)+",
    re.IGNORECASE,
)
"""Politeness before the question proper."""

TYPE_NOUNS: Final = _words(
    "interface protocol trait class abstract base type struct enum superclass mixin contract behaviour behavior"
)
SYMBOL_NOUNS: Final = TYPE_NOUNS | _words(
    "function method module file constructor field property constant variable decorator macro symbol object component "
    "hook helper instance attribute package namespace routine procedure"
)
"""Words that say what kind of thing a name is, on either side of it."""

ARTICLES: Final = _words("the a an this that our my its any")

TAIL: Final = re.compile(
    r"[\s,]+(?:(?:in|from|across|inside|within) (?:this|the|our|my|that) "
    r"(?:repo|repository|code ?base|project|code|package|workspace|library)"
    r"|here|anywhere|somewhere|at all|directly|(?:transitive|indirect|recursive|eventual|ultimate)ly|please"
    r"|(?:within|up to|to|at) (?:a )?(?:depth(?: of)? )?\d+(?: (?:levels?|hops?|steps?|calls?))?(?: deep)?"
    r"|\d+ (?:levels?|hops?|steps?) deep)$",
    re.IGNORECASE,
)
"""Words after the subject that belong to the question, not to it."""

CODE_THAT: Final = re.compile(
    r"^(?:the |a |an |any |some )*"
    r"(?:code|function|method|class|part|place|thing|symbol|logic|routine|helper|module|component|piece of code|one)s?"
    r"(?: (?:that|which|who|responsible for|for|to)\b)\s*",
    re.IGNORECASE,
)
"""How a description opens: "the code that …". What follows is the description proper."""

DEPTH_CUES: Final = (
    DepthCue(
        re.compile(r"\b(?:depth|within|up to)\s+(?:of\s+)?(\d{1,2})\b", re.IGNORECASE),
        None,
        "the question gives a depth",
    ),
    DepthCue(
        re.compile(r"\b(\d{1,2})\s+(?:levels?|hops?|steps?)\b", re.IGNORECASE), None, "the question gives a depth"
    ),
    DepthCue(
        re.compile(
            r"\b(?:transitive(?:ly)?|indirect(?:ly)?|recursive(?:ly)?|eventually|ultimately|all the way|"
            r"all (?:the )?(?:callers|callees|users|uses|usages|dependents|dependencies|subclasses|implementations|"
            r"descendants|ancestors)|every caller|(?:whole|entire|full|complete) (?:call )?(?:tree|chain|graph|"
            r"hierarchy)|call tree|call hierarchy)\b",
            re.IGNORECASE,
        ),
        3,
        "the question asks for indirect ones too",
    ),
)  # fmt: skip

RELATION_DEPTH: Final[dict[Relation, int]] = {"impact": 3, "path": 11}
"""Depths of relations that mean little at 1: a change travels, a path is as long as it is."""

ABOUT_NAMES: Final = _words(
    "where is are was the a an of in for to on and or does do did how what who which s it its this that work works "
    "working defined definition declared declaration implemented implementation located lives live find show me list "
    "give tell explain describe display see look up open go please source code function method class interface type "
    "struct enum trait module file symbol variable constant field property macro decorator object about mean means "
    "called named purpose signature docs documentation docstring can you i need want my our all there has have "
    "happens when get used use at line"
)
"""Words that add nothing to a name: "where is parse_config defined?" asks for the name alone."""
