"""Rules by which edges are found: the key of each rule, its confidence, and its reason in words."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, NamedTuple


class Rule(NamedTuple):
    """A resolution rule, which is the reason for an edge.

    `confidence` is one of a few levels. The tests of 35 Python packages were run and the calls that happened were
    recorded (`benchmarks/traced_calls.py`). The confidence of a level is about the share of its edges that were
    observed. `measured` is the number of the rule's edges between two functions that both ran, and `seen` is the number
    of these edges that were observed. The observed shares are lower bounds, because tests do not run every path.

    Each rule has the level nearest to its share. There are few levels because a rule's share differs more between
    packages than between the rules of one level. Finer levels do not fit packages that were not used to set them
    (`benchmarks/calibration.py`). The confidence of rules in `NO_LEVEL` is not an observed share.
    """

    key: str
    confidence: float
    words: str
    seen: int = 0
    measured: int = 0


_RULES: Final = (
    Rule("definition", 1.0, "one symbol is defined inside the other"),
    Rule("import", 1.0, "an import statement names it"),
    Rule("base", 1.0, "the declaration of the type names it as a supertype"),
    Rule("scope", 1.0, "the name refers to it by scopes, imports and re-exports", 4526, 4742),
    Rule("self", 1.0, "a method of the same class or of a superclass, found in method resolution order", 3574, 3718),
    Rule(
        "type",
        0.9,
        "the receiver's type is known: it is constructed here, annotated, or a field of known type",
        1509,
        1657,
    ),
    Rule("return", 0.9, "the receiver is returned by a function whose result is known", 258, 277),
    Rule(
        "many",
        0.45,
        "one of many values that a function returns or a container contains, or one of many properties",
        151,
        361,
    ),
    Rule("element", 0.9, "the receiver is an element of a container whose items are known", 113, 134),
    Rule("wrapped", 0.9, "a decorator replaced the named definition by it", 46, 52),
    Rule("flow", 0.9, "it was passed as an argument or stored in an object, and is called there", 142, 148),
    Rule("flow-read", 0.7, "a property of the only class whose instances may be passed there as arguments", 55, 71),
    Rule(
        "flow-read-several",
        0.45,
        "a property of one of several classes whose instances may be passed there as arguments",
        49,
        124,
    ),
    Rule("flow-few", 0.9, "one of two or three values that may be passed there as arguments", 180, 194),
    Rule("flow-several", 0.7, "one of four to eight values that may be passed there as arguments", 84, 108),
    Rule("flow-many", 0.45, "one of more than eight values that may be passed there as arguments", 243, 526),
    Rule("flow-beside", 0.7, "it may be passed there as an argument, but another value is more certain", 512, 682),
    Rule("return-several", 0.7, "one of two to eight values that a function returns", 184, 234),
    Rule("element-several", 0.9, "one of two to eight items of a container", 118, 132),
    Rule(
        "overload",
        0.5,
        "one of several definitions of the name: the types of the arguments or the build's conditions decide",
        0,
        0,
    ),
    Rule("related", 0.45, "the known class does not have it, but a subclass or a related class has it", 86, 227),
    Rule(
        "override-self",
        0.7,
        "the class calls a method of its own that a subclass overrides; at most eight subclasses do",
        327,
        445,
    ),
    Rule(
        "override", 0.7, "the known method has no body; a subtype overrides it, and at most eight subtypes do", 113, 172
    ),
    Rule(
        "override-few", 0.7, "a subclass of the known class overrides the method; at most three subclasses do", 68, 95
    ),
    Rule("override-several", 0.45, "one of four to eight overriding methods in subclasses of the known class", 37, 93),
    Rule("override-many", 0.45, "one of more than eight overriding methods in subclasses of the known class", 159, 329),
    Rule("callback", 0.7, "passed to a built-in function that calls it", 72, 101),
    Rule("extension", 0.7, "an extension in scope has this name; the type of the receiver is not known"),
    Rule(
        "callback-name",
        0.7,
        "passed to a method of an unknown receiver; a built-in method of that name calls its argument",
    ),
    Rule(
        "implicit", 0.7, "a loop, a truth test or a membership test calls it; the type of the value is known", 177, 236
    ),
    Rule("shown", 0.7, "printing or formatting the value calls its conversion to text, such as __str__", 54, 69),
    Rule(
        "missing",
        0.45,
        "the known class has no such member, and this method finds missing members; another object may have it",
        8,
        26,
    ),
    Rule("decorated", 0.7, "the name refers to it, but the wrapper of a decorator runs first", 4, 50),
    Rule("hashed", 0.7, "a container of the language calls it to hash a key, or to compare it with other keys", 23, 35),
    Rule("asked", 0.45, "an operator or a subscript calls it on a value that was passed as an argument", 30, 86),
    Rule("declared", 0.5, "it exists only for type checkers; the implementation in a subtype is called instead"),
    Rule("optional", 0.7, "a truth test calls it, unless it only tests whether the value is absent", 21, 35),
    Rule("interface", 0.9, "it has all methods that the interface requires"),
    Rule("external", 0.9, "an import leads out of the repository, to code that was not read"),
    Rule("text", 0.6, "a file that is not code contains its whole name"),
    Rule("file-path", 0.7, "a text is the file's path, or the end of it with a folder, and no other file fits"),
    Rule("file-name", 0.5, "a text is the file's name, or the end of the paths of two or three files"),
    Rule("service", 0.7, "the name is one that a compiler of Protocol Buffers makes of the only service called so"),
    Rule("key", 0.5, "a string that code reads a value by is the configuration key; only one file has such a key"),
    Rule("name", 0.5, "nothing is known about the receiver, but only one definition has this name", 147, 163),
    Rule("name-few", 0.5, "nothing is known about the receiver; two or three definitions have this name", 75, 133),
)

BY_NAME: Final = frozenset({"name", "name-few"})
"""Rules that guess by the name alone."""

NO_LEVEL: Final = BY_NAME | {"decorated"}
"""Rules whose confidence is not an observed share.

Guesses by name never count as resolved, however often they are right. A call of a decorated function runs the wrapper
first, and the wrapper makes a call of its own, so that a trace never shows the edge of rule "decorated"."""

RULES: Final = MappingProxyType({rule.key: rule for rule in _RULES})
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

_BASES: Final = MappingProxyType(
    {
        "import": "by import",
        "scope": "by its name in scope",
        "self": "by its own class",
        "type": "by type",
        "return": "by type",
        "element": "by type",
        "many": "by type",
        "related": "by type",
        "declared": "by type",
        "interface": "by type",
        "flow": "by its value",
        "wrapped": "by a decorator",
        "decorated": "by a decorator",
        "override": "by an overriding method",
        "overload": "by overload",
        "callback": "as a callback",
        "implicit": "by an operator or loop",
        "shown": "by conversion to text",
        "hashed": "by a container",
        "asked": "by an operator or loop",
        "optional": "by a truth test",
        "external": "by import",
        "name": "by name only",
        "missing": "by name only",
        "text": "by a text",
        "file": "by a path",
        "service": "by name",
        "key": "by a key",
    }
)
"""Rule, or the first part of its key → the words that people read instead of it."""


def basis_of(rule: str) -> str:
    """Return the reason for an edge in two or three words, after a space; "" for a rule that needs none.

    >>> basis_of("flow-few")
    ' by its value'
    """
    words = _BASES.get(rule) or _BASES.get(rule.partition("-")[0], "")
    return f" {words}" if words else ""
