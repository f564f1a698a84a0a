"""The lab as a notebook uses it: `open_lab()` loads the corpus, `lab.check` answers at once and saves the value."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from codeexplore.answers.blocks import Block, Piece, Row, Table, Text
from codeexplore.answers.shown import Blocks, Shown
from codeexplore.answers.wording import first_sentence
from codeexplore.features.lab.course import folder as folders
from codeexplore.features.lab.course.exercises import EXERCISES, OWN
from codeexplore.features.lab.course.exercises.exercise import Checked, Conclusion, Exercise, Judgements, plain
from codeexplore.features.lab.course.material import LISTED, SENTENCES, VECTORS, WEIGHTS, Material
from codeexplore.features.lab.evaluation import Evaluation, JudgingSession
from codeexplore.text.similar_names import most_similar
from codeexplore.types.displayed import explain
from codeexplore.types.errors import CodeExploreError, LabError

_SAVED: Final = "Saved: it counts, whatever you try later."
_SAVED_OWN: Final = "Saved: it counts until you check another one that is accepted."
_KEPT: Final = "Your right answer from before still counts."
_CONSTANTS: Final = {"weights": "Weights to try.", "sentences": "Pairs of sentences.", "vectors": "Two vectors."}
_NEAR: Final = 3  # names that are offered for a misspelt one


@dataclass(frozen=True, slots=True, repr=False)
class Feedback(Shown):
    """The result of a check, as a notebook shows it. `right` is None as long as there is no answer."""

    exercise: str
    right: bool | None
    message: str

    def blocks(self) -> list[Block]:
        mark = {True: Piece("✓ ", "good"), False: Piece("✗ ", "bad"), None: Piece("○ ", "dim")}[self.right]
        return [Text((mark, Piece(self.exercise, "strong"), f"  {self.message}"))]


@dataclass(frozen=True, slots=True, repr=False)
class Revealed(Shown):
    """A prediction beside the truth, with one sentence about it, and a picture of it."""

    guess: Any
    truth: Any
    why: str = ""
    picture: Shown | None = None

    def blocks(self) -> list[Block]:
        if self.guess is ...:
            request = "Predict first: replace the three dots after lab.guess = above, run that cell, then this one."
            return [Text(request)]
        said = "as you predicted" if _spoken(self.guess) == _spoken(self.truth) else f"you predicted {self.guess}: why?"
        lines = (Text(line) for line in self.why.splitlines())
        picture = self.picture.blocks() if self.picture is not None else ()
        return [Text((Piece(str(self.truth), "strong"), f", {said}")), *lines, *picture]


def _spoken(value: Any) -> str | float:
    """Return a prediction without capitals and spaces around it, and a number in a text as a number."""
    text = str(value).strip().casefold()
    try:
        return float(text)
    except ValueError:
        return text


class Lab:
    """One lab: its material, its checks, and the folder in which answers are saved.

    Every attribute of `Material` can be read from it: ``lab.question``, ``lab.documents``, ``lab.lanes``.
    """

    weights: Final = WEIGHTS
    sentences: Final = SENTENCES
    vectors: Final = VECTORS

    def __init__(self, folder: Path, material: Material) -> None:
        self.folder, self.material = folder, material
        self.guess: Any = ...
        """The prediction that the next `reveal` shows."""
        self._guesses: dict[str, Any] = {}  # by the sentence of the reveal
        self._own: Material | None = None
        self.own_problems: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in (known := dir(self)):
            near = most_similar(name, [each for each in known if not each.startswith("_")], _NEAR, cutoff=0.7)
            hint = f"near it: {', '.join(near)}" if near else "lab.offers() lists its values"
            raise AttributeError(f"the lab on {self.material.ws.name} has no value {name!r}; {hint}")
        return getattr(self.material, name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(name for name in dir(self.material) if not name.startswith("_"))})

    def check(self, number: str, value: Any) -> Feedback:
        """Check the answer to an exercise such as ``"1.2"``, and save it. ``...`` is no answer yet, and is not saved.

        Raises LabError if there is no such exercise, the answer cannot be saved, or the corpus has nothing that fits
        it.
        """
        exercise = exercise_of(number)
        if value is ...:
            return Feedback(exercise.id, None, exercise.kind.unanswered)
        material = self.material if exercise.id not in OWN else self._own
        if material is None:
            return Feedback(exercise.id, None, "Name your repository first: run the cell with lab.own(...).")
        given, wrong = None, ""
        try:
            given = plain(value, ordered=exercise.kind.ordered)
        except TypeError as error:
            wrong = f"The answer is {exercise.kind.name}; {error}."
        result = Checked(False, wrong) if wrong else exercise.check(material, given)
        saved = folders.read_answers(self.folder).get(exercise.id)
        before = None if saved is None or saved.problem else saved.value
        kept = not result.right and exercise.check(material, before).right
        if wrong or exercise.kind.misfit(given) or kept:
            given = before  # a value of another form is counted as a check, and not saved
        folders.save_answer(self.folder, exercise.id, given)
        own = isinstance(exercise.kind, (Judgements, Conclusion))  # several are right: the last of them counts
        said = (_SAVED_OWN if own else _SAVED) if result.right else _KEPT if kept else ""
        return Feedback(exercise.id, result.right, f"{result.message} {said}".rstrip())

    def offers(self) -> Blocks:
        """Return the list of all values and functions of the lab, with a sentence about each."""
        rows = []
        for name in dir(self):
            held = getattr(type(self), name, None) or getattr(type(self.material), name, None)
            if not name.startswith("_") and (doc := getattr(held, "__doc__", "") if held is not None else ""):
                code = Piece(f"lab.{name}{'(…)' if callable(held) else ''}", "code")
                rows.append(Row((code, _CONSTANTS.get(name) or first_sentence(doc))))
        return Blocks(Table("What the lab offers", ("name", "meaning"), rows, brief=len(rows)))

    def own(self, repository: str | Path, questions: str | Path) -> Material:
        """Load a repository of the student's own, and note it in `lab.json`. Exercises 9.1 to 9.8 are about it.

        `questions` is a fixture file, see docs/evaluation.md. `codeexplore lab check` grades these exercises only if
        both are inside the folder of the lab. `own_problems` says afterwards which questions are left out, and if the
        repository cannot be graded. Raises LabError if the repository or the questions cannot be read, or fewer than
        four questions can be scored.
        """
        for path in map(Path, (repository, questions)):
            if not path.exists():
                raise LabError(f"there is no {str(path)!r} in {Path.cwd()}: copy it there, or give its whole path")
        try:
            self._own = folders.load_material(Path(repository), Path(questions))
        except CodeExploreError as error:
            raise LabError(f"{str(error).rstrip('.')}; mend it, then run lab.own again") from error
        folders.set_own(self.folder, str(repository), str(questions))
        outside = [path for path in (repository, questions) if folders.inside(self.folder, str(path)) is None]
        note = f"is not in the folder of this lab, so notebook 9 will not be graded: copy it into {self.folder}."
        self.own_problems = (*self._own.left_out, *(f"{path} {note}" for path in outside))
        return self._own

    def reveal(self, truth: Any, why: str = "", picture: Shown | None = None) -> Revealed:
        """Show the guess in `guess` beside the truth, with `why` and a picture; without a guess, nothing else is shown.

        A guess is for one cell: the next prediction needs its own. The same cell can be run again.
        """
        if self.guess is not ...:
            self._guesses[why] = self.guess
            self.guess = ...
        return Revealed(self._guesses.get(why, ...), truth, why, picture)

    def graded(self, session: JudgingSession, material: Material | None = None) -> Any:
        """Return the grades that were given in a judging widget: name → grade, for the pool of `tops`.

        `material` is what was judged: the result of `own`, or None for the corpus of the lab. Without a grade the
        result is ``...``, which is no answer yet.
        """
        judged = material or self.material
        pool = {name for names in judged.tops.values() for name in names}
        grades = session.judgements.grades.values()
        named = {judged.name_of(document): grade for each in grades for document, grade in each.items()}
        return {name: grade for name, grade in named.items() if name in pool} or ...

    def evaluate(self, setting: str, half: str = "development") -> Evaluation:
        """Return the evaluation of a setting over the questions of one half: "development", "test" or "all"."""
        return self.material.evaluation(setting, half)

    def __repr__(self) -> str:
        counts = f"{len(self.material.documents)} documents, {len(self.material.questions)} questions"
        return f"Lab on {self.material.ws.name}: {counts}, {LISTED} hits of each lane; lab.offers() lists all"


def open_lab(folder: str | Path = ".") -> Lab:
    """Load the corpus of the lab in a folder, by default the folder of the notebook.

    Raises LabError if `lab.json` has another form, or the repository has too few questions.
    """
    explain(True)  # formulas are the lesson
    place = Path(folder).resolve()
    folders.read_settings(place)
    return Lab(place, folders.open_material(place))


def exercise_of(number: str) -> Exercise:
    """Return the exercise with a number. Raises LabError, which lists the nearest numbers."""
    if str(number) not in EXERCISES:
        near = difflib.get_close_matches(str(number), EXERCISES, n=3, cutoff=0.1) or list(EXERCISES)[:3]
        raise LabError(f"there is no exercise {number!r:.40}; near it are {', '.join(near)}")
    return EXERCISES[str(number)]
