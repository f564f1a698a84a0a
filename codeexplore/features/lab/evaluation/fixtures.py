"""Questions with their known answers, read from a JSON file beside a repository, and the symbols that these mean.

The file is an object, ``{"schema": 1, "questions": […]}``; docs/evaluation.md describes it. The whole file is checked
before a question is asked.

The JSON parser records the line of each value, so that an error can name the line. A name without a symbol, or with
several symbols, is reported as a problem. It does not count in the measures.
"""

from __future__ import annotations

import difflib
import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args, overload

from codeexplore.features.lab.evaluation.metrics import ACCEPTED, BEST, DEMANDED
from codeexplore.index.catalog import Catalog
from codeexplore.search.filters import allowed_chunks
from codeexplore.source.project_settings import project_settings
from codeexplore.source.safe_io import given_path, read_given
from codeexplore.text.enumeration import shortened
from codeexplore.types import SYMBOL_KINDS, Chunk, Filters, Symbol, settings
from codeexplore.types.errors import FixtureError

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Node:
    """One value of a JSON document with its line (1-based). An object has `members`, an array has `items`."""

    value: Any
    line: int
    members: Mapping[str, Node] = field(default_factory=dict)
    items: tuple[Node, ...] = ()


def parse_located(text: str, name: str) -> Node:
    """Parse a JSON document and return its root value.

    Raises FixtureError if the text is not JSON, or an object has a key twice. The message begins with `name` and the
    line.
    """
    try:
        json.loads(text)
        return _Walk(text, name).node(0)[0]
    except json.JSONDecodeError as error:
        raise FixtureError(f"{name}:{error.lineno}: not JSON: {error.msg} (column {error.colno})") from error
    except RecursionError:
        raise FixtureError(f"{name}:1: nested too deeply to be a fixture file") from None


class _Walk:
    """Second pass over a well-formed JSON document that records the line of each value."""

    def __init__(self, text: str, name: str) -> None:
        self._text, self._name = text, name
        self._ends = [match.start() for match in re.finditer("\n", text)]

    def node(self, start: int) -> tuple[Node, int]:
        at = self._skip(start)
        opening = self._text[at]
        if opening == "{":
            return self._object(at)
        if opening == "[":
            return self._array(at)
        value, end = _DECODER.raw_decode(self._text, at)
        return Node(value, self._line(at)), end

    def _object(self, start: int) -> tuple[Node, int]:
        members: dict[str, Node] = {}
        at = self._skip(start + 1)
        while self._text[at] != "}":
            key, end = _DECODER.raw_decode(self._text, at)
            if key in members:
                raise FixtureError(f"{self._name}:{self._line(at)}: the key {key!r} occurs twice")
            members[key], end = self.node(self._skip(end) + 1)  # past the colon
            at = self._after(end)
        value = {key: node.value for key, node in members.items()}
        return Node(value, self._line(start), members=members), at + 1

    def _array(self, start: int) -> tuple[Node, int]:
        items = []
        at = self._skip(start + 1)
        while self._text[at] != "]":
            node, end = self.node(at)
            items.append(node)
            at = self._after(end)
        return Node([node.value for node in items], self._line(start), items=tuple(items)), at + 1

    def _after(self, at: int) -> int:
        """Return the position of the next member or item, or of the closing bracket."""
        at = self._skip(at)
        return self._skip(at + 1) if self._text[at] == "," else at

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self._text, at)
        return at if match is None else match.end()

    def _line(self, at: int) -> int:
        return bisect_right(self._ends, at - 1) + 1


SUFFIX: Final = ".eval.json"
"""End of a fixture file's name: ``webshop.eval.json`` beside the folder ``webshop``."""
QuestionType: TypeAlias = Literal["needle", "ranking", "expansion"]
QUESTION_TYPES: Final[tuple[QuestionType, ...]] = get_args(QuestionType)


@dataclass(frozen=True, slots=True)
class Question:
    """One question and its expected symbols.

    `type` defines when the question is passed. A *needle* is passed if one symbol in `expected` is among the first
    `top_k` hits, a *ranking* if the first symbol in `expected` is among them, and an *expansion* if all symbols in
    `expected` are. Symbols in `accepted` are also right, but not required. `grades` are graded judgements (see
    `evaluation.judgements`); then `expected` has the names of grade 2 and 3, best first, and `accepted`
    those of grade 1.
    """

    id: str
    type: QuestionType
    query: str
    expected: tuple[str, ...]  # names for `Catalog.find`: qualified name, its unique end, or symbol id
    accepted: tuple[str, ...] = ()
    top_k: int = settings.TOP_K
    filters: Filters = field(default_factory=Filters)
    note: str = ""
    line: int = 0  # 1-based line in the fixture file; 0 without a file
    grades: Mapping[str, int] = field(default_factory=dict)  # name → 0 to 3; empty if `expected` alone is given

    @property
    def graded(self) -> tuple[tuple[str, int], ...]:
        """Each name with its grade, best first: the given grades, else 2 for expected and 1 for accepted names."""
        if self.grades:
            return tuple(sorted(self.grades.items(), key=lambda item: -item[1]))
        return (*((name, DEMANDED) for name in self.expected), *((name, ACCEPTED) for name in self.accepted))


@dataclass(frozen=True, slots=True)
class Fixtures(Sequence[Question]):
    """The questions of one file, in the order of the file."""

    name: str
    questions: tuple[Question, ...]

    @overload
    def __getitem__(self, index: int) -> Question: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Question, ...]: ...
    def __getitem__(self, index: int | slice) -> Question | tuple[Question, ...]:
        return self.questions[index]

    def __len__(self) -> int:
        return len(self.questions)

    def __iter__(self) -> Iterator[Question]:
        return iter(self.questions)


def find_fixtures(root: Path) -> Path:
    """Return the fixture file of the repository in the folder `root`.

    It is the one that its settings name (``evaluation`` of ``[tool.codeexplore]`` in pyproject.toml), else
    ``NAME.eval.json`` beside the folder, else ``codeexplore.eval.json`` in the folder.

    Raises FixtureError if neither file exists.
    """
    root = root.resolve()
    named = project_settings(root).evaluation
    if named and not (found := root / named).resolve().is_relative_to(root):
        raise FixtureError(f"{named!r}, the evaluation file in pyproject.toml, leads out of {str(root)!r}")
    if named:
        return found
    for path in (root.parent / f"{root.name}{SUFFIX}", root / f"codeexplore{SUFFIX}"):
        if path.is_file():
            return path
    raise FixtureError(
        f"no questions for {root.name!r}: write {root.name}{SUFFIX} beside the folder or codeexplore{SUFFIX} in it, "
        "or say where they are (docs/evaluation.md shows the format)"
    )


FIXTURE_SCHEMA: Final = 1
"""Version of our fixture format."""
_ANSWERS: Final = ("expected", "accepted")
_FILTERS: Final = ("scope", "kinds", "languages", "tests")
_KEYS: Final = ("id", "type", "query", *_ANSWERS, "grades", "top_k", *_FILTERS, "note")


def load_fixtures(path: str | Path) -> Fixtures:
    """Read and check a fixture file.

    Raises FixtureError if the file can't be read, or a value in it is wrong; the message names the line and the
    problem.
    """
    path = given_path(path)
    try:
        text = read_given(path).decode("utf-8-sig")
    except OSError as error:
        raise FixtureError(f"can't read the fixtures {str(path)!r}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise FixtureError(f"{path.name}: not UTF-8 (byte {error.start})") from error
    return parse_fixtures(text, path.name)


def parse_fixtures(text: str, name: str = "fixtures") -> Fixtures:
    """Return the questions in `text`, as `load_fixtures` does. Errors call the text `name`. Raises FixtureError."""
    document = parse_located(text, name)
    rows = _questions_of(document, name)
    if not rows.items:
        raise FixtureError(f"{name}:{rows.line}: there are no questions")
    lines: dict[str, int] = {}
    questions = []
    for number, row in enumerate(rows.items, 1):
        question = _Row(row, name, number).question()
        if question.id in lines:
            raise FixtureError(f"{name}:{row.line}: the id {question.id!r} is taken by line {lines[question.id]}")
        lines[question.id] = row.line
        questions.append(question)
    return Fixtures(name, tuple(questions))


def _questions_of(document: Node, name: str) -> Node:
    if not isinstance(document.value, dict):
        raise FixtureError(f'{name}:{document.line}: expected {{"schema": 1, "questions": […]}}')
    schema = document.members.get("schema")
    if schema is None or schema.value != FIXTURE_SCHEMA:
        line, value = (document.line, "missing") if schema is None else (schema.line, repr(schema.value))
        raise FixtureError(f'{name}:{line}: "schema" is {value}; this version reads {FIXTURE_SCHEMA}')
    questions = document.members.get("questions")
    if questions is None or not isinstance(questions.value, list):
        line = document.line if questions is None else questions.line
        raise FixtureError(f'{name}:{line}: "questions" must be an array')
    return questions


class _Row:
    """Checker for one question of a fixture file. It returns the question as a record."""

    def __init__(self, node: Node, name: str, number: int) -> None:
        self._node, self._name, self._number = node, name, number

    def question(self) -> Question:
        if not isinstance(self._node.value, dict):
            raise self._error(self._node, f"question {self._number} must be an object, not {_shown(self._node.value)}")
        for key, node in self._node.members.items():
            if key not in _KEYS and not key.startswith(("_", "x-")):
                near = difflib.get_close_matches(key, _KEYS, n=1, cutoff=0.5)
                hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(_KEYS)}"
                raise self._error(node, f"unknown key {key!r}; {hint}")
        grades = self._grades()
        right = sorted((name for name, grade in grades.items() if grade >= DEMANDED), key=lambda name: -grades[name])
        accepted = [name for name, grade in grades.items() if grade == ACCEPTED]
        languages = self._names("languages", needed=False)
        return Question(
            id=self._text("id"),
            type=self._type(),
            query=self._text("query"),
            expected=tuple(right) if grades else self._names("expected"),
            accepted=tuple(accepted) if grades else self._names("accepted", needed=False),
            top_k=self._count(),
            filters=Filters(self._scope(), languages, self._kinds(), self._value("tests", True, bool)),
            note=self._text("note", "", empty=True),
            line=self._node.line,
            grades=grades,
        )

    def _grades(self) -> dict[str, int]:
        node = self._node.members.get("grades")
        if node is None:
            return {}
        if not isinstance(node.value, dict):
            raise self._error(node, f'"grades" must be an object of names and grades, not {_shown(node.value)}')
        for name, given in node.members.items():
            if type(given.value) is not int or not 0 <= given.value <= BEST:
                raise self._error(given, f"the grade of {name!r} must be 0 to {BEST}, not {_shown(given.value)}")
        both = next((key for key in _ANSWERS if key in self._node.members), None)
        if both is not None:
            raise self._error(self._at(both), f'"{both}" can\'t be given with "grades", which says the same')
        if max(node.value.values(), default=0) < DEMANDED:
            raise self._error(node, f'"grades" has no grade of {DEMANDED} or more: the question can\'t be scored')
        return dict(node.value)

    def _type(self) -> QuestionType:
        given = self._text("type")
        found = next((each for each in QUESTION_TYPES if each == given), None)
        if found is None:
            raise self._error(self._at("type"), f"unknown type {_shown(given)}; known: {', '.join(QUESTION_TYPES)}")
        return found

    def _count(self) -> int:
        count: int = self._value("top_k", settings.TOP_K, int)
        if not 1 <= count <= settings.POOL:
            raise self._error(self._at("top_k"), f'"top_k" must be 1 to {settings.POOL}, not {count}')
        return count

    def _scope(self) -> tuple[str, ...]:
        if isinstance(getattr(self._node.members.get("scope"), "value", ""), str):
            scope = self._text("scope", "", empty=True)
            return (scope,) if scope else ()
        return self._names("scope", needed=False)

    def _kinds(self) -> tuple[str, ...]:
        kinds = self._names("kinds", needed=False)
        for kind in kinds:
            if kind not in SYMBOL_KINDS:
                raise self._error(self._at("kinds"), f"unknown kind {kind!r}; known: {', '.join(SYMBOL_KINDS)}")
        return tuple(dict.fromkeys(kinds))

    def _names(self, key: str, needed: bool = True) -> tuple[str, ...]:
        node = self._node.members.get(key)
        if node is None:
            if needed:
                raise self._error(self._node, f'"{key}" is missing: the symbols that answer the question')
            return ()
        if not isinstance(node.value, list):
            raise self._error(node, f'"{key}" must be an array of names, not {_shown(node.value)}')
        for item in node.items:
            if not isinstance(item.value, str) or not item.value.strip():
                raise self._error(item, f'"{key}" contains {_shown(item.value)}, which is not a name')
        if needed and not node.items:
            raise self._error(node, f'"{key}" is empty: a question without an answer can\'t be scored')
        return tuple(item.value.strip() for item in node.items)

    def _text(self, key: str, default: str = "", *, empty: bool = False) -> str:
        text: str = self._value(key, default, str)
        if not text.strip() and not empty:
            raise self._error(self._at(key), f'"{key}" is {"empty" if key in self._node.members else "missing"}')
        return text

    def _value(self, key: str, default: Any, kind: type) -> Any:
        node = self._node.members.get(key)
        if node is None:
            return default
        if type(node.value) is not kind:  # a bool is an int to isinstance
            names = {str: "text", int: "a whole number", bool: "true or false"}
            raise self._error(node, f'"{key}" must be {names[kind]}, not {_shown(node.value)}')
        return node.value

    def _at(self, key: str) -> Node:
        return self._node.members.get(key, self._node)

    def _error(self, node: Node, what: str) -> FixtureError:
        known = self._node.members.get("id") if isinstance(self._node.value, dict) else None
        about = f" (question {known.value!r})" if known is not None and isinstance(known.value, str) else ""
        return FixtureError(f"{self._name}:{node.line}: {what}{about}")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


_MOST_SHOWN = 6
ProblemKind: TypeAlias = Literal["gone", "unsearchable", "filtered", "ambiguous"]


@dataclass(frozen=True, slots=True)
class Target:
    """One right answer: the name in the fixture file, its symbol, and the document that a ranking shows for it.

    A symbol that is too small for a chunk of its own is shown as part of the symbol around it. `document` is then the
    id of the outer symbol.
    """

    name: str
    grade: int  # 0 to 3: see `metrics`
    symbol_id: str
    document: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A name that cannot be judged, with the reason. It is reported and does not count in the measures."""

    question_id: str
    name: str
    kind: ProblemKind
    message: str
    line: int  # line of the question in its file; 0 without a file


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with its targets, the highest grade first; those of equal grade are in the fixture's order."""

    question: Question
    targets: tuple[Target, ...]
    problems: tuple[Problem, ...]

    @property
    def grades(self) -> dict[str, int]:
        """Document → grade. If several names share a document, it has the highest of their grades."""
        grades: dict[str, int] = {}
        for target in self.targets:
            grades[target.document] = max(target.grade, grades.get(target.document, 0))
        return grades

    @property
    def scorable(self) -> bool:
        """True if the needed symbols exist: the first expected symbol for a ranking, else any expected symbol."""
        demanded = [target.name for target in self.targets if target.grade >= DEMANDED]
        if self.question.type == "ranking":
            return bool(demanded) and demanded[0] == self.question.expected[0]
        return bool(demanded)


def document_of(chunk: Chunk) -> str:
    """Return the document id of a chunk for runs and qrels: the id of its symbol, or else its path and first line."""
    return chunk.symbol if chunk.symbol is not None else f"{chunk.path}:{chunk.start_line}"


def name_of(chunk: Chunk, catalog: Catalog) -> str:
    """Return the qualified name of a chunk's symbol, or else the chunk's path and first line."""
    symbol = catalog.symbol_of(chunk)
    return f"{chunk.path}:{chunk.start_line}" if symbol is None else symbol.fqn


def judge(question: Question, catalog: Catalog) -> Judged:
    """Return the question with the symbols that its names mean, and with the names that cannot be judged."""
    targets: list[Target] = []
    problems: list[Problem] = []
    for name, grade in question.graded:
        found = _meant(name, question, catalog)
        if isinstance(found, Problem):
            problems.append(found)
        else:
            targets.append(Target(name, grade, *found))
    return Judged(question, tuple(targets), tuple(problems))


def _meant(name: str, question: Question, catalog: Catalog) -> tuple[str, str] | Problem:
    """Return the ids of the symbol and of its document, or the reason why there is none."""

    def problem(kind: ProblemKind, message: str) -> Problem:
        return Problem(question.id, name, kind, message, question.line)

    everywhere = catalog.meant(name)
    if not everywhere and question.grades and _is_part_of_file(name, catalog):
        return name, name
    if not everywhere:
        nearest = catalog.nearest(name)
        hint = f"; the nearest names are {', '.join(nearest)}" if nearest else ""
        return problem("gone", f"no symbol is called {name!r}{hint}")
    shown = [(symbol, chunk) for symbol in everywhere if (chunk := catalog.chunk_for(symbol.id)) is not None]
    if not shown:
        what = f"{name!r} is {_listed(everywhere)}"
        return problem("unsearchable", f"{what}, which has no text of its own to be found by")
    allowed = allowed_chunks(question.filters, catalog)
    passing = [pair for pair in shown if allowed is None or allowed[catalog.chunk_row(pair[1].id)]]
    if not passing:
        return problem("filtered", f"{name!r} is {_listed([shown[0][0]])}, which the question's own filters leave out")
    if len(passing) > 1:
        listed = _listed([symbol for symbol, _ in passing])
        what = f"{name!r} may mean {len(passing)} symbols"
        return problem("ambiguous", f"{what}; give a longer name or an id: {listed}")
    symbol, chunk = passing[0]
    return symbol.id, document_of(chunk)


def _is_part_of_file(name: str, catalog: Catalog) -> bool:
    """Return True if `name` is the document id of a chunk without a symbol: its path and first line."""
    path, _, line = name.rpartition(":")
    if not line.isdecimal():
        return False
    return any(document_of(chunk) == name for chunk in catalog.chunks_in(path))


def _listed(symbols: Sequence[Symbol]) -> str:
    return shortened([symbol.id for symbol in symbols], _MOST_SHOWN)
