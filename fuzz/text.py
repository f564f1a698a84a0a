"""What is read as text: questions, names, notebooks, fixtures, URLs. Each target raises when a promise fails.

Nothing here knows the right answer; what is held is what must be true of every answer.
"""

from __future__ import annotations

import json
import unicodedata
import zlib
from collections import Counter
from itertools import pairwise

from codeexplore.features.lab.evaluation.fixtures import parse_fixtures
from codeexplore.search.query.planner import plan
from codeexplore.source.git_url import check_ref, parse_remote
from codeexplore.source.notebook import Notebook, NotebookError, parse_notebook, python_view
from codeexplore.source.read import decode
from codeexplore.text.tokens import explain, fold, parts, question_words, tokenize, tokenize_question, words
from codeexplore.text.word_counts import count_texts
from codeexplore.types import WordCounts
from codeexplore.types.errors import FixtureError, GitError, QuestionError
from codeexplore.types.settings import MAX_QUESTION_CHARS, POOL


def decoded(data: bytes) -> str:
    """Text of any bytes; lone surrogates, which JSON escapes can bring, among them."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def tokeniser(data: bytes) -> None:
    """The steps lead to the tokens, forms of one text give the same, nothing is empty."""
    text = decoded(data)
    tokens = tokenize(text)
    assert list(explain(text)[-1].tokens) == tokens
    assert list(explain(text, question=True)[-1].tokens) == tokenize_question(text)
    assert all(tokens), "an empty token"
    assert tokenize(unicodedata.normalize("NFC", text)) == tokens
    assert tokenize(unicodedata.normalize("NFD", text)) == tokens
    found = words(text)
    assert words(" ".join(found)) == found, "a word that is no word"
    assert not found or question_words(text)
    for word in found:
        assert fold(fold(word)) == fold(word)
        assert "".join(parts(word)) or not word.strip("_") or not any(map(str.isalnum, word[:200]))


def counter(data: bytes) -> None:
    """Counted over bytes is counted one by one."""
    texts = [decoded(part) for part in data.split(b"\n")]
    encodable = [text.encode("utf-8", "replace").decode() for text in texts]
    counts = count_texts(encodable)
    rows = _rows(counts)
    assert rows == [Counter(words(text)) for text in encodable]


def _rows(counts: WordCounts) -> list[Counter[str]]:
    indptr, ids, times = counts.indptr.tolist(), counts.word_ids.tolist(), counts.counts.tolist()
    return [
        Counter({counts.words[ids[at]]: times[at] for at in range(start, stop)}) for start, stop in pairwise(indptr)
    ]


def planner(data: bytes) -> None:
    """A plan or a QuestionError; the same plan twice; names as written; a reason for each choice."""
    text = decoded(data)
    try:
        found = plan(text, known=_known)
    except QuestionError:
        assert not text.strip(), "a question is refused that has words"
        return
    assert found == plan(text, known=_known)
    assert len(found.text) <= MAX_QUESTION_CHARS
    assert found.lanes
    assert all(weight > 0 for weight in found.lanes.values())
    assert found.depth >= 1
    assert (found.kind == "structural") == (found.relation is not None)
    plain = " ".join(found.text.split())  # a name of several words is known with one blank between them
    assert all(" ".join(name.split()).strip("`") in plain for name in found.identifiers)
    assert {reason.choice for reason in found.reasons} >= {"kind", "lanes"}


def _known(word: str) -> bool:
    return zlib.crc32(word.encode("utf-8", "surrogatepass")) % 3 == 0


def notebook(data: bytes) -> None:
    """The bytes as they are, and cut into the cells of a notebook that is in order."""
    _held(decoded(data))
    cells = []
    for part in data.split(b"\xff"):
        kind = ("code", "code", "code", "markdown", "raw")[part[0] % 5] if part else "code"
        source = decoded(part[1:])
        cells.append({"cell_type": kind, "source": source if len(part) % 2 else source.splitlines(keepends=True)})
    document = {"cells": cells, "metadata": {}, "nbformat": 4}
    found = _held(json.dumps(document))
    assert found is not None, "a notebook in order is refused"
    assert [cell.number for cell in found.cells] == [n for n, cell in enumerate(cells, 1) if cell["source"]]


def _held(text: str) -> Notebook | None:
    try:
        found = parse_notebook(text)
    except NotebookError:
        return None
    found.text.encode()  # no lone surrogates: it is written, parsed and hashed as UTF-8
    line = 1
    for cell in found.cells:
        assert cell.start_line == line
        assert cell.end_line >= line
        line = cell.end_line + 1
    rows = found.text.split("\n")
    assert len(rows) == line, "cells and lines don't add up"
    view = python_view(found.text, found.cells).split("\n")
    assert [len(row.encode()) for row in view] == [len(row.encode()) for row in rows]
    return found


def fixtures(data: bytes) -> None:
    """Questions that can be asked, or a FixtureError that names the file, and the question or the line."""
    text = decoded(data)
    try:
        found = parse_fixtures(text, "f.json")
    except FixtureError as error:
        name, place, *_ = str(error).split(":")
        assert name == "f.json"
        if place.isdigit():
            assert 1 <= int(place) <= text.count("\n") + 1
        return
    assert found == parse_fixtures(text, "f.json")
    assert len({question.id for question in found.questions}) == len(found.questions)
    for question in found.questions:
        assert question.id
        assert question.query.strip()
        assert question.expected or not question.accepted
        assert 1 <= question.top_k <= POOL


def remote(data: bytes) -> None:
    """A place git may be sent to, shown without its password; or a GitError."""
    text = decoded(data)
    try:
        found = parse_remote(text)
    except GitError as error:
        _hides(text, str(error))
    else:
        assert not found.url.startswith("-")
        assert "::" not in found.url.partition("/")[0] or "[" in found.url
        assert not any(unicodedata.category(each) == "Cc" for each in found.url)
        assert found.folder.strip(".-")
        assert "/" not in found.folder
        _hides(text, found.shown)
    try:
        ref = check_ref(text)
    except GitError:
        return
    assert not ref.startswith("-")
    assert ".." not in ref


def _hides(url: str, shown: str) -> None:
    """What is shown of an ordinary URL must be without its password."""
    user, at, _ = url.strip().partition("://")[2].partition("/")[0].rpartition("@")
    _, colon, password = user.partition(":")
    fit = at and colon and len(password) > 6 and password.isalnum() and url.count(password) == 1
    assert not fit or password not in shown


def decoder(data: bytes) -> None:
    """Text that encodes to UTF-8, or none; what a mark of UTF-8 precedes is read as it is."""
    for python in (False, True):
        found = decode(data, python=python)
        if found is None:
            continue
        found.text.encode()
        assert not found.text.startswith("\ufeff") or data.count("\ufeff".encode()) > 1 or found.encoding != "utf-8-sig"
        if found.encoding == "utf-8":
            assert found.text.encode() == data
