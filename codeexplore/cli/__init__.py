"""Command line ``codeexplore``: the same calls as the magics, for a terminal.

Change it to add a command or an option of the core: a row of `CORE` or `OTHERS`, and its function.

`main` runs a command line. A feature registers its own commands in its `FEATURE` (`types.features`), and `parser_of`
describes one command. Only the module of the called command is imported::

    $ codeexplore callers sample_repos/webshop validate_session
    2 callers of webshop.sessions.SessionManager.validate_session, all likely
    ...

Exit status: 0 for an answer, 1 if nothing was found, 2 for a usage error or another reported error.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Final, NoReturn

from codeexplore.cli.output import ERROR, FOUND, in_commands, prepare_streams
from codeexplore.memory import require_start
from codeexplore.types import features
from codeexplore.types.errors import CodeExploreError
from codeexplore.types.features import Command, FeatureUnavailable
from codeexplore.types.next_step import with_steps
from codeexplore.types.visible import visible
from codeexplore.version import __version__

_SEARCH, _GRAPH, _OTHERS = (f"codeexplore.cli.{module}:add_" for module in ("search", "graph", "others"))

CORE: Final = (
    Command("ask", "rank the definitions (symbols) that answer a question", f"{_SEARCH}ranking"),
    Command("locate", "rank the places that a bug report or stack trace is about", f"{_SEARCH}ranking"),
    Command("related", "rank the symbols similar to a given one", f"{_SEARCH}ranking"),
    Command("grep", "find a text or a regular expression, by symbol", f"{_SEARCH}grep"),
    Command("symbol", "show the source of a symbol or file, or its outline", f"{_SEARCH}symbol"),
    Command("callers", "what calls a symbol, or an outside name such as requests.get", f"{_GRAPH}walk"),
    Command("callees", "what a symbol calls", f"{_GRAPH}walk"),
    Command("uses", "all that uses a symbol, not only calls; or a name such as os.path", f"{_GRAPH}walk"),
    Command("types", "implementors, subclasses or overrides of a type or method", f"{_GRAPH}types"),
    Command("impact", "what may break if a symbol changes, and the tests that reach it", f"{_GRAPH}walk"),
    Command("paths", "how one symbol reaches another", f"{_GRAPH}paths_between"),
    Command("why", "how two symbols are connected (call, import, …), or why not", f"{_GRAPH}why"),
    Command("survey", "dead code, entry points, cycles, hubs, modules, communities", f"{_GRAPH}survey"),
    Command("status", "indexed and skipped files; --doctor looks for problems", f"{_OTHERS}status"),
)
OTHERS: Final = (
    Command("cache", "list, verify or clear the stored indexes", f"{_OTHERS}cache"),
    Command("completion", "print a script that completes commands in a shell", f"{_OTHERS}completion"),
    Command("demo", "three questions to a sample repository, or to yours", f"{_OTHERS}demo"),
)
_EXAMPLES: Final = """examples:
  codeexplore ask "how are expired sessions handled?"
  codeexplore callers path/to/repo validate_session --depth 2
  codeexplore survey modules --level folder --format mermaid
  codeexplore demo                    a first look, with a sample
  %load_ext codeexplore               in Jupyter and IPython: %ask, %callers, %explore …

PATH is a folder, the name of an installed package, or a git URL; without one, the present folder.
The last argument is the question or target. codeexplore COMMAND --help lists the options.
"""


def groups() -> Iterator[tuple[str, Sequence[Command]]]:
    """Yield (title, commands) of the core, of each feature that has commands, and of the rest."""
    yield "commands", CORE
    for feature in features.registered():
        if feature.commands:
            yield f"{feature.name}: {feature.title}", feature.commands
    yield "others", OTHERS


def find_command(name: str) -> Command | None:
    """Return the command of this name. Entry points of other distributions are read only for an unknown name."""
    own = next((command for command in (*CORE, *OTHERS) if command.name == name), None)
    return own or features.find(lambda feature: next((each for each in feature.commands if each.name == name), None))


class _Parser(argparse.ArgumentParser):
    """A parser whose errors name the next step."""

    def error(self, message: str) -> NoReturn:
        super().error(f"{message}\n{self.prog} --help lists the arguments and options")


def parser_of(command: Command) -> argparse.ArgumentParser:
    """Return the parser of one command. Raises FeatureUnavailable if the module of a feature can't be imported."""
    made = _Parser(
        prog=f"codeexplore {command.name}",
        description=f"{command.help[0].upper()}{command.help[1:]}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    owner = None
    if command not in (*CORE, *OTHERS):
        owner = features.find(lambda each: each if command in each.commands else None)
    (features.load if owner is None else owner.load)(command.add)(made)
    return made


def help_text() -> str:
    """Return the list of commands, core and features apart."""
    lines = ["usage: codeexplore COMMAND [options] [PATH ...] [QUESTION or TARGET]", ""]
    lines += ["Explore an unfamiliar codebase: ask, see why, walk the callers.", ""]
    for title, commands in groups():
        lines += [title, *(f"  {command.name:<11} {command.help}" for command in commands), ""]
    return "\n".join([*lines, _EXAMPLES])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status. Without a command, print the help."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    prepare_streams()
    try:
        require_start()
        status = _run(given)
        sys.stdout.flush()
        return status
    except CodeExploreError as error:
        if "--verbose" in given or "-v" in given:
            import traceback

            traceback.print_exc()
        print(f"codeexplore: {with_steps(error.message, error.next_steps, in_commands)}", file=sys.stderr)
        return ERROR
    except FeatureUnavailable as error:
        print(f"codeexplore: {visible(str(error))}", file=sys.stderr)
        return ERROR
    except MemoryError:
        print("codeexplore: the memory is not enough; load a smaller folder, or raise the limit", file=sys.stderr)
        return ERROR
    except KeyboardInterrupt:
        print("codeexplore: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reading program, such as `head`, has ended
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # discard the rest of the buffer
        return FOUND


def _run(given: list[str]) -> int:
    if not given:
        print(help_text(), file=sys.stderr)
        return ERROR
    name, rest = given[0], given[1:]
    if name in ("-h", "--help", "help"):
        print(help_text())
        return FOUND
    if name == "--version":
        print(f"codeexplore {__version__}")
        return FOUND
    command = find_command(name)
    if command is None:
        from codeexplore.cli.graph import SURVEYS

        known = {each.name: each.name for _, commands in groups() for each in commands}
        known |= {each: f"survey {each}" for each in SURVEYS if each not in known}
        near = [known[each] for each in get_close_matches(name, known, 1)]
        hint = f"did you mean {near[0]!r}? " if near else ""
        print(f"codeexplore: there is no command {name!r}; {hint}codeexplore --help lists them", file=sys.stderr)
        return ERROR
    parser = parser_of(command)
    # options may stand between paths and the question; argparse allows it only without nested commands
    options = parser.parse_args(rest) if parser.get_default("nested") else parser.parse_intermixed_args(rest)
    from codeexplore.workspace.progress import Line

    try:
        status: int = options.run(options)
    finally:
        Line.tell("")  # before an error is printed
    return status
