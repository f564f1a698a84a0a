"""Questions with their known answers, read from a JSON file beside a repository, and the symbols that these mean.

The file is an object, ``{"schema": 1, "questions": […]}``; docs/evaluation.md describes it. The whole file is checked
before a question is asked, and an error names the question by its number and id.

A name without a symbol, or with several symbols, is reported as a problem. It does not count in the measures.
"""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar, get_args, overload

from codeexplore.features.lab.evaluation.metrics import ACCEPTED, BEST, DEMANDED
from codeexplore.index.catalog import Catalog
from codeexplore.search.options import allowed_chunks
from codeexplore.source.manifests import project_settings
from codeexplore.source.safe_io import given_path, read_given
from codeexplore.text.enumeration import shortened
from codeexplore.types import SYMBOL_KINDS, Chunk, Filters, Symbol, settings
from codeexplore.types.errors import FixtureError

SUFFIX: Final = ".eval.json"
"""End of a fixture file's name: ``webshop.eval.json`` beside the folder ``webshop``."""
QuestionType: TypeAlias = Literal["needle", "ranking", "expansion"]
T = TypeVar("T")
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
    grades: Mapping[str, int] = field(default_factory=dict)  # name → 0 to 3; empty if `expected` alone is given

    @property
    def graded(self) -> tuple[tuple[str, int], ...]:
        """Each name with its grade, best first: the given grades, else 2 for expected and 1 for accepted names."""
        if self.grades:
            return tuple(sorted(self.grades.items(), key=lambda item: -item[1]))
        return (*((name, DEMANDED) for name in self.expected), *((name, ACCEPTED) for name in self.accepted))


class Questions(Sequence[T]):
    """Base class of records that are the sequence of their `questions`."""

    __slots__ = ()

    questions: tuple[T, ...]

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self.questions[index]

    def __len__(self) -> int:
        return len(self.questions)


@dataclass(frozen=True, slots=True)
class Fixtures(Questions[Question]):
    """The questions of one file, in the order of the file."""

    name: str
    questions: tuple[Question, ...]
    documents: Mapping[str, str] = field(default_factory=dict)  # path → id in the collection it was made of


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

    Raises FixtureError if the file can't be read, or a value in it is wrong; the message names the question and the
    problem.
    """
    path = given_path(path)
    return parse_fixtures(read_text(path, "fixtures").removeprefix("\ufeff"), path.name)


def read_text(path: Path, what: str) -> str:
    """Return the text of a file. Raises FixtureError, which says what can't be read."""
    try:
        return read_given(path).decode()
    except OSError as error:
        raise FixtureError(f"can't read the {what} {str(path)!r}: {error.strerror or error}; check the path") from error
    except UnicodeDecodeError as error:
        raise FixtureError(f"{path.name}: not UTF-8 (byte {error.start})") from error


def parse_fixtures(text: str, name: str = "fixtures") -> Fixtures:
    """Return the questions in `text`, as `load_fixtures` does. Errors call the text `name`. Raises FixtureError."""
    try:
        document = json.loads(text, object_pairs_hook=partial(_with_each_key_once, name))
    except json.JSONDecodeError as error:
        raise FixtureError(f"{name}:{error.lineno}: not JSON: {error.msg} (column {error.colno})") from error
    except RecursionError:
        raise FixtureError(f"{name}: nested too deeply to be a fixture file") from None
    if not isinstance(document, dict):
        raise FixtureError(f'{name}: expected {{"schema": 1, "questions": […]}}')
    if (schema := document.get("schema")) != FIXTURE_SCHEMA:
        said = "missing" if schema is None else _shown(schema)
        raise FixtureError(f'{name}: "schema" is {said}; this version reads {FIXTURE_SCHEMA}')
    rows = document.get("questions")
    if not isinstance(rows, list):
        raise FixtureError(f'{name}: "questions" must be an array')
    if not rows:
        raise FixtureError(f"{name}: there are no questions")
    questions: dict[str, Question] = {}
    for number, row in enumerate(rows, 1):
        checked = _Row(row, name, number)
        question = checked.question()
        if question.id in questions:
            raise checked.error("the id is taken by an earlier question")
        questions[question.id] = question
    ids = document.get("documents", {})
    if not isinstance(ids, dict) or not all(isinstance(each, str) for each in ids.values()):
        raise FixtureError(f'{name}: "documents" must map paths to the ids of a collection')
    return Fixtures(name, tuple(questions.values()), ids)


def _with_each_key_once(name: str, members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object. Of a key that occurs twice, one value would be lost: that raises FixtureError."""
    made = dict(members)
    if len(made) < len(members):
        twice = Counter(key for key, _ in members).most_common(1)[0][0]
        raise FixtureError(f"{name}: the key {twice!r} occurs twice in {_shown(made)}")
    return made


class _Row:
    """Checker for one question of a fixture file. It returns the question as a record."""

    def __init__(self, row: Any, name: str, number: int) -> None:
        self._row, self._name, self._number = row, name, number

    def question(self) -> Question:
        if not isinstance(self._row, dict):
            raise self.error(f"it must be an object, not {_shown(self._row)}")
        for key in self._row:
            if key not in _KEYS and not key.startswith(("_", "x-")):
                near = difflib.get_close_matches(key, _KEYS, n=1, cutoff=0.5)
                hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(_KEYS)}"
                raise self.error(f"unknown key {key!r}; {hint}")
        grades = self._grades()
        right = sorted((name for name, grade in grades.items() if grade >= DEMANDED), key=lambda name: -grades[name])
        accepted = [name for name, grade in grades.items() if grade == ACCEPTED]
        languages = self._names("languages", needed=False)
        kinds = dict.fromkeys(self._known("kind", each, SYMBOL_KINDS) for each in self._names("kinds", needed=False))
        return Question(
            id=self._text("id"),
            type=self._known("type", self._text("type"), QUESTION_TYPES),
            query=self._text("query"),
            expected=tuple(right) if grades else self._names("expected"),
            accepted=tuple(accepted) if grades else self._names("accepted", needed=False),
            top_k=self._count(),
            filters=Filters(self._scope(), languages, tuple(kinds), self._value("tests", True, bool)),
            note=self._text("note", "", empty=True),
            grades=grades,
        )

    def _grades(self) -> dict[str, int]:
        if "grades" not in self._row:
            return {}
        grades = self._row["grades"]
        if not isinstance(grades, dict):
            raise self.error(f'"grades" must be an object of names and grades, not {_shown(grades)}')
        for name, given in grades.items():
            if type(given) is not int or not 0 <= given <= BEST:
                raise self.error(f"the grade of {name!r} must be 0 to {BEST}, not {_shown(given)}")
        both = next((key for key in _ANSWERS if key in self._row), None)
        if both is not None:
            raise self.error(f'"{both}" can\'t be given with "grades", which says the same')
        if max(grades.values(), default=0) < DEMANDED:
            raise self.error(f'"grades" has no grade of {DEMANDED} or more: the question can\'t be scored')
        return dict(grades)

    def _known(self, what: str, given: str, known: Sequence[T]) -> T:
        found = next((each for each in known if each == given), None)
        if found is None:
            raise self.error(f"unknown {what} {_shown(given)}; known: {', '.join(map(str, known))}")
        return found

    def _count(self) -> int:
        count: int = self._value("top_k", settings.TOP_K, int)
        if not 1 <= count <= settings.POOL:
            raise self.error(f'"top_k" must be 1 to {settings.POOL}, not {count}')
        return count

    def _scope(self) -> tuple[str, ...]:
        if isinstance(self._row.get("scope", ""), str):
            scope = self._text("scope", "", empty=True)
            return (scope,) if scope else ()
        return self._names("scope", needed=False)

    def _names(self, key: str, needed: bool = True) -> tuple[str, ...]:
        if key not in self._row:
            if needed:
                raise self.error(f'"{key}" is missing: the symbols that answer the question')
            return ()
        names = self._row[key]
        if not isinstance(names, list):
            raise self.error(f'"{key}" must be an array of names, not {_shown(names)}')
        for item in names:
            if not isinstance(item, str) or not item.strip():
                raise self.error(f'"{key}" contains {_shown(item)}, which is not a name')
        if needed and not names:
            raise self.error(f'"{key}" is empty: a question without an answer can\'t be scored')
        return tuple(item.strip() for item in names)

    def _text(self, key: str, default: str = "", *, empty: bool = False) -> str:
        text: str = self._value(key, default, str)
        if not text.strip() and not empty:
            raise self.error(f'"{key}" is {"empty" if key in self._row else "missing"}')
        return text

    def _value(self, key: str, default: Any, kind: type) -> Any:
        if key not in self._row:
            return default
        value = self._row[key]
        if type(value) is not kind:  # a bool is an int to isinstance
            names = {str: "text", int: "a whole number", bool: "true or false"}
            raise self.error(f'"{key}" must be {names[kind]}, not {_shown(value)}')
        return value

    def error(self, what: str) -> FixtureError:
        known = self._row.get("id") if isinstance(self._row, dict) else None
        about = f" ({known!r:.80})" if isinstance(known, str) else ""
        return FixtureError(f"{self._name}: question {self._number}{about}: {what}")


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
        return Problem(question.id, name, kind, message)

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
