"""The state of a notebook: workspaces, the last answer, and live objects of the user's namespace.

Live objects are looked up without running code of the user.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from types import GetSetDescriptorType, MemberDescriptorType
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError

if TYPE_CHECKING:
    from codeexplore.results import SearchAnswer
    from codeexplore.workspace.workspace import Workspace


_WORD = re.compile(r"(?P<head>[^\W\d]\w*)(?P<rest>(?:\.[^\W\d]\w*|\[-?\d+\])*)")
_STEP = re.compile(r"\.(\w+)|\[(-?\d+)\]")


def in_terminal(shell: Any) -> bool:
    """Return True if an IPython shell shows text only: it has no kernel."""
    return getattr(shell, "kernel", None) is None


def live_object(namespace: Mapping[str, Any], text: str) -> Any:
    """Return the object of ``name``, ``name.attribute`` or ``name[2]``; None if there is none.

    A property is returned itself, not its value, and only sequences of this package and of Python are indexed: so no
    code of the user runs.
    """
    match = _WORD.fullmatch(text.strip())
    if match is None:
        return None
    found = namespace.get(match["head"])
    for attribute, index in _STEP.findall(match["rest"]):
        found = _attribute(found, attribute) if attribute else _item(found, int(index))
    return found


def _attribute(owner: Any, name: str) -> Any:
    found = inspect.getattr_static(owner, name, None)
    if isinstance(found, MemberDescriptorType | GetSetDescriptorType) and not isinstance(owner, type):
        return getattr(owner, name, None)  # a slot: reading it runs nothing
    return found


def _item(sequence: Any, index: int) -> Any:
    plain = isinstance(sequence, list | tuple) or type(sequence).__module__.startswith("codeexplore.")
    if not plain or not hasattr(sequence, "__len__") or not -len(sequence) <= index < len(sequence):
        return None
    return sequence[index]


LAST_ANSWER = "_answer"
"""The variable of the last answer of a magic in the user's namespace."""


class NotebookState:
    """One per shell. The user's own variables are the truth: `current` only breaks ties among them."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.current: Workspace | None = None
        self._search: SearchAnswer | None = None
        self._searched_at = 0  # the number of the cell
        self._answer: Any = None

    @property
    def in_terminal(self) -> bool:
        """True if results are text: without a kernel there are no widgets."""
        return in_terminal(self.shell)

    # ----------------------------------------------------------------- workspaces

    def workspace(self, name: str | None = None) -> Workspace:
        """Return the workspace bound to `name`; without a name that of the last %explore, else the only one.

        Raises
        ------
        UsageError
            There is none, or more than one; the message names the next step.
        """
        bound = self.named()
        if name is not None:
            if name not in bound:
                raise UsageError(f"no workspace is bound to {name!r}. {self.choices()}")
            return bound[name]
        if self.current is not None:
            return self.current
        distinct = {id(workspace): workspace for workspace in bound.values()}
        if len(distinct) == 1:
            return next(iter(distinct.values()))
        if "ws" in bound:
            return bound["ws"]
        raise UsageError(self.choices())

    def named(self) -> dict[str, Workspace]:
        """The workspaces in the user's namespace by their names; IPython's own variables don't count."""
        from codeexplore.workspace.workspace import Workspace

        variables = list(self.shell.user_ns.items())
        return {name: value for name, value in variables if isinstance(value, Workspace) and not name.startswith("_")}

    def forget(self, name: str) -> None:
        """Unbind a workspace's variable; if it was the last one, remove it from IPython's history."""
        workspace = self.named()[name]
        if self.current is workspace:
            self.current = None
        last = sum(each is workspace for each in self.named().values()) == 1
        self.shell.del_var(name, by_name=not last)

    def choices(self) -> str:
        """Return the next steps for a user when no workspace, or more than one, matches."""
        bound = self.named()
        if bound:
            return f"Choose a workspace with -w: {', '.join(sorted(bound))}"
        return (
            "There is no workspace yet. Make one: ws = codeexplore.Workspace('path/to/repo'), or %explore with a path, "
            "an installed package or a git URL"
        )

    # ----------------------------------------------------------------- answers

    def remember(self, answer: Any, name: str | None = None) -> Any:
        """Keep an answer under `LAST_ANSWER`, and under `name` if given, and return it."""
        from codeexplore.results import SearchAnswer

        bindings = {LAST_ANSWER: answer}
        if name:
            if not name.isidentifier():
                raise UsageError(f"--to needs a variable's name, not {name!r}")
            bindings[name] = answer
        self._answer = answer
        if isinstance(answer, SearchAnswer):
            self._search, self._searched_at = answer, self.shell.execution_count
        self.shell.push(bindings, interactive=False)
        return answer

    def last_search(self) -> SearchAnswer | None:
        """The last ranked answer that was shown: a magic's, or the value of a cell."""
        from codeexplore.results import SearchAnswer

        shown = {n: value for n, value in self.shell.user_ns.get("Out", {}).items() if isinstance(value, SearchAnswer)}
        newest = max(shown, default=-1)
        return shown[newest] if newest >= self._searched_at else self._search

    def clear(self) -> None:
        """Remove the last answer from the user's namespace, unless the name is bound to another object by now."""
        if self._answer is not None and self.shell.user_ns.get(LAST_ANSWER) is self._answer:
            self.shell.drop_by_id({LAST_ANSWER: self._answer})
        self._answer = self._search = self.current = None
