"""Base class of the magics. It finds the workspace and the symbol, stores the answer, and shows errors in one line.

`parse_line` separates the options of a line from its text. Quotes in the text stay in it, unlike in a shell, because
questions contain apostrophes.
"""

from __future__ import annotations

import re
from argparse import Action
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments

from codeexplore.notebook.state import live_object
from codeexplore.types.errors import CodeExploreError, TargetError
from codeexplore.types.visible import visible_json

if TYPE_CHECKING:
    from codeexplore.notebook.config import CodeExplore
    from codeexplore.notebook.state import NotebookState
    from codeexplore.workspace.workspace import Workspace


_WORD = re.compile(r"\S+")
_OPTION = re.compile(r"--?[a-z][a-z-]*(=.*)?")
_DASHES = " Write -- before a text that begins with a dash"
_NEAR = 0.8  # minimal difflib ratio of a misspelt option to an option; "--dept" and "--depth" have 0.92
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|\S+")


class Line(NamedTuple):
    """Parsed options of a line, and the remaining text."""

    options: Any
    text: str


def parse_line(magic: Any, line: str) -> Line:
    """Separate the options of a magic's line from its text.

    Options may be anywhere in the line. The text is not changed. After ``--`` there are no more options. `magic` is a
    function decorated with IPython's ``magic_arguments``.

    Raises
    ------
    UsageError
        An option is unknown, is probably misspelt, or has no value.
    """
    actions: dict[str, Action] = magic.parser._option_string_actions
    words: list[str] = []
    kept: list[str] = []
    position, pending = 0, 0
    for match in _WORD.finditer(line):
        word = match[0]
        gap = line[position : match.start()]
        position = match.end()
        flag = word.partition("=")[0]
        if pending:
            words.append(unquoted(word))
            pending -= 1
        elif word == "--":
            kept.append(line[position:])
            break
        elif flag in actions:
            words.append(word)
            pending = int(actions[flag].nargs != 0 and "=" not in word)
        elif _OPTION.fullmatch(word) and (near := _near(flag, actions)):
            raise UsageError(f"unknown option {flag}; did you mean {near}?{_DASHES}")
        elif _OPTION.fullmatch(word) and not kept:
            raise UsageError(f"unknown option {flag}; known: {', '.join(sorted(actions))}.{_DASHES}")
        else:
            kept.append(gap + word if kept else word)
    if pending:
        raise UsageError(f"option {words[-1]} needs a value")
    return Line(magic.parser.parse_args(words), unquoted("".join(kept)))


def _near(flag: str, known: Iterable[str]) -> str:
    """Return the long option that is most similar to `flag`, if `flag` is probably misspelt; "" otherwise."""
    return next(iter(get_close_matches(flag, [each for each in known if each[:2] == "--"], 1, _NEAR)), "")


def words(text: str) -> list[str]:
    """Return the words of `text`. Quotes enclose a word that contains spaces."""
    return [unquoted(word) for word in _QUOTED.findall(text)]


def unquoted(text: str) -> str:
    """Return `text` without spaces at its ends, and without the quotes that enclose all of it, if there are any."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" and text[0] not in text[1:-1]:
        return text[1:-1]
    return text


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
