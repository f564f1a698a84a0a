"""Phrases in a question, as data: phrases that ask for a relation of the graph, and other phrases.

A *cue* is a regular expression for a question (case ignored, polite phrases at the start removed). Its group ``what``
is the symbol in question, named or described. A question about a path has a second end, the group ``other``. The first
cue that matches is used, so special phrases come before general ones. The other phrases are polite words, kinds of
things, places and depths.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from codeexplore.types import Direction, Relation


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class DepthCue(NamedTuple):
    """Words that ask for a deeper walk. If `depth` is None, the pattern's group contains the number."""

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
"""Nouns for the kind of a named thing, on either side of the name."""

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
"""Opening of a description: "the code that …". The description proper follows."""

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
"""Depths of relations that mean little at 1: a change travels, and a path may have any length."""

ABOUT_NAMES: Final = _words(
    "where is are was the a an of in for to on and or does do did how what who which s it its this that work works "
    "working defined definition declared declaration implemented implementation located lives live find show me list "
    "give tell explain describe display see look up open go please source code function method class interface type "
    "struct enum trait module file symbol variable constant field property macro decorator object about mean means "
    "called named purpose signature docs documentation docstring can you i need want my our all there has have "
    "happens when get used use at line"
)
"""Words that add nothing to a name: "where is parse_config defined?" asks for the name alone."""


class Cue(NamedTuple):
    """A phrase and the relation for which it asks.

    `named` cues apply only if their subject is a name or contains the noun of a type ("the Storage interface"). "What
    implements retrying" asks for an idea, but "what implements Retry" asks for a relation.
    """

    form: str  # a regular expression
    relation: Relation
    direction: Direction
    why: str
    named: bool = False

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled regular expression."""
        return _compiled(self.form)


@cache
def _compiled(form: str) -> re.Pattern[str]:
    """Return the compiled regular expression `form`.

    The forms are compiled for the first question, because all of them together take longer than an answer.
    """
    return re.compile(form, re.IGNORECASE | re.DOTALL)


def compile_cues() -> None:
    """Compile all forms of `CUES`."""
    for cue in CUES:
        _ = cue.pattern


_WHAT = r"(?P<what>.+?)"
_OTHER = r"(?P<other>.+?)"
_END = r"\s*[?.!]*\s*$"
_NOUN = (
    r"(?:functions?|methods?|class(?:es)?|types?|structs?|code|places?|modules?|files?|tests?|symbols?|parts?|lines?)"
)
_WHO = (
    rf"(?:who(?: else)?|what(?: (?:other |else )?{_NOUN})?|what else|where(?: else)?|which(?: \w+)?"
    rf"|all (?:the )?{_NOUN}(?: that)?|{_NOUN} that|every(?:thing|one)?(?: {_NOUN})?(?: that)?"
    rf"|any(?:thing|one)?(?: {_NOUN})?(?: that)?)"
)
_HOW = r"(?:\w+ly |can |could |may |might |would |will |also |ever |all )*"
_CALL = r"(?:calls?|invokes?|triggers?|executes?|runs?)"
_CALLED = r"(?:called|invoked|triggered|executed)"
_CHANGE = r"(?:chang|modify|modifi|remov|delet|renam|edit|touch|refactor|break|alter|replac|drop|rewrit)\w*"
_SOMEONE = r"(?:i|we|you|one|someone|somebody)"
_ALL = r"(?:the |all |every |any )*"
_SOME = r"(?:what is |what's |is there )?(?:the |a |an |any |all )*(?:shortest )?(?:call |calling )?"
_PATH = r"(?:path|chain|call stack|call sequence)s?"
_PARTS = rf"(?:every(?:thing)?|any(?:thing)?|all|what|which {_NOUN}|{_NOUN})(?: else)? (?:of|from|in) "
_USED = r"(?:used|imported|needed|consumed)"
_WHAT_IS = r"(?:what (?:is|are|would be) |what's )?"
_WHICH = rf"(?:what|which(?: \w+)?)(?: {_NOUN})? (?:does|do) "
_WHAT_BREAKS = (
    r"(?:what|who|which \w+)(?: (?:would|could|will|might|can|may|else|all))*"
    r" (?:(?:break|fail|happen|change)s?|(?:be|is|are|gets?) (?:affected|impacted|broken)|stops? working"
    r"|needs? to change) (?:if|when|after|once)"
)
_IMPACT = r"(?:impact|blast radius|ripple effects?|effects?|consequences)"
_CHANGING = rf"(?:{_CHANGE} |a change (?:to|in|of) |changes (?:to|in) )"
_SUPERTYPES = r"(?:super-?class(?:es)?|base (?:class(?:es)?|types?)|parent class(?:es)?|supertypes?|ancestors)"
_SUBTYPES = r"(?:sub-?class(?:es)?|subtypes?|derived (?:class(?:es)?|types?)|child class(?:es)?|children|descendants)"


def _cue(pattern: str, relation: Relation, direction: Direction, why: str, *, named: bool = False) -> Cue:
    return Cue(r"^\s*" + pattern + _END, relation, direction, why, named)


CUES: Final = (
    # ---- path
    _cue(rf"{_SOME}{_PATH}(?: of calls)? from {_WHAT} to {_OTHER}", "path", "out", "a path from one symbol to another"),
    _cue(rf"{_SOME}{_PATH} between {_WHAT} and {_OTHER}", "path", "both", "a path between two symbols"),
    _cue(
        rf"how (?:does|do|can|could|would) {_WHAT} {_HOW}(?:reach|call|get to|lead to|end up (?:in|at|calling))"
        rf" {_OTHER}",
        "path", "out", "how one named symbol reaches another", named=True,
    ),
    _cue(
        rf"how is {_OTHER} (?:reached|called) (?:from|by) {_WHAT}",
        "path", "out", "how one named symbol is reached from another", named=True,
    ),
    _cue(
        rf"how (?:do|does|can|could|would) (?:{_SOMEONE}|control|execution) (?:get|go|come) from {_WHAT} to {_OTHER}",
        "path", "out", "a path from one symbol to another", named=True,
    ),
    # ---- impact
    _cue(
        rf"if {_SOMEONE} {_CHANGE} {_WHAT},? (?:then )?(?:what|who|which \w+)"
        r"(?: (?:would|could|will|might|can|may|else|all))*"
        r" (?:breaks?|fails?|(?:be |is |are |gets? )(?:affected|broken)|changes?|needs? to change|stops? working)",
        "impact", "in", "what depends on a change",
    ),
    _cue(
        rf"(?:can|could|may|is it safe to|should) ?(?:{_SOMEONE} )?(?:safely )?{_CHANGE} {_WHAT}(?: safely)?",
        "impact", "in", "whether a change is safe", named=True,
    ),
    _cue(
        rf"(?:what|who|which \w+)(?: else)? depends? on (?:{_CHANGING}){_WHAT}",
        "impact", "in", "what depends on a change",
    ),
    _cue(rf"{_WHAT_BREAKS} (?:{_SOMEONE} )?{_CHANGE} {_WHAT}", "impact", "in", "what depends on a change"),
    _cue(
        rf"{_WHAT_BREAKS} {_WHAT}(?: (?:is|are|gets|was|were))? (?:{_CHANGE}|fails?|throws?|raises?)",
        "impact", "in", "what depends on a change",
    ),
    _cue(
        rf"{_WHAT_IS}(?:the )?(?:change )?{_IMPACT} (?:of|on|from) {_CHANGING}{_WHAT}",
        "impact", "in", "the impact of a change",
    ),
    _cue(
        rf"{_WHAT_IS}(?:the )?(?:change )?(?:impact|blast radius|ripple effects?) (?:of|on|for) {_WHAT}",
        "impact", "in", "the impact of a change", named=True,
    ),
    _cue(
        rf"(?:what|who|which \w+)(?: (?:is|are|would be|gets))? (?:affected|impacted) by (?:{_CHANGING})?{_WHAT}",
        "impact", "in", "what is affected by a change",
    ),
    # ---- callees
    _cue(
        rf"(?:what|which|who)(?: {_NOUN})?(?: else)? (?:does|do|did|would|can|will) {_WHAT} {_HOW}{_CALL}",
        "callees", "out", "what a symbol calls",
    ),
    _cue(
        rf"{_ALL}{_NOUN} (?:that )?{_WHAT} {_HOW}calls", "callees", "out", "what a symbol calls", named=True,
    ),
    _cue(rf"{_ALL}callees of {_WHAT}", "callees", "out", "the callees of a symbol"),
    _cue(
        rf"(?:what|which {_NOUN}|{_ALL}{_NOUN}(?: that)?)(?: (?:is|are|gets?))? {_HOW}{_CALLED}"
        rf" (?:by|from|in|inside|within) {_WHAT}",
        "callees", "out", "what is called by a symbol",
    ),
    _cue(
        rf"{_ALL}calls (?:made )?(?:by|from|in|inside|within) {_WHAT}",
        "callees", "out", "the calls inside a symbol", named=True,
    ),
    # ---- callers
    _cue(
        rf"(?:who|what|where|when|by whom|from where|how often)(?: else)? (?:is|are|does|do|gets?) {_WHAT}"
        rf" (?:get |getting |being )?{_HOW}{_CALLED}(?: (?:by|from|in))?",
        "callers", "in", "where a symbol is called",
    ),
    _cue(
        rf"{_WHAT} (?:is|are|gets) {_CALLED} (?:by|from) (?:what|whom|who|where|which \w+)",
        "callers", "in", "by what a symbol is called",
    ),
    _cue(
        rf"(?:is|are) {_WHAT} (?:ever )?{_CALLED}(?: (?:anywhere|somewhere|at all))?",
        "callers", "in", "whether a symbol is called", named=True,
    ),
    _cue(
        rf"{_ALL}(?:callers?|call[ -]?sites?|invocations?|invokers?) (?:of|for|to) {_WHAT}",
        "callers", "in", "the callers of a symbol",
    ),
    _cue(
        rf"where (?:do|does) (?:{_SOMEONE}|it|they|the code) (?:call|invoke) {_WHAT}",
        "callers", "in", "where a symbol is called",
    ),
    _cue(rf"{_ALL}{_NOUN} (?:calling|invoking) {_WHAT}", "callers", "in", "what calls a symbol", named=True),
    _cue(rf"{_WHAT}(?:'s)? (?:callers?|call[ -]?sites?)", "callers", "in", "the callers of a symbol", named=True),
    _cue(rf"(?:callers?|call[ -]?sites?) {_WHAT}", "callers", "in", "the callers of a symbol", named=True),
    _cue(rf"{_ALL}calls (?:to|of) {_WHAT}", "callers", "in", "the calls of a symbol", named=True),
    _cue(rf"{_WHO} {_HOW}(?:calls?|calling|invokes?|invoking) {_WHAT}", "callers", "in", "what calls a symbol"),
    _cue(rf"(?:who|what) {_HOW}(?:triggers?|executes?|runs?) {_WHAT}", "callers", "in", "what runs a symbol"),
    _cue(rf"(?:who|what)(?: is|'s) calling {_WHAT}", "callers", "in", "what calls a symbol"),
    _cue(
        rf"{_WHO} {_HOW}(?:instantiates?|constructs?|creates?|renders?|emits?|awaits?) {_WHAT}",
        "callers", "in", "what calls or constructs a symbol", named=True,
    ),
    # ---- implementors
    _cue(
        rf"{_WHICH}{_WHAT} implement", "implementors", "out", "what a type implements", named=True,
    ),
    _cue(
        rf"{_WHO} {_HOW}(?:implements?|implementing|conforms? to|satisf(?:y|ies)) {_WHAT}",
        "implementors", "in", "what implements a type", named=True,
    ),
    _cue(
        rf"{_ALL}(?:{_NOUN} )?implement(?:ations|ors?|ers?|ing)(?: of| for)? {_WHAT}",
        "implementors", "in", "the implementations of a type", named=True,
    ),
    _cue(
        rf"{_WHO} {_HOW}(?:overrides?|overriding) {_WHAT}",
        "implementors", "in", "what overrides a method", named=True,
    ),
    # ---- subclasses
    _cue(
        rf"{_WHICH}{_WHAT} (?:extend|inherit(?: from)?|derive from|subclass)",
        "subclasses", "out", "what a type extends", named=True,
    ),
    _cue(rf"{_WHAT_IS}{_ALL}{_SUPERTYPES} of {_WHAT}", "subclasses", "out", "the supertypes of a type", named=True),
    _cue(
        rf"{_WHO} {_HOW}(?:extends?|extending|inherits?(?: from)?|inheriting(?: from)?|derives? from|subclass(?:es)?)"
        rf" {_WHAT}",
        "subclasses", "in", "what extends a type",
    ),
    _cue(rf"{_WHO} {_HOW}(?:embeds?|embedding) {_WHAT}", "subclasses", "in", "what embeds a type", named=True),
    _cue(rf"{_WHAT_IS}{_ALL}{_SUBTYPES} of {_WHAT}", "subclasses", "in", "the subtypes of a type"),
    _cue(
        rf"(?:{_NOUN} )?(?:derived from|inheriting from|extending) {_WHAT}",
        "subclasses", "in", "what extends a type", named=True,
    ),
    # ---- module imports
    _cue(rf"{_WHICH}{_WHAT} import", "imports", "out", "what a module imports"),
    _cue(rf"{_WHO} {_HOW}(?:imports?|importing) {_WHAT}", "imports", "in", "what imports a symbol"),
    _cue(rf"where (?:is|are) {_WHAT} (?:being )?imported(?: from)?", "imports", "in", "where a symbol is imported"),
    _cue(rf"{_ALL}importers of {_WHAT}", "imports", "in", "the importers of a symbol"),
    _cue(rf"{_ALL}imports of {_WHAT}", "imports", "out", "the imports of a module", named=True),
    # ---- uses
    _cue(
        rf"(?:where (?:is|are) )?{_PARTS}{_WHAT} (?:(?:is |are )?{_USED}|(?:do|does) {_SOMEONE} use)"
        r"(?:,? (?:and )?(?:where|by whom|by what|by|from|in))?",
        "uses", "in", "where anything of a package is used", named=True,
    ),
    _cue(
        rf"(?:what|where) (?:is|are|do we) {_USED} (?:of|from) {_WHAT}",
        "uses", "in", "where anything of a package is used", named=True,
    ),
    _cue(
        rf"{_WHICH}{_WHAT} (?:use|depend on|reference|refer to|rely on|need|require)",
        "uses", "out", "what a symbol uses", named=True,
    ),
    _cue(rf"{_WHAT_IS}{_ALL}dependencies of {_WHAT}", "uses", "out", "the dependencies of a symbol", named=True),
    _cue(
        rf"(?:who|what|where|which \w+|what {_NOUN}|every(?:thing|one)(?: that)?)(?: else)? {_HOW}"
        rf"(?:uses?|references?|refers? to|mentions?|depends? on|relies on|rely on|consumes?) {_WHAT}",
        "uses", "in", "what uses a symbol",
    ),
    _cue(
        rf"{_WHO} {_HOW}(?:raises?|throws?|catch(?:es)?|handles?|returns?|accepts?|reads?|sets?|decorates?|wraps?)"
        rf" {_WHAT}",
        "uses", "in", "what uses a symbol", named=True,
    ),
    _cue(
        rf"(?:who|what|where)(?: else)? (?:is|are|do we|does it) {_WHAT}"
        r" (?:being )?(?:used|referenced|mentioned|consumed)(?: (?:by|from|in))?",
        "uses", "in", "where a symbol is used",
    ),
    _cue(
        rf"where (?:do|does) (?:{_SOMEONE}|it|they|the code) (?:use|reference) {_WHAT}",
        "uses", "in", "where a symbol is used",
    ),
    _cue(
        rf"(?:is|are) {_WHAT} (?:ever )?(?:used|referenced)(?: (?:anywhere|somewhere|at all))?",
        "uses", "in", "whether a symbol is used", named=True,
    ),
    _cue(rf"{_ALL}(?:usages?|uses|references|dependents) (?:of|to|on) {_WHAT}", "uses", "in", "the uses of a symbol"),
    _cue(rf"{_ALL}(?:users|consumers|clients) of {_WHAT}", "uses", "in", "the users of a symbol", named=True),
)  # fmt: skip
"""In order: the first that fits and whose subject is acceptable decides."""
