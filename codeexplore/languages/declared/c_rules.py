"""Resolution rules of C and C++: linked names, open namespaces, pointers, and the choice of overloads."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

from codeexplore.languages.base import default_rules, words
from codeexplore.languages.declared.cpp import LENDING_METHODS
from codeexplore.resolution.default_rules import METHODS, TYPES
from codeexplore.resolution.language_rules import FUNCTION, Effect, TypeRole

_SMALL = ("bool", "char", "short", "signed_char", "unsigned_char", "char8_t", "wchar_t", "float")
_NUMBERS = frozenset({*words("int long double unsigned size_t ssize_t ptrdiff_t time_t off_t auto"), *_SMALL})
_NUMBER = re.compile(r"u?int(?:_fast|_least)?(?:8|16|32|64|ptr|max)_t|(?:unsigned|signed|long)_\w+|[iu](?:8|16|32|64)")
_TEXTS = words("string string_view basic_string basic_string_view StringPiece StringRef Slice QString wstring")
_SCOPED = re.compile(r"\benum (?:class|struct)\b")
_BOTH_WAYS = words("iostream stringstream fstream")
_STREAMS = {
    "istream": words("istringstream ifstream") | _BOTH_WAYS,
    "ostream": words("ostringstream ofstream") | _BOTH_WAYS,
}
_LITERAL_TYPES = {"%str": "char*", "%num": "int", "%float": "double", "%bool": "bool", "%char": "char", "%null": "null"}
_CONTAINERS: dict[str, TypeRole] = {
    "pair": "tuple",
    "tuple": "tuple",
    **dict.fromkeys(
        words("multiset unordered_multiset forward_list initializer_list stack queue priority_queue"), "sequence"
    ),
    **dict.fromkeys(words("multimap unordered_multimap"), "map"),
}
_CONTAINER_METHODS: dict[str, Effect] = {
    "top": "element",
    **dict.fromkeys(words("begin cbegin rbegin end cend rend find lower_bound upper_bound"), "iterator"),
}
_RESULTS = {
    **{name: name for name in words("string string_view vector wstring")},
    "to_string": "string",
    "str": "string",
    "substr": "string",
    "c_str": "char*",
    "strlen": "size_t",
    "size": "size_t",
}


def _is_number(name: str) -> bool:
    return name in _NUMBERS or _NUMBER.fullmatch(name) is not None


def fit(wanted: str, given: str) -> float:
    """Return the score of an argument of type `given` for a parameter of type `wanted`; negative if it can't be passed.

    An equal type is best, then a promotion, a conversion of the language, and a conversion by a constructor. Only a
    type without a mark behind it may be that of a pointer or of an object: ``&`` is behind the type of an object.
    """
    exact = given[-1:] == "&"
    wanted, given = (name.replace("&", "").replace("[]", "*") for name in (wanted, given))
    plain, own = wanted.rstrip("*"), given.rstrip("*")
    if wanted == given or (plain == own == given and not exact and not _is_number(plain)):
        return 2.0
    if given == FUNCTION:
        return 0.0
    if given in _STREAMS.get(wanted.removeprefix("basic_"), ()):
        return 1.0
    if not wanted or (len(plain) <= 2 and plain[:1].isupper()):  # a type parameter becomes the type of the argument
        return 1.9 if wanted == plain or given != own else -1.0
    if given == "null":
        return -1.0 if _is_number(wanted) else 1.0 if wanted != plain else 0.1
    if _is_number(given):
        if _is_number(wanted):
            return 1.5 if wanted == ("double" if given == "float" else "int") and given in _SMALL else 1.0
        return -1.0 if wanted != plain or plain in _TEXTS else 0.1
    if given != own:  # a pointer
        if wanted != plain:
            return 1.0 if plain == "void" else -1.0
        if plain in _TEXTS and own == "char":
            return 0.8
        return 0.3 if wanted == "bool" else -1.0 if _is_number(plain) else 0.1
    if given in _TEXTS and wanted in _TEXTS:
        return 1.0
    return -1.0 if _is_number(plain) or wanted != plain else 0.0 if given in _TEXTS else -0.5


_VIRTUAL: Final = re.compile(r"virtual|override|final|::\s*(?:operator\b|~?\w+\s*\()", re.IGNORECASE)
"""A word or macro that makes a method virtual; a definition outside of its class does not repeat it."""
rules = default_rules(
    "c",
    constructors=(),
    modules={"linked": True, "sources": (".c", ".cc", ".cpp", ".cxx", ".c++", ".cu", ".ino")},
    scopes={"types_apart": True},
    classes={
        "open_types": True,
        "pointers": True,
        "scoped_enum": _SCOPED,
        "super_names": frozenset({"__super"}),  # base and parent are names like any other
    },
    special_methods={"index": ("operator[]",)},
    builtins={
        "types": MappingProxyType(
            {name: role for name, role in TYPES.items() if role != "nothing" or name.islower()} | _CONTAINERS
        ),  # String, Any and Unit are types of other languages, and classes like any other here
        "container_methods": MappingProxyType({**METHODS, **_CONTAINER_METHODS}),
        "lenders": words("unique_ptr shared_ptr weak_ptr optional"),
        "lending_methods": LENDING_METHODS,
        "pair_fields": MappingProxyType({"first": "0", "second": "1"}),
    },
    functions={"expanded_signature": ("#define ", "# define ")},
    decorators={"called": False},  # a macro that writes the head of a definition
    overloading={
        "decides": True,
        "ranked": True,
        "copies": True,
        "constant": "const",
        "enum_type": "int",
        "overriding": _VIRTUAL,
        "build_marks": frozenset({"#if"}),
        "fallback_mark": "#ifndef",
        "outside_namespace": "std::",
        "fit": fit,
        "literals": _LITERAL_TYPES,
        "outside_results": _RESULTS,
    },
)
