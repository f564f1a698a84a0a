"""Comparison of signatures: the differences that break callers.

The rules are those of griffe's checks (https://mkdocstrings.github.io/griffe/guide/users/checking/). They are applied
to the text of signatures, so they work for every language. A difference breaks callers if a parameter was removed,
added without a default, made required, moved or made keyword-only, if its default changed, if the result type (or that
of a parameter, where a compiler checks it) is no longer within the old one, or if a static method needs an object now.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.features.review.written_types import Meaning, TypeNames, written_type
from codeexplore.graph.usage.name_uses import is_accessor
from codeexplore.languages.base import Language
from codeexplore.languages.extraction.extractor import CONTINUATION, SIGNATURE_CHARS
from codeexplore.languages.registry import record_of
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Symbol

if TYPE_CHECKING:
    from codeexplore.features.review.records import Side

_OPEN, _CLOSE = "([{", ")]}"
_DEFAULT = re.compile(r"(?<![=!<>:])=(?![=>])|:=")
_WORD = re.compile(r"[^\W\d]\w*")
_TYPE_BEFORE = re.compile(r"[\w.:]+(?:<.*>)?[\s\[\]?*&]*$")
_MOST_TYPE_CHARS = 1_000
_MOST_HEAD_CHARS, _SURE_CHARS = 20_000, 80  # of a function's head: read at most, and enough to find it again
_RECORDS = frozenset({"dataclass", "define", "frozen", "mutable"})
_NO_PARAMETER = re.compile(r"\b(?:ClassVar|KW_ONLY)\b")
_NO_INIT = re.compile(r"\binit\s*=\s*False\b")
_TEXT = r"""("[^"\n]*"|'[^'\n]*')|"""
_HASH, _SLASHES = re.compile(_TEXT + r"#[^\n]*"), re.compile(_TEXT + r"//[^\n]*|/\*(?s:.*?)\*/")
_ALIAS = re.compile(r"=\s*(?:[^\W\d][\w.]*|lambda\b.*)$")
_LEGACY = re.compile(r'\bu(?=")')  # mark of a text in Python 2
_ARROW = re.compile(r"\s*->\s*[^:{]+")
_CALLED_BY_NAMES = frozenset({"__init__", "__new__", "__call__"})  # the language passes to others by position
_NO_VALUES = frozenset({"None", "null", "nil", "undefined"})
_LITERALS = _NO_VALUES | {"True", "False", "true", "false", "str", "bytes", "int", "float", "dict", "list", "b", "r"}
_QUOTED = re.compile(r"""\"[^"]*\"|'[^']*'""")
_NAME = re.compile(r"(?<!\w)[^\W\d]\w*")
_PATH = re.compile(r"[^\W\d][\w.]*")
_RECEIVERS = ("self", "cls", "this", "mcs", "mcls", "metacls", "klass", "_self", "__self")


class Parameter(NamedTuple):
    """A parameter of a function, read from the text of its signature."""

    name: str
    required: bool
    rest: bool = False
    keyword: bool = False  # only by name
    positional: bool = False  # only by position
    default: str = ""  # as written, without layout
    type: str = ""  # as written
    mark: str = ""  # of a rest parameter, which has no name for callers: "*", "**"

    @property
    def key(self) -> str:
        """The mark of a rest parameter, the name of any other."""
        return self.mark or self.name


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
    declared = (text[: default.start()] if default else text).strip()
    names = record_of(language).parameter_names
    before, colon, behind = declared.partition(":") if names != "behind type" else (declared, "", "")
    rest = "..." in before or text.startswith(("*", "&", "vararg ", "params "))
    words = list(_WORD.finditer(before))
    if not words:
        return Parameter(declared, default is None and not rest, rest)
    optional = default is not None or rest or before.rstrip().endswith("?")
    value = _LEGACY.sub("", "".join(text[default.end() :].split()).replace("'", '"')) if default else ""
    word = words[0] if names == "first" else words[-1]
    written = behind if colon else before[: word.start()] + before[word.end() :] if names != "last" else ""
    if before.rstrip().endswith("?") and colon:
        written += f" | {record_of(language).no_value}"
    mark = before[: word.start()].strip() if rest and names == "first" else ""
    return Parameter(word[0], not optional, rest, default=value, type=written.strip(), mark=mark)


def _list_of(symbol: Symbol) -> str:
    """Return the text of the parameter list without its parentheses; "" if there is none."""
    text = symbol.signature
    start, end = _parentheses(text, symbol.name)
    return text[start + 1 : end] if start >= 0 else ""


def _parentheses(text: str, name: str) -> tuple[int, int]:
    """Return where the parameter list of a name begins, -1 if it has none, and where it ends: the end of the text."""
    start, depth = text.find("(", _after_name(text, name)), 0
    for place in range(start, len(text)) if start >= 0 else ():
        depth += (text[place] in _OPEN) - (text[place] in _CLOSE)
        if depth == 0:
            return start, place
    return start, len(text)


def _whole_head(text: str, name: str) -> str:
    """Return the beginning of a definition up to the end of its parameters, with a result type after an arrow."""
    _, end = _parentheses(text, name)
    arrow = _ARROW.match(text, end + 1)
    return text[: arrow.end() if arrow else end + 1]


def _after_name(text: str, name: str) -> int:
    """Return the position after a name and its type parameters; 0 if the text does not contain the name as a word."""
    begin = _start_of_name(text, name)
    if begin < 0:
        return 0
    end = begin + len(name)
    if text[end:].lstrip()[:1] not in ("<", "["):
        return end
    depth = 0
    for place in range(end, len(text)):  # parameters of types may have bounds in brackets of their own
        depth += (text[place] in "<[(") - (text[place] in ">])" and text[place - 1] not in "-=")
        if depth == 0 and text[place] in ">]":
            return place + 1
    return end


def _start_of_name(text: str, name: str) -> int:
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
    return found.start() if found else -1


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
    """Return the result type as written: behind the parameters, or before the name by the language's habit."""
    text, inner = symbol.signature, _list_of(symbol)
    if record_of(symbol.language).result_first:
        found = _TYPE_BEFORE.search(text[: _start_of_name(text, symbol.name)][-_MOST_TYPE_CHARS:])
        return found[0].strip() if found else ""
    place = text.rfind(f"({inner})")
    if place < 0:
        return ""
    return " ".join(text[place + len(inner) + 2 :].strip(" :{").removeprefix("->").split())


class Signatures:
    """Compares signatures of two states: whole ones, which the index may have cut, with the meanings of their names."""

    def __init__(self, old: Side, new: Side, counterpart: Mapping[str, str]) -> None:
        self._sides = old, new
        self._names = TypeNames(old, counterpart), TypeNames(new, {})

    def breaking(self, old: Symbol, new: Symbol) -> tuple[str, ...]:
        """Return the differences that may break callers; see `breaking`."""
        before, after = (_whole(side, each) for side, each in zip(self._sides, (old, new), strict=True))
        return breaking(before, after, self._names[0].within(old), self._names[1].within(new))

    def same_type(self, old: Symbol, before: str, new: Symbol, after: str) -> bool:
        """Return True if a type that one symbol names is one that the other names."""
        first = written_type(before, record_of(old.language), self._names[0].within(old))
        return first.within(written_type(after, record_of(new.language), self._names[1].within(new)))


def _whole(side: Side, symbol: Symbol) -> Symbol:
    """Return a symbol with all its parameters in the signature, which the index cuts, and without comments."""
    comments = _HASH if record_of(symbol.language).comment_start.match("# ") else _SLASHES
    whole = len(symbol.signature) < SIGNATURE_CHARS and "#" not in symbol.signature and "/" not in symbol.signature
    if whole or symbol.language == "notebook":
        return symbol
    source = comments.sub(lambda found: found[1] or " ", side.source(symbol)[:_MOST_HEAD_CHARS])
    text = " ".join(CONTINUATION.sub("", source).split())
    start = max(text.find(symbol.signature[:_SURE_CHARS].partition("(")[0]), 0)
    return replace(symbol, signature=_whole_head(text[start:], symbol.name))


def breaking(old: Symbol, new: Symbol, before: Meaning | None = None, after: Meaning | None = None) -> tuple[str, ...]:
    """Return the differences of two signatures that may break callers, as one clause each.

    `before` and `after` tell what the names of types mean.
    """
    if (other := _other_kind(old, new)) is not None:
        return other
    record = record_of(new.language)
    earlier, now = parameters(old), parameters(new)
    special = old.name.startswith("__") and old.name.endswith("__") and old.name not in _CALLED_BY_NAMES
    said = _parameter_changes(earlier, now, by_name=record_of(old.language).named_arguments and not special)
    if record.checked_types:
        named = {each.key: each.type for each in now}
        for each in earlier:
            to = named.get(each.key, "")
            if each.type and to and not _fits(each.type, to, record, before, after):
                said.append(f"type of parameter {each.name} changed from {each.type} to {to}")
    if _is_static(old) and not _is_static(new):
        said.append("no longer static: it needs an object")
    was, result = result_type(old), result_type(new)
    if was and not result:
        said.append(f"result type {was} removed")
    elif was and not _fits(result, was, record, after, before):
        said.append(f"result type changed from {was} to {result}")
    return tuple(said)


def _other_kind(old: Symbol, new: Symbol) -> tuple[str, ...] | None:
    """Return what breaks because a symbol is called or read in another way now; None if the signatures decide."""
    read = [is_property(each) or is_attribute(each) or each.kind == "field" for each in (old, new)]
    if old.kind != new.kind and (all(read) or (_is_function(old) and _is_function(new))):
        return ()
    if old.kind != new.kind and not {old.kind, new.kind} <= CALLABLE_KINDS:
        return (f"kind changed from {old.kind} to {new.kind}",)
    if new.kind not in CALLABLE_KINDS:
        return ()
    if _sets_attribute(old) and is_attribute(new) and not _sets_attribute(new):
        return ("can no longer be assigned",)
    for one, other, said in ((old, new, "property to method"), (new, old, "method to property")):
        if is_attribute(one) and not is_attribute(other) and not other.decorators:  # they may make a property, too
            return (f"kind changed from {said}",)
    return None


def _fits(text: str, other: str, record: Language, meaning: Meaning | None, of_other: Meaning | None) -> bool:
    """Return True if a value of one type may stand where the other one is expected."""
    if text == other and meaning is None:
        return True
    expected = written_type(other, record, of_other)
    return expected.alternatives <= record.any_types or written_type(text, record, meaning).within(expected)


def _is_static(symbol: Symbol) -> bool:
    words = symbol.signature.partition(symbol.name)[0].split()
    return "static" in words or not {"staticmethod", "classmethod"}.isdisjoint(symbol.decorators)


def _is_function(symbol: Symbol) -> bool:
    """Return True for a function, or a field or constant that holds one."""
    holds = symbol.kind in ("field", "constant") and (
        symbol.name.startswith("__") or _ALIAS.search(symbol.signature) is not None
    )
    return holds or symbol.kind in CALLABLE_KINDS


def is_overload(symbol: Symbol) -> bool:
    """Return True for a Python function that only declares types: it is decorated with ``typing.overload``."""
    return any(each.rpartition(".")[2] == "overload" for each in symbol.decorators)


def is_property(symbol: Symbol) -> bool:
    """Return True for a method that is read as an attribute, or a field with such a value."""
    value = record_of(symbol.language).property_value
    return "property" in symbol.decorators or (value is not None and bool(value.search(symbol.signature)))


def is_attribute(symbol: Symbol) -> bool:
    """Return True for a method that is used without a call, as a property or an accessor of one."""
    marks = (mark.partition("(")[0] for mark in symbol.decorators)
    return is_accessor(symbol) or any(mark.endswith("property") for mark in marks)


def _sets_attribute(symbol: Symbol) -> bool:
    """Return True for a method that runs when a property is assigned."""
    return symbol.signature.startswith("set ") or any(mark.endswith(".setter") for mark in symbol.decorators)


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
    return tuple(_parameter_changes(old, new, by_name=True)) if old and new else ()


def _parameter_changes(old: list[Parameter], new: list[Parameter], *, by_name: bool) -> list[str]:
    names = {each.key: each for each in new}
    said = list[str]()
    known = {each.key for each in old}
    more = sum(map(_by_position, new)) > sum(map(_by_position, old))
    for place, each in enumerate(old):
        now = names.get(each.key)
        if now is None:
            other = new[place] if place < len(new) else None
            if other is not None and other.key not in known and other.rest == each.rest:
                if by_name and not each.positional and not each.rest:
                    said.append(f"parameter {each.name} renamed to {other.name}")
            elif not _takes_in(each, new, by_name) and not (each.mark == "*" and more):  # named ones take its arguments
                said.append(f"parameter {each.name} removed")
            continue
        if now.required and not each.required:
            said.append(f"parameter {each.name} has no default any more")
        if each.default and now.default and _differ(each.default, now.default):
            said.append(f"default of parameter {each.name} changed from {each.default} to {now.default}")
        if now.keyword and not each.keyword and not each.rest:
            said.append(f"parameter {each.name} is keyword-only now")
        if now.positional and not each.positional and by_name:
            said.append(f"parameter {each.name} is positional-only now")
    renamed = {new[place].key for place, each in enumerate(old) if each.key not in names and place < len(new)}
    fresh = [each for each in new if each.key not in known and each.key not in renamed]
    said += [f"parameter {each.name} added without a default" for each in fresh if each.required]
    kept = [each.key for each in old if each.key in names and not each.keyword and not names[each.key].keyword]
    order = [each.key for each in new if each.key in set(kept)]
    if kept != order:
        said.append("parameters in another order")
    last = max((place for place, each in enumerate(new) if each.key in known and _by_position(each)), default=-1)
    inserted = [each for each in fresh if not each.required and _by_position(each) and new.index(each) < last]
    return said + [f"parameter {each.name} added before others" for each in inserted]


def _differ(before: str, after: str) -> bool:
    """Return True for two defaults that are different values. An expression may be any value but "no value"."""
    if before == after:
        return False
    known = [_LITERALS.issuperset(_NAME.findall(_QUOTED.sub("", each))) for each in (before, after)]
    if any(known):
        return all(known) or not _NO_VALUES.isdisjoint((before, after))
    return all(map(_PATH.fullmatch, (before, after)))


def _takes_in(gone: Parameter, new: list[Parameter], by_name: bool) -> bool:
    """Return True if rest parameters get the arguments of a parameter that is gone."""
    if gone.rest or not by_name:
        return not gone.rest and any(each.rest for each in new)
    marks = {each.mark for each in new}
    return (gone.keyword or "*" in marks) and (gone.positional or "**" in marks)


def _by_position(parameter: Parameter) -> bool:
    return not parameter.keyword and not parameter.rest
