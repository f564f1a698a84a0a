"""State of a notebook: its workspaces, the last answer, and objects of the user's namespace by name.

Objects are looked up without running the user's code.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from types import GetSetDescriptorType, MemberDescriptorType
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError

if TYPE_CHECKING:
    from codeexplore.answers import SearchAnswer
    from codeexplore.workspace.workspace import Workspace

_WORD = re.compile(r"(?P<head>[^\W\d]\w*)(?P<rest>(?:\.[^\W\d]\w*|\[-?\d+\])*)")
_STEP = re.compile(r"\.(\w+)|\[(-?\d+)\]")


def in_terminal(shell: Any) -> bool:
    """Return True if an IPython shell only shows text, because it has no kernel."""
    return getattr(shell, "kernel", None) is None


def live_object(namespace: Mapping[str, Any], text: str) -> Any:
    """Return the object that ``name``, ``name.attribute`` or ``name[2]`` means in `namespace`; None if there is none.

    No code of the user runs. For a property, the property object is returned, and not its value. Only lists, tuples and
    sequences of this package are indexed.
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
        return getattr(owner, name, None)  # a slot: reading it runs no code
    return found


def _item(sequence: Any, index: int) -> Any:
    plain = isinstance(sequence, list | tuple) or type(sequence).__module__.startswith("codeexplore.")
    if not plain or not hasattr(sequence, "__len__") or not -len(sequence) <= index < len(sequence):
        return None
    return sequence[index]


LAST_ANSWER = "_answer"
"""Name of the user's variable that has the last answer of a magic."""


class NotebookState:
    """State of one shell.

    The workspaces are the values of the user's variables. `current` is the workspace of the last %explore.
    """

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.current: Workspace | None = None
        self._search: SearchAnswer | None = None
        self._searched_at = 0  # execution count of the cell with the last search
        self._answer: Any = None

    @property
    def in_terminal(self) -> bool:
        return in_terminal(self.shell)

    # ----------------------------------------------------------------- workspaces

    def workspace(self, name: str | None = None) -> Workspace:
        """Return the workspace in the variable `name`.

        Without a name, return the workspace of the last %explore. If there was none, return the only workspace. If
        there are several, return the workspace in the variable ``ws``.

        Raises
        ------
        UsageError
            There is no workspace, or there are several. The message names the next step.
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
        """Return variable → workspace for the user's variables. IPython's own variables are left out."""
        from codeexplore.workspace.workspace import Workspace

        variables = list(self.shell.user_ns.items())
        return {name: value for name, value in variables if isinstance(value, Workspace) and not name.startswith("_")}

    def forget(self, name: str) -> None:
        """Delete the variable of a workspace and, if it was the last one, IPython's references too."""
        workspace = self.named()[name]
        if self.current is workspace:
            self.current = None
        last = sum(each is workspace for each in self.named().values()) == 1
        self.shell.del_var(name, by_name=not last)

    def choices(self) -> str:
        bound = self.named()
        if bound:
            return f"Choose a workspace with -w: {', '.join(sorted(bound))}"
        return (
            "There is no workspace yet. Make one: ws = codeexplore.Workspace('path/to/repo'), or %explore with a path, "
            "an installed package or a git URL"
        )

    # ----------------------------------------------------------------- answers

    def remember(self, answer: Any, name: str | None = None) -> Any:
        """Store `answer` in the variable `LAST_ANSWER`, and in the variable `name` if given. Return the answer."""
        from codeexplore.answers import SearchAnswer

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
        """Return the last search answer that was shown, by a magic or as the value of a cell."""
        from codeexplore.answers import SearchAnswer

        shown = {n: value for n, value in self.shell.user_ns.get("Out", {}).items() if isinstance(value, SearchAnswer)}
        newest = max(shown, default=-1)
        return shown[newest] if newest >= self._searched_at else self._search

    def clear(self) -> None:
        """Delete the variable of the last answer, unless the user has assigned another object to it."""
        if self._answer is not None and self.shell.user_ns.get(LAST_ANSWER) is self._answer:
            self.shell.drop_by_id({LAST_ANSWER: self._answer})
        self._answer = self._search = self.current = None
