"""Relevance judgements of a person: the pool of hits to grade, and the grades in a file and in other formats.

A pool gathers hits from several settings of the search. Each setting answers each question, and the first hits of all
answers are put together. Nobody has to judge the whole repository, and no setting has an advantage, as long as its own
hits are in the pool. Source: Spärck Jones and van Rijsbergen, "Report on the need for and provision of an 'ideal'
information retrieval test collection", 1975; used by TREC since 1992.

The file of the grades has one JSON object in each line: first the judge and the repository, then each grade in the
order in which it was given. A hit that was graded twice has the later grade. Undo removes the last line. A
`JudgingSession` gives grades to the hits of a pool; the notebook widget and the command use it. Grades are also read
and written in the format of TREC, and written in that of fixtures.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import unquote

from codeexplore.answers.source import SourceView
from codeexplore.features.lab.evaluation.fixtures import (
    FIXTURE_SCHEMA,
    Fixtures,
    Question,
    Questions,
    document_of,
    load_fixtures,
    name_of,
    parse_fixtures,
    read_text,
)
from codeexplore.features.lab.evaluation.metrics import BEST, DEMANDED
from codeexplore.features.lab.evaluation.results import qrels_line
from codeexplore.features.lab.evaluation.setting import Setting
from codeexplore.search.options import check_count
from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.source.safe_io import cache_folder, given_path, make_private, read_given, write_whole
from codeexplore.types import LANES, SCHEMA_VERSION
from codeexplore.types.errors import FixtureError, QuestionError
from codeexplore.types.rows import grouped

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog
    from codeexplore.types import Chunk
    from codeexplore.workspace.workspace import Workspace

DEPTH: Final = 10
"""Hits of each answer in a pool: as many as a reader of an answer looks at."""

_NOT_IN_IDS = re.compile(r"[^\w.]+")


@dataclass(frozen=True, slots=True)
class PooledHit:
    """One hit to judge. `document` is its id in runs and qrels, see `fixtures.document_of`."""

    document: str
    name: str
    kind: str
    source: SourceView


@dataclass(frozen=True, slots=True)
class PooledQuestion:
    """A question with its hits, in the order in which they are judged."""

    question: Question
    hits: tuple[PooledHit, ...]


@dataclass(frozen=True, slots=True)
class Pool(Questions[PooledQuestion]):
    """The hits of several settings for each question. Each hit is in it once, however many settings returned it."""

    workspace: str
    depth: int
    settings: tuple[str, ...]
    questions: tuple[PooledQuestion, ...]

    @property
    def size(self) -> int:
        return sum(len(each.hits) for each in self.questions)

    def hit(self, question_id: str, document: str) -> PooledHit | None:
        """Return a hit by the id of its question and its document; None if it is not in the pool."""
        found = (each for each in self.questions if each.question.id == question_id)
        return next((hit for each in found for hit in each.hits if hit.document == document), None)

    def shuffled(self, seed: str) -> Pool:
        """Return the pool with the hits of each question in another order. Equal seeds give equal orders.

        The order of the hits does not depend on the settings that found them, so it tells a judge nothing.
        """
        questions = []
        for each in self.questions:
            hits = sorted(each.hits, key=lambda hit: hit.document)
            random.Random(f"{seed}\0{each.question.id}").shuffle(hits)
            questions.append(replace(each, hits=tuple(hits)))
        return replace(self, questions=tuple(questions))


def pooled_settings(lanes: Iterable[str] | None = None, fusions: Iterable[str] | None = None) -> tuple[Setting, ...]:
    """Return the settings whose hits a pool has: each lane alone, each fusion of the lanes, and both with all signals.

    None stands for all of them. Raises QuestionError if a lane or fusion does not exist, or there is no lane.
    """
    chosen = tuple(dict.fromkeys(LANES if lanes is None else lanes))
    fused = tuple(dict.fromkeys(FUSIONS if fusions is None else fusions))
    for what, given, known in (("lane", chosen, LANES), ("fusion", fused, tuple(FUSIONS))):
        wrong = next((each for each in given if each not in known), None)
        if wrong is not None:
            raise QuestionError(f"unknown {what} {wrong!r:.80}; known: {', '.join(known)}")
    if not chosen:
        raise QuestionError(f"a pool needs at least one lane of: {', '.join(LANES)}")
    alone = [Setting(lanes=(lane,), signals=False) for lane in chosen]
    if len(chosen) == 1:
        return tuple(alone)
    together = [Setting(lanes=chosen, fusion=fusion, signals=False) for fusion in fused]
    return (*alone, *together, Setting(lanes=chosen))


def questions_of(given: Fixtures | Sequence[Question | str] | str | Path) -> tuple[Question, ...]:
    """Return questions from a fixture file, from texts, or from questions.

    The id of a text is made from its words, so that judgements of it are found again in another order of questions.

    Raises QuestionError if there is no question, one is empty, or two have the same id; FixtureError if the fixture
    file is not usable.
    """
    if isinstance(given, Path) or (isinstance(given, str) and given.endswith(".json")):
        return load_fixtures(given).questions
    listed = [given] if isinstance(given, str) else list(given)
    questions = [_asked(each) for each in listed]
    if not questions:
        raise QuestionError("there are no questions: give texts, questions or the path of a fixture file")
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise QuestionError(f"two questions have the id {question.id!r}; give each question once")
        seen.add(question.id)
    return tuple(questions)


def make_pool(
    workspace: Workspace,
    questions: Fixtures | Sequence[Question | str] | str | Path,
    depth: int = DEPTH,
    settings: Iterable[Setting | str] | None = None,
) -> Pool:
    """Ask each question in each setting, and return the pool of the first hits.

    Raises QuestionError if a setting or the depth is wrong, or a question cannot be asked; FixtureError if the fixture
    file is not usable.

    `depth` is the number of hits taken from each answer; see `pooled_settings` for the default settings.
    """
    check_count("depth", depth)
    asked = questions_of(questions)
    given = pooled_settings() if settings is None else settings
    chosen = tuple(Setting.parse(each) if isinstance(each, str) else each for each in given)
    if not chosen:
        raise QuestionError("a pool needs at least one setting")
    _ = workspace.graph  # wait for the graph, so that the graph lane answers
    engines = [(setting, setting.engine(workspace.engine)) for setting in chosen]
    catalog = engines[0][1].catalog
    pooled = []
    for question in asked:
        found: dict[str, Chunk] = {}
        for setting, engine in engines:
            result = engine.search(question.query, top_k=depth, filters=question.filters, **setting.options())
            for hit in result.hits:
                chunk = catalog.chunk(hit.chunk_id)
                found.setdefault(document_of(chunk), chunk)
        pooled.append(PooledQuestion(question, tuple(_pooled(each, workspace, catalog) for each in found.values())))
    return Pool(workspace.name, depth, tuple(setting.name for setting in chosen), tuple(pooled))


def _asked(given: object) -> Question:
    if isinstance(given, Question):
        return given
    if not isinstance(given, str) or not given.strip():
        raise QuestionError(f"a question must be a text or a Question, not {given!r:.80}")
    made = _NOT_IN_IDS.sub("-", given.strip().casefold()).strip("-") or "question"
    return Question(made, "needle", given.strip(), ())


def _pooled(chunk: Chunk, workspace: Workspace, catalog: Catalog) -> PooledHit:
    symbol = catalog.symbol_of(chunk)
    if symbol is None:
        source = SourceView(chunk.path, chunk.start_line, chunk.text, chunk.language)
    else:
        source = workspace.source(symbol).view
    kind = "" if symbol is None else symbol.kind
    return PooledHit(document_of(chunk), name_of(chunk, catalog), kind, source)


GRADES: Final = ("not an answer", "related, but no answer", "answers in part or is one of several", "the best answer")
"""Meaning of each grade, from 0 to 3."""
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")


class Judgement(NamedTuple):
    """One grade, from 0 to 3, that a judge gave to a hit of a question."""

    question: str  # id
    query: str
    document: str  # see `fixtures.document_of`
    grade: int


@dataclass(frozen=True, slots=True)
class Judgements:
    """All grades of one judge, in the order in which they were given."""

    judge: str
    workspace: str
    entries: tuple[Judgement, ...]

    @property
    def grades(self) -> dict[str, dict[str, int]]:
        """Question id → document → grade. The last grade of a document counts."""
        found: dict[str, dict[str, int]] = {}
        for each in self.entries:
            found.setdefault(each.question, {})[each.document] = each.grade
        return found

    @property
    def queries(self) -> dict[str, str]:
        """Question id → text of the question."""
        return {each.question: each.query for each in self.entries}

    @classmethod
    def load(cls, path: str | Path) -> Judgements:
        """Read a file of judgements, or a .qrels file. Raises FixtureError; its message names the line."""
        if str(path).endswith(".qrels"):
            return cls.from_qrels(path)
        return parse_judgements(read_text(given_path(path), "judgements"), Path(path).name)

    @classmethod
    def from_qrels(cls, path: str | Path) -> Judgements:
        """Read a qrels file: lines with question, an unused column, document and grade.

        The file has no texts of questions, so their ids stand for them. The judge is called as the file. Raises
        FixtureError; its message names the line.
        """
        path = given_path(path)
        entries = []
        for number, line in enumerate(read_text(path, "judgements").split("\n"), 1):
            if not line.strip():
                continue
            columns = line.split()
            if len(columns) != 4:
                expected = "a qrels line has 4 columns (question 0 document grade)"
                raise FixtureError(f"{path.name}:{number}: {expected}, not {len(columns)}")
            question, document = unquote(columns[0]), unquote(columns[2])
            grade = _grade(int(columns[3]) if columns[3].isdecimal() else None, columns[3], path, number)
            entries.append(Judgement(question, question, document, grade))
        return cls(path.stem, "", tuple(entries))

    def to_qrels(self, path: str | Path) -> Path:
        """Write the grades as a qrels file and return its path. Raises FixtureError if it can't be written."""
        given = ((question, *pair) for question, graded in self.grades.items() for pair in graded.items())
        return write_text(path, "".join(qrels_line(*each) for each in given))

    def to_fixtures(self, questions: Iterable[Question] = ()) -> Fixtures:
        """Return the judgements as questions for `evaluate`, with a grade for each document.

        A question without a document of grade 2 or 3 can't be scored and is left out; `unanswered` lists these.
        `questions` are the questions that were judged, for their types, filters and `top_k`; one that is not given is a
        needle. Raises FixtureError if no question has an answer.
        """
        return parse_fixtures(self.fixtures_text(questions), f"judgements of {self.judge}")

    def fixtures_text(self, questions: Iterable[Question] = ()) -> str:
        """Return the text of a fixture file, with the questions of `to_fixtures`. Raises FixtureError as it does."""
        known = {question.id: question for question in questions}
        left_out = set(self.unanswered)
        rows = [
            _row(known.get(each), each, self.queries[each], graded)
            for each, graded in self.grades.items()
            if each not in left_out
        ]
        if not rows:
            given = f"{self.judge!r} gave no hit the grade {DEMANDED} or {BEST}"
            raise FixtureError(f"{given}: there is no question with an answer yet")
        return json.dumps({"schema": FIXTURE_SCHEMA, "questions": rows}, indent=1) + "\n"

    def write_fixtures(self, path: str | Path, questions: Iterable[Question] = ()) -> Path:
        """Write the fixture file of `to_fixtures` for ``codeexplore eval`` and return its path. Raises FixtureError."""
        return write_text(path, self.fixtures_text(questions))

    @property
    def unanswered(self) -> tuple[str, ...]:
        """Ids of the questions without a document of grade 2 or 3."""
        return tuple(each for each, graded in self.grades.items() if max(graded.values()) < DEMANDED)


def parse_judgements(text: str, name: str = "judgements") -> Judgements:
    """Return the judgements in the text of a file. Raises FixtureError; its message begins with `name` and the line."""
    rows = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not rows:
        raise FixtureError(f"{name}:1: the file is empty; its first line must name the judge")
    head = _object(*rows[0], name)
    if head.get("kind") != "judgements" or head.get("schema") != SCHEMA_VERSION:
        raise FixtureError(f"{name}:1: not a file of judgements of schema {SCHEMA_VERSION}")
    entries = []
    for number, line in rows[1:]:
        given = _object(number, line, name)
        question, query, document, grade = (given.get(key) for key in Judgement._fields)
        if not (isinstance(question, str) and isinstance(query, str) and isinstance(document, str)):
            raise FixtureError(f"{name}:{number}: a judgement needs question, query and document as texts")
        entries.append(Judgement(question, query, document, _grade(grade, grade, Path(name), number)))
    return Judgements(str(head.get("judge", "")), str(head.get("workspace", "")), tuple(entries))


def default_file(root: Path, judge: str) -> Path:
    """Return the file in the cache folder for the judgements of `judge` about the repository in the folder `root`.

    Raises FixtureError for a user without a home folder.
    """
    root = root.resolve()
    place = f"{_NOT_IN_NAMES.sub('_', root.name)[:40]}-{hashlib.sha256(str(root).encode()).hexdigest()[:16]}"
    named = _NOT_IN_NAMES.sub("_", judge)[:40]
    if named != judge:  # two names may have the same letters
        named += f"-{hashlib.sha256(judge.encode()).hexdigest()[:8]}"
    try:
        return cache_folder() / "judgements" / place / f"{named}.jsonl"
    except OSError as error:
        raise FixtureError(f"can't choose a file for the judgements: {error}; name one") from error


def consensus(judgements: Sequence[Judgements], judge: str = "consensus") -> Judgements:
    """Return one grade for each hit that any of the judges graded: the median, rounded down.

    Raises FixtureError if there are no judgements.
    """
    if not judgements:
        raise FixtureError("give at least one judge's judgements")
    queries = {each: text for given in reversed(judgements) for each, text in given.queries.items()}
    graded = (each for given in judgements for each in given.grades.items())
    found = grouped(((q, document), grade) for q, grades in graded for document, grade in grades.items())
    entries = (Judgement(q, queries[q], document, int(median(grades))) for (q, document), grades in found.items())
    return Judgements(judge, judgements[0].workspace, tuple(entries))


def write_text(path: str | Path, text: str) -> Path:
    """Write a file as a whole, and its folder. Raises FixtureError if that fails."""
    path = given_path(path)
    try:
        make_private(path.parent)
        write_whole(path, (text,))
    except OSError as error:
        raise FixtureError(f"can't write {str(path)!r}: {error.strerror or error}") from error
    return path


def _row(question: Question | None, question_id: str, query: str, graded: Mapping[str, int]) -> dict[str, Any]:
    row: dict[str, Any] = {"id": question_id, "type": "needle" if question is None else question.type, "query": query}
    if question is not None:
        filters = question.filters
        row["top_k"] = question.top_k
        row |= {
            key: list(given)
            for key, given in (("scope", filters.paths), ("languages", filters.languages), ("kinds", filters.kinds))
            if given
        }
        row |= ({} if filters.tests else {"tests": False}) | ({"note": question.note} if question.note else {})
    return row | {"grades": dict(graded)}


def _object(number: int, line: str, name: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise FixtureError(f"{name}:{number}: not JSON: {error}") from error
    if not isinstance(found, dict):
        raise FixtureError(f"{name}:{number}: each line must be an object")
    return found


def _grade(grade: object, given: object, path: Path, line: int) -> int:
    if type(grade) is not int or not 0 <= grade <= BEST:
        raise FixtureError(f"{path.name}:{line}: the grade must be 0 to {BEST}, not {given!r:.40}")
    return grade


class Item(NamedTuple):
    """One hit to grade, with its question. Its number counts over all questions, from 1."""

    number: int
    asked: PooledQuestion
    hit: PooledHit
    grade: int | None  # None if it has no grade yet


class JudgingSession:
    """The work of one judge on a pool. Each grade is stored at once, and a new session continues where the last ended.

    `path` is the file of the judge's grades, see `default_file`. It is made with the first grade, and never half
    written. `judgements` has all its grades, with those of hits that are not in this pool. Each judge sees the hits of
    a question in another order, which depends on `seed` and the judge's name alone. Raises FixtureError if the file
    can't be read, is damaged, or belongs to another judge or repository.

    >>> session = JudgingSession(make_pool(ws, ["where are carts stored?"]), "ada.jsonl", "ada")
    >>> session.current.hit.name
    >>> session.grade(2)
    """

    def __init__(self, pool: Pool, path: str | Path, judge: str = "judge", seed: int = 0) -> None:
        self.pool = pool.shuffled(f"{seed}\0{judge}")
        self.path, self._stored = given_path(path), b""
        self.judgements = Judgements(judge, pool.workspace, ())
        if self.path.exists():
            text = read_text(self.path, "judgements")
            found = parse_judgements(text, self.path.name)
            both = (("judge", found.judge, judge), ("repository", found.workspace, pool.workspace))
            for what, theirs, ours in both:
                if theirs != ours:
                    raise FixtureError(
                        f"{str(self.path)!r} has judgements of the {what} {theirs!r}, not {ours!r}; choose another file"
                    )
            self.judgements, self._stored = found, text.encode()
        self._hits = [(asked, hit) for asked in self.pool for hit in asked.hits]
        self._at = 0
        self._next_without_grade()

    def _write(self, entries: Sequence[Judgement]) -> None:
        """Replace the grades. Raises FixtureError if the file can't be written, and then nothing is changed."""
        if self.path.exists() and read_given(self.path) != self._stored:
            raise FixtureError(
                f"{str(self.path)!r} was changed by another program, so nothing was written; open it again to continue"
            )
        now = replace(self.judgements, entries=tuple(entries))
        head = {"schema": SCHEMA_VERSION, "kind": "judgements", "judge": now.judge, "workspace": now.workspace}
        text = "".join(json.dumps(each) + "\n" for each in (head, *(entry._asdict() for entry in now.entries)))
        write_text(self.path, text)
        self.judgements, self._stored = now, text.encode()

    @property
    def current(self) -> Item | None:
        """The hit to grade now; None if the pool is empty."""
        if not self._hits:
            return None
        asked, hit = self._hits[self._at]
        return Item(self._at + 1, asked, hit, self.judgements.grades.get(asked.question.id, {}).get(hit.document))

    @property
    def total(self) -> int:
        return len(self._hits)

    @property
    def done(self) -> int:
        grades = self.judgements.grades
        return sum(1 for asked, hit in self._hits if hit.document in grades.get(asked.question.id, {}))

    @property
    def finished(self) -> bool:
        return self.done == self.total

    def grade(self, grade: int) -> None:
        """Grade the current hit with 0 to 3, store the grade, and go to the next hit without one.

        Raises QuestionError if the grade is not 0 to 3, or the pool is empty, and FixtureError if the file can't be
        written; then the grade is not taken.
        """
        if type(grade) is not int or not 0 <= grade <= BEST:
            raise QuestionError(f"the grade must be a whole number from 0 to {BEST}, not {grade!r:.40}")
        item = self.current
        if item is None:
            raise QuestionError("there is no hit to grade: no setting found anything for these questions")
        question = item.asked.question
        given = Judgement(question.id, question.query, item.hit.document, grade)
        self._write((*self.judgements.entries, given))
        self._next_without_grade()

    def undo(self) -> Judgement | None:
        """Take the last grade back and go to its hit. Return what was taken back; None if there is no grade.

        A hit that was graded twice has its earlier grade again. Raises FixtureError if the file can't be written.
        """
        if not self.judgements.entries:
            return None
        *others, last = self.judgements.entries
        self._write(others)
        place = (last.question, last.document)
        places = (at for at, (q, hit) in enumerate(self._hits) if (q.question.id, hit.document) == place)
        self._at = next(places, self._at)  # a hit outside this pool is not shown
        return last

    def go(self, by: int) -> None:
        """Go forward by some hits, or back for a negative number, without a grade. It stops at both ends."""
        self._at = max(0, min(len(self._hits) - 1, self._at + by))

    def import_judgements(self, given: Judgements) -> int:
        """Store the grades of `given` that differ from those of this judge, and return their number.

        Raises FixtureError if the file can't be written.
        """
        own, queries = self.judgements.grades, {each.question.id: each.question.query for each in self.pool}
        entries = [
            Judgement(question, queries.get(question, given.queries[question]), document, grade)
            for question, graded in given.grades.items()
            for document, grade in graded.items()
            if own.get(question, {}).get(document) != grade
        ]
        self._write((*self.judgements.entries, *entries))
        self._next_without_grade()
        return len(entries)

    def to_fixtures(self) -> Fixtures:
        """Return the judged questions for `evaluate`; see `Judgements.to_fixtures`. Raises FixtureError."""
        return self.judgements.to_fixtures(each.question for each in self.pool)

    def write_fixtures(self, path: str | Path) -> Path:
        """Write the judged questions for ``codeexplore eval`` and return the path. Raises FixtureError."""
        return write_text(path, self.judgements.fixtures_text(each.question for each in self.pool))

    def _next_without_grade(self) -> None:
        """Go to the next hit without a grade: from the current one on, then from the start. Stay if there is none."""
        grades = self.judgements.grades
        places = [*range(self._at, len(self._hits)), *range(self._at)]
        for at in places:
            asked, hit = self._hits[at]
            if hit.document not in grades.get(asked.question.id, {}):
                self._at = at
                return
