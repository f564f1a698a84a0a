"""Candidates of a pack: the symbols that answer the question, and the symbols that help to understand them.

An *answer* is a hit of the question, or a symbol that was asked for. Its *share* is its part of the scores of all
answers. Every candidate has a value and several levels of detail. A *level* is a set of numbered lines of files. A
candidate has one of four roles:

- ``answer``: an answer. Its most detailed level is its whole body; before it comes the slice of the body around the
  words of the question, with the lines that open the blocks around them.
- ``needed``: a symbol that an answer calls, extends, reads or names as a type. It is shown by its signature, also with
  the first sentence of its documentation. A constant is shown by its line.
- ``user``: a symbol that calls or uses an answer, such as a test. It is shown by the line of the use.
- ``beside``: another definition in a file of an answer. It is shown by its name, as in an outline.

The value of a symbol is its share plus its personalised PageRank. This is a random walk over the edges of the graph,
weighted by kind and confidence, that restarts at the answers in proportion to their shares.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from codeexplore.answers.wording import cut, first_sentence, one_line
from codeexplore.graph.surveys import USING
from codeexplore.index.qualified_names import last_two, name_parts
from codeexplore.text.tokens import tokenize, tokenize_question
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Chunk, SourceFile, Symbol
from codeexplore.types.settings import RESOLVED_CONFIDENCE
from codeexplore.types.visible import visible

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.index.catalog import Catalog

Role: TypeAlias = Literal["answer", "needed", "user", "beside"]
Form: TypeAlias = Literal["source", "signature", "use"]

WORTH: Final[Mapping[str, float]] = {"signature": 0.1, "documented": 0.15, "slice": 0.3, "body": 1.0}
"""Share of an answer's value that a level of detail has."""

NEEDED_WORTH: Final[Mapping[str, float]] = {"signature": 0.8, "documented": 1.0}
"""The same for what an answer needs: its body is not."""

CONTEXT: Final = 0.3
"""Weight of the personalised PageRank beside the shares of the answers. On twelve bug reports 0.1 and 0.3 hold the same
edited functions at 1,000, 4,000 and 16,000 tokens, and 0.3 names more of their callers at 16,000 (.875, .792)."""

_LEAST_SHARE: Final = 0.01  # of the answers' scores in a file of which an outline is worth a line
_MOST_CHARS: Final = 400  # of one line: generated code has lines of megabytes
_WORD: Final = re.compile(r"\w+")
_LEAST_SLICED: Final = 12  # lines of a body; a shorter one is shown whole or not at all
_MOST_SLICED: Final = 6  # lines of a slice that are chosen for their words
_MOST_TOKENISED: Final = 400  # lines of a body that are looked at


class Line(NamedTuple):
    """A line of a pack. Its text contains no invisible characters and no newline."""

    path: str
    number: int  # 1-based, in the file
    text: str
    form: Form


class Answer(NamedTuple):
    """A ranked symbol, or a part of a file that belongs to no symbol. `share` is its part of all scores, 0 to 1."""

    symbol: Symbol | None
    chunk: Chunk | None
    share: float


@dataclass(frozen=True, slots=True)
class Candidate:
    name: str
    path: str
    line: int
    role: Role
    value: float
    levels: Mapping[str, tuple[Line, ...]]  # name of each level → its lines, least detailed first

    def worth(self, level: str) -> float:
        table = WORTH if self.role == "answer" else NEEDED_WORTH
        return self.value * table.get(level, 1.0)


class Candidates:
    """Lists the candidates of a pack.

    If the graph is None, because references are not resolved yet, only answers are candidates. With `tests` False, test
    files are left out. Slices are about `question`; `imports` has the lines of a file that import something.
    """

    def __init__(
        self,
        catalog: Catalog,
        sources: Mapping[str, SourceFile],
        graph: CodeGraph | None,
        *,
        tests: bool = True,
        question: str = "",
        imports: Callable[[str], Collection[int]] = lambda path: (),  # noqa: ARG005
    ) -> None:
        self._catalog, self._graph, self._tests = catalog, graph, tests
        self._words, self._imports = frozenset(tokenize_question(question)), imports
        self._lines = cache(lambda path: [line.rstrip() for line in sources[path].text.split("\n")])

    def of(self, answers: Sequence[Answer]) -> list[Candidate]:
        """Return the answers in their order, then the other candidates, the most valuable first."""
        wanted = {a.symbol.id for a in answers if a.symbol is not None}
        ranks, links = self._walked(answers) if self._graph is not None else ({}, {})
        found = [self._answer(a, ranks.get(a.symbol.id, 0.0) if a.symbol is not None else 0.0) for a in answers]
        others = [
            made
            for symbol_id, link in links.items()
            if symbol_id not in wanted and (made := self._other(symbol_id, link, ranks[symbol_id])) is not None
        ]
        others += self._constants(answers, wanted | links.keys())
        others += self._beside(answers, wanted | links.keys())
        return [*found, *sorted(others, key=lambda c: (-c.value, c.path, c.line, c.name))]

    # ----------------------------------------------------------------- values

    def _walked(self, answers: Sequence[Answer]) -> tuple[dict[str, float], dict[str, _Link]]:
        """Return the personalised PageRank by symbol id, and the strongest edge of each neighbour to an answer."""
        graph = self._graph
        assert graph is not None
        shares = {graph.vertex(a.symbol.id): a.share for a in answers if a.symbol is not None}
        if not any(shares.values()):
            return {}, {}
        rows, links = dict[int, None](), dict[str, _Link]()
        for vertex, share in shares.items():
            for row in graph.incident(vertex, "both", USING):
                other = graph.other(row, vertex)
                if not self._tests and graph.catalog.roles.is_test_symbol(graph.symbol(other)):
                    continue
                rows[row] = None
                link = _Link(row, graph.edges.source[row] == vertex, share * graph.weights[row])
                known = links.get(graph.symbol(other).id)
                if other != vertex and (known is None or (link.needed, link.weight) > (known.needed, known.weight)):
                    links[graph.symbol(other).id] = link
        ends = {end for row in rows for end in (graph.edges.source[row], graph.edges.target[row])}
        vertices = sorted(ends | shares.keys())
        ranks = graph.personalised(vertices, list(rows), shares)
        return {graph.symbol(v).id: rank for v, rank in zip(vertices, ranks, strict=True)}, links

    # ----------------------------------------------------------------- candidates

    def _answer(self, answer: Answer, rank: float) -> Candidate:
        symbol, chunk = answer.symbol, answer.chunk
        if symbol is None:
            assert chunk is not None
            levels = {"body": tuple(self._source(chunk.path, self._saying(chunk.path, _numbers([chunk]))))}
            place = f"{chunk.path}:{chunk.start_line}"
            return Candidate(place, chunk.path, chunk.start_line, "answer", answer.share + CONTEXT * rank, levels)
        body = [n for n in self._body(symbol) if self._text(symbol.path, n).strip()]
        if symbol.kind == "module":
            body = self._saying(symbol.path, body)
        levels = self._heads(symbol)
        if len(body) >= _LEAST_SLICED and (shown := self._slice(symbol, body)):
            head = () if symbol.line in shown else (self._head(symbol),)
            levels["slice"] = (*self._owners(symbol), *head, *self._source(symbol.path, shown))
        levels["body"] = (*self._owners(symbol), *self._source(symbol.path, body))
        return Candidate(symbol.fqn, symbol.path, symbol.line, "answer", answer.share + CONTEXT * rank, levels)

    def _other(self, symbol_id: str, link: _Link, rank: float) -> Candidate | None:
        graph = self._graph
        assert graph is not None
        symbol, edge = self._catalog.symbol(symbol_id), graph.edge(link.row)
        possible = edge.confidence < RESOLVED_CONFIDENCE - 1e-6
        if link.needed:
            if symbol.kind in CALLABLE_KINDS | TYPE_KINDS:
                levels = self._heads(symbol)
            elif symbol.kind in ("constant", "field"):
                levels = {"signature": tuple(self._source(symbol.path, [symbol.line]))}
            else:
                return None  # a module that is used as a value says nothing
            if possible:
                levels = {
                    n: (*above, last._replace(text=f"{last.text} (possible)")) for n, (*above, last) in levels.items()
                }
            return Candidate(symbol.fqn, symbol.path, symbol.line, "needed", CONTEXT * rank, levels)
        if not edge.sites:
            return None
        site = edge.sites[0]
        used = one_line(last_two(self._catalog.symbol(edge.target).fqn))
        note = f"{'possibly ' if possible else ''}uses {used}" + (", a test" if edge.in_test else "")
        where = "" if symbol.kind == "module" else f"in {one_line('.'.join(name_parts(symbol.fqn)[-2:]))}: "
        lines = [
            Line(line.path, line.number, f"{where}{line.text.strip()} … {note}", "use")
            for line in self._source(site.path, [site.line])
        ]
        return Candidate(symbol.fqn, site.path, site.line, "user", CONTEXT * rank, {"use": tuple(lines)})

    def _constants(self, answers: Sequence[Answer], known: Collection[str]) -> Iterator[Candidate]:
        """Yield the constants that an answer in the same file names. The graph has no edges to them: names decide."""
        shares: dict[str, tuple[Symbol, float]] = {}
        by_file: dict[str, dict[str, Symbol]] = {}
        for answer in answers:
            symbol = answer.symbol
            if symbol is None or symbol.kind not in CALLABLE_KINDS | TYPE_KINDS:
                continue
            if symbol.path not in by_file:
                inside = self._catalog.in_file(symbol.path)
                by_file[symbol.path] = {s.name: s for s in inside if s.kind == "constant" and s.id not in known}
            constants = by_file[symbol.path]
            words = {word for n in self._body(symbol) for word in _WORD.findall(self._text(symbol.path, n))}
            for constant in (constants[word] for word in constants.keys() & words):
                _, share = shares.get(constant.id, (constant, 0.0))
                shares[constant.id] = constant, share + answer.share
        for constant, share in shares.values():
            levels = {"signature": tuple(self._source(constant.path, [constant.line]))}
            yield Candidate(constant.fqn, constant.path, constant.line, "needed", CONTEXT * share, levels)

    def _beside(self, answers: Sequence[Answer], known: Collection[str]) -> Iterator[Candidate]:
        """Yield the other definitions in each file whose answers have a share of at least `_LEAST_SHARE` together."""
        shares: dict[str, float] = {}
        for answer in answers:
            if answer.symbol is not None:
                shares[answer.symbol.path] = shares.get(answer.symbol.path, 0.0) + answer.share
        for path, share in shares.items():
            if share < _LEAST_SHARE:
                continue
            inside = [s for s in self._catalog.in_file(path) if s.kind in CALLABLE_KINDS | TYPE_KINDS]
            named = [s for s in inside if s.kind != "lambda" and s.id not in known]
            for symbol in named:
                text = f"{self._indent(symbol)}{cut(one_line(symbol.name), _MOST_CHARS)} …"
                levels = {"name": (Line(path, symbol.line, text, "signature"),)}
                value = CONTEXT * share / len(inside)
                yield Candidate(symbol.fqn, path, symbol.line, "beside", value, levels)

    # ----------------------------------------------------------------- lines

    def _heads(self, symbol: Symbol) -> dict[str, tuple[Line, ...]]:
        owners = self._owners(symbol)
        head = self._head(symbol)
        levels = {"signature": (*owners, head)}
        if said := first_sentence(symbol.doc):
            levels["documented"] = (*owners, head._replace(text=f"{head.text} {said}"))
        return levels

    def _head(self, symbol: Symbol) -> Line:
        text = cut(one_line(symbol.signature or symbol.name), _MOST_CHARS)
        return Line(symbol.path, symbol.line, f"{self._indent(symbol)}{text} …", "signature")

    def _indent(self, symbol: Symbol) -> str:
        source = self._text(symbol.path, symbol.line)
        return visible(source[: len(source) - len(source.lstrip())])

    def _owners(self, symbol: Symbol) -> tuple[Line, ...]:
        """Return the signature lines of the types around a member, outermost first. They show where it belongs."""
        types = (each for each in self._catalog.all_around(symbol) if each.kind in TYPE_KINDS)
        return tuple(map(self._head, types))[::-1]

    def _body(self, symbol: Symbol) -> Iterable[int]:
        """Return the line numbers of a symbol: all lines of a function, or for a type the lines outside its members."""
        chunks = self._catalog.chunks_of(symbol.id)
        if symbol.kind in CALLABLE_KINDS or not chunks:
            return symbol.span.lines
        return _numbers(chunks)

    def _saying(self, path: str, numbers: Iterable[int]) -> list[int]:
        """Return the lines without imports, with the lines that continue them, and without lines of brackets alone."""
        imports, found, inside = self._imports(path), [], False
        for number in numbers:
            text = self._text(path, number)
            inside = number in imports or (inside and (text[:1].isspace() or _WORD.search(text) is None))
            if not inside and _WORD.search(text):
                found.append(number)
        return found

    def _slice(self, symbol: Symbol, body: Sequence[int]) -> list[int]:
        """Return the lines of a body with the rarest words of the question, their neighbours and the blocks around."""
        held = {
            n: self._words.intersection(tokenize(self._text(symbol.path, n)))
            for n in body[:_MOST_TOKENISED]
            if n != symbol.line
        }
        spread = Counter(word for words in held.values() for word in words)
        worth = {n: sum(1 / spread[word] for word in words) for n, words in held.items() if words}
        place = {n: i for i, n in enumerate(body)}
        shown = set[int]()
        for number in sorted(worth, key=lambda n: (-worth[n], n))[:_MOST_SLICED]:
            shown.update(body[max(0, place[number] - 1) : place[number] + 2])
            depth = self._depth(symbol.path, number)
            for above in reversed(body[: place[number]]):
                if (depth_above := self._depth(symbol.path, above)) < depth:
                    shown.add(above)
                    depth = depth_above
        return [n for n in sorted(shown) if _WORD.search(self._text(symbol.path, n))]

    def _depth(self, path: str, number: int) -> int:
        """Return the indentation of a line; that of a line of brackets alone is endless, as it opens no block."""
        text = self._text(path, number)
        return len(text) - len(text.lstrip()) if _WORD.search(text) else len(text) + _MOST_CHARS

    def _source(self, path: str, numbers: Iterable[int]) -> Iterator[Line]:
        """Yield the given lines of a file as they are in the source. Blank lines are left out."""
        for number in numbers:
            text = self._text(path, number)
            if text.strip():
                yield Line(path, number, cut(visible(text).replace("\n", " "), _MOST_CHARS), "source")

    def _text(self, path: str, number: int) -> str:
        lines = self._lines(path)
        return lines[number - 1] if number <= len(lines) else ""


class _Link(NamedTuple):
    """The edge between a neighbour and an answer. `needed` is True if it leads from the answer to the neighbour."""

    row: int
    needed: bool
    weight: float


def _numbers(chunks: Iterable[Chunk]) -> list[int]:
    spans = [span for chunk in chunks for span in chunk.spans]
    return sorted({line for span in spans for line in span.lines})
