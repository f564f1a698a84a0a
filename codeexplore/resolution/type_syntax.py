"""Parser of type texts: reads a type's name and its arguments.

One parser serves every language, because type syntaxes overlap and do not contradict each other (``Foo[Bar]``,
``Foo<Bar>``, ``[]Foo``, ``Foo[]``, ``*Foo``, ``&'a mut Foo``, ``Foo | None``, ``map[K]V``, ``(a: A) => R``). A
`TypeExpr` has a plain name or one of these marks: ``|`` (a union of its arguments), ``[]`` (a sequence of its
argument), ``{}`` (a map from key to value), ``()`` (a tuple), ``->`` (a function; the last argument is its result) or
``{:}`` (an object; each argument has the name of a member, ``[]`` for any other name, and the member's type). A
conditional type (``T extends A ? B : C``) is a union of its branches.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple


class TypeExpr(NamedTuple):
    """A parsed type: its name as written, dotted or separated by ``::``, and its arguments.

    The name "" means unreadable.
    """

    name: str
    args: tuple[TypeExpr, ...] = ()


UNKNOWN = TypeExpr("")
MAX_TYPE_CHARS = 1000  # a longer type is generated and of no use to a reader
MAX_TYPE_DEPTH = 30

_TOKEN = re.compile(
    r"\s+|(?P<name>\\?[^\W\d][\w$]*(?:(?:\.|::)(?!\.)[^\W\d][\w$]*)*)|(?P<mark>=>|->|::|\.\.\.|<-|[^\w\s]|\d+)"
)
_SILENT_WORDS = """
mut dyn impl readonly final const unique infer ref out in extends super unsafe async volatile struct asserts abstract
override where for
"""
_SILENT = frozenset(_SILENT_WORDS.split())
_MARKS = frozenset("?:(<-+")  # what follows the name of a member
_EMPTY = frozenset({"keyof", "interface"})
_OPENING = frozenset("<([{")
_CLOSING = frozenset(">)]}")


@lru_cache(maxsize=50_000)
def read_type(text: str) -> TypeExpr:
    """Parse a type. An unreadable text gives `UNKNOWN`, never an error."""
    if not text or len(text) > MAX_TYPE_CHARS:
        return UNKNOWN
    return _Reader(_tokens(text)).union(0)


def _tokens(text: str) -> list[str]:
    tokens, position = [], 0
    while position < len(text):
        char = text[position]
        if char in "'\"`":
            end = text.find(char, position + 1)
            inner = text[position + 1 : end] if end != -1 else ""
            if end == -1 or not inner or (char == "'" and not _balanced(inner)):
                # a Rust lifetime: the quote and the name after it are skipped
                found = re.compile(r"'\w*\s*").match(text, position)
                position = found.end() if found else position + 1
                continue
            tokens += ["(", *_tokens(inner), ")"]
            position = end + 1
            continue
        found = _TOKEN.match(text, position)
        if found is None:
            position += 1
            continue
        if found.lastgroup is not None:
            tokens.append(found.group())
        position = found.end()
    return tokens


def _balanced(text: str) -> bool:
    """Return True if a quoted text may be a type: balanced brackets, spaces only next to ``|`` and ``,``."""
    closed = all(text.count(a) == text.count(b) for a, b in ("()", "[]", "<>"))
    return closed and " " not in text.replace(" | ", "|").replace(", ", ",")


_POINTERS = re.compile(r"(?<![*&\]])(?:[*&]|\[\])+$")


def last_part(name: str) -> str:
    """Return the last part of a dotted or ``::``-separated name."""
    return name.rpartition("::")[2].rpartition(".")[2]


@lru_cache(maxsize=10_000)
def simple(text: str) -> str:
    """Return the simple name of the type `text` with its last marks: ``List[]`` for ``java.util.List<T>[]``."""
    plain = text.strip().removeprefix("final ").strip()
    marks = _POINTERS.search(plain)
    dimensions = plain.count("[]")
    return last_part(read_type(plain.replace("[]", "")).name) + (marks.group() if marks else "[]" * dimensions)


class _Reader:
    """Recursive-descent parser over tokens. Every branch consumes a token, so that parsing always ends."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0

    def peek(self, ahead: int = 0) -> str:
        index = self.at + ahead
        return self.tokens[index] if index < len(self.tokens) else ""

    def union(self, depth: int) -> TypeExpr:
        """Parse alternatives. Intersections and trait bounds count as alternatives too."""
        if depth > MAX_TYPE_DEPTH:
            self.at = len(self.tokens)
            return UNKNOWN
        members = [self.single(depth)]
        while self.peek() in ("|", "&", "+") and self.peek():
            self.at += 1
            members.append(self.single(depth))
        if self.peek() == "extends" and (end := self._end_of_condition()):
            self.at = end
            members = self.branches(depth)
        members = [m for m in members if m.name]
        if len(members) == 1:
            return members[0]
        return TypeExpr("|", tuple(members)) if members else UNKNOWN

    def branches(self, depth: int) -> list[TypeExpr]:
        """Parse the branches of a conditional type after its question mark: ``T extends A ? B : C`` may be B or C."""
        found = [self.union(depth + 1)]
        if self._take(":"):
            found.append(self.union(depth + 1))
        return [part for branch in found for part in (branch.args if branch.name == "|" else (branch,))]

    def _end_of_condition(self) -> int:
        """Return the position after the question mark of a conditional type, which begins here; 0 for other types."""
        inside = 0
        for at in range(self.at + 1, len(self.tokens)):
            word = self.tokens[at]
            if not inside and word in ("?", ",", ";", "="):
                return at + 1 if word == "?" and at > self.at + 1 else 0
            inside += (word in _OPENING) - (word in _CLOSING)
            if inside < 0:
                break
        return 0

    def single(self, depth: int) -> TypeExpr:
        """Parse one alternative with its prefixes and suffixes."""
        word = self.peek()
        while word and (word in _SILENT or word in ("&", "*", "?", "|", "!", "~")):
            self.at += 1
            word = self.peek()
        if word == "@":  # an annotation and its arguments
            self.at += 2
            if self.peek() == "(":
                self.arguments(")", depth)
            return self.single(depth)
        result = self.primary(word, depth)
        while True:
            word = self.peek()
            if word == "[" and self.peek(1) == "]":
                self.at += 2
                result = TypeExpr("[]", (result,))
            elif word == "...":
                self.at += 1
                result = TypeExpr("[]", (result,))
            elif word in ("?", "!", "*"):
                self.at += 1
            else:
                return result

    def primary(self, word: str, depth: int) -> TypeExpr:
        """Parse a name, a bracketed type or a function type."""
        self.at += 1
        if word in ("[", "...") or word in ("chan", "<-", "map"):
            return self.prefixed(word, depth)
        if word == "(":
            members = self.arguments(")", depth)
            if self.peek() in ("=>", "->"):
                self.at += 1
                return TypeExpr("->", (*members, self.union(depth + 1)))
            return members[0] if len(members) == 1 else TypeExpr("()", members)
        if word in ("func", "fn", "Fn", "FnMut", "FnOnce") and self.peek() == "(":
            return self.function(depth)
        if word == "typeof":
            return TypeExpr("typeof", (self.single(depth + 1),))
        if word in _EMPTY or not word or not (word[0].isalpha() or word[0] in "_$\\"):
            return self.shape(depth) if word == "{" else UNKNOWN
        if self.peek() in ("[", "<") and not (self.peek() == "[" and self.peek(1) == "]"):
            self.at += 1
            return TypeExpr(word, self.arguments("]" if self.tokens[self.at - 1] == "[" else ">", depth))
        return TypeExpr(word)

    def prefixed(self, word: str, depth: int) -> TypeExpr:
        """Parse a type after its prefix.

        The forms are ``[]T``, ``[3]T``, ``[size]T``, ``[T; 3]``, ``[A, B]``, ``...T``, ``chan T`` and ``map[K]V``.
        """
        if word == "map" and self.peek() == "[":
            self.at += 1
            key = self.arguments("]", depth)
            return TypeExpr("{}", (key[0] if key else UNKNOWN, self.single(depth + 1)))
        if word in ("...", "chan", "<-"):
            while self.peek() in ("chan", "<-"):
                self.at += 1
            return TypeExpr("[]", (self.single(depth + 1),))
        if word == "map":
            return TypeExpr(word, self.arguments(">", depth) if self._take("<") else ())
        if self.peek() == "]" or self.peek().isdigit():
            self.skip("[", "]")
            return TypeExpr("[]", (self.single(depth + 1),))
        members = self.arguments("]", depth)
        if len(members) == 1 and self._precedes_type():
            return TypeExpr("[]", (self.single(depth + 1),))
        return TypeExpr("[]", members) if len(members) == 1 else TypeExpr("()", members)

    def shape(self, depth: int) -> TypeExpr:
        """Parse the members of an object type: ``{ pool: Pool; run?(job: Job): void; [key: string]: Pool }``."""
        members: list[TypeExpr] = []
        while (word := self.peek()) not in ("", "}"):
            self.at += 1
            if word in (";", ",", "+", "-") or (word in ("readonly", "get", "set") and self.peek()[:1] not in _MARKS):
                continue
            if word == "[":
                self.skip("[", "]")
                word = "[]"
            while self.peek() in ("?", "-", "+"):
                self.at += 1
            if self._take("<"):
                self.skip("<", ">")
            if self.peek() == "(" and word != "[]":
                self.at += 1
                taken = self.arguments(")", depth + 1)
                result = self.union(depth + 1) if self._take(":") else UNKNOWN
                members.append(TypeExpr(word, (TypeExpr("->", (*taken, result)),)))
            elif self._take(":"):
                members.append(TypeExpr(word, (self.union(depth + 1),)))
            else:  # not an object type of TypeScript
                self.skip("{", "}")
                return UNKNOWN
        self.at += 1
        return TypeExpr("{:}", tuple(members)) if members else UNKNOWN

    def _precedes_type(self) -> bool:
        """Return True if the brackets before contained a length, as in ``[size]T``: then a type follows."""
        at, inside = self.at, 0
        while at < len(self.tokens) and (inside or self.tokens[at] == "["):  # ``[size][]T``
            inside += (self.tokens[at] == "[") - (self.tokens[at] == "]")
            at += 1
        word = self.tokens[at] if at < len(self.tokens) else ""
        return word == "*" or ((word[:1].isalpha() or word[:1] == "_") and word not in _SILENT)

    def function(self, depth: int) -> TypeExpr:
        """Parse a function type: ``func(A, B) R`` or ``Fn(A) -> R``."""
        self.at += 1
        members = self.arguments(")", depth)
        if self.peek() == "->":
            self.at += 1
        following = self.peek()
        starts = following and (following[0].isalpha() or following in "(*[&_")
        return TypeExpr("->", (*members, self.single(depth + 1) if starts else UNKNOWN))

    def arguments(self, close: str, depth: int) -> tuple[TypeExpr, ...]:
        """Parse the parts between brackets, after the opening bracket. ``name: Type`` is parsed as its type."""
        members: list[TypeExpr] = []
        while (word := self.peek()) and word != close:
            if word in (",", ";", "=", "..."):
                self.at += 1
                if word == ";":  # [T; 3]
                    self.skip("[", close)
                    return tuple(members)
                continue
            if self.peek(1) in (":", "=") or (self.peek(1) == "?" and self.peek(2) == ":"):
                self.at += 3 if self.peek(1) == "?" else 2
            before = self.at
            members.append(self.union(depth + 1))
            if self.at == before:
                self.at += 1
        self.at += 1
        return tuple(members)

    def skip(self, opening: str, close: str) -> None:
        """Skip the tokens up to the closing bracket; the opening bracket was consumed before."""
        depth = 1
        while self.at < len(self.tokens) and depth:
            word = self.tokens[self.at]
            depth += (word == opening) - (word == close)
            self.at += 1

    def _take(self, word: str) -> bool:
        if self.peek() == word:
            self.at += 1
            return True
        return False
