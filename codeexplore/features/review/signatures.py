"""Comparison of signatures: the differences that break callers.

The rules are those of griffe's checks (https://mkdocstrings.github.io/griffe/guide/users/checking/). They are applied
to the text of signatures, so they work for every language. A difference breaks callers if a parameter was removed,
added without a default, made required, moved or made keyword-only, if its default changed, if the result type (or that
of a parameter, where a compiler checks it) is no longer within the old one, or if a static method needs an object now.

Types are compared as signatures write them, by the equalities of their language (`Language.same_types` and others):
``Optional[a.X]`` and ``X | None`` are one type if ``X`` is imported from ``a``. A name has an *origin*: the definition
in the repository, or the module outside of it. Names whose origin is unknown may mean each other.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.graph.usage.name_uses import is_accessor
from codeexplore.languages.base import Language
from codeexplore.languages.extraction.extractor import CONTINUATION, SIGNATURE_CHARS
from codeexplore.languages.registry import record_of
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Symbol

if TYPE_CHECKING:
    from codeexplore.features.review.records import Side

Meaning = Callable[[str], "tuple[str, str | Meaning]"]
"""Function: name as written → the last part of the name that it stands for, and its origin; "" if unknown. For an alias
of a type, the type as written, and the meaning of its names."""

_TOKEN = re.compile(r"=>|->|<-|\w+(?:(?:\.|::|\\)\w+)*|[^\s\w]")
_QUOTED_TOKEN = re.compile(rf"'[^']*'|\"[^\"]*\"|{_TOKEN.pattern}")
_ARGUMENTS = re.compile(r"(?<=\w)[\[<].+[\]>]$")
_ALIASED = re.compile(r"(?:^|\s)(\w+)(?:\s*:[^=]*)?\s*=\s*([\w.\[\], |'\"<>]+);?$")
_VARIABLE = "%type"  # any type parameter: their names are free
_FIRST = re.compile(r"[,<\[]\s*(?:const\s+|in\s+|out\s+)?(\w+)")
_JOINT = re.compile(r"::|[.\\]")
_OPENING, _CLOSING = "([{<", ")]}>"
_MOST_TOKENS, _MOST_DEPTH, _MOST_ALIASES, _MOST_STEPS = 2_000, 40, 50, 8  # of one type; from module to module


class WrittenType(NamedTuple):
    """A type: its alternatives in one spelling each, and the origins of the names in it."""

    alternatives: frozenset[str]
    origins: Mapping[str, frozenset[str]]

    def within(self, other: WrittenType) -> bool:
        """Return True if each value of this type has the other type too, as far as the alternatives tell."""
        own = self.origins
        apart = any(own.get(name) and own[name].isdisjoint(origins) for name, origins in other.origins.items())
        return not apart and all(map(other.has, self.alternatives))

    def has(self, alternative: str) -> bool:
        """Return True for one of the alternatives. Without arguments, a generic type has any."""
        bare = _ARGUMENTS.sub("", alternative)
        known = self.alternatives
        return not known.isdisjoint({alternative, bare}) or (
            alternative == bare and any(bare == _ARGUMENTS.sub("", each) for each in known)
        )


def written_type(text: str, record: Language, meaning: Meaning | None = None) -> WrittenType:
    """Read a type. Text that is not understood keeps its order."""
    reader = _TypeReader(text, record, meaning or (lambda name: (_JOINT.split(name)[-1], "")))
    found = reader.union()
    return WrittenType(frozenset(found), {name: frozenset(origins) for name, origins in reader.origins.items()})


class _TypeReader:
    """A reader of types such as ``dict[str, A | None]``, ``X[]`` and ``&'a mut Vec<T>``."""

    def __init__(self, text: str, record: Language, meaning: Meaning) -> None:
        self._record, self._meaning = record, meaning
        self.origins: dict[str, set[str]] = {}
        self.aliases = [_MOST_ALIASES]
        if record.no_type is not None:
            text = record.no_type.sub("", text)
        token = _QUOTED_TOKEN if record.quoted_types else _TOKEN
        self._tokens = token.findall(text)[:_MOST_TOKENS][::-1]

    def union(self, depth: int = 0, literal: bool = False) -> list[str]:
        """Read the alternatives up to a comma or a closing bracket, and return them in alphabetical order."""
        found: list[str] = []
        pieces, piece = list[str](), ""  # the alternatives of a group in parentheses, or one that is being read
        while self._tokens and self._tokens[-1] != "," and self._tokens[-1] not in _CLOSING:
            word = self._tokens.pop()
            if word == "|" and not literal:
                found += pieces or [piece]
                pieces, piece = [], ""
                continue
            if pieces:
                pieces, piece = [], f"({' | '.join(pieces)})" if len(pieces) > 1 or word in "=>->" else pieces[0]
            if word in _OPENING and depth < _MOST_DEPTH:
                read = self._applied(piece, word, depth + 1)
                pieces, piece = (read, "") if len(read) > 1 or word == "(" else ([], "".join(read))
            elif word == "?":
                found.append("None")
            elif word[0] in "'\"" and self._record.quoted_types and not literal and depth < _MOST_DEPTH:
                pieces = self._inner(word[1:-1], depth + 1, self._meaning)
            elif word[0].isalpha() or word[0] == "_":
                named = self._named(word, depth)
                if len(named) > 1 and not piece:
                    pieces = named
                else:
                    piece += f"{' ' * piece[-1:].isalnum()}{' | '.join(named)}"
            else:
                piece += word
        return sorted({each for each in (*found, *(pieces or [piece])) if each})

    def _named(self, word: str, depth: int) -> list[str]:
        name, origin = self._meaning(word)
        if not isinstance(origin, str):
            self.aliases[0] -= 1
            return self._inner(name, depth + 1, origin) if self.aliases[0] >= 0 and depth < _MOST_DEPTH else [word]
        name = self._record.same_types.get(name, name)
        if origin:
            self.origins.setdefault(name, set()).add(origin)
        return [name]

    def _inner(self, text: str, depth: int, meaning: Meaning) -> list[str]:
        inner = _TypeReader(text, self._record, meaning)
        inner.origins, inner.aliases = self.origins, self.aliases
        return inner.union(depth)

    def _applied(self, name: str, opening: str, depth: int) -> list[str]:
        """Read what is in brackets behind a name, up to the closing bracket; return the alternatives of the whole."""
        closing = _CLOSING[_OPENING.index(opening)]
        arguments = [self.union(depth, name == "Literal")]
        while self._tokens and self._tokens.pop() == ",":
            if self._tokens and self._tokens[-1] not in _CLOSING:  # not after the last one
                arguments.append(self.union(depth, name == "Literal"))
        if name in self._record.optional_types or name in self._record.union_types:
            rest = ["None"] if name in self._record.optional_types else []
            return sorted({*(each for argument in arguments for each in argument), *rest})
        texts = [" | ".join(argument) for argument in arguments]
        if name in self._record.array_types and len(texts) == 1:
            item = texts[0] if len(arguments[0]) == 1 else f"({texts[0]})"
            return [f"{self._record.array_types[name]}{item}[]"]
        if not name and opening == "(" and len(arguments) == 1 and arguments[0]:
            return arguments[0]
        if name and texts == [""] and opening in "{<":
            return [name]
        return [f"{name}{opening}{', '.join(texts)}{closing}"]


class TypeNames:
    """Meanings of the names in the signatures of one state. `now` has the ids of symbols in the other state."""

    def __init__(self, side: Side, now: Mapping[str, str]) -> None:
        self._side, self._now = side, now
        self._imports = cache(self._imported)
        self._variables = cache(self._parameters)

    def within(self, symbol: Symbol) -> Meaning:
        """Return the function that tells what names mean in the signature of a symbol."""
        return lambda name: self._meaning(symbol, name)

    def _meaning(self, symbol: Symbol, name: str) -> tuple[str, str | Meaning]:
        record, parts = record_of(symbol.language), tuple(_JOINT.split(name))
        if len(parts) == 1 and name in self._variables(symbol.id):
            return _VARIABLE, ""
        target = self._target(symbol.path, parts)
        if target is None:
            around = tuple(_JOINT.split(symbol.fqn))
            for count in range(len(around), -1, -1):
                if found := self._defined((*around[:count], *parts)):
                    return self._of_symbol(found)
            return parts[-1], ""
        module, members = target
        for _ in range(_MOST_STEPS):  # from one module of the repository to the next that it imports the name from
            if found := self._defined((*module, *members)):
                return self._of_symbol(found)
            files = [each for each in self._side.catalog.exactly(module) if each.kind == "module"] if members else []
            further = self._target(files[0].path, members) if files else None
            if further is None or further == (module, members):
                break
            module, members = further
        last = (*module, *members)[-1]
        own = module[:1] == tuple(_JOINT.split(symbol.fqn))[:1] or module[0] in ("", *_OF_REPOSITORY)
        if own:
            known = [each.id for each in self._side.catalog.named(last) if each.kind in TYPE_KINDS]
            return last, self._now.get(known[0], known[0]) if len(known) == 1 else ""
        origin = module[0] if record.reexports else ".".join((*module, *members)[:-1])
        return last, "" if module[0] in record.same_modules else origin

    def _parameters(self, symbol_id: str) -> set[str]:
        """Return the names of the type parameters of a symbol and of those around it."""
        found, catalog = set[str](), self._side.catalog
        while catalog.has_symbol(symbol_id):
            symbol = catalog.symbol(symbol_id)
            head = re.search(rf"(?<!\w){re.escape(symbol.name)}\s*[<\[]([^()]*)|(?:^|\s)<([^()]*)>\s", symbol.signature)
            found.update(_FIRST.findall(f",{head[1] or head[2]}") if head else ())
            symbol_id = symbol.parent or ""
        return found

    def _of_symbol(self, symbol: Symbol) -> tuple[str, str | Meaning]:
        variable = record_of(symbol.language).type_variable
        if variable is not None and variable.search(symbol.signature):
            return _VARIABLE, ""
        alias = _ALIASED.search(symbol.signature) if symbol.kind in ("constant", "type") else None
        if alias and alias[1] == symbol.name and len(symbol.signature) < SIGNATURE_CHARS:
            return alias[2], self.within(symbol)
        return symbol.name, self._now.get(symbol.id, symbol.id)

    def _defined(self, parts: tuple[str, ...]) -> Symbol | None:
        found = self._side.catalog.exactly(parts)
        return found[0] if found and found[0].kind != "module" else None

    def _target(self, path: str, parts: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return the module and the rest of a name, if an import of a file binds its beginning."""
        for count in range(len(parts), 0, -1):
            if (row := self._imports(path).get(parts[:count])) is not None:
                module, member = row
                return module, (*member, *parts[count:])
        return None

    def _imported(self, path: str) -> Mapping[tuple[str, ...], tuple[tuple[str, ...], tuple[str, ...]]]:
        facts = self._side.files.facts(path)
        found: dict[tuple[str, ...], tuple[tuple[str, ...], tuple[str, ...]]] = {}
        for row in facts.imports:
            module, own = row.module, tuple(_JOINT.split(facts.module))
            if module.startswith((".", "/")) and "/" in module:
                parts = ("", *posixpath.normpath(posixpath.join(posixpath.dirname(path), module)).split("/"))
            elif module.startswith("."):
                up = len(module) - len(module.lstrip(".")) - posixpath.basename(path).startswith("__init__.")
                parts = (*own[: len(own) - up], *filter(None, module.lstrip(".").split(".")))
            else:
                parts = tuple(module.split("/")) if "/" in module else tuple(_JOINT.split(module))
            if parts:
                member = (row.member,) if row.member not in ("", "*", "default") else ()
                found.setdefault(tuple(_JOINT.split(row.name)), (parts, member))
        return found


_OF_REPOSITORY = ("crate", "self", "super")


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
            text = f"{name.strip()}{'=' + value if value else ''}"
            found.append(_parameter(text, "python")._replace(keyword=keyword))
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
