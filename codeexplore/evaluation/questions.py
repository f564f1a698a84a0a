"""Questions with their known answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args, overload

from codeexplore import settings
from codeexplore.errors import FixtureError
from codeexplore.types import Filters

SUFFIX: Final = ".eval.json"
"""``webshop.eval.json`` beside the folder ``webshop`` holds its questions, or ``codeexplore.eval.json`` within it."""

QuestionType: TypeAlias = Literal["needle", "ranking", "expansion"]
QUESTION_TYPES: Final[tuple[QuestionType, ...]] = get_args(QuestionType)


@dataclass(frozen=True, slots=True)
class Question:
    """One question and what should come back.

    `type` says when it is passed: a *needle* when one of `expected` is among the first `top_k` hits, a *ranking* when
    the first of `expected` is, an *expansion* when all of them are. `accepted` is right as well, but not demanded.
    """

    id: str
    type: QuestionType
    query: str
    expected: tuple[str, ...]  # names as `Catalog.find` takes them: fqn, unique end of one, or symbol id
    accepted: tuple[str, ...] = ()
    top_k: int = settings.TOP_K
    filters: Filters = field(default_factory=Filters)
    note: str = ""
    line: int = 0  # where it stands in its file, 1-based; 0 when it comes from no file


@dataclass(frozen=True, slots=True)
class Fixtures(Sequence[Question]):
    """The questions of one file, in its order."""

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
    """The fixture file of a repository: ``NAME.eval.json`` beside its folder, else ``codeexplore.eval.json`` in it.

    Raises
    ------
    FixtureError
        There is neither.
    """
    root = root.resolve()
    for path in (root.parent / f"{root.name}{SUFFIX}", root / f"codeexplore{SUFFIX}"):
        if path.is_file():
            return path
    raise FixtureError(
        f"no questions for {root.name!r}: write {root.name}{SUFFIX} beside the folder or codeexplore{SUFFIX} in it, "
        "or say where they are (docs/evaluation.md shows the format)"
    )
