"""Collections of plain texts with questions and judgements, in the forms of BEIR and TREC, made into a corpus.

A corpus is a folder of text files with a file of questions beside it, so every command and the course take it as they
take a repository. `fables`, a small collection, comes with the course.

>>> corpus = write_corpus(read_texts("fables"), "/tmp/fables")
>>> corpus.counts
(30, 18, 0)
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from codeexplore.features.lab.evaluation.fixtures import FIXTURE_SCHEMA, SUFFIX
from codeexplore.features.lab.evaluation.judgements import write_text
from codeexplore.features.lab.evaluation.metrics import BEST, DEMANDED
from codeexplore.source.safe_io import given_path, read_given
from codeexplore.types.errors import FixtureError

_MOST_BYTES: Final = 200_000_000
"""Size up to which a file of a collection is read."""
_MOST_DOCUMENTS: Final = 100_000
_DOC: Final = re.compile(r"<DOC>(.*?)</DOC>", re.DOTALL | re.IGNORECASE)
_DOCNO: Final = re.compile(r"<DOCNO>\s*(.*?)\s*</DOCNO>", re.DOTALL | re.IGNORECASE)
_TOP: Final = re.compile(r"<top>(.*?)(?:</top>|(?=<top>)|\Z)", re.DOTALL | re.IGNORECASE)
_NUM: Final = re.compile(r"<num>\s*(?:Number:)?\s*([^\s<]+)", re.IGNORECASE)
_TITLE: Final = re.compile(r"<title>\s*(?:Topic:)?\s*([^<]+)", re.IGNORECASE)
_TAG: Final = re.compile(r"</?[A-Za-z][\w-]*(?:\s[^<>]{0,200})?/?>")  # not <name@host>
_NOT_IN_NAMES: Final = re.compile(r"[^\w.-]+")
_NOT_DOCUMENTS: Final = re.compile(r"readme|licen[cs]e|queries|topics|qrels", re.IGNORECASE)
FABLES: Final = "fables"


class Texts(NamedTuple):
    """Documents and questions by id, and for each question the grades of documents, 0 to 3."""

    documents: dict[str, str]
    questions: dict[str, str]
    grades: dict[str, dict[str, int]]
    problems: tuple[str, ...] = ()  # lines, ids and grades that could not be used, each by name


class Corpus(NamedTuple):
    """A corpus that was written: its folder, its file of questions, and (documents, questions, questions left out)."""

    folder: Path
    questions: Path
    counts: tuple[int, int, int]


def read_texts(folder: str | Path) -> Texts:
    """Read a collection. ``fables`` is the one of the course, if there is no folder of this name.

    - BEIR: ``corpus.jsonl`` (_id, title, text), ``queries.jsonl`` and ``qrels/test.tsv``, else another of that folder.
    - TREC: files with ``<DOC>`` or plain ``.txt`` files, each a document with the name of the file as its id; ``<top>``
      or lines ``id TAB question`` in a file with *topics* or *queries* in its name; four columns in one with *qrels*.

    If no grade is above 1, grade 1 is expected (2 here); else grades above 3 count as 3. Raises FixtureError if a part
    is missing, too large or not readable.
    """
    place = given_path(folder)
    if str(folder) == FABLES and not place.exists():
        from codeexplore.features.lab.course.folder import notebooks_folder

        place = notebooks_folder() / FABLES
    if not place.is_dir():
        raise FixtureError(f"there is no folder {str(place)!r}")
    files = sorted(path for path in place.rglob("*") if path.is_file() and not path.is_symlink())
    problems: list[str] = []
    listed = _beir(place / "corpus.jsonl") if (place / "corpus.jsonl") in files else _trec(place, files)
    documents = _by_id("document", listed, problems)
    questions = _by_id("question", _questions(files), problems)
    grades = _grades([p for p in files if "qrels" in str(p.relative_to(place)).lower()], problems)
    for what, found, forms in (
        ("documents", documents, "corpus.jsonl (BEIR), files with <DOC> (TREC), or .txt files"),
        ("questions", questions, "a file with topics or queries in its name"),
        ("judgements", grades, "a file or folder with qrels in its name"),
    ):
        if not found:
            raise FixtureError(f"{str(place)!r} has no {what}: they are in {forms} (docs/teaching.md shows the forms)")
    for question, graded in grades.items():
        problems += [] if question in questions else [f"judgements of {question!r}, which is no question"]
        problems += [f"{d!r}, judged for question {question!r}: no document" for d in graded if d not in documents]
    return Texts(documents, questions, grades, tuple(problems))


def _by_id(what: str, pairs: Iterable[tuple[str, str]], problems: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for each, text in pairs:
        problems += [f"an earlier {what} with the id {each!r}, which occurs again"] if each in found else []
        found[each] = text
    return found


def write_corpus(texts: Texts, folder: str | Path) -> Corpus:
    """Write each document into a new or empty folder, and ``FOLDER.eval.json`` beside it. Raises FixtureError.

    Questions without a relevant document are left out.
    """
    target = given_path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise FixtureError(f"{str(target)!r} has content already, and nothing is overwritten: name a new folder")
    names: dict[str, str] = {}
    for each in texts.documents:
        base = _NOT_IN_NAMES.sub("_", each).strip(".")[:80] or "text"
        name = f"{base}.txt" if f"{base}.txt" not in names.values() else f"{base}-{len(names)}.txt"
        names[each] = name
    rows = []
    for each, question in texts.questions.items():
        graded = {names[d]: grade for d, grade in texts.grades.get(each, {}).items() if d in names}
        if max(graded.values(), default=0) >= DEMANDED:
            rows.append({"id": each, "type": "needle", "query": question, "grades": graded})
    if not rows:
        raise FixtureError("no question has a relevant document: do the ids of documents and judgements agree?")
    for each, text in texts.documents.items():
        write_text(target / names[each], text.strip() + "\n")
    ids = {"documents": {name: each for each, name in names.items()}}
    written = json.dumps({"schema": FIXTURE_SCHEMA, **ids, "questions": rows}, indent=1, ensure_ascii=False)
    file = write_text(target.parent / f"{target.name}{SUFFIX}", written + "\n")
    return Corpus(target, file, (len(names), len(rows), len(texts.questions) - len(rows)))


def _read(path: Path) -> str:
    try:
        return read_given(path, _MOST_BYTES).decode("utf-8-sig", "replace")
    except OSError as error:
        raise FixtureError(f"can't read {str(path)!r}: {error.strerror or error}") from error


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(_read(path).split("\n"), 1):
        if line.strip():
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise FixtureError(f"{path.name}:{number}: not JSON: {error}") from error
            if not isinstance(row, dict) or "_id" not in row or not isinstance(row.get("text"), str):
                raise FixtureError(f"{path.name}:{number}: a line needs _id and text")
            yield row


def _beir(path: Path) -> Iterator[tuple[str, str]]:
    for row in _rows(path):
        title = row.get("title") or ""
        yield str(row["_id"]), f"{title}\n\n{row['text']}" if title else row["text"]


def _trec(place: Path, files: list[Path]) -> Iterator[tuple[str, str]]:
    count = 0
    for path in files:
        if _NOT_DOCUMENTS.search(str(path.relative_to(place))):
            continue
        text = _read(path)
        found = [(match[1], _DOCNO.search(match[1])) for match in _DOC.finditer(text)]
        documents = [(number[1], _TAG.sub(" ", body.replace(number[0], ""))) for body, number in found if number]
        if not found and path.suffix == ".txt":
            documents = [(path.stem, text)]
        count += len(documents)
        if count > _MOST_DOCUMENTS:
            raise FixtureError(f"{str(place)!r} has more than {_MOST_DOCUMENTS:,} documents")
        yield from documents


def _questions(files: list[Path]) -> Iterator[tuple[str, str]]:
    for path in files:
        if not re.search(r"topics|queries", path.name, re.IGNORECASE):
            continue
        if path.suffix == ".jsonl":
            yield from ((str(row["_id"]), row["text"]) for row in _rows(path))
            continue
        text = _read(path)
        for match in _TOP.finditer(text):
            number, title = _NUM.search(match[1]), _TITLE.search(match[1])
            if number and title:
                yield number[1], " ".join(title[1].split())
        if "<top>" not in text.lower():
            yield from (
                (a.strip(), b.strip()) for a, tab, b in (line.partition("\t") for line in text.split("\n")) if tab
            )


def _grades(files: list[Path], problems: list[str]) -> dict[str, dict[str, int]]:
    """Return question → document → grade. Of several files of BEIR, the one of the test half is read."""
    chosen = [path for path in files if path.stem == "test"] or files[:1]
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for path in chosen:
        for number, line in enumerate(_read(path).splitlines(), 1):
            cells = line.split()
            if len(cells) in (3, 4) and re.fullmatch(r"-?\d{1,3}", cells[-1]):
                found[cells[0]][cells[-2]] = min(BEST, max(0, int(cells[-1])))
            elif cells and not (number == 1 and cells[-1].lower() == "score"):  # the header of BEIR
                why = f"{cells[-1]!r} is no grade" if len(cells) in (3, 4) else "a judgement has 3 or 4 columns"
                problems.append(f"{path.name}:{number}: {line.strip()[:80]!r}: {why}")
    binary = all(grade <= 1 for graded in found.values() for grade in graded.values())
    return {
        each: {d: grade * (DEMANDED if binary else 1) for d, grade in graded.items()} for each, graded in found.items()
    }
