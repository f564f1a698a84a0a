"""Which workspace a magic means, and what it answered last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace

LAST_ANSWER = "_answer"
"""The name under which the last answer of a magic stands in the user's namespace."""


class NotebookState:
    """One per shell. The user's own variables are the truth: `current` only breaks ties among them."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.current: Workspace | None = None

    def workspace(self, name: str | None = None) -> Workspace:
        """The workspace bound to `name`; without one that of the last %explore, else the only one there is.

        Raises
        ------
        UsageError
            There is none, or several to choose from; the message says what to do.
        """
        bound = self.named()
        if name is not None:
            if name not in bound:
                raise UsageError(f"no workspace is bound to {name!r}. {_choices(bound)}")
            return bound[name]
        if self.current is not None:
            return self.current
        distinct = {id(workspace): workspace for workspace in bound.values()}
        if len(distinct) == 1:
            return next(iter(distinct.values()))
        if "ws" in bound:
            return bound["ws"]
        raise UsageError(_choices(bound))

    def named(self) -> dict[str, Workspace]:
        """The workspaces in the user's namespace by their names; IPython's own variables don't count."""
        from codeexplore.workspace.workspace import Workspace

        variables = list(self.shell.user_ns.items())
        return {name: value for name, value in variables if isinstance(value, Workspace) and not name.startswith("_")}

    def remember(self, answer: Any, name: str | None = None) -> Any:
        """Keep an answer under `LAST_ANSWER`, and under `name` when given; gives it back."""
        bindings = {LAST_ANSWER: answer}
        if name:
            if not name.isidentifier():
                raise UsageError(f"--to needs a variable's name, not {name!r}")
            bindings[name] = answer
        self.shell.push(bindings, interactive=False)
        return answer

    def live_object(self, name: str) -> Any:
        """The object that a dotted name means in the user's namespace, found without calling anything; None if none."""
        head, *rest = name.split(".")
        found = self.shell.user_ns.get(head)
        for attribute in rest:
            found = getattr(found, attribute, None)
        return found


def _choices(bound: dict[str, Workspace]) -> str:
    if bound:
        return f"Choose a workspace with -w: {', '.join(sorted(bound))}"
    return (
        "There is no workspace yet. Make one: ws = codeexplore.Workspace('path/to/repo'), or %explore with a path, an "
        "installed package or a git URL"
    )
