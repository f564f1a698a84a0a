"""Whether a question asks for a relation, and of what: the first structural cue that fits.

The symbol asked about is named ("who calls dumps") or described ("what calls the code that loads the session").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from codeexplore.query import cues, wording
from codeexplore.query.identifiers import Known, Mention
from codeexplore.types import Relation

_CUE_CHARS: Final = 1_000
"""Characters. Forms of words are looked for in a question's beginning; in a longer text they are prose."""

WORD: Final = re.compile(r"[^\W_][\w'-]*")
"""A word of prose."""


@dataclass(frozen=True, slots=True)
class Structure:
    """What a structural cue found: its relation, and the names or the description it asks about."""

    cue: cues.Cue
    names: tuple[str, ...] = ()
    description: str = ""
    target_description: str = ""  # a path's other end
    outside: str = ""  # the question without its subject: where words about depth may stand


def read_structure(
    question: str, named: Sequence[Mention], known: Known | None, forced: Relation | None
) -> Structure | None:
    """The first structural cue that fits and whose subject is acceptable."""
    head = question[:_CUE_CHARS]
    stem = wording.LEAD.sub("", head, count=1)
    stem = re.sub(r"\s+", " ", stem)
    while (tail := wording.TAIL.search(stem.rstrip(" ?.!"))) is not None:
        stem = stem[: tail.start()]
    for cue in cues.CUES:
        match = cue.pattern.match(stem)
        if match is None:
            continue
        found = _subject(cue, match, head, named, known)
        if found is not None:
            return found
    if forced is None:
        return None
    names = tuple(mention.name for mention in named)
    cue = next(c for c in cues.CUES if c.relation == forced)
    return Structure(cue, names, description="" if names else question, outside=question)


def _subject(
    cue: cues.Cue, match: re.Match[str], head: str, named: Sequence[Mention], known: Known | None
) -> Structure | None:
    subjects = [str(match[end]) for end in ("what", "other") if end in cue.pattern.groupindex]
    names = [_name(subject, named, known) for subject in subjects]
    outside = head
    for subject in subjects:
        outside = outside.replace(subject, " ")
    if not all(names) and cue.named and (cue.relation == "path" or not _speaks_of_a_type(subjects[0])):
        return None
    described = ["" if name else _description(subject) for name, subject in zip(names, subjects, strict=True)]
    if not all(name or WORD.search(what) for name, what in zip(names, described, strict=True)):
        return None
    return Structure(cue, tuple(filter(None, names)), described[0], "".join(described[1:]), outside)


def _description(subject: str) -> str:
    return wording.CODE_THAT.sub("", subject.strip()).strip(" ?.!")


def _name(subject: str, named: Sequence[Mention], known: Known | None) -> str:
    """The one name a subject consists of, articles and nouns like "function" aside; "" when it describes."""
    whole = subject.strip().strip("`").removesuffix("()")
    if known is not None and not WORD.fullmatch(whole) and known(whole):
        return whole  # however oddly a language writes its names
    mentioned = [m for m in named if m.name in subject]
    rest = subject
    for mention in mentioned:
        rest = rest.replace(mention.name, " ")
    if mentioned:
        besides = {word.lower() for word in WORD.findall(rest)} - wording.ARTICLES - wording.SYMBOL_NOUNS
        return mentioned[0].name if len(mentioned) == 1 and not besides else ""
    words = WORD.findall(subject)
    plain = [word for word in words if word.lower() not in wording.ARTICLES]
    candidates = [word for word in plain if word.lower() not in wording.SYMBOL_NOUNS] or plain
    if len(candidates) != 1:
        return ""
    name = candidates[0].removesuffix("'s")
    bare = len(plain) == len(words)  # "who calls dumps"; "who calls the parser" may describe
    if known is None:
        return name if bare or len(candidates) < len(plain) else ""  # "the dumps function" says what it names
    return name if bare or known(name) else ""


def _speaks_of_a_type(subject: str) -> bool:
    return any(word.lower() in wording.TYPE_NOUNS for word in WORD.findall(subject))
