"""Query planner: it reads a question and returns its kind, relation, names and lanes, with the reasons.

The planner uses neither lanes nor index. It only asks `known(name)`, which is True if a symbol has exactly that name.

The first cue that matches decides the relation (`read_structure`). The symbol in question is named ("who calls dumps")
or described ("what calls the code that loads the session"). `mentions` finds names by a form that prose does not have:
backticks, the parentheses of a call, ``::``, dots, underscores, inner capitals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from codeexplore.index.qualified_names import short
from codeexplore.languages.base import words
from codeexplore.search.options import check_count, check_direction, check_lanes, check_relation, check_weights
from codeexplore.search.query import patterns
from codeexplore.text.tokens import tokenize_question
from codeexplore.types import LANES, Direction, Filters, LaneName, QueryPlan, QuestionKind, Reason, Relation, settings
from codeexplore.types.errors import QuestionError

Known: TypeAlias = Callable[[str], bool]
"""Function of a word that returns True for the exact name of a symbol in the workspace."""


class Mention(NamedTuple):
    """A name in a question: its characters from `start` to `end`, and the reason why it counts as a name."""

    name: str
    start: int
    end: int
    why: str


_WORD = r"[^\W\d]\w*"
_NOT_INSIDE = r"(?<![\w`.:#/>\\-])"

_CHAIN = r"(?:\.|::|->|#)"
_ARGUMENTS = r"\((?!(?:e?s|ies|ed)\))[^()\n]{0,80}\)"

_SHAPES: Final = (
    ("in backticks", re.compile(r"(?<!`)`{1,3}([^`\s][^`\n]{0,200})`")),
    ("a place in a file", re.compile(r"(?<![\w/\\.-])((?:[\w.-]+[/\\])*[\w-]+(?:\.[\w-]+)*\.\w{1,8}:\d+)\b")),
    ("a call", re.compile(rf"{_NOT_INSIDE}((?:{_WORD}{_CHAIN})*{_WORD}[!?]?)({_ARGUMENTS})")),
    (
        "a qualified name",
        re.compile(rf"{_NOT_INSIDE}((?:::)?{_WORD}(?:(?:{_CHAIN}|(?<=\w):(?=\w)){_WORD})+[!?]?(?:/\d+)?)"),
    ),
    ("a path of names", re.compile(rf"{_NOT_INSIDE}((?:{_WORD}/)+{_WORD}(?:\.{_WORD})+)")),
)
"""Shapes of more than one word, most explicit first; a match of a later one never overlaps that of an earlier one."""

_ABBREVIATIONS: Final = frozenset({"e.g", "i.e", "a.k.a", "p.s", "vs", "etc", "u.s", "w.r.t", "a.m", "p.m"})
_FILE_ENDINGS: Final = words(
    "py pyi js jsx mjs cjs ts tsx go rs java kt kts scala swift c h cc cpp hpp cxx cs rb php lua sh bash ex exs hs zig "
    "md rst txt json toml yaml yml xml html css ini cfg lock ipynb sql"
)
_PROSE_CAPITALS: Final = words(
    "GitHub GitLab JavaScript TypeScript CoffeeScript OAuth OAuth2 PostgreSQL MySQL SQLite NoSQL GraphQL iOS macOS "
    "iPhone iPad YouTube LaTeX DevOps PyPI NumPy SciPy PyTorch TensorFlow FreeBSD OpenSSL LinkedIn WhatsApp McDonald "
    "tRPC gRPC npm eBPF"
)
"""Names of products that are written with inner capitals in prose."""

_WORDS = re.compile(r"\$?[^\W\d][\w$]*")
_INNER_CAPITAL = re.compile(r"[^\W\d_A-Z][A-Z]|[A-Z]{2,}[^\W\d_A-Z]|[a-z]\d+[A-Z]|[A-Z]\d+[A-Z][a-z]")
_PLURAL_ACRONYM = re.compile(r"^[A-Z]{2,}[sx]$|^[A-Z]{2,}'?s$")


def _inner_capitals(word: str) -> bool:
    return bool(_INNER_CAPITAL.search(word)) and not _PLURAL_ACRONYM.match(word) and word not in _PROSE_CAPITALS


def _underscored(word: str) -> bool:
    return "_" in word.strip("_") or (word.startswith("_") and len(word.strip("_")) > 1)


_WORD_SHAPES: Final[tuple[tuple[str, Callable[[str], bool]], ...]] = (
    ("ALL_CAPS", lambda word: word.isupper() and _underscored(word)),
    ("snake_case", _underscored),
    ("a word with a $", lambda word: "$" in word),
    ("camelCase", _inner_capitals),
)


def word_shape(word: str) -> str:
    """Return the reason why a single word looks like code ("snake_case", "camelCase" …); "" if it does not."""
    return next((why for why, test in _WORD_SHAPES if test(word)), "")


def mentions(text: str, known: Known | None = None) -> tuple[Mention, ...]:
    """Return the names that are written as code in `text`, in the order of their places, without overlaps.

    With `known`, a capitalised word inside a sentence counts if a symbol has exactly this name ("how Validated
    accumulates errors").
    """
    found: list[Mention] = []
    taken = bytearray(len(text))
    for why, pattern in _SHAPES:
        for match in pattern.finditer(text):
            start, end = match.span()
            name = match[1].strip().removesuffix("()")
            if why == "a call" and known is not None and match[2] != "()" and known(name + match[2]):
                name, end = name + match[2], match.end(2)  # types choose an overload
            if name[-1:] in ("?", "!") and why != "in backticks" and not (known(name) if known else text[end:].strip()):
                name, end = name[:-1], end - 1  # the mark is of the sentence, not of the name as in Ruby
            if not any(taken[start:end]) and _acceptable(name, why, known):
                taken[start:end] = b"\x01" * (end - start)
                found.append(Mention(name, start, end, why))
    first = True
    for match in _WORDS.finditer(text):
        start, end = match.span()
        shape = word_shape(match[0])
        if not (shape or first or known is None) and len(match[0]) > 2 and match[0].istitle() and known(match[0]):
            shape = "capitalised, and a symbol's name"
        if shape and not any(taken[start:end]):
            found.append(Mention(match[0], start, end, shape))
        first = False
    return tuple(sorted(found, key=lambda mention: mention.start))


def _acceptable(name: str, why: str, known: Known | None) -> bool:
    if why == "in backticks":
        return bool(_WORDS.search(name))
    if why == "a qualified name":
        if known is not None and known(name):
            return True
        return name.lower().rstrip(".") not in _ABBREVIATIONS and name.rpartition(".")[2].lower() not in _FILE_ENDINGS
    if why == "a call":  # "file(s)" and "option (or options)" are prose
        return not name.isdigit() and len(name) > 1
    return True


_CUE_CHARS: Final = 1_000
"""Characters. Cues are searched for in a question's beginning; in a longer text they are prose."""

WORD: Final = re.compile(r"[^\W_][\w'-]*")
"""A word of prose."""

_AS_A_WHOLE: Final = r"(?<![\w$]|[.:#]){}(?![\w$]|[.:#]\w)(?:\([^()\n]*\))?"
"""A name that is no part of another one, with the types of its parameters."""


@dataclass(frozen=True, slots=True)
class Structure:
    """Result of a cue: the relation, and the names or the description of the symbol in question."""

    cue: patterns.Cue
    names: tuple[str, ...] = ()
    description: str = ""
    target_description: str = ""  # a path's other end
    outside: str = ""  # the question without its subject: it may contain words about depth


def read_structure(
    question: str, named: Sequence[Mention], known: Known | None, forced: Relation | None
) -> Structure | None:
    """Return the result of the first cue that matches and whose subject is acceptable; None if there is none."""
    head = question[:_CUE_CHARS]
    stem = patterns.LEAD.sub("", head, count=1)
    stem = re.sub(r"\s+", " ", stem)
    while (tail := patterns.TAIL.search(stem.rstrip(" ?.!"))) is not None:
        stem = stem[: tail.start()]
    for cue in patterns.CUES:
        match = cue.pattern.match(stem)
        if match is None:
            continue
        found = _subject(cue, match, head, named, known)
        if found is not None:
            return found
    if forced is None:
        return None
    names = tuple(mention.name for mention in named)
    cue = next(c for c in patterns.CUES if c.relation == forced)
    return Structure(cue, names, description="" if names else question, outside=question)


def _subject(
    cue: patterns.Cue, match: re.Match[str], head: str, named: Sequence[Mention], known: Known | None
) -> Structure | None:
    groups = cue.pattern.groupindex
    subjects = [str(match[end]) for end in ("what", "name", "known", "other") if end in groups]
    names = [_name(subject, named, known) for subject in subjects]
    if "known" in groups and known and not all(map(known, {*filter(None, names)} - {m.name for m in named})):
        return None
    outside = head
    for subject in subjects:
        outside = outside.replace(subject, " ")
    of_a_type = any(word.lower() in patterns.TYPE_NOUNS for each in subjects[:1] for word in WORD.findall(each))
    if not all(names) and cue.named and (cue.relation == "path" or not of_a_type):
        return None
    plain = [patterns.CODE_THAT.sub("", subject.strip()).strip(" ?.!") for subject in subjects]
    described = ["" if name else subject for name, subject in zip(names, plain, strict=True)]
    if not all(name or WORD.search(what) for name, what in zip(names, described, strict=True)):
        return None
    return Structure(cue, tuple(filter(None, names)), described[0], "".join(described[1:]), outside)


def _name(subject: str, named: Sequence[Mention], known: Known | None) -> str:
    """Return the name of which a subject consists, beside articles and nouns like "function"; "" for a description."""
    whole = subject.strip().strip("`").removesuffix("()")
    if known is not None and not WORD.fullmatch(whole) and known(whole):
        return whole  # also a name with unusual characters of its language
    if known is not None and (member := _member(whole, known)):
        return member
    forms = {m: _AS_A_WHOLE.format(re.escape(m.name)) for m in named}
    mentioned = [m for m in named if re.search(forms[m], subject)]
    rest = subject
    for mention in mentioned:
        rest = re.sub(forms[mention], " ", rest)
    if mentioned:
        besides = {word.lower() for word in WORD.findall(rest)} - patterns.ARTICLES - patterns.SYMBOL_NOUNS
        full = known is not None and _QUALIFIED.search(mentioned[0].name) is not None and known(mentioned[0].name)
        if full and re.search(rf"{re.escape(mentioned[0].name)}\W*$", subject) is not None:
            besides = {word for word in besides if _RELATING.fullmatch(word) is not None}  # adjectives and nouns remain
        return mentioned[0].name if len(mentioned) == 1 and not besides else ""
    words = WORD.findall(subject)
    plain = [word for word in words if word.lower() not in patterns.ARTICLES]
    candidates = [word for word in plain if word.lower() not in patterns.SYMBOL_NOUNS] or plain
    if len(candidates) != 1:
        return ""
    name = candidates[0].removesuffix("'s")
    bare = len(plain) == len(words)  # "who calls dumps"; "who calls the parser" may describe
    if known is None:
        return name if bare or len(candidates) < len(plain) else ""  # "the dumps function" has the noun of its kind
    return name if bare or (len(plain) > 2 and "local" in plain) or known(name) else ""


def _member(subject: str, known: Known) -> str:
    """Return ``Cart.total`` for "total of Cart" or "the field total of the class Cart"; "" for another subject."""
    made = re.fullmatch(
        r"(?:the |an? )?constructor of (?:the |class )*`?([^\s`]+)`?|(\S+)'s constructor", subject.strip()
    )
    if made is not None and known(made[1] or made[2]):
        return made[1] or made[2]  # the class, by whose name it is called
    parts = [part.replace("`", "").split() for part in subject.split(" of ")]
    names = [[word for word in part if word.lower() not in patterns.ARTICLES | patterns.SYMBOL_NOUNS] for part in parts]
    if [len(part) for part in names] != [1, 1] or not known(names[1][0]):
        return ""
    member = f"{names[1][0]}.{names[0][0]}"
    told = any(word.lower() in patterns.SYMBOL_NOUNS for word in parts[0])
    return member if told or known(member) else ""


_QUALIFIED = re.compile(r"::|->|[.#]")
_RELATING = re.compile(r"wh\w+|that|how|of|for|in|on|with|by|to|from|and|or|than|like|behind|\w+s|\w+ing")
"""Words that relate a name to the thing in question: "the code that wraps Session.get"."""


LANE_WEIGHTS: Final[Mapping[QuestionKind, Mapping[LaneName, float]]] = MappingProxyType(
    {
        "identifier": {"bm25": 1.0, "graph": 0.5},
        "structural": {"bm25": 0.5, "graph": 2.0},
        "conceptual": {"bm25": 1.0, "embedding": 1.0, "graph": 0.1},
        "mixed": {"bm25": 1.0, "embedding": 1.0, "graph": 0.1},
    }
)
"""Weights in fusion of the lanes a kind of question uses; measured on the development data."""

DESCRIBED_WEIGHTS: Final[Mapping[LaneName, float]] = MappingProxyType({"bm25": 0.5, "embedding": 0.5, "graph": 2.0})
"""A structural question that describes its symbol: the text lanes must also find the described symbol."""

_WHY_LANES: Final[Mapping[QuestionKind, str]] = MappingProxyType(
    {
        "identifier": "a name is matched exactly: words and graph, no similarity of meaning",
        "structural": "the call graph answers it; words are searched too, because dynamic calls leave no edge",
        "conceptual": "described in plain words: meaning and words count equally, the graph a little",
        "mixed": "names and plain words together: every lane",
    }
)

PLAIN_NAME_WEIGHTS: Final[Mapping[LaneName, float]] = MappingProxyType({"bm25": 1.0, "embedding": 0.5, "graph": 0.5})
"""A symbol's name that is also a plain word ("flags"): it may mean the symbol or the subject."""

_WHY_PLAIN_NAME: Final = "a symbol has this name, a plain word: matched by name, and by meaning at half weight"
_WHY_DESCRIBED: Final = "the description finds its symbol by words and meaning, the graph answers"


def plan(
    text: str,
    *,
    known: Known | None = None,
    nearly: Known | None = None,
    lanes: Collection[str] | None = None,
    weights: Mapping[str, float] | None = None,
    depth: int | None = None,
    relation: str | None = None,
    direction: str | None = None,
    filters: Filters | None = None,
) -> QueryPlan:
    """Read a question and return its plan.

    A text longer than `settings.MAX_QUESTION_CHARS` is cut, and the plan has a reason with the choice "text". `known`
    returns True for the exact name of a symbol, and `nearly` for a word similar to one; it is only called where a name
    is expected. The other options replace the planner's choices; a weight of 0 leaves a lane out. Raises QuestionError.
    """
    question, reasons = _clean(text)
    chosen_relation = None if relation is None else check_relation(relation)
    chosen_direction = None if direction is None else check_direction(direction)
    named = mentions(question, known)
    expected = known if known is None or nearly is None else lambda name: known(name) or nearly(name)
    structure = read_structure(question, named, expected, forced=chosen_relation)
    identifiers = _identifiers(question, named, structure, expected, known)
    kind, why = _kind(question, identifiers, named, structure)
    reasons.append(Reason("kind", why))
    final_relation, final_direction = _relation(structure, chosen_relation, chosen_direction, reasons)
    final_depth = _depth(structure, final_relation, depth, reasons)
    description = structure.description if structure is not None else ""
    target_description = structure.target_description if structure is not None else ""
    usual, why_lanes = _usual_lanes(kind, () if named else identifiers, bool(description or target_description))
    if lanes is None:
        reasons.append(Reason("lanes", why_lanes))
    return QueryPlan(
        text=question,
        kind=kind,
        tokens=tuple(tokenize_question(question)),
        identifiers=identifiers,
        relation=final_relation,
        direction=final_direction,
        depth=final_depth,
        description=description,
        filters=filters if filters is not None else Filters(),
        lanes=chosen_lanes(usual, lanes, weights if weights is None else check_weights(weights), reasons),
        reasons=tuple(reasons),
        target_description=target_description,
    )


def _clean(text: str) -> tuple[str, list[Reason]]:
    if not isinstance(text, str):
        raise QuestionError(f"a question is a string, not {type(text).__name__}: {text!r:.80}")
    question = text.strip()
    if not question:
        raise QuestionError("the question is empty; ask for a name, a relation or an idea: 'who calls load_user?'")
    limit = settings.MAX_QUESTION_CHARS
    if len(question) <= limit:
        return question, []
    why = f"the question has {len(question):,} characters; only the first {limit:,} were read"
    return question[:limit].rstrip(), [Reason("text", why)]


# --------------------------------------------------------------------------- names and kind


def _identifiers(
    question: str, named: Sequence[Mention], structure: Structure | None, known: Known | None, exact: Known | None
) -> tuple[str, ...]:
    """Return the names in question. A single plain word is a name only if a symbol has exactly that name."""
    if structure is not None and structure.names:
        return tuple(dict.fromkeys(structure.names))
    if named:
        return tuple(dict.fromkeys(mention.name for mention in named))
    if structure is not None:
        return ()
    words = WORD.findall(question)
    if len(words) == 1 and is_plain(words[0]):
        return (words[0],) if exact is not None and exact(words[0]) else ()
    if len(words) > 1:  # "the Session class", "function dumps"
        of_a_kind = len(words) <= 4 and any(word.lower() in patterns.SYMBOL_NOUNS for word in words)
        words = [w for w in words if w.lower() not in patterns.ABOUT_NAMES] if of_a_kind else []
    if len(words) == 1 and (known(words[0]) if known is not None else True):
        return (words[0],)
    return ()


def _kind(
    question: str, identifiers: Sequence[str], named: Sequence[Mention], structure: Structure | None
) -> tuple[QuestionKind, str]:
    if structure is not None:
        subjects = [f"`{short(name, 60)}`" for name in structure.names]
        subjects += [f"“{short(what)}”" for what in (structure.description, structure.target_description) if what]
        return "structural", f"it asks for {structure.cue.why}: {', '.join(subjects)}"
    if not identifiers:
        return "conceptual", "it describes something in plain words, without a name written as code or a relation"
    rest = question
    for mention in sorted(named, key=lambda m: -m.start):
        rest = rest[: mention.start] + " " + rest[mention.end :]
    shown = ", ".join(f"`{short(name, 60)}`" for name in identifiers[:5])
    words = {w.lower() for w in WORD.findall(rest)} - patterns.ABOUT_NAMES - {name.lower() for name in identifiers}
    if words:
        return "mixed", f"it names {shown} ({_looks(identifiers[0], named)}) and describes something besides"
    return "identifier", f"it is about the name {shown} ({_looks(identifiers[0], named)}) and nothing else"


def _looks(name: str, named: Sequence[Mention]) -> str:
    why = next((mention.why for mention in named if mention.name == name), "") or word_shape(name)
    return why or "a symbol's name"


# --------------------------------------------------------------------------- relation, depth, lanes


def _relation(
    structure: Structure | None, relation: Relation | None, direction: Direction | None, reasons: list[Reason]
) -> tuple[Relation | None, Direction | None]:
    found = structure.cue.relation if structure is not None else None
    found_direction = structure.cue.direction if structure is not None else None
    if relation is not None:
        if relation != found:
            found_direction = next(cue.direction for cue in patterns.CUES if cue.relation == relation)
        found = relation
        reasons.append(Reason("relation", f"relation={relation!r} was given"))
    elif structure is not None:
        reasons.append(Reason("relation", f"{found}: {structure.cue.why}"))
    if direction is not None:
        found_direction = direction
        reasons.append(Reason("direction", f"direction={direction!r} was given"))
    return found, found_direction


def _depth(structure: Structure | None, relation: Relation | None, depth: int | None, reasons: list[Reason]) -> int:
    if depth is not None:
        reasons.append(Reason("depth", f"depth={depth!r} was given"))
        return check_count("depth", depth)
    outside = structure.outside if structure is not None else ""
    for cue in patterns.DEPTH_CUES:
        match = cue.pattern.search(outside)
        if match is not None:
            found = max(1, int(match[1])) if cue.depth is None else cue.depth
            reasons.append(Reason("depth", f"{found}: {cue.why} (“{match[0]}”)"))
            return found
    if structure is not None and structure.cue.depth:
        reasons.append(Reason("depth", f"{structure.cue.depth}: {structure.cue.why}"))
        return structure.cue.depth
    if relation in patterns.RELATION_DEPTH:
        found = patterns.RELATION_DEPTH[relation]
        reasons.append(Reason("depth", f"{found}: {relation} reaches further than one step"))
        return found
    return 1


def is_plain(word: str) -> bool:
    return word.isalpha() and word.islower()


def _usual_lanes(kind: QuestionKind, names: Sequence[str], described: bool) -> tuple[Mapping[LaneName, float], str]:
    """Return the weights of lanes and the reason. `names` are the names that are not written as code."""
    if described:
        return DESCRIBED_WEIGHTS, _WHY_DESCRIBED
    if kind == "identifier" and len(names) == 1 and is_plain(names[0]):
        return PLAIN_NAME_WEIGHTS, _WHY_PLAIN_NAME
    return LANE_WEIGHTS[kind], _WHY_LANES[kind]


def chosen_lanes(
    usual: Mapping[LaneName, float],
    lanes: Collection[str] | None,
    weights: Mapping[str, float] | Mapping[LaneName, float] | None,
    reasons: list[Reason],
    parts: Collection[str] = (),
) -> dict[LaneName, float]:
    """Return lane → weight: the usual ones, changed by the options `lanes` and `weights`. Add the reasons.

    `weights` may also contain `parts`, which are not lanes. Raises QuestionError for a wrong value, and if no lane is
    left.
    """
    chosen: dict[LaneName, float] = dict(usual)
    if lanes is not None:
        wanted = check_lanes(lanes)
        chosen = {lane: usual.get(lane, 1.0) for lane in wanted}
        reasons.append(Reason("lanes", f"lanes={wanted!r} was given"))
    if weights is not None:
        chosen.update(check_weights({name: weight for name, weight in weights.items() if name not in parts}))
        reasons.append(Reason("weights", f"weights={dict(weights)!r} was given"))
    running = {lane: chosen[lane] for lane in LANES if chosen.get(lane, 0.0) > 0.0}
    if not running:
        raise QuestionError("no lane is left to answer: every weight is 0")
    return running
