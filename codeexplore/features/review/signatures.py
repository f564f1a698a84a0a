"""Comparison of signatures: the differences that break callers.

The rules are those of griffe's checks (https://mkdocstrings.github.io/griffe/guide/users/checking/). They are applied
to the text of signatures, so they work for every language. A difference breaks callers if a parameter was removed,
added without a default, made required, moved or made keyword-only, if its default changed, if the result type or the
supertypes changed, or if a static method needs an object now.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from codeexplore.languages.base import Language
from codeexplore.languages.registry import record_of
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Symbol

_OPEN, _CLOSE = "([{", ")]}"
_DEFAULT = re.compile(r"(?<![=!<>:])=(?![=>])|:=")
_WORD = re.compile(r"[^\W\d]\w*")
_WORD_CHAR = re.compile(r"\w")
_TYPE_PARAMETERS = re.compile(r"\s*(?:<[^()]*>|\[[^()]*\])?\s*")
_RECORDS = frozenset({"dataclass", "define", "frozen", "mutable"})
_NO_PARAMETER = re.compile(r"\b(?:ClassVar|KW_ONLY)\b")
_NO_INIT = re.compile(r"\binit\s*=\s*False\b")
_MOST_TYPE_TOKENS, _MOST_DEPTH = 2_000, 40  # of one type
_ARROW = re.compile(r"\s*->\s*[^:{]+")
_RECEIVERS = ("self", "cls", "this")


class Parameter(NamedTuple):
    """A parameter of a function, read from the text of its signature."""

    name: str
    required: bool
    rest: bool = False
    keyword: bool = False  # only by name
    positional: bool = False  # only by position
    default: str = ""  # as written, without layout


def parameters(symbol: Symbol) -> list[Parameter]:
    """Return the parameters of a function, without the receiver."""
    found: list[Parameter] = []
    keyword = False
    for text in _split(_list_of(symbol)):
        if text == "/":
            found = [each._replace(positional=True) for each in found]
        elif text == "*":
            keyword = True
        elif text:
            each = _parameter(text, symbol.language)._replace(keyword=keyword)
            keyword = keyword or (each.rest and symbol.language == "python")
            if found or each.name not in _RECEIVERS:
                found.append(each)
    return found


def _parameter(text: str, language: str) -> Parameter:
    default = _DEFAULT.search(text)
    declared = text[: default.start()] if default else text
    names = record_of(language).parameter_names
    before = declared.partition(":")[0] if names != "behind type" else declared
    rest = "..." in before or text.startswith(("*", "&", "vararg ", "params "))
    words = _WORD.findall(before)
    if not words:
        return Parameter(declared.strip(), default is None and not rest, rest)
    optional = default is not None or rest or before.rstrip().endswith("?")
    value = "".join(text[default.end() :].split()).replace("'", '"') if default else ""
    return Parameter(words[0] if names == "first" else words[-1], not optional, rest, default=value)


def _list_of(symbol: Symbol) -> str:
    """Return the text of the parameter list without its parentheses; "" if there is none."""
    text = symbol.signature
    start = text.find("(", _after_name(text, symbol.name))
    if start < 0:
        return ""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] in _OPEN) - (text[place] in _CLOSE)
        if depth == 0:
            return text[start + 1 : place]
    return text[start + 1 :]


def whole_head(text: str, name: str) -> str:
    """Return the beginning of a definition up to the end of its parameters, with a result type after an arrow."""
    start = text.find("(", _after_name(text, name))
    depth = 0
    for place in range(max(start, 0), len(text)):
        depth += (text[place] in _OPEN) - (text[place] in _CLOSE)
        if depth == 0 and start >= 0:
            arrow = _ARROW.match(text, place + 1)
            return text[: arrow.end() if arrow else place + 1]
    return text


def _after_name(text: str, name: str) -> int:
    """Return the position after a name and its type parameters; 0 if the text does not contain the name as a word."""
    begin = text.find(name)
    while begin >= 0:
        end = begin + len(name)
        if not _WORD_CHAR.match(text[begin - 1 : begin]) and not _WORD_CHAR.match(text[end : end + 1]):
            after = _TYPE_PARAMETERS.match(text, end)
            return after.end() if after else end
        begin = text.find(name, end + 1)
    return 0


def _split(text: str) -> Iterable[str]:
    """Return the parts of a text between commas. Commas inside brackets and quotes do not count."""
    depth, start, quote = 0, 0, ""
    for place, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'`":
            quote = char
        elif char in _OPEN or (char == "<" and text[place - 1 : place].isalnum()):
            depth += 1
        elif char in _CLOSE or (char == ">" and depth and text[place - 1] not in "-="):
            depth -= 1
        elif char == "," and depth == 0:
            yield text[start:place].strip()
            start = place + 1
    yield text[start:].strip()


def result_type(symbol: Symbol) -> str:
    """Return the text after the parameters, which is the result type; "" in languages that write the type first."""
    text, inner = symbol.signature, _list_of(symbol)
    place = text.rfind(f"({inner})")
    if place < 0:
        return ""
    return " ".join(text[place + len(inner) + 2 :].strip(" :{").removeprefix("->").split())


def breaking(old: Symbol, new: Symbol, old_bases: Iterable[str], new_bases: Iterable[str]) -> tuple[str, ...]:
    """Return the differences of two signatures that may break callers, as one clause each. The bases are as written."""
    if old.kind != new.kind and is_property(old) and is_property(new):
        return ()
    if old.kind != new.kind and not {old.kind, new.kind} <= CALLABLE_KINDS:
        return (f"kind changed from {old.kind} to {new.kind}",)
    if new.kind in TYPE_KINDS:
        gone = [base for base in old_bases if base not in set(new_bases)]
        return (f"supertype removed: {', '.join(gone)}",) if gone else ()
    if new.kind not in CALLABLE_KINDS:
        return ()
    said = _parameter_changes(parameters(old), parameters(new), old.language)
    if _is_static(old) and not _is_static(new):
        said.append("no longer static: it needs an object")
    before, after = result_type(old), result_type(new)
    if before and before != after and canonical_type(before, old.language) != canonical_type(after, new.language):
        said.append(f"result type changed from {before} to {after}" if after else f"result type {before} removed")
    return tuple(said)


_TYPE_TOKEN = re.compile(r"'[^']*'|\"[^\"]*\"|[\w.]+|[^\s\w]")


def canonical_type(text: str, language: str) -> str:
    """Return a type in one spelling, by the equalities of its language; unions in alphabetical order.

    Names lose their modules, so ``typing.Iterable`` and ``collections.abc.Iterable`` are the same.
    """
    return _TypeReader(text, record_of(language)).union()


class _TypeReader:
    """A reader of types such as ``dict[str, A | None]``. Text that it does not understand keeps its order."""

    def __init__(self, text: str, record: Language) -> None:
        self._record = record
        self._tokens = _TYPE_TOKEN.findall(text)[:_MOST_TYPE_TOKENS][::-1]

    def union(self, depth: int = 0, literal: bool = False) -> str:
        """Read the alternatives up to a comma or a closing bracket."""
        found: dict[str, None] = {}
        piece = ""
        while self._tokens and self._tokens[-1] not in (",", "]", ")", ">", "}"):
            word = self._tokens.pop()
            if word == "|" and not literal:
                found |= dict.fromkeys(piece.split(" | "))
                piece = ""
            elif word in "[(<{" and depth < _MOST_DEPTH:
                piece = self._applied(piece, word, depth + 1)
            elif word[0] in "'\"" and self._record.quoted_types and not literal:
                piece += _TypeReader(word[1:-1], self._record).union(depth + 1) if depth < _MOST_DEPTH else word
            elif word[0].isalpha() or word[0] == "_":
                name = word.rpartition(".")[2]
                piece += f"{' ' * piece[-1:].isalnum()}{self._record.same_types.get(name, name)}"
            else:
                piece += word
        return " | ".join(sorted({**found, **dict.fromkeys(piece.split(" | "))}))

    def _applied(self, name: str, opening: str, depth: int) -> str:
        """Read the arguments of a generic type up to the closing bracket."""
        arguments = [self.union(depth, name == "Literal")]
        while self._tokens and self._tokens.pop() == ",":
            if self._tokens and self._tokens[-1] not in ("]", ")", ">", "}"):  # not after the last one
                arguments.append(self.union(depth, name == "Literal"))
        if name in self._record.optional_types:
            arguments.append("None")
        elif name not in self._record.union_types:
            return f"{name}{opening}{', '.join(arguments)}{_CLOSE[_OPEN.index(opening)] if opening in _OPEN else '>'}"
        return " | ".join(sorted({part for each in arguments for part in each.split(" | ")}))


def _is_static(symbol: Symbol) -> bool:
    words = symbol.signature.partition(symbol.name)[0].split()
    return "static" in words or not {"staticmethod", "classmethod"}.isdisjoint(symbol.decorators)


def is_property(symbol: Symbol) -> bool:
    """Return True for a method that is read as an attribute, or a field with such a value."""
    value = record_of(symbol.language).property_value
    return "property" in symbol.decorators or (value is not None and bool(value.search(symbol.signature)))


def is_record(symbol: Symbol) -> bool:
    """Return True for a Python class whose decorator makes a constructor of its fields (dataclasses, attrs)."""
    named = (each.partition("(")[0].rpartition(".")[2] for each in symbol.decorators)
    return symbol.language == "python" and symbol.kind in TYPE_KINDS and not _RECORDS.isdisjoint(named)


def constructor_parameters(fields: Iterable[Symbol]) -> list[Parameter]:
    """Return the parameters that a class decorator makes of annotated fields, in their order."""
    found: list[Parameter] = []
    keyword = False
    for field in fields:
        declared, _, value = field.signature.partition("=")
        name, colon, annotation = declared.partition(":")
        keyword = keyword or "KW_ONLY" in annotation
        if colon and not _NO_PARAMETER.search(annotation) and not _NO_INIT.search(value):
            found.append(
                _parameter(f"{name.strip()}{'=' + value if value else ''}", "python")._replace(keyword=keyword)
            )
    return found


def constructor_changes(old: list[Parameter], new: list[Parameter]) -> tuple[str, ...]:
    """Return the differences that may break calls of a constructor that is made of fields; none if one is not."""
    return tuple(_parameter_changes(old, new, "python")) if old and new else ()


def _parameter_changes(old: list[Parameter], new: list[Parameter], language: str) -> list[str]:
    names, by_name = {each.name: each for each in new}, record_of(language).named_arguments
    said = []
    known = {each.name for each in old}
    for place, each in enumerate(old):
        now = names.get(each.name)
        if now is None:
            other = new[place] if place < len(new) else None
            if other is not None and other.name not in known and other.rest == each.rest:
                if by_name and not each.positional and not each.rest:
                    said.append(f"parameter {each.name} renamed to {other.name}")
            elif not (any(n.rest for n in new) and not each.rest and not by_name):
                said.append(f"parameter {each.name} removed")
            continue
        if now.required and not each.required:
            said.append(f"parameter {each.name} has no default any more")
        if each.default and now.default and now.default != each.default:
            said.append(f"default of parameter {each.name} changed from {each.default} to {now.default}")
        if now.keyword and not each.keyword and not each.rest:
            said.append(f"parameter {each.name} is keyword-only now")
        if now.positional and not each.positional and by_name:
            said.append(f"parameter {each.name} is positional-only now")
    renamed = {new[place].name for place, each in enumerate(old) if each.name not in names and place < len(new)}
    fresh = [each for each in new if each.name not in known and each.name not in renamed]
    said += [f"parameter {each.name} added without a default" for each in fresh if each.required]
    kept = [each.name for each in old if each.name in names and not each.keyword and not names[each.name].keyword]
    order = [each.name for each in new if each.name in set(kept)]
    if kept != order:
        said.append("parameters in another order")
    last = max((place for place, each in enumerate(new) if each.name in known and _by_position(each)), default=-1)
    inserted = [each for each in fresh if not each.required and _by_position(each) and new.index(each) < last]
    return said + [f"parameter {each.name} added before others" for each in inserted]


def _by_position(parameter: Parameter) -> bool:
    return not parameter.keyword and not parameter.rest
