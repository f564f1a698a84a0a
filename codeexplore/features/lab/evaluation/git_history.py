"""Evaluation of one commit: its files are cloned into a temporary folder and loaded. Its code is never run."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.features.lab.evaluation.run import evaluate
from codeexplore.source.git_clone import clone
from codeexplore.source.git_command import TIMEOUT, Git
from codeexplore.source.git_url import parse_remote
from codeexplore.types import settings
from codeexplore.types.errors import GitError

if TYPE_CHECKING:
    from codeexplore.features.lab.evaluation.fixtures import Fixtures
    from codeexplore.features.lab.evaluation.results import Evaluation
    from codeexplore.features.lab.evaluation.setting import Setting


def evaluate_commit(
    root: str | Path,
    revision: str,
    fixtures: Fixtures,
    setting: Setting | str = "default",
    *,
    cutoff: int = settings.TOP_K,
) -> Evaluation:
    """Evaluate the folder `root` as it was at `revision`, as `evaluate` does.

    Symbols that did not exist in that commit are reported and their questions are not scored; see
    `Evaluation.unscored`. Raises the errors of `commit_folder`, `Workspace` and `evaluate`.
    """
    from codeexplore.workspace.workspace import Workspace

    with commit_folder(root, revision) as folder:
        return evaluate(
            Workspace(folder, name=f"{Path(root).resolve().name} at {revision}", cache=False),
            fixtures,
            setting,
            cutoff=cutoff,
        )


@contextmanager
def commit_folder(root: str | Path, revision: str) -> Iterator[Path]:
    """Return a context manager that yields the folder `root` as it was at a revision and deletes it at the end.

    A revision is ``main``, ``HEAD~3``, ``v1.2`` or a commit. The folder is a clone without history: no hook, filter or
    build step of the repository runs, and the user's work tree stays unchanged.

    Raises
    ------
    GitError
        `root` is not in a git repository, the revision is unknown, or the folder did not exist at the revision.
    """
    root = Path(root).expanduser().resolve()
    git = Git(parse_remote(str(root)), TIMEOUT)
    top = git.attempt("rev-parse", "--show-toplevel", folder=root)
    if top.status != 0:
        raise GitError(f"{str(root)!r} is not in a git repository that can be read: {top.errors.strip()[:200]}")
    inside = git.run("rev-parse", "--show-prefix", folder=root).strip()
    found = git.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", folder=root)
    if found.status != 0:
        raise GitError(f"no commit of {str(root)!r} is called {revision!r}; `git log --oneline` lists them")
    with tempfile.TemporaryDirectory(prefix="codeexplore-commit-", ignore_cleanup_errors=True) as made:
        folder = clone(top.output.strip(), found.output.strip(), dest=Path(made) / root.name) / inside
        if not folder.is_dir():
            raise GitError(f"there was no folder {inside!r} at {revision!r}")
        yield folder
