"""Commands ``codeexplore changes``, ``tests``, ``compare`` and ``history``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from codeexplore.cli.options import add_paths, add_target, count, opened, targets_of
from codeexplore.cli.output import FORMATS, FOUND, NOTHING, add_format, print_answer
from codeexplore.source.safe_io import is_given
from codeexplore.text.enumeration import shortened
from codeexplore.types.errors import QuestionError
from codeexplore.types.visible import visible

FAILED = 3
"""Exit status if a change has what ``--fail-on`` names."""
_GATES = ("breaking", "cycle", "untested")

if TYPE_CHECKING:
    from codeexplore.features.review.answers import ChangesAnswer
    from codeexplore.features.review.versions import VersionsAnswer


def add_changes(changes: argparse.ArgumentParser) -> None:
    _add_base(changes)
    changes.add_argument("--impact", action="store_true", help="list what the change may affect instead")
    changes.add_argument("--history", action="store_true", help="with --impact: add what changed together in the past")
    changes.add_argument("--depth", type=count, metavar="N", help="steps of --impact (default any)")
    _add_gate(changes)
    add_format(changes, *FORMATS)
    changes.set_defaults(run=_changes)


def add_tests(tests: argparse.ArgumentParser) -> None:
    _add_base(tests)
    tests.add_argument("--safe", action="store_true", help="add the test files that only import a changed file")
    tests.add_argument(
        "--dry-run", type=count, metavar="N", help="over the last N commits: what is skipped, which failures are missed"
    )
    add_format(tests, "ids", "command", *FORMATS)
    tests.set_defaults(run=_tests)


def _add_gate(command: argparse.ArgumentParser) -> None:
    said = "exit with 3 if the change may break code outside, makes a cycle, or has a function without a test; else 0"
    command.add_argument("--fail-on", action="append", default=[], choices=_GATES, help=said)


def _gated(changes: ChangesAnswer, options: argparse.Namespace, workspace: Any, status: int) -> int:
    """Print why a change fails, a line each, on standard error; return the exit status.

    With ``--fail-on``, a change without what it names succeeds, also if nothing else was found: a step of a CI passes.
    """
    from codeexplore.features.review.versions import Structure

    said: list[str] = []
    if "breaking" in options.fail_on:
        said += [f"breaking: {each.symbol.fqn}: {'; '.join(each.breaking)}" for each in changes.breaking]
    if "cycle" in options.fail_on:
        fqn = changes.comparison.new.catalog.symbol
        for cycle in Structure(changes.comparison, workspace.root).cycles:
            said.append(f"cycle of {cycle.kind}: {shortened([fqn(member).fqn for member in cycle.members], 6)}")
    if "untested" in options.fail_on:
        said += [f"untested: {each.fqn} ({each.path}:{each.line})" for each in changes.untested]
    for each in said:
        print(visible(each), file=sys.stderr)
    return FAILED if said else FOUND if options.fail_on else status


def _add_base(command: argparse.ArgumentParser) -> None:
    add_paths(command)
    base = (
        "a branch, tag or commit to compare with the files, a range such as main...feature, or a folder (default HEAD)"
    )
    command.add_argument("--base", default="HEAD", metavar="REF", help=base)
    command.add_argument("--patch", metavar="FILE", help="a patch instead; - reads it from standard input")
    tracked = "leave out files that git does not track"
    command.add_argument("--no-untracked", dest="untracked", action="store_false", help=tracked)


def _answer(options: argparse.Namespace) -> tuple[ChangesAnswer, Any]:
    workspace = opened(options)
    base: str | Path = options.base
    if options.patch == "-":
        base = sys.stdin.buffer.read().decode("utf-8", "surrogateescape") + "\n"
    elif options.patch is not None:
        base = Path(options.patch)
    return workspace.review.changes(base, untracked=options.untracked), workspace


def _changes(options: argparse.Namespace) -> int:
    changes, workspace = _answer(options)
    wanted = options.impact or options.depth or options.history
    print_answer(changes.impact(options.depth, history=options.history) if wanted else changes, options, workspace)
    return _gated(changes, options, workspace, FOUND if len(changes) or changes.files else NOTHING)


def _tests(options: argparse.Namespace) -> int:
    if options.dry_run:
        if options.format not in FORMATS:
            options.format = FORMATS[0]
        workspace = opened(options)
        return print_answer(workspace.review.dry_run(options.dry_run, safe=options.safe), options, workspace)
    changes, workspace = _answer(options)
    answer = changes.tests(safe=options.safe)
    if options.format not in ("ids", "command"):
        return print_answer(answer, options, workspace)
    for each in answer.ids if options.format == "ids" else [command.line for command in answer.commands]:
        print(visible(each))
    return FOUND if len(answer) else NOTHING


def add_compare(compare: argparse.ArgumentParser) -> None:
    add_target(
        compare, "OLD", "NEW", meaning="each a folder, package, wheel, sdist, or a reference of the repository PATH"
    )
    compare.add_argument("--uses-in", metavar="PATH", help="list what the code in this folder uses of what changed")
    add_format(compare)
    _add_gate(compare)
    compare.set_defaults(run=_compare)


def _compare(options: argparse.Namespace) -> int:
    old, new = targets_of(options)
    answer = _compared(old, new, *options.paths[:1])
    if options.uses_in is None:
        status = print_answer(answer, options)
    else:
        from codeexplore.workspace.open import open_workspace

        user = open_workspace(options.uses_in)
        status = print_answer(answer.uses_in(user), options, user)
    return _gated(answer.changes, options, answer.structure, status)


def _compared(old: str, new: str, repository: str = ".") -> VersionsAnswer:
    """Load the version that is a folder or package, and compare it with the other one."""
    from codeexplore.features.review.accessor import Review
    from codeexplore.workspace.open import open_workspace

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
    made: dict[str, Callable[[str], Any]] = {"workspace": open_workspace, "archive": Path, "reference": str}
    if kinds[1] == "workspace":
        return Review(open_workspace(new)).compare(made[kinds[0]](old))
    return Review(open_workspace(old)).compare(made[kinds[1]](new), newer=True)


def _kind(text: str) -> Literal["archive", "workspace", "reference"]:
    from codeexplore.features.review.archive import is_archive
    from codeexplore.workspace.open import can_open

    if is_given(text, Path.is_file):
        return "archive" if is_archive(Path(text)) else "reference"  # such as a patch
    return "workspace" if can_open(text) else "reference"


def add_history(history: argparse.ArgumentParser) -> None:
    add_target(history, "TARGET", meaning="a symbol or the path of a file; without it, the repository", optional=True)
    history.add_argument("--together", action="store_true", help="list what changed in the same commits instead")
    history.add_argument("--replaced", action="store_true", help="list what replaced a deleted definition instead")
    history.add_argument("--top-k", type=count, default=20, metavar="N", help="items of --together (default 20)")
    add_format(history)
    history.set_defaults(run=_history)


def _history(options: argparse.Namespace) -> int:
    (target,) = targets_of(options) or (None,)
    if (options.together or options.replaced) and target is None:
        raise QuestionError("--together and --replaced need a target: the name of a symbol or the path of a file")
    workspace = opened(options)
    if options.together:
        answer = workspace.review.together(target, options.top_k)
    else:
        answer = (workspace.review.replaced if options.replaced else workspace.review.history)(target)
    return print_answer(answer, options, workspace)
