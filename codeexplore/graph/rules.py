"""Every rule that makes an edge: its key, how far it is trusted, and why in one sentence."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, NamedTuple


class Rule(NamedTuple):
    """A resolution rule. `confidence` is the share of its edges that are right, as measured on packages' own tests."""

    key: str
    confidence: float
    words: str


_RULES: Final = (
    Rule("definition", 1.0, "the one is defined inside the other"),
    Rule("import", 1.0, "an import names it"),
    Rule("base", 1.0, "the type names it as its supertype"),
    Rule("scope", 1.0, "the name leads to it by scopes, imports and re-exports"),
    Rule("self", 1.0, "a method of the same class or of one above it, found in resolution order"),
    Rule("type", 0.9, "the receiver's type is known: constructed here, annotated, or a field of a known type"),
    Rule("return", 0.9, "the receiver is what a function with a known result gives back"),
    Rule("element", 0.8, "the receiver is an element of a container whose items are known"),
    Rule("wrapped", 0.9, "a decorator put it in the place of the name"),
    Rule("flow", 0.7, "it was passed as an argument, or stored into an object, and called through that"),
    Rule("flow-many", 0.7, "one of many values that may arrive there as arguments"),
    Rule("related", 0.6, "the known class lacks it, a class below or beside it has it"),
    Rule("override", 0.8, "a class below the known one overrides the method; at most three do"),
    Rule("override-several", 0.6, "one of four to eight overriding methods in classes below the known one"),
    Rule("override-many", 0.5, "one of more than eight overriding methods in classes below the known one"),
    Rule("callback", 0.8, "passed to a built-in function that calls it"),
    Rule("missing", 0.3, "the known class lacks the member and answers for missing ones; another object may have it"),
    Rule("decorated", 0.6, "the name leads to it, but a decorator's wrapper stands before it"),
    Rule("optional", 0.4, "tested for truth; the value may be absent rather than false"),
    Rule("interface", 0.9, "its methods are those the interface asks for"),
    Rule("external", 0.9, "imports lead out of the repository; what stands there was not read"),
    Rule("text", 0.6, "a string in the source is its dotted name"),
    Rule("name", 0.5, "nothing is known about the receiver, but only one definition has this name"),
    Rule("name-few", 0.3, "nothing is known about the receiver; two or three definitions have this name"),
)

RULES: Final = MappingProxyType({rule.key: rule for rule in _RULES})
"""Rules by key."""

BY_EVIDENCE: Final = ("scope", "self", "type", "return", "element", "wrapped", "flow", "related")
"""Keys by the evidence of `languages.resolution.heap`, strongest first."""

FEW: Final = 3
SEVERAL: Final = 8
"""Targets of one call: the fewer there are, the likelier each is."""
