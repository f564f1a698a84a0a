"""Parsing with tree-sitter: from a text to its tree and captured nodes. No other module runs tree-sitter.

`parse_around_errors` and `parse_unwrapped` find definitions that tree-sitter's own error recovery loses: definitions
after a syntax error, and definitions inside a macro.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Generic, TypeVar

from codeexplore.interrupts import interrupts_first
from codeexplore.languages.base import Language, Wrapping

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query, QueryCursor, Tree

    from codeexplore.languages.extraction.expressions import Captures

_T = TypeVar("_T")


class Spares(Generic[_T]):
    """Pool of idle objects that can be used again. If all are in use, `make` makes a new one.

    A caller takes an object, and puts it back if no exception occurred during its use. After an exception, which
    includes Ctrl-C, the object is discarded, so that no object has to be reset. Threads never share an object. Taking
    and putting back are one atomic operation each, so there is no lock that a fork could leave locked.
    """

    def __init__(self, make: Callable[[], _T]) -> None:
        self._make = make
        self._free: list[_T] = []

    def take(self) -> _T:
        """Return an idle object, or a new one. No other caller uses it."""
        try:
            return self._free.pop()
        except IndexError:
            return self._make()

    def put(self, used: _T) -> None:
        """Put an object back. It must be ready for the next use."""
        self._free.append(used)


FILE_SECONDS = 10.0
"""Seconds of CPU time that tree-sitter may use for one file, with all retries. An ordinary file of a megabyte needs far
less."""

MATCH_LIMIT = 65_536
"""Most states of a query at one time. Beyond this limit, tree-sitter drops matches, so its memory stays bounded."""


MAX_DEPTH = 1_000
"""Levels of the tree that are searched; source written by people has fewer. The time of tree-sitter for a search and
for reading the parents of nodes grows with the square of the levels."""

DEEPEST, HEAVY = 5_000, 20_000
"""Levels, nodes. A tree is not searched at all if more than `DEEPEST` nested subtrees have `HEAVY` nodes or more. Even
skipping the nodes below `MAX_DEPTH` takes tree-sitter time proportional to the square of the depth."""

READ_BYTES = 16_384
"""Bytes that the parser gets in one call."""

NAME_BYTES = 64
"""Bytes that a predicate of a query gets in one call."""


_CAPTURE = re.compile(r"@([\w.]+)")


class GrammarError(Exception):
    """A grammar can't be loaded, or its query does not fit it. The language is left out with a warning."""


class ParseTimeout(Exception):
    """Parsing a file took longer than its time limit."""


class TooDeep(Exception):
    """A text is nested more deeply than its grammar supports."""


class Deadline:
    """Time limit for parsing one file, in seconds of CPU time of its thread, whatever else runs."""

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = FILE_SECONDS if seconds is None else seconds
        self._end = time.thread_time() + self.seconds
        self._earliest = time.monotonic() + self.seconds

    def passed(self, *_: object) -> bool:
        """Return True after the time limit.

        tree-sitter calls this function regularly, and stops parsing when the result is True. CPU time is read only
        after as much time of the clock, because reading it takes ten times as long.
        """
        return time.monotonic() > self._earliest and time.thread_time() > self._end

    def error(self, what: str) -> ParseTimeout:
        return ParseTimeout(f"{what} took longer than {self.seconds:g} s")


class Reader:
    """A parser, and the buffer through which it reads a text in pieces.

    The Python binding (0.26) never releases the buffers that it gets. Therefore it gets the same few memory views again
    and again. A parser reads one piece at a time. If it needs an earlier piece, it requests the piece again.
    """

    def __init__(self, parser: Parser) -> None:
        self.parser = parser
        self._held = memoryview(bytearray(READ_BYTES))
        self._views: dict[int, memoryview] = {}  # by size; only the last piece of a text is smaller than the buffer

    def over(self, data: bytes, offset: int) -> memoryview:
        """Return at most `READ_BYTES` bytes of `data` from `offset` on. They are valid until the next call."""
        stretch = data[offset : offset + READ_BYTES]
        size = len(stretch)
        view = self._views.get(size)
        if view is None:
            view = self._views[size] = self._held[:size]
        view[:] = stretch
        return view


@dataclass(frozen=True, slots=True)
class Grammar:
    """A loaded grammar and its idle parsers."""

    name: str
    readers: Spares[Reader]
    has_predicates: bool  # True if the query compares texts, for which the binding calls Python


@contextmanager
def _loading(language: Language) -> Iterator[None]:
    """Turn whatever a grammar package raises into a GrammarError: the other languages must still load."""
    try:
        with interrupts_first():
            yield
    except Exception as error:
        raise GrammarError(f"grammar {language.grammar!r} for {language.title} can't be used: {error}") from error


@cache
def grammar(language: Language) -> Grammar:
    """Load a language's grammar. Raises GrammarError if the grammar is missing, and OSError if a query file is."""
    query = language.tags() if language.grammar else ""
    with _loading(language):
        from tree_sitter import Parser
        from tree_sitter_language_pack import get_language

        loaded = get_language(language.grammar)  # type: ignore[arg-type]
        return Grammar(language.grammar, Spares(lambda: Reader(Parser(loaded))), "(#" in query)


def _compiled(language: Language) -> Query:
    """Return the language's compiled query. Raises GrammarError if it does not compile against the grammar."""
    query = language.tags() if language.grammar else ""
    with _loading(language):
        from tree_sitter import Query
        from tree_sitter_language_pack import get_language

        return Query(get_language(language.grammar), query)  # type: ignore[arg-type]


whole_query = cache(_compiled)


@cache
def outline_query(language: Language, needed: frozenset[str]) -> Query:
    """Return the language's query reduced to the patterns that find definitions, and those with a capture in `needed`.

    It takes three quarters of the time of the whole query. Captures whose names begin with ``_`` are kept too. Raises
    GrammarError as `whole_query` does.
    """
    query = _compiled(language)
    source = language.tags().encode()
    for number in range(query.pattern_count):
        pattern = source[query.start_byte_for_pattern(number) : query.end_byte_for_pattern(number)].decode()
        names = _CAPTURE.findall(pattern)
        if not any(name in needed or name.startswith(("definition.", "_")) for name in names):
            query.disable_pattern(number)
    return query


def parse(grammar: Grammar, data: bytes, deadline: Deadline | None = None) -> Tree:
    """Parse UTF-8 bytes. Thread-safe. An interrupt does not affect the next parse.

    Raises ParseTimeout if the deadline, by default `FILE_SECONDS` from now, has passed.
    """
    if b"\0" in data:
        data = data.replace(b"\0", b" ")  # the lexer treats NUL as the end of the file
    deadline = deadline or Deadline()

    reader = grammar.readers.take()
    parsed = False

    def read(offset: int, _point: object) -> bytes | memoryview:
        if parsed:  # later calls come from predicates of a query, which need bytes
            return data[offset : offset + NAME_BYTES]
        return reader.over(data, offset)

    try:
        with interrupts_first():  # a callback that is called after an interrupt wraps it once more
            tree = reader.parser.parse(read, progress_callback=deadline.passed)
    except ValueError as error:
        raise deadline.error("parsing") from error
    except SystemError as error:  # raised by the binding for an exception of a callback
        raise error.__cause__ or error from None
    finally:
        parsed = True
    grammar.readers.put(reader)  # only after success: a parser that was stopped would continue with its old text
    return tree


def check_depth(root: Node) -> None:
    """Raise TooDeep for a tree so deep that searching it would take quadratic time, as for a megabyte of minus signs.

    Only subtrees with at least `HEAVY` nodes are examined, so the check of an ordinary tree takes almost no time.
    """
    for _ in range(DEEPEST):
        if root.descendant_count < HEAVY:
            return
        root = max(root.children, key=lambda child: child.descendant_count)
    raise TooDeep(f"nested more than {DEEPEST:,} levels deep around {HEAVY:,} nodes")


def captures(grammar: Grammar, root: Node, query: Query) -> Captures:
    """Return the nodes that a query captures, down to depth `MAX_DEPTH`: name of the capture → nodes.

    `MATCH_LIMIT` and `MAX_DEPTH` limit the time of a query. The documented alternative, a progress callback, crashes
    the process in version 0.26 of the binding.
    """
    from tree_sitter import QueryCursor

    cursor = QueryCursor(query, match_limit=MATCH_LIMIT)
    cursor.set_max_start_depth(MAX_DEPTH)
    return _uninterrupted(cursor, root) if grammar.has_predicates else cursor.captures(root)


def _uninterrupted(cursor: QueryCursor, root: Node) -> Captures:
    """Return the captures of a query that runs in a thread of its own, because such a thread receives no signals.

    The binding (0.26) crashes if the read callback of a predicate raises an exception, as Ctrl-C would.
    """
    found: list[Captures] = []
    failed: list[Exception] = []

    def run() -> None:
        try:
            found.append(cursor.captures(root))
        except Exception as error:  # noqa: BLE001 - raised again by the caller
            failed.append(error)

    thread = threading.Thread(target=run, name="codeexplore-captures", daemon=True)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return found[0]


RETRIES = 4
"""Most attempts to parse a file again without the line of a syntax error."""

WRAPPED_DEPTH = 4
"""Most levels of nested macros that are removed."""

SWALLOWED_ROWS = 3
"""Line breaks. An ERROR node with at least as many may hide definitions."""


def parse_around_errors(
    grammar: Grammar, data: bytes, deadline: Deadline, first: Tree | None = None
) -> tuple[Tree, int]:
    """Parse a file, and find definitions after syntax errors. Return its tree and its number of syntax errors.

    If an error covers several lines, its first line is blanked and the text is parsed again. The result of a retry is
    used only if less of the text is in errors. A retry that takes too long is abandoned. The errors are counted in the
    original text. Offsets refer to `data`, because a blanked line keeps its length. `first` is the tree of `data` if it
    is known.
    """
    tree = first or parse(grammar, data, deadline)
    errors, swallowed = _errors(tree.root_node)
    for _ in range(RETRIES):
        worst = max(swallowed, key=_rows, default=None)
        if worst is None or _rows(worst) < SWALLOWED_ROWS:
            break
        retried = _blank_line(data, _first_error_byte(worst))
        if retried == data:
            break
        try:
            again = parse(grammar, retried, deadline)
        except ParseTimeout:  # the tree of the first parse is used
            break
        _, left = _errors(again.root_node)
        if sum(map(_rows, left)) >= sum(map(_rows, swallowed)):
            break
        data, tree, swallowed = retried, again, left
    return tree, errors


def parse_unwrapped(grammar: Grammar, language: Language, data: bytes) -> tuple[Tree, int]:
    """Parse a file, and find definitions inside macros. Return its tree and its number of syntax errors.

    The file is parsed by `parse_around_errors`. If macros hide definitions, the macros are blanked and the text is
    parsed again. First all macros are blanked; if this fails, only macros that contain plain source. The result is used
    if it has no more text in errors than the tree without blanking. Blanking keeps lines and offsets. Errors are
    counted without the macros. After the time limit, the best tree so far is used.

    If a text without its macros has no error, no line of it is blanked as `parse_around_errors` would do. Raises
    TooDeep if the text is nested too deeply for the grammar.
    """
    if language.bears is not None and not language.bears(data):
        raise TooDeep(f"nested more deeply than the grammar of {language.title} supports")
    deadline = Deadline()
    if language.wrappings is None:
        return parse_around_errors(grammar, data, deadline)
    first = parse(grammar, data, deadline)
    without: Tree | None = None  # the tree of the text without its macros
    tree, errors = first, _errors(first.root_node)[0]
    known = language.wrappings(first.root_node, data)
    kept: set[int] = set()
    try:
        if known and first.root_node.has_error:
            without = parse(grammar, _blank(data, known), deadline)
        if without is not None and not without.root_node.has_error:  # the macros cause all errors
            data, tree, errors = _blank(data, known), without, 0
        else:
            tree, errors = parse_around_errors(grammar, data, deadline, first)
        left = _badness(tree.root_node)
        for _ in range(WRAPPED_DEPTH):
            found = known
            if tree is not first:
                without = None
                found = [each for each in language.wrappings(tree.root_node, data) if each.start not in kept]
            if not found:
                break
            again, remaining = parse_around_errors(grammar, _blank(data, found), deadline, without)
            if _badness(again.root_node) > left:
                inner = (parse(grammar, data[each.inner_start : each.inner_end], deadline) for each in found)
                plain = [each for each, tree in zip(found, inner, strict=True) if not tree.root_node.has_error]
                kept.update(each.start for each in found if each not in plain)
                if not plain or len(plain) == len(found):
                    break
                found = plain
                again, remaining = parse_around_errors(grammar, _blank(data, plain), deadline)
                if _badness(again.root_node) > left:
                    break
            data, tree, left, errors = _blank(data, found), again, _badness(again.root_node), remaining
    except ParseTimeout:
        return tree, errors
    return tree, errors


def _badness(root: Node) -> tuple[int, int]:
    """Return the amount of text that could not be parsed: (rows in ERROR nodes, number of errors)."""
    count, found = _errors(root)
    return sum(map(_rows, found)), count


def _blank(data: bytes, wrappings: list[Wrapping]) -> bytes:
    text = bytearray(data)
    for each in wrappings:
        for start, end in ((each.start, each.inner_start), (each.inner_end, each.end)):
            text[start:end] = bytes(byte if byte in b"\r\n" else 0x20 for byte in data[start:end])
        if len(each.opening) == each.inner_start - each.start:
            text[each.start : each.inner_start] = each.opening
    return bytes(text)


def _blank_line(data: bytes, offset: int) -> bytes:
    start = data.rfind(b"\n", 0, offset) + 1
    end = data.find(b"\n", offset)
    end = len(data) if end < 0 else end
    return data[:start] + b" " * (end - start) + data[end:]


def _first_error_byte(error: Node) -> int:
    """Return the first byte of the actual error inside the node `error`.

    It is the start of the first ERROR or MISSING node inside `error`. If there is none, it is the start of `error`.
    """
    pending = list(error.children)
    first = error.start_byte
    while pending:
        node = pending.pop(0)
        if node.type == "ERROR" or node.is_missing:
            return node.start_byte
        if node.has_error:
            pending = list(node.children)
    return first


def _rows(node: Node) -> int:
    return node.end_point[0] - node.start_point[0]


def _errors(root: Node) -> tuple[int, list[Node]]:
    """Return the number of outermost ERROR and MISSING nodes in the tree, and the list of ERROR nodes."""
    if not root.has_error:
        return 0, []
    count, found, pending = 0, [], [root]
    while pending:
        node = pending.pop()
        if node.type == "ERROR":
            found.append(node)
            count += 1
        elif node.is_missing:
            count += node.type != ";"  # a macro may contain it
        elif node.has_error:
            pending.extend(node.children)
    return count, found
