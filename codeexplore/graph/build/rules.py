"""Rules by which edges are found: the key of each rule, its confidence, and its reason in words."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final, NamedTuple

from codeexplore.types import Edge


class Rule(NamedTuple):
    """A resolution rule, which is the reason for an edge.

    The tests of Python packages were run and the calls that happened were recorded (`benchmarks/traced_calls.py`).
    `measured` is the number of the rule's edges between two functions that both ran, and `seen` the number of these
    edges that were observed. An observed share is a lower bound, because tests do not run every path.

    There are three confidences, one for each word of `types.certainty`, and one for guesses. The share of a rule below
    0.9 differs more between packages than between rules, so that finer confidences do not hold on packages that did
    not set them (`benchmarks/calibration.py`).
    """

    key: str
    confidence: float
    words: str
    seen: int = 0
    measured: int = 0


_CERTAIN: Final = 1.0
_LIKELY: Final = 0.9
_POSSIBLE: Final = 0.65
GUESS: Final = 0.5
"""Confidence of what the analysis does not find but suggests. It is no share, and guesses never count as resolved.

A guess follows from a name alone, from more than eight values or a set that was cut, from the operand of an operator
that was passed as an argument, or is one of several definitions between which nothing decides. Walks would follow each
of many values to everything that it calls: in gson twice as many callers."""

_WORDS: Final = {
    _CERTAIN: {
        "definition": "one symbol is defined inside the other",
        "import": "an import statement names it",
        "base": "the declaration of the type names it as a supertype",
        "scope": "the name refers to it by scopes, imports and re-exports",
        "self": "a member of the same type, or of the first type above it that has one of this name",
    },
    _LIKELY: {
        "self-overridden": "a method of the same class or of a superclass, which a subclass overrides",
        "type": "the receiver's type is known: it is constructed here, annotated, or a field of known type",
        "return": "the receiver is returned by a function whose result is known",
        "override-only": "the class calls a method of its own that a subclass overrides, and no other call outside of "
        "tests may run it",
        "element": "an element of a known container, an attribute or superclass of a subclass, or a member of a file",
        "element-several": "one of two to eight items of a container, values in subclasses, or files of a package",
        "block": "the block is handed to the call that it is written at, which runs it, and to nothing else",
        "wrapped": "a decorator replaced the named definition by it",
        "flow": "it was passed as an argument or stored in an object, and is called there",
        "flow-few": "one of two or three values that may be passed there as arguments, called by a name",
        "flow-only": "one of several values that may be there, and no other call outside of tests may run it",
        "flow-read": "a property of the only class whose instances may be passed there as arguments",
        "lacking-only": "the known class lacks it, a subclass has it, and no other call outside of tests may run it",
        "converted": "a struct is converted to another, which needs that all their fields are equal",
        "condition": "one of several files that the manifest of a package gives the imported name",
        "overload-fallback": "a macro that is defined only where nothing else, read or not, defines its name",
        "interface": "it has all methods that the interface requires",
        "external": "an import leads out of the repository, to code that was not read",
    },
    _POSSIBLE: {
        "flow-few-methods": "a method of one of two or three values that may be passed there as arguments",
        "return-several": "one of two to eight values that a function returns",
        "flow-several": "one of four to eight values that may be passed there as arguments",
        "flow-beside": "it may be passed there as an argument, but another value is more certain",
        "self-replaced": "a method of the same class or of a superclass, which each last subclass overrides",
        "override-self": "the class calls a method of its own that a subclass overrides; at most eight subclasses do",
        "override": "the known method has no body; a subtype overrides it, and at most eight subtypes do",
        "override-below": "a subclass of the known class overrides the method; at most eight subclasses do",
        "callback": "passed to a built-in function that calls it",
        "callback-name": "passed to a method of an unknown receiver; a built-in method of that name calls its argument",
        "interface-part": "it has half of the methods that the interface requires, and embeds an outside type",
        "extension": "an extension in scope has this name; the type of the receiver is not known",
        "implicit": "a test, or a loop or subscript over a value that was passed as an argument, calls it",
        "shown": "formatting the value calls its conversion to text, such as __str__",
        "hashed": "a container of the language calls it to hash a key, or to compare it with other keys",
        "optional": "a truth test calls it, unless it only tests whether the value is absent",
        "decorated": "the name refers to it, but the wrapper of a decorator runs first",
        "file-path": "a text is the file's path, or the end of it with a folder, and no other file fits",
        "service": "the name is one that a compiler of Protocol Buffers makes of the only service called so",
        "text": "a file that is not code contains its whole name",
    },
    GUESS: {
        "many": "one of more than eight values (16 beside a surer one), or of many properties",
        "many-cut": "one of a set of values that was cut",
        "override-many": "one of more than eight overriding methods in subtypes of the known type",
        "flow-read-several": "a property of one of several classes whose instances may be passed there as arguments",
        "asked": "an operator or a hash calls it on a value that was passed as an argument",
        "overload": "one of several definitions of the name: types of arguments or the build's conditions decide",
        "compared": "a comparison of values of its type reads it, unless they are pointers",
        "declared": "it exists only for type checkers; the implementation in a subtype is called instead",
        "lacking": "the known class lacks it and a subclass has it",
        "related": "the known class lacks it and a related class has it, any member may be meant, or outside code may "
        "have made the receiver from its class",
        "missing": "the known class has no such member, and this method finds missing members; another may have it",
        "name": "nothing is known about the receiver, but only one definition has this name",
        "name-few": "nothing is known about the receiver; two or three definitions have this name",
        "tag": "a tag of a template in another language has its name, and only one function has this name",
        "file-name": "a text is the file's name, or the end of the paths of two or three files",
        "key": "a string that code reads a value by is the configuration key; only one file has such a key",
    },
}  # confidence → rule → what it says

_SEEN: Final[dict[str, tuple[int, int]]] = {  # rule → how many edges were seen, of how many measured
    "scope": (4110, 4223), "self": (3649, 3739), "self-overridden": (128, 145), "type": (1588, 1732),
    "return": (429, 459), "element": (255, 284), "element-several": (168, 226), "wrapped": (42, 62),
    "flow": (385, 435), "flow-only": (463, 480), "override-only": (121, 129), "self-replaced": (66, 100),
    "lacking-only": (37, 37), "flow-few": (32, 34), "flow-few-methods": (81, 138), "flow-read": (107, 135),
    "return-several": (39, 67), "flow-several": (73, 146), "flow-beside": (199, 301), "override-self": (271, 395),
    "override": (103, 156), "override-below": (89, 229), "callback": (67, 89), "implicit": (106, 159),
    "shown": (12, 19), "hashed": (21, 39), "optional": (19, 37), "many": (431, 804), "override-many": (84, 108),
    "flow-read-several": (87, 150), "asked": (4, 51), "related": (11, 181), "lacking": (11, 17), "missing": (79, 123),
    "name": (83, 163), "name-few": (48, 105),
}  # fmt: skip  # calls of decorated functions are never seen

RULES: Final = MappingProxyType(
    {
        key: Rule(key, confidence, words, *_SEEN.get(key, (0, 0)))
        for confidence, rules in _WORDS.items()
        for key, words in rules.items()
    }
)
"""Rules by key."""

BY_PROVENANCE: Final = ("scope", "self", "type", "return", "element", "wrapped", "flow", "related")
"""Rule keys by provenance, as numbered in `resolution.solver`; strongest first."""

FEW: Final = 3
SEVERAL: Final = 8
MANY: Final = 16
"""Numbers of targets of one call, for FEW, SEVERAL and MANY: the fewer targets, the likelier is each.

A call that may run more than `MANY` overriding methods has an edge to the static target only, and is also listed as
unresolved: in 30 packages 19 % (188 of 996) of these overriding methods ran. A method without a body, called from
outside its class, has edges to all of them, because one of them must run."""

ONLY: Final = MappingProxyType(
    {
        **dict.fromkeys(("flow-beside", "flow-few-methods", "flow-several", "many"), "flow-only"),
        "override-self": "override-only",
        "lacking": "lacking-only",
    }
)
"""Rule → the rule of an edge that it found, if no other call outside of tests may run the target.

A function is there to be called. In 39 packages 463 of 480 edges of `flow-only` were seen, 121 of 129 of
`override-only` and 37 of 37 of `lacking-only`, 95, 92 and 100 % or more without any one package, and of edges of the
rules on the left whose targets have other callers 658 of 1,434. In repositories of six other languages it was 661 of
726 and 77 of 82."""

_BASES: Final = MappingProxyType(
    {
        rule: words
        for words, rules in (
            ("by import", "import external condition"),
            ("directly by name", "scope"),
            ("as its own member", "self"),
            ("by type", "type return element many related lacking declared interface"),
            ("through a variable or argument", "flow"),
            ("by a decorator", "wrapped"),
            ("behind its decorator", "decorated"),
            ("by an overriding method", "override"),
            ("by a conversion", "converted"),
            ("by a comparison", "compared"),
            ("as one of several definitions", "overload"),
            ("as a callback", "callback block"),
            ("by an operator or loop", "implicit asked"),
            ("by conversion to text", "shown"),
            ("by a container", "hashed"),
            ("by a truth test", "optional"),
            ("by name only", "name"),
            ("for a missing member", "missing"),
            ("by a name written as text", "text tag"),
            ("by a path", "file"),
            ("by name", "service"),
            ("by a key", "key"),
        )
        for rule in rules.split()
    }
)
"""Rule, or the first part of its key → the words that people read instead of it."""


def are_named(edges: Iterable[Edge]) -> bool:
    """Return True if all edges follow from names alone."""
    return all(basis_of(edge.rule) == " by name only" for edge in edges)


def basis_of(rule: str) -> str:
    """Return the reason for an edge in two or three words, after a space; "" for a rule that needs none.

    >>> basis_of("flow-few")
    ' through a variable or argument'
    """
    words = _BASES.get(rule) or _BASES.get(rule.partition("-")[0], "")
    return f" {words}" if words else ""
