"""``ws.lab``: measuring and judging the answers of a workspace, and the course on retrieval."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codeexplore.types import settings
from codeexplore.types.errors import FixtureError, QuestionError
from codeexplore.types.features import open_view

if TYPE_CHECKING:
    from codeexplore.features.lab.evaluation import Evaluation, Fixtures, Question, Setting
    from codeexplore.workspace.workspace import Workspace


class Lab:
    """Experiments with the search of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def __repr__(self) -> str:
        return f"Lab of {self._workspace.name}: evaluate, judge, fusion_lab, course"

    def evaluate(
        self,
        questions: Fixtures | Sequence[Question] | str | Path | None = None,
        setting: Setting | str = "default",
        *,
        cutoff: int = settings.TOP_K,
        further: Collection[str] = (),
    ) -> Evaluation:
        """Search for questions with known answers, and compare the rankings with the expected symbols.

        `questions` are questions, or the path of a fixture file; None takes the fixture file beside the repository.
        `setting`, `cutoff` and `further` are as for `codeexplore.features.lab.evaluation.evaluate`.

        Raises FixtureError if there is no fixture file, or it is not usable; QuestionError if the setting or the cutoff
        is not valid, or a question cannot be asked.
        """
        from codeexplore.features.lab.evaluation import evaluate, find_fixtures, load_fixtures

        if questions is None or isinstance(questions, str | Path):
            questions = load_fixtures(questions or find_fixtures(self._workspace.root))
        return evaluate(self._workspace, questions, setting, cutoff=cutoff, further=further)

    def judge(
        self,
        questions: Sequence[Any] | str | Path,
        depth: int = 10,
        *,
        lanes: Collection[str] | None = None,
        fusions: Collection[str] | None = None,
        judge: str = "judge",
        file: str | Path | None = None,
        seed: int = 0,
    ) -> Any:
        """Return a widget in which a person grades hits from 0 to 3, without seeing which lane found them.

        Raises QuestionError if a question, lane, fusion or the depth is wrong; FixtureError if a file is not usable, or
        belongs to another judge or repository.

        Parameters
        ----------
        questions
            Texts, questions with their known answers, or the path of a fixture file.
        depth
            Number of hits taken from the answer of each lane and each fusion.
        lanes, fusions
            Lanes that are asked alone, and fusions of them; None for all. See `evaluation.pooled_settings`.
        judge
            Name of the person. Two persons need two names, so that their grades can be compared.
        file
            File of the grades. Each grade is stored at once, and a later call continues. None chooses a file in the
            cache folder; the widget shows its name.
        seed
            Another number gives another order of the hits.

        Examples
        --------
        >>> view = ws.lab.judge(["how are expired sessions handled?"], judge="ada", file="ada.jsonl")
        >>> view.session.judgements.to_qrels("ada.qrels")
        """
        from codeexplore.features.lab.evaluation.judgements import (
            JudgingSession,
            default_file,
            make_pool,
            pooled_settings,
        )

        pool = make_pool(self._workspace, questions, depth, pooled_settings(lanes, fusions))
        path = default_file(self._workspace.root, judge) if file is None else file
        return open_view("judge", JudgingSession(pool, path, judge, seed))

    def fusion_lab(self, question: str, questions: Sequence[Any] | str | Path | None = None) -> Any:
        """Return a widget that shows how weights, `rrf_k` and lanes change the ranks of an answer.

        Raises QuestionError if the question is empty; FixtureError if the fixture file is not usable.

        Parameters
        ----------
        question
            The question to begin with.
        questions
            Questions with known answers, or the path of a fixture file, to draw a measure against one of the numbers,
            for a development and a test half apart. None takes the fixture file of the repository, if it has one.

        Examples
        --------
        >>> ws.lab.fusion_lab("how are expired sessions handled?")
        """
        from codeexplore.features.lab.evaluation import find_fixtures, load_fixtures

        if not isinstance(question, str):
            raise QuestionError(f"the question must be a text, not {question!r:.80}")
        if questions is None:
            try:
                questions = find_fixtures(self._workspace.root)
            except FixtureError:  # there are no questions, so there is no curve
                questions = ()
        given = load_fixtures(questions) if isinstance(questions, str | Path) else questions
        return open_view("fusion_lab", self._workspace, question, given)

    def course(self, folder: str | Path, *, student: str = "") -> list[Path]:
        """Copy the course on retrieval into a new or empty folder, see docs/teaching.md. Return its notebooks.

        Its corpus is the sample repository. ``codeexplore lab init`` has more options. Raises LabError.
        """
        from codeexplore.features.lab.course import copy_lab

        return copy_lab(Path(folder), student=student)
