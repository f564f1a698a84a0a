"""Grades of saved answers, and the report for a teacher. Nothing of a student's folder is run: only values are read."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from codeexplore.answers.blocks import Block, Heading, Row, Table, Text
from codeexplore.answers.data import no_formula
from codeexplore.answers.shown import Shown
from codeexplore.features.lab.course import folder as folders
from codeexplore.features.lab.course.exercises import EXERCISES, OWN
from codeexplore.features.lab.course.folder import SETTINGS, Answer, inside, read_answers, read_settings
from codeexplore.features.lab.course.material import Material
from codeexplore.types import SCHEMA_VERSION
from codeexplore.types.errors import CodeExploreError, LabError
from codeexplore.types.visible import visible


@dataclass(frozen=True, slots=True)
class Graded:
    """One exercise of one student. `right` is None without an answer, or if it cannot be graded here."""

    exercise: str
    right: bool | None
    tries: int
    message: str
    posed: bool = True  # False if nothing in the corpus fits the exercise: it does not count


@dataclass(frozen=True, slots=True, repr=False)
class StudentReport(Shown):
    """The grades of one folder. `problem` says why there are none, or is ""."""

    student: str
    folder: str
    graded: tuple[Graded, ...]
    problem: str = ""

    @property
    def right(self) -> int:
        return sum(1 for each in self.graded if each.right)

    @property
    def posed(self) -> int:
        """Number of exercises that the corpus can pose; all without grades."""
        return sum(1 for each in self.graded if each.posed) if self.graded else len(EXERCISES)

    @property
    def answered(self) -> int:
        return sum(1 for each in self.graded if each.right is not None)

    @property
    def remark(self) -> str:
        """The problem, or the reasons why single answers were not graded; "" if there is none."""
        reasons = (each.message for each in self.graded if each.right is None and each.message)
        return self.problem or "; ".join(dict.fromkeys(reasons))

    def to_dict(self) -> dict[str, Any]:
        named = {key: getattr(self, key) for key in ("student", "folder", "right", "answered")}
        grades = {
            each.exercise: {"right": each.right, "tries": each.tries, "message": each.message} for each in self.graded
        }
        return {**named, "exercises": self.posed, "problem": self.problem, "grades": grades}

    def blocks(self) -> list[Block]:
        if self.problem:
            return [Heading(f"{self.student}: not graded"), Text(self.problem)]
        signs = {True: "✓", False: "✗", None: "–"}
        rows = [
            Row((each.exercise, EXERCISES[each.exercise].title, signs[each.right], str(each.tries or ""), each.message))
            for each in self.graded
        ]
        return [
            Heading(f"{self.student}: {self.right} of {self.posed} right, {self.answered} answered"),
            Table("Exercises", ("exercise", "task", "right", "checks", "note"), rows, brief=len(rows)),
        ]


@dataclass(frozen=True, slots=True, repr=False)
class LabReport(Shown):
    students: tuple[StudentReport, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"schema": SCHEMA_VERSION, "kind": "lab-report", "students": [each.to_dict() for each in self.students]}

    def to_csv(self) -> str:
        """Return one line for each student: 1 right, 0 wrong, empty without an answer."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["student", "folder", "right", "answered", "exercises", "checks", *EXERCISES, "problem"])
        for each in self.students:
            marks = {graded.exercise: graded.right for graded in each.graded}
            cells = ["" if marks.get(number) is None else int(bool(marks[number])) for number in EXERCISES]
            checks = sum(graded.tries for graded in each.graded)
            texts = [visible(no_formula(text)) for text in (each.student, each.folder, each.remark)]
            writer.writerow([*texts[:2], each.right, each.answered, each.posed, checks, *cells, texts[2]])
        return stream.getvalue()

    def blocks(self) -> list[Block]:
        if len(self.students) == 1:
            return self.students[0].blocks()
        notebooks = sorted({number.partition(".")[0] for number in EXERCISES})
        rows = []
        for each in self.students:
            sums = Counter(graded.exercise.partition(".")[0] for graded in each.graded if graded.right)
            counted = (str(sums[notebook]) for notebook in notebooks)
            rows.append(Row((each.student, f"{each.right}/{each.posed}", *counted, each.remark)))
        columns = ("student", "right", *(f"nb {notebook}" for notebook in notebooks), "problem")
        return [Heading(f"{len(rows)} students"), Table("Students", columns, rows, brief=len(rows))]


def grade(folders: Sequence[Path], against: Path | None = None) -> LabReport:
    """Grade the saved answers of the folders of students.

    `against` is the folder of the lab that was handed out: its corpus, questions and choices decide for all. By
    default, those of each folder decide, which a student could have changed. Raises LabError if `against` is not
    usable; a student's folder that is not usable is reported, and raises nothing.
    """
    if against is not None and not (against / SETTINGS).is_file():
        raise LabError(f"{str(against)!r} is no folder of a lab (no {SETTINGS}): name the one that was handed out")
    shared = None if against is None else _material(against)
    about = "" if against is None else _corpus_name(against)
    return LabReport(tuple(_grade(folder, shared, about) for folder in folders))


class AnswerKey(NamedTuple):
    """The right answers of a lab, for its teacher."""

    left_out: tuple[str, ...]
    """Names of the question file that mean no symbol, and the questions that are left out for that."""
    answers: list[tuple[str, str, Any, list[str]]]
    """For each exercise: its number, its title, the right answer, and the mistakes that are not noticed."""


def answer_key(folder: Path) -> AnswerKey:
    """Return the right answers of a lab.

    A mistake is not noticed if it gives the right answer with this corpus. If the corpus has nothing that fits an
    exercise, the answer is the `LabError` that says so. The exercises of the last notebook are left out, because they
    are about each student's repository. Raises LabError if the corpus cannot be loaded.
    """
    material = _material(folder)
    key: list[tuple[str, str, Any, list[str]]] = []
    for each in EXERCISES.values():
        if each.id in OWN:
            continue
        try:
            key.append((each.id, each.title, each.right(material), each.confusable(material)))
        except LabError as error:
            key.append((each.id, each.title, error, []))
    return AnswerKey(material.left_out, key)


def _corpus_name(folder: Path) -> str:
    return Path(read_settings(folder).corpus or "webshop").name


def _grade(folder: Path, shared: Material | None, about: str) -> StudentReport:
    name = folder.resolve().name
    try:
        if not folder.is_dir():
            raise LabError(f"there is no folder {folder}")
        settings = read_settings(folder)
        name = settings.student or name
        if about and _corpus_name(folder) != about:
            raise LabError(f"the lab of this folder is about {_corpus_name(folder)}, the one handed out about {about}")
        answers = read_answers(folder)
        if not answers:
            raise LabError(f"no answers in {folder}: is it the folder in which the notebooks were run?")
        material = shared or _material(folder)
        graded = [_graded(number, answers.get(number), material) for number in EXERCISES if number not in OWN]
        graded += _graded_own(answers, folder)
    except CodeExploreError as error:
        return StudentReport(name, str(folder), (), str(error))
    except Exception as error:  # noqa: BLE001 - a folder may hold anything: reported; the other students are graded
        return StudentReport(name, str(folder), (), f"not graded: {type(error).__name__}: {error!s:.200}")
    return StudentReport(name, str(folder), tuple(graded))


def _graded(number: str, answer: Answer | None, material: Material) -> Graded:
    given = answer or Answer(number, None, 0)
    try:
        EXERCISES[number].right(material)
        if given.value is None:
            checked = "not graded: never checked with a value of the right form" if given.tries else ""
            return Graded(number, None, given.tries, f"not graded: {given.problem}" if given.problem else checked)
        result = EXERCISES[number].check(material, given.value)
    except LabError as error:  # the corpus has nothing that fits this exercise
        return Graded(number, None, given.tries, f"does not count: {error}", posed=False)
    except Exception as error:  # noqa: BLE001 - any value can be handed in: reported; the others are graded
        return Graded(number, None, given.tries, f"not graded: the value can't be compared ({type(error).__name__})")
    return Graded(number, result.right, given.tries, "" if result.right else result.message)


def _graded_own(answers: dict[str, Answer], folder: Path) -> list[Graded]:
    """Grade the exercises about the student's repository, if it is in the folder. No other place is read."""
    if not any(number in answers for number in OWN):
        return [Graded(number, None, 0, "") for number in OWN]
    settings = read_settings(folder)
    repository, questions = inside(folder, settings.own_repository), inside(folder, settings.own_questions)
    if repository is None or questions is None:
        note = "not graded: the repository is not in the folder of the lab"
        return [Graded(n, None, answers[n].tries, note) if n in answers else Graded(n, None, 0, "") for n in OWN]
    material = folders.load_material(repository, questions)
    return [_graded(number, answers.get(number), material) for number in OWN]


def _material(folder: Path) -> Material:
    """Load the corpus of a lab; it must be inside the folder, because the folder may come from anybody."""
    settings = read_settings(folder)
    for path in (settings.corpus, settings.questions):
        if path and inside(folder, path) is None:
            raise LabError(f"{folder}: {path!r} is not in the folder of the lab")
    return folders.open_material(folder)
