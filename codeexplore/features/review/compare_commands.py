"""Command ``codeexplore compare``: two versions, and what code uses of what changed."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.cli.options import add_format, add_target, print_answer, targets_of
from codeexplore.features.review.accessor import Review
from codeexplore.features.review.archive import is_archive
from codeexplore.types.errors import QuestionError
from codeexplore.workspace.open import open_workspace

if TYPE_CHECKING:
    from codeexplore.features.review.versions_answer import VersionsAnswer


def add(compare: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_target(
        compare, "OLD", "NEW", meaning="each a folder, package, wheel, sdist, or a reference of the repository PATH"
    )
    compare.add_argument("--uses-in", metavar="PATH", help="list what the code in this folder uses of what changed")
    add_format(compare)
    compare.set_defaults(run=_compare)


def _compare(options: argparse.Namespace) -> int:
    old, new = targets_of(options)
    answer = _compared(old, new, *options.paths[:1])
    if options.uses_in is None:
        return print_answer(answer, options)
    if options.format in ("dot", "mermaid", "graphml"):
        raise QuestionError(f"--uses-in has no format {options.format}; give text, json or markdown")
    user = open_workspace(options.uses_in)
    return print_answer(answer.uses_in(user), options, user)


def _compared(old: str, new: str, repository: str = ".") -> VersionsAnswer:
    """Load the version that is a folder or package, and compare it with the other one."""
    kinds = _kind(old), _kind(new)
    if kinds == ("reference", "reference"):
        return Review(open_workspace(repository)).compare(f"{old}..{new}")
    if "workspace" not in kinds:
        if "reference" in kinds:
            other, newer = (new, True) if kinds[0] == "reference" else (old, False)
            raise QuestionError(
                f"{other!r} is an archive and the other version a reference; unpack the archive, or compare it with a "
                f"checkout: codeexplore compare {'. ' if newer else ''}{other}{'' if newer else ' .'}"
            )
        raise QuestionError("two archives can't be compared; unpack one of them, and give its folder")
    if kinds[1] == "workspace":
        before = open_workspace(old) if kinds[0] == "workspace" else _given(old, kinds[0])
        return Review(open_workspace(new)).compare(before)
    return Review(open_workspace(old)).compare(_given(new, kinds[1]), newer=True)


def _kind(text: str) -> str:
    path = Path(text).expanduser()
    if is_archive(path) and path.is_file():
        return "archive"
    if path.is_dir() or "://" in text or _is_package(text):
        return "workspace"
    return "reference"


def _is_package(text: str) -> bool:
    from codeexplore.source.package import find_package
    from codeexplore.types.errors import PackageNotFound

    try:
        find_package(text)
    except PackageNotFound:
        return False
    return True


def _given(text: str, kind: str) -> str | Path:
    return Path(text) if kind == "archive" else text
