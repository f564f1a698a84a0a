"""Rules that make edges: key, confidence and a reason in words."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, NamedTuple


class Rule(NamedTuple):
    """A resolution rule: the reason why an edge exists.

    `confidence` is one of a few levels. Of all edges at one level, about that share was observed while the tests of 35
    Python packages ran (`benchmarks/traced_calls.py`). `measured` is the number of the rule's edges between two
    functions that both ran, and `seen` is the number of these edges that were observed. The observed shares are lower
    bounds, because tests do not run every path.

    Each rule is on the level nearest to its share. There are few levels because packages differ more than the rules of
    one level do: finer levels do not fit packages that were not used to set them (`benchmarks/calibration.py`). Rules
    in `NO_LEVEL` have a confidence that is not an observed share.
    """

    key: str
    confidence: float
    words: str
    seen: int = 0
    measured: int = 0


_RULES: Final = (
    Rule("definition", 1.0, "the one is defined inside the other"),
    Rule("import", 1.0, "an import names it"),
    Rule("base", 1.0, "the type names it as its supertype"),
    Rule("scope", 1.0, "the name leads to it by scopes, imports and re-exports", 4526, 4742),
    Rule("self", 1.0, "a method of the same class or of one above it, found in resolution order", 3574, 3718),
    Rule("type", 0.9,
         "the receiver's type is known: constructed here, annotated, or a field of a known type", 1509, 1657),
    Rule("return", 0.9, "the receiver is what a function with a known result gives back", 258, 277),
    Rule("many", 0.45,
         "one of many values that a function gives back or a container holds, or of many properties", 151, 361),
    Rule("element", 0.9, "the receiver is an element of a container whose items are known", 113, 134),
    Rule("wrapped", 0.9, "a decorator put it in the place of the name", 46, 52),
    Rule("flow", 0.9, "it was passed as an argument, or stored into an object, and called through that", 142, 148),
    Rule("flow-read", 0.7, "a property of the one class whose instances may arrive there as arguments", 55, 71),
    Rule("flow-read-several", 0.45,
         "one of several properties that may be read there, of what arrives as an argument", 49, 124),
    Rule("flow-few", 0.9, "one of two or three values that may arrive there as arguments", 180, 194),
    Rule("flow-several", 0.7, "one of four to eight values that may arrive there as arguments", 84, 108),
    Rule("flow-many", 0.45, "one of more than eight values that may arrive there as arguments", 243, 526),
    Rule("flow-beside", 0.7, "it may arrive there as an argument, beside a surer value", 512, 682),
    Rule("return-several", 0.7, "one of two to eight values that a function gives back", 184, 234),
    Rule("element-several", 0.9, "one of two to eight items of a container", 118, 132),
    Rule("overload", 0.5, "one of several overloads: the arguments' types, which choose, are not known", 0, 0),
    Rule("related", 0.45, "the known class lacks it, a class below or beside it has it", 86, 227),
    Rule("override-self", 0.7,
         "the class calls a method of its own that a class below it overrides; at most eight do", 327, 445),
    Rule("override", 0.7, "the known method has no body; a type below overrides it, one of at most eight", 113, 172),
    Rule("override-few", 0.7, "a class below the known one overrides the method; at most three do", 68, 95),
    Rule("override-several", 0.45, "one of four to eight overriding methods in classes below the known one", 37, 93),
    Rule("override-many", 0.45, "one of more than eight overriding methods in classes below the known one", 159, 329),
    Rule("callback", 0.7, "passed to a built-in function that calls it", 72, 101),
    Rule("callback-name", 0.7,
         "passed to a method that has the name of a built-in one which calls it; what it is called on is not known"),
    Rule("implicit", 0.7,
         "a loop, a test for truth or membership asks the value, as far as its type is known", 177, 236),
    Rule("shown", 0.7, "printing or formatting the value calls its method that makes text, such as __str__", 54, 69),
    Rule("missing", 0.45,
         "the known class lacks the member and answers for missing ones; another object may have it", 8, 26),
    Rule("decorated", 0.7, "the name leads to it, but a decorator's wrapper stands before it", 4, 50),
    Rule("hashed", 0.7, "a container of the language hashes it as a key, or compares it with others", 23, 35),
    Rule("asked", 0.45, "an operator or a subscript asks a value that arrives as an argument", 30, 86),
    Rule("declared", 0.5, "it is there for type checkers; what a type below implements is called in its place"),
    Rule("optional", 0.7, "tested for truth; the value may be absent rather than false", 21, 35),
    Rule("interface", 0.9, "its methods are those the interface asks for"),
    Rule("external", 0.9, "imports lead out of the repository; what stands there was not read"),
    Rule("text", 0.6, "a string in the source is its dotted name"),
    Rule("name", 0.5, "nothing is known about the receiver, but only one definition has this name", 147, 163),
    Rule("name-few", 0.5, "nothing is known about the receiver; two or three definitions have this name", 75, 133),
)  # fmt: skip

NO_LEVEL: Final = frozenset({"name", "name-few", "decorated"})
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
