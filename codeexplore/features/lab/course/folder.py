"""The folder of a lab: its notebooks, its corpus, its settings (`lab.json`) and the student's answers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from codeexplore.features.lab.course.exercises import coincidences
from codeexplore.features.lab.course.exercises.exercise import Plain
from codeexplore.features.lab.course.material import Material
from codeexplore.features.lab.evaluation import Fixtures, load_fixtures
from codeexplore.features.lab.evaluation.fixtures import SUFFIX
from codeexplore.index.archive import json_of
from codeexplore.source.safe_io import is_given, read_given, write_whole
from codeexplore.source.samples import sample_repo, samples_folder
from codeexplore.types.errors import CodeExploreError, LabError

SETTINGS: Final = "lab.json"
ANSWERS: Final = "answers"
CORPUS: Final = "corpus"
SOLUTIONS: Final = "solutions"
_SCHEMA: Final = 1
_MOST_BYTES: Final = 1_000_000
"""Size up to which an answer or `lab.json` is read: both are small, and a folder may come from anybody."""

_USES: Final = ("question", "paraphrase", "fused", "measured")
_PACKAGE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class LabSettings:
    """The content of `lab.json`. Paths are relative to the folder of the lab.

    `chosen` maps a use (``question``, ``paraphrase``, ``fused``, ``measured``) to the id of a question.
    `own_repository` and `own_questions` are what the last notebook works on.
    """

    student: str = ""
    corpus: str = ""  # "" is the sample repository webshop
    questions: str = ""
    chosen: dict[str, str] = field(default_factory=dict)
    own_repository: str = ""
    own_questions: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """One saved answer: its value as plain data, and how often the student checked this exercise.

    `problem` says why the file cannot be read, or is "".
    """

    exercise: str
    value: Plain
    tries: int
    problem: str = ""


def notebooks_folder() -> Path:
    """Return the folder of the lab's notebooks, in a checkout or in an installed wheel.

    Raises LabError if this installation has none.
    """
    for folder in (_PACKAGE.parents[3] / "notebooks" / "lab", _PACKAGE / "notebooks"):
        if folder.is_dir() and (folder.parent == _PACKAGE or (_PACKAGE.parents[3] / "pyproject.toml").is_file()):
            return folder
    raise LabError(f"no notebooks of the lab in {_PACKAGE}: reinstall codeexplore")


def copy_lab(
    folder: Path,
    *,
    corpus: Path | None = None,
    questions: Path | None = None,
    student: str = "",
    solutions: bool = False,
) -> list[Path]:
    """Copy the notebooks and the corpus into a new or empty folder. Return the notebooks.

    `corpus` and `questions` are another repository and its questions with known answers; both or none. Links are not
    followed. `student` is a name for the report. Raises LabError if the folder has content, a file cannot be written,
    or only one of the two is given; FixtureError if the questions cannot be read.
    """
    if (corpus is None) != (questions is None):
        raise LabError("another corpus needs both: the folder of the repository and the file of its questions")
    repository = sample_repo("webshop") if corpus is None else corpus
    asked = samples_folder() / f"webshop{SUFFIX}" if questions is None else questions
    load_fixtures(asked)
    if not repository.is_dir():
        raise LabError(f"the corpus {str(repository)!r} is not a folder")
    if is_given(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise LabError(f"{str(folder)!r} has content already, and nothing is overwritten: name a new folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        name = repository.resolve().name
        left_out = shutil.ignore_patterns(".git", "__pycache__", ".venv", "node_modules", ".ipynb_checkpoints")
        shutil.copytree(repository, folder / CORPUS / name, symlinks=True, ignore=left_out)
        shutil.copyfile(asked, folder / CORPUS / f"{name}{SUFFIX}")
        written = []
        for notebook in sorted(notebooks_folder().glob("*.ipynb")):
            written.append(folder / notebook.name)
            shutil.copyfile(notebook, written[-1])
        if solutions:
            shutil.copytree(notebooks_folder() / SOLUTIONS, folder / SOLUTIONS)
        write_settings(folder, LabSettings(student, f"{CORPUS}/{name}", f"{CORPUS}/{name}{SUFFIX}"))
    except (OSError, ValueError) as error:  # ValueError: no folder can have this name
        raise LabError(f"can't copy the lab into {str(folder)!r}: {error}") from error
    return written


def read_settings(folder: Path) -> LabSettings:
    """Return the settings of a lab; those of the sample repository if the folder has no `lab.json`. Raises LabError."""
    path = folder / SETTINGS
    if not path.exists():
        return LabSettings()
    found = _read(path)
    if not isinstance(found, dict) or found.get("schema") != _SCHEMA:
        raise LabError(f"{path}: this version reads schema {_SCHEMA}")
    known = asdict(LabSettings())
    given = {key: found[key] for key in known if key in found}
    chosen = given.pop("chosen", {})
    if not all(isinstance(value, str) for value in given.values()):
        raise LabError(f"{path}: {', '.join(given)} are texts")
    if not isinstance(chosen, dict) or not all(key in _USES and isinstance(chosen[key], str) for key in chosen):
        raise LabError(f"{path}: chosen maps {', '.join(_USES)} to ids of questions")
    return LabSettings(**given, chosen=chosen)


def write_settings(folder: Path, settings: LabSettings) -> None:
    """Write `lab.json`. Raises LabError if it cannot be written."""
    _write(folder / SETTINGS, {"schema": _SCHEMA, **asdict(settings)})


def set_own(folder: Path, repository: str, questions: str) -> None:
    """Note the student's own repository in `lab.json`. Raises LabError if it cannot be written."""
    current = read_settings(folder)
    changed = replace(current, own_repository=repository, own_questions=questions)
    if changed != current:
        write_settings(folder, changed)


def load_material(repository: Path, questions: Fixtures | Path, chosen: Mapping[str, str] | None = None) -> Material:
    """Load a repository and its questions. Raises LabError, FixtureError, and the errors of `Workspace`."""
    from codeexplore.workspace.workspace import Workspace

    asked = load_fixtures(questions) if isinstance(questions, Path) else questions
    return Material(Workspace(repository), asked, coincidences, chosen)


def open_material(folder: Path) -> Material:
    settings = read_settings(folder)
    if settings.corpus:
        return load_material(folder / settings.corpus, folder / settings.questions, settings.chosen)
    return load_material(sample_repo("webshop"), samples_folder() / f"webshop{SUFFIX}", settings.chosen)


def inside(folder: Path, relative: str) -> Path | None:
    """Return a path that stays inside the folder after links are followed, else None."""
    path = (folder / relative).resolve()
    return path if relative and path.is_relative_to(folder.resolve()) and path.exists() else None


def save_answer(folder: Path, exercise: str, value: Plain) -> None:
    """Write the answer to one exercise, in a file of its own: notebooks do not disturb each other. Raises LabError."""
    path = folder / ANSWERS / f"{exercise}.json"
    before = read_answers(folder).get(exercise)
    tries = 1 if before is None else before.tries + 1
    _write(path, {"schema": _SCHEMA, "exercise": exercise, "value": value, "tries": tries})


def read_answers(folder: Path) -> dict[str, Answer]:
    """Return the saved answers by exercise. A damaged file is an answer with a problem; the others are read."""
    found = {}
    for path in sorted((folder / ANSWERS).glob("*.json")):
        try:
            found[path.stem] = _read_answer(path)
        except LabError as error:
            found[path.stem] = Answer(path.stem, None, 0, str(error))
    return found


def _read_answer(path: Path) -> Answer:
    content = _read(path)
    tries = content.get("tries") if isinstance(content, dict) else None
    if not isinstance(content, dict) or content.get("exercise") != path.stem or not isinstance(tries, int):
        raise LabError(f"{path}: not an answer of the lab")
    return Answer(path.stem, content.get("value"), tries)


def _read(path: Path) -> Any:
    try:
        if path.is_symlink():
            raise LabError(f"{path}: a link; not read")
        return json_of(read_given(path, _MOST_BYTES), str(path))
    except (OSError, ValueError, CodeExploreError) as error:
        raise error if isinstance(error, LabError) else LabError(f"can't read {path}: {error}") from error


def _write(path: Path, content: dict[str, Any]) -> None:
    """Write JSON as a whole: a kernel that ends in the middle leaves the file as it was."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, (json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False),))
    except (OSError, ValueError) as error:
        raise LabError(f"can't write {path}: {error}") from error
