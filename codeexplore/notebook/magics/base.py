"""Base class of the magics. It finds the workspace and the symbol, stores the answer, and shows errors in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments

from codeexplore.notebook.arguments import parse_line
from codeexplore.notebook.state import live_object
from codeexplore.types.errors import CodeExploreError, TargetError
from codeexplore.types.visible import visible_json

if TYPE_CHECKING:
    from codeexplore.notebook.config import CodeExplore
    from codeexplore.notebook.state import NotebookState
    from codeexplore.workspace.workspace import Workspace

workspace_option = argument("-w", "--workspace", metavar="NAME", help="ask the workspace bound to this variable")
to_option = argument("--to", metavar="NAME", help="also bind the answer to this variable")
json_option = argument("--json", action="store_true", help="print the answer as JSON")
tests_option = argument("--no-tests", dest="tests", action="store_const", const=False, help="leave tests out")


def joined(*each: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a decorator that adds several options, the first first. Use it below ``@magic_arguments()``."""

    def add(function: Any) -> Any:
        for option in reversed(each):
            function = option(function)
        return function

    return add


def option_magic(kind: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a decorator for a magic of a kind, such as `line_magic`, whose options stand below the decorator."""
    return lambda function: no_var_expand(kind(magic_arguments()(function)))


answer_options = joined(json_option, to_option, workspace_option)


def first(given: Any, default: Any) -> Any:
    return default if given is None else given


class WorkspaceMagics(Magics):
    """Base class of a group of magics. All groups of a shell share `state` and `defaults`."""

    def __init__(self, shell: Any, state: NotebookState, defaults: CodeExplore) -> None:
        super().__init__(shell)
        self.state = state
        self.defaults = defaults

    def workspace_of(self, options: Any) -> Workspace:
        """Return the workspace that the options name, else the current one. Raises UsageError."""
        return self.state.workspace(options.workspace)

    def answered(self, answer: Any, options: Any) -> Any:
        """Store an answer in its variables and return it for display. With the option JSON, print it instead."""
        self.state.remember(answer, options.to)
        if getattr(options, "json", False):
            print(visible_json(answer.to_dict(), indent=2))  # noqa: T201 - printing is its purpose
            return None
        return answer

    def target(self, workspace: Workspace, text: str) -> Any:
        """Return the target that `text`, a word in the line, means.

        A number means the hit with this rank. Another word means the symbol with this name, or its overloads. If there
        is no such symbol, it means the object in the variable of this name. Otherwise it may be a name outside the
        repository.
        """
        if text.isdecimal():
            return self.hit(int(text))
        for candidate in (text, live_object(self.state.shell.user_ns, text)):
            try:
                symbol = workspace.symbol(candidate)
                return text if candidate is text else symbol
            except TargetError:
                made_here = getattr(candidate, "__module__", "") == "__main__"
                if made_here and not isinstance(candidate, str):
                    return candidate  # the workspace reports the next step for an object defined in this session
        return text

    def hit(self, rank: int) -> Any:
        """Return the hit with this rank in the last search answer. Raises UsageError."""
        answer = self.state.last_search()
        if answer is None:
            raise UsageError("there is no answer yet; %ask a question first")
        if not 1 <= rank <= len(answer):
            raise UsageError(f"the last answer has {len(answer)} hits, none of rank {rank}")
        return answer[rank - 1]


def as_usage_error(call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Call `call`. Errors of codeexplore are shown in one line instead of a traceback."""
    try:
        return call(*arguments, **options)
    except CodeExploreError as error:
        raise UsageError(str(error)) from error


def call_magic(name: str, call: Callable[[Workspace, str], Any]) -> type[WorkspaceMagics]:
    """Return a group with one line magic that shows ``call(workspace, text)``; `text` is the line without options."""

    def magic(self: WorkspaceMagics, line: str) -> Any:
        options, text = parse_line(magic, line)
        return self.answered(as_usage_error(call, self.workspace_of(options), text), options)

    magic.__name__, magic.__doc__ = name, call.__doc__
    made = option_magic(line_magic)(answer_options(magic))
    group = type(f"{name.title().replace('_', '')}Magics", (WorkspaceMagics,), {name: made, "__doc__": call.__doc__})
    return magics_class(group)
