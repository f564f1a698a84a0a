"""Phrases in a question, as data: phrases that ask for a relation of the graph, and other phrases.

A *cue* is a regular expression for a question (case ignored, polite phrases at the start removed). Its group ``what``
is the symbol in question, named or described; the group ``name`` has to be named, and ``known`` besides has to be
written as code or be the name of a symbol, because any word may stand there: "is caching used?". A question about a
path has a second end, the group ``other``. The first cue that matches is used, so special phrases come before general
ones. The other phrases are polite words, kinds of things, places and depths.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

from codeexplore.languages.base import words
from codeexplore.types import Direction, Relation
from codeexplore.types.next_step import NextStep


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

TYPE_NOUNS: Final = words(
    "interface protocol trait class abstract base type struct enum superclass mixin contract behaviour behavior"
)
SYMBOL_NOUNS: Final = TYPE_NOUNS | words(
    "function method module file constructor field property constant variable decorator macro symbol object component "
    "hook helper instance attribute package namespace routine procedure local"
)
"""Nouns for the kind of a named thing, on either side of the name."""

ARTICLES: Final = words("the a an this that our my its any")

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

_INDIRECT: Final = (
    r"\b(?:transitive(?:ly)?|indirect(?:ly)?|recursive(?:ly)?|eventually|ultimately|all the way|"
    r"all (?:the )?(?:callers|callees|users|uses|usages|dependents|dependencies|subclasses|implementations|"
    r"descendants|ancestors)|every caller|(?:whole|entire|full|complete) (?:call )?(?:tree|chain|graph|"
    r"hierarchy)|call tree|call hierarchy)\b"
)
_GIVEN: Final = "the question gives a depth"

DEPTH_CUES: Final = (
    DepthCue(re.compile(r"\b(?:depth|within|up to)\s+(?:of\s+)?(\d{1,2})\b", re.IGNORECASE), None, _GIVEN),
    DepthCue(re.compile(r"\b(\d{1,2})\s+(?:levels?|hops?|steps?)\b", re.IGNORECASE), None, _GIVEN),
    DepthCue(re.compile(_INDIRECT, re.IGNORECASE), 3, "the question asks for indirect ones too"),
)

RELATION_DEPTH: Final[dict[Relation, int]] = {"impact": 3, "path": 11}
"""Depths of relations that mean little at 1: a change travels, and a path may have any length."""

ABOUT_NAMES: Final = words(
    "where is are was the a an of in for to on and or does do did how what who which s it its this that work works "
    "working defined definition declared declaration implemented implementation located lives live find show me list "
    "give tell explain describe display see look up open go please source code function method class interface type "
    "struct enum trait module file symbol variable constant field property macro decorator object about mean means "
    "called named purpose signature docs documentation docstring can you i need want my our all there has have "
    "happens when get used use at line"
)
"""Words that add nothing to a name: "where is parse_config defined?" asks for the name alone."""


_WHY: Final[dict[tuple[Relation, Direction], str]] = {
    ("path", "out"): "a path from one symbol to another",
    ("path", "both"): "a path between two symbols",
    ("impact", "in"): "what depends on a change",
    ("callees", "out"): "what a symbol calls",
    ("callers", "in"): "what calls a symbol",
    ("implementors", "out"): "what a type implements",
    ("implementors", "in"): "what implements a type or overrides a method",
    ("subclasses", "out"): "what a type extends",
    ("subclasses", "in"): "what extends a type",
    ("imports", "out"): "what a module imports",
    ("imports", "in"): "what imports a symbol",
    ("uses", "out"): "what a symbol uses",
    ("uses", "in"): "what uses a symbol",
}


class Cue(NamedTuple):
    """A phrase and the relation for which it asks."""

    form: str  # a regular expression
    relation: Relation
    direction: Direction
    depth: int = 0  # number of levels that the phrase asks for; 0 leaves them to the relation

    @property
    def why(self) -> str:
        """Return what the phrase asks for, in words."""
        return _WHY[self.relation, self.direction]

    @property
    def named(self) -> bool:
        """True if the cue applies only to a name, or to a subject that contains the noun of a type.

        "What implements retrying" asks for an idea, but "what implements Retry" and "what implements the retry
        interface" ask for a relation.
        """
        return _NAME in self.form or _KNOWN in self.form

    @property
    def pattern(self) -> re.Pattern[str]:
        return _compiled(self.form)


@cache
def _compiled(form: str) -> re.Pattern[str]:
    # compiled for the first question, because all of them together take longer than an answer
    return re.compile(form, re.IGNORECASE | re.DOTALL)


def compile_cues() -> None:
    for cue in CUES:
        _ = cue.pattern


_WHAT = r"(?P<what>.+?)"
_NAME = r"(?P<name>.+?)"
_KNOWN = r"(?P<known>.+?)"
_OTHER = r"(?P<other>.+?)"
_END = r"\s*[?.!]*\s*$"
_NOUN = (
    r"(?:functions?|methods?|class(?:es)?|types?|structs?|code|places?|modules?|files?|tests?|symbols?|parts?|lines?)"
)
_WHO = (
    rf"(?:who(?: else)?|what(?: (?:other |else )?{_NOUN})?|what else|where(?: else)?|which(?: \w+)?"
    rf"|all (?:the )?{_NOUN}(?: that)?|{_NOUN} that|every(?:thing|one)?(?: {_NOUN})?(?: that)?"
    rf"|(?:does )?any(?:thing|one|body)?(?: {_NOUN})?(?: that)?)"
)
_HOW = r"(?:\w+ly |can |could |may |might |would |will |also |ever |all )*"
_CALL = r"(?:calls?|invokes?|triggers?|executes?|runs?)"
_CALLED = r"(?:called|invoked|triggered|executed)"
_EVER = r"(?:ever |still |really |actually |even )*"
_TOUCHED = r"(?:read|written|set|assigned|accessed|modified|mutated|raised|thrown|rescued|caught)"
_IDEA = rf"(?!(?:the|an?|our|my|your) [\w-]+ {_EVER}{_TOUCHED}\b)"  # "is the password set?" describes
_CHANGE = r"(?:chang|modify|modifi|remov|delet|renam|edit|touch|refactor|break|alter|replac|drop|rewrit)\w*"
_SOMEONE = r"(?:i|we|you|one|someone|somebody)"
_ALL = r"(?:the |all |every |any )*"
_ONE = (  # no question about all symbols, as SURVEYS has
    r"(?!.*\b(?:never|not|no longer) (?:used|called)\b"
    rf"|(?:what|which|{_ALL}{_NOUN})\b.* (?:nobody|nothing|no ?one) (?:calls?|uses?)\b)"
)
_SOME = r"(?:what is |what's |is there )?(?:the |a |an |any |all )*(?:shortest )?(?:call |calling )?"
_PATH = r"(?:path|chain|call stack|call sequence)s?"
_PARTS = rf"(?:every(?:thing)?|any(?:thing)?|all|what|which {_NOUN}|{_NOUN})(?: else)? (?:of|from|in) "
_USED = r"(?:used|imported|needed|consumed)"
_WHAT_IS = r"(?:what (?:is|are|would be) |what's )?"
_WHICH = rf"(?:what|which(?: \w+)?)(?: {_NOUN})? (?:does|do) "
_WHAT_WOULD = r"(?:what|who|which \w+)(?: (?:would|could|will|might|can|may|else|all))*"
_WHAT_BREAKS = (
    rf"{_WHAT_WOULD} (?:(?:break|fail)s?|(?:be|is|are|gets?) (?:affected|impacted|broken)|stops? working"
    r"|needs? to change) (?:if|when|after|once)"
)
_WHAT_HAPPENS = rf"{_WHAT_WOULD} (?:happen|change)s? (?:if|when|after|once)"
_CODE = r"(?:code|function|method|class|type|struct|interface|module|constructor|macro|variable|constant|field)s?"
# "what happens when I delete an account?" asks for the code that deletes it
_CODE_NAMED = rf"(?!(?:the|an?|my|our|your|their|his|her|this|that|some|any|all) (?!.*\b{_CODE}\b)){_NAME}"
_CODE_DESCRIBED = rf"(?=(?:the |an? |any )?{_CODE} (?:that|which|for|responsible)\b){_WHAT}"
_IMPACT = r"(?:impact|blast radius|ripple effects?|effects?|consequences)"
_CHANGING = rf"(?:{_CHANGE} |a change (?:to|in|of) |changes (?:to|in) )"
_SUPERTYPES = r"(?:super-?class(?:es)?|base (?:class(?:es)?|types?)|parent class(?:es)?|supertypes?|ancestors)"
_SUBTYPES = r"(?:sub-?class(?:es)?|subtypes?|derived (?:class(?:es)?|types?)|child class(?:es)?|children|descendants)"


def _asks(relation: Relation, direction: Direction, depth: int = 0) -> Callable[..., tuple[Cue, ...]]:
    return lambda *forms: tuple(Cue(rf"^\s*{form}{_END}", relation, direction, depth) for form in forms)


_path_out, _path_both = _asks("path", "out"), _asks("path", "both")
_impact_in = _asks("impact", "in")
_story_out = _asks("callees", "out", depth=3)
_callees_out, _callers_in = _asks("callees", "out"), _asks("callers", "in")
_implementors_out, _implementors_in = _asks("implementors", "out"), _asks("implementors", "in")
_subclasses_out, _subclasses_in = _asks("subclasses", "out"), _asks("subclasses", "in")
_imports_out, _imports_in = _asks("imports", "out"), _asks("imports", "in")
_uses_out, _uses_in = _asks("uses", "out"), _asks("uses", "in")

_PROGRAM = r"(?:program|application|app|tool|server|service|daemon|command(?: line)?|cli|binary|script)"
_START = re.compile(
    r"\s*what (?:all |exactly )?happens (?:when|if|after|once) (?:the |this |that |an? |your? |we |i )*(?:main )?"
    rf"(?:(?:(?P<own>[\w.-]+) )?{_PROGRAM}|(?P<name>[\w.-]+))"
    rf"(?: (?:is|gets))? (?:starts?|started|runs?|run|launch(?:es|ed)?|boots?|booted|begins?|executed|invoked){_END}"
    rf"|\s*what happens (?:when|if|after|once) (?:{_SOMEONE}|an? user|the user) (?:run|start|launch|execute)(?:s|es)?"
    rf" (?:the |this )?(?:(?:(?P<my>[\w.-]+) )?{_PROGRAM}|(?P<run>[\w.-]+)){_END}"
    rf"|\s*what happens (?:at|on|during|when) (?:program |application |app )?start[ -]?(?:up|ing)?{_END}"
    rf"|\s*where does (?:the|this) (?:program|application|app|execution)(?: execution)? (?:start|begin)s?{_END}",
    re.IGNORECASE,
)


def asked_start(question: str) -> tuple[str, bool] | None:
    """Return the program in "what happens when bat starts?" ("" if not named), and True if a function may be meant."""
    if (found := _START.match(question)) is None:
        return None
    alone = found["name"] or found["run"]
    return alone or found["own"] or found["my"] or "", bool(alone)


CUES: Final = (
    *_path_out(rf"{_SOME}{_PATH}(?: of calls)? from {_WHAT} to {_OTHER}"),
    *_path_both(rf"{_SOME}{_PATH} between {_WHAT} and {_OTHER}"),
    *_path_out(
        rf"how (?:does|do|can|could|would) {_NAME} {_HOW}(?:reach|call|get to|lead to|end up (?:in|at|calling))"
        rf" {_OTHER}",
        rf"why (?:does|do|can|could|would|will) {_KNOWN} {_HOW}(?:call|invoke|run|reach|lead to) {_OTHER}",
        rf"(?:does|do|can|could|will) {_KNOWN} {_HOW}(?:call|invoke|run|reach|lead to|end up calling) {_OTHER}",
        rf"is {_OTHER} {_HOW}(?:{_CALLED}|run|reached) (?:from|by|in) {_KNOWN}",
        rf"why (?:is|are) {_OTHER} {_CALLED} (?:from|by|in) {_KNOWN}",
        rf"how is {_OTHER} (?:reached|called) (?:from|by) {_NAME}",
        rf"how (?:do|does|can|could|would) (?:{_SOMEONE}|control|execution)"
        rf" (?:get|go|come) from {_NAME} to {_OTHER}",
    ),
    *_impact_in(
        rf"if {_SOMEONE} {_CHANGE} {_WHAT},? (?:then )?(?:what|who|which \w+)"
        r"(?: (?:would|could|will|might|can|may|else|all))*"
        r" (?:breaks?|fails?|(?:be |is |are |gets? )(?:affected|broken)|changes?"
        r"|needs? to change|stops? working)",
        rf"(?:can|could|may|is it safe to|should) ?(?:{_SOMEONE} )?(?:safely )?{_CHANGE} {_NAME}(?: safely)?",
        rf"(?:can|could|may) {_KNOWN} {_HOW}be (?:\w+ly )?{_CHANGE}(?: safely)?",
        rf"(?:what|who|which \w+)(?: else)? depends? on (?:{_CHANGING}){_WHAT}",
        rf"{_WHAT_BREAKS} (?:{_SOMEONE} )?{_CHANGE} {_WHAT}",
        rf"{_WHAT_BREAKS} {_WHAT}(?: (?:is|are|gets|was|were))? {_CHANGE}",
        rf"{_WHAT_HAPPENS} (?:{_SOMEONE} )?{_CHANGE} {_CODE_NAMED}",
        rf"{_WHAT_HAPPENS} {_CODE_NAMED}(?: (?:is|are|gets|was|were))? {_CHANGE}",
        rf"{_WHAT_HAPPENS} (?:{_SOMEONE} )?{_CHANGE} {_CODE_DESCRIBED}",
        rf"{_WHAT_HAPPENS} {_CODE_DESCRIBED}(?: (?:is|are|gets|was|were))? {_CHANGE}",
        rf"{_WHAT_BREAKS} {_NAME} (?:fails?|throws?|raises?)",
        rf"{_WHAT_IS}(?:the )?(?:change )?{_IMPACT} (?:of|on|from) {_CHANGING}{_WHAT}",
        rf"{_WHAT_IS}(?:the )?(?:change )?(?:impact|blast radius|ripple effects?) (?:of|on|for) {_NAME}",
        rf"(?:what|who|which \w+)(?: (?:is|are|would be|gets))? (?:affected|impacted) by" rf" (?:{_CHANGING})?{_WHAT}",
    ),
    *_story_out(
        rf"what (?:all |exactly )?happens (?:when|if|after|once) (?:{_SOMEONE} )?"
        rf"(?:{_CALL} (?!(?:is|are|gets) ))?{_NAME}"
        rf"(?: (?:is|are|gets) (?:{_CALLED}|run|started)| (?:runs?|starts?|executes?))?",
    ),
    *_callees_out(
        rf"{_ONE}(?:what|which|who)(?: {_NOUN})?(?: else)? (?:does|do|did|would|can|will) {_WHAT} {_HOW}{_CALL}",
        rf"{_ONE}{_ALL}{_NOUN} (?:that )?{_NAME} {_HOW}calls",
        rf"{_ALL}callees of {_WHAT}",
        rf"(?:what|which {_NOUN}|{_ALL}{_NOUN}(?: that)?)(?: (?:is|are|gets?))? {_HOW}{_CALLED}"
        rf" (?:by|from|in|inside|within) {_WHAT}",
        rf"{_ALL}calls (?:made )?(?:by|from|in|inside|within) {_NAME}",
    ),
    *_callers_in(
        rf"{_ONE}(?:who|what|where|when|by whom|from where|how often)(?: else)? (?:is|are|does|do|gets?) {_WHAT}"
        rf" (?:get |getting |being )?{_HOW}{_CALLED}(?: (?:by|from|in))?",
        rf"{_WHAT} (?:is|are|gets) {_CALLED} (?:by|from) (?:what|whom|who|where|which \w+)",
        rf"{_ONE}(?:is|are) {_KNOWN} {_EVER}{_CALLED}",
        rf"{_ALL}(?:callers?|call[ -]?sites?|invocations?|invokers?) (?:of|for|to) {_WHAT}",
        rf"where (?:do|does) (?:{_SOMEONE}|it|they|the code) (?:call|invoke) {_WHAT}",
        rf"{_ALL}{_NOUN} (?:calling|invoking) {_NAME}",
        rf"{_NAME}(?:'s)? (?:callers?|call[ -]?sites?)",
        rf"(?:callers?|call[ -]?sites?) {_NAME}",
        rf"{_ALL}calls (?:to|of) {_NAME}",
        rf"{_WHO} {_HOW}(?:calls?|calling|invokes?|invoking) {_WHAT}",
        rf"(?:who|what) {_HOW}(?:triggers?|executes?|runs?) {_WHAT}",
        rf"(?:who|what)(?: is|'s) calling {_WHAT}",
        rf"{_WHO} {_HOW}(?:instantiates?|constructs?|creates?|renders?|emits?|awaits?) {_NAME}",
    ),
    *_implementors_out(rf"{_WHICH}{_NAME} implement"),
    *_implementors_in(
        rf"{_WHO} {_HOW}(?:implements?|implementing|conforms? to|satisf(?:y|ies)) {_NAME}",
        rf"{_ALL}(?:{_NOUN} )?implement(?:ations|ors?|ers?|ing)(?: of| for)? {_NAME}",
        rf"{_WHO} {_HOW}(?:overrides?|overriding) {_NAME}",
        rf"{_WHO} {_HOW}(?:includes?|mix(?:es)? in|prepends?) {_NAME}",
        rf"does \S+ {_HOW}(?:implement|conform to|satisfy|include) {_KNOWN}",
    ),
    *_subclasses_in(
        rf"(?:does \S+ {_HOW}(?:extend|inherit from|derive from|subclass)|is \S+ (?:an? )?{_SUBTYPES} of) {_KNOWN}"
    ),
    *_subclasses_out(
        rf"{_WHICH}{_NAME} (?:extend|inherit(?: from)?|derive from|subclass)",
        rf"{_WHAT_IS}{_ALL}{_SUPERTYPES} of {_NAME}",
    ),
    *_subclasses_in(
        rf"{_WHO} {_HOW}(?:extends?|extending|inherits?(?: from)?|inheriting(?: from)?|derives? from"
        rf"|subclass(?:es)?) {_WHAT}",
        rf"{_WHO} {_HOW}(?:embeds?|embedding) {_NAME}",
        rf"{_WHAT_IS}{_ALL}{_SUBTYPES} of {_WHAT}",
        rf"(?:{_NOUN} )?(?:derived from|inheriting from|extending) {_NAME}",
    ),
    *_imports_out(rf"{_WHICH}{_WHAT} import"),
    *_imports_in(
        rf"{_WHO} {_HOW}(?:imports?|importing) {_WHAT}",
        rf"where (?:is|are) {_WHAT} (?:being )?imported(?: from)?",
        rf"{_ALL}importers of {_WHAT}",
    ),
    *_imports_out(rf"{_ALL}imports of {_NAME}"),
    *_uses_in(
        rf"(?:where (?:is|are) )?{_PARTS}{_NAME} (?:(?:is |are )?{_USED}|(?:do|does) {_SOMEONE} use)"
        r"(?:,? (?:and )?(?:where|by whom|by what|by|from|in))?",
        rf"(?:what|where) (?:is|are|do we) {_USED} (?:of|from) {_NAME}",
    ),
    *_uses_out(
        rf"{_ONE}{_WHICH}{_NAME} (?:use|depend on|reference|refer to|rely on|need|require)",
        rf"{_WHAT_IS}{_ALL}dependencies of {_NAME}",
    ),
    *_uses_in(
        rf"(?:who|what|where|which \w+|what {_NOUN}|every(?:thing|one)(?: that)?)(?: else)? {_HOW}"
        rf"(?:uses?|references?|refers? to|mentions?|depends? on|relies on|rely on|consumes?) {_WHAT}",
        rf"{_WHO} {_HOW}(?:raises?|throws?|catch(?:es)?|rescues?|handles?|returns?|accepts?|reads?|sets?|writes?"
        rf"|modif(?:y|ies)|mutates?|assigns?|access(?:es)?|decorates?|wraps?) {_NAME}",
        rf"(?:(?:is )?{_WHO}|{_ALL}{_NOUN}(?: that)?) (?:(?:is |are )?(?:annotated|decorated|marked) (?:with|by)"
        rf"|(?:has|have|having|with|carr(?:y|ies)) {_ALL}(?:an? )?(?:annotations?|decorators?|attributes?)) @?{_NAME}",
        rf"do(?:es)? (?:\S+ ){{1,3}}{_HOW}(?:use|need|reference|depend on) {_KNOWN}",
        rf"(?:where )?(?:is|are) {_IDEA}{_KNOWN} {_EVER}{_TOUCHED}",
        rf"{_ONE}(?:who|what|where)(?: else)? (?:is|are|do we|does it) {_WHAT}"
        r" (?:being )?(?:used|referenced|mentioned|consumed)(?: (?:by|from|in))?",
        rf"where (?:do|does) (?:{_SOMEONE}|it|they|the code) (?:use|reference) {_WHAT}",
        rf"(?:is|are) {_KNOWN} {_EVER}(?:(?:never |not )?(?:used|referenced|needed)|unused|dead(?: code)?)",
        rf"what (?:is|are|does) {_KNOWN} (?:for|do|about),? and is it {_EVER}(?:used|needed|unused|dead(?: code)?)",
        rf"{_ALL}(?:usages?|uses|references|dependents) (?:of|to|on) {_WHAT}",
        rf"{_ALL}(?:users|consumers|clients) of {_NAME}",
    ),
)
"""In order: the first that fits and whose subject is acceptable decides."""

_THINGS = r"(?:functions?|methods?|class(?:es)?|types?|symbols?|code|files?|modules?|parts?|things?)"
_CYCLES = r"(?:\b(?:circular|cyclic) |\bcycles?\b.*\b(?:import|call|depend)|\b(?:import|call|depend\w+) cycles?\b)"
SURVEYS: Final = (
    (
        rf"\b(?:dead|unused|uncalled) {_THINGS}\b|\b{_THINGS} .*\b(?:never|not|no longer) (?:used|called)\b"
        rf"|\b(?:what|(?:is|are) (?:there )?anything)(?: is| are)? (?:never|not|no longer|nowhere) (?:used|called)\b"
        rf"|\b(?:what|anything|{_THINGS}) (?:(?:that )?(?:is|are) )?(?:dead|unused|uncalled){_END}"
        rf"|\b(?:what|{_THINGS}) (?:that )?(?:(?:do|does|is) )?(?:nobody|nothing|no ?one) (?:calls?|uses?|using){_END}"
        rf"|\b{_THINGS} (?:that )?(?:(?:has|have|with) no|without(?: any)?) (?:callers?|uses?|users?){_END}",
        NextStep("dead_code", "lists what nothing is known to use"),
    ),
    (
        rf"^(?=.*import).*?{_CYCLES}",
        NextStep("cycles", "lists files that lead back to themselves", options=(("of", "imports"),)),
    ),
    (rf"^(?!.*import).*?{_CYCLES}", NextStep("cycles", "lists symbols that lead back to themselves")),
    (r"\bentry[ -]?points?\b", NextStep("entry_points", "lists where the program is entered")),
    (
        rf"\bmost (?:important|central|used|called|popular) {_THINGS}\b|\bhubs\b",
        NextStep("hubs", "ranks symbols by what uses them"),
    ),
)
"""Questions about the whole repository, as patterns, and the survey that answers each."""

_KINDS_OF_WHOLES = rf"(?:project|repo(?:sitory)?|library|package|framework|tool|code(?: ?base)?|software|{_PROGRAM})"
_WHOLE = rf"(?:(?:this|the|your) {_KINDS_OF_WHOLES}|this|it)"
_PURPOSE: Final = (
    rf"what(?: is| are| does| do|'s) (?:{_WHOLE}|(?P<what>[\w.-]+)) (?:do|(?:(?:good|used|meant) )?for|(?:all )?about)",
    rf"what(?: is|'s) {_WHOLE}(?: doing)?",
    rf"(?:what(?: is|'s) )?the (?:purpose|point|goal|aim) of (?:{_WHOLE}|(?P<what>[\w.-]+))",
)

_GONE = r"(?:the )?(?:\w+ )?[`'\"]?(?P<name>[\w$.:#]+)[`'\"]?(?:\(\))?"
_REPLACED: Final = (
    rf"(?:what|which \w+) (?:has |have )?(?:replace[sd]|supersede[sd]|took the place of|happened to|became of) {_GONE}",
    rf"what (?:is|was) {_GONE} (?:called (?:now|today)|replaced (?:by|with)|renamed to)",
    rf"where (?:did|has) {_GONE} (?:go|gone|move|moved)(?: to)?",
)

_LONGEST = 300  # characters; a longer text is a report


def asked_surveys(question: str) -> tuple[NextStep, ...]:
    """Return the surveys that answer a question about the whole repository; mostly none."""
    return tuple(step for form, step in SURVEYS if re.search(form, question[:_LONGEST], re.IGNORECASE))


def asks_purpose(question: str, name: str) -> bool:
    """Return True if a question asks what the repository, called `name`, is for."""
    text = LEAD.sub("", str(question)[:_LONGEST]).strip().rstrip("?.! ")
    found = next((match for form in _PURPOSE if (match := re.fullmatch(form, text, re.IGNORECASE))), None)
    return found is not None and all(each is None or each.lower() == name.lower() for each in found.groups())


def asked_replacement(question: str) -> str:
    """Return the name of the definition whose replacement a question asks for; mostly ""."""
    text = LEAD.sub("", str(question)[:_LONGEST]).strip().rstrip("?.! ")
    return next((found["name"] for form in _REPLACED if (found := re.fullmatch(form, text, re.IGNORECASE))), "")
