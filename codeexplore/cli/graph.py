"""Commands about the call graph: ``codeexplore callers`` and other walks, ``types``, ``paths``, ``why``, ``survey``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Final

from codeexplore.cli.options import add_edge_options, add_paths, add_target, choice_of, count, given, opened, targets_of
from codeexplore.cli.output import add_format, print_answer
from codeexplore.graph.records import DEAD_KINDS, ENTRY_KINDS
from codeexplore.types.errors import QuestionError

if TYPE_CHECKING:
    from codeexplore.types import EdgeKind

_NAME: Final = "a name, a qualified name or path:line"
_WALK_OPTIONS: Final = ("depth", "direction", "min_confidence", "tests", "kinds", "top_k", "include_externals")
_TYPES: Final = ("implementors", "subclasses", "overrides")
SURVEYS: Final = {
    "dead-code": ("kinds", "tests"),
    "entry-points": ("kinds",),
    "cycles": ("of", "min_confidence", "tests"),
    "hubs": ("top_k", "min_confidence", "tests"),
    "modules": ("level", "kinds", "min_confidence", "tests"),
    "communities": ("least", "min_confidence", "tests"),
}
"""The surveys, with the options that each of them takes."""


def add_types(command: argparse.ArgumentParser) -> None:
    add_walk(command)
    command.usage = f"{command.prog} [options] [PATH ...] {{{','.join(_TYPES)}}} NAME"
    command.set_defaults(usage=command.usage, choices=_TYPES)


def add_walk(command: argparse.ArgumentParser) -> None:
    """Add the arguments of a walk. The last word of the command is its relation, unless an argument names it."""
    relation = command.prog.rpartition(" ")[2]
    depth = "any" if relation in ("impact", "types") else "1"
    add_target(command, "NAME", meaning=_NAME)
    command.add_argument("--depth", type=count, metavar="N", help=f"how many steps away (default {depth})")
    command.add_argument("--direction", choices=("in", "out", "both"), help="follow edges in the opposite direction")
    add_edge_options(command)
    command.add_argument(
        "--kinds", type=_edge_kinds, metavar="A,B", help="kinds of edges to follow: calls, uses, imports, extends …"
    )
    command.add_argument("--top-k", type=count, metavar="N", help="maximal number of symbols (default 200)")
    command.add_argument(
        "--externals",
        action="store_const",
        const=True,
        dest="include_externals",
        help="also show symbols outside the repository",
    )
    add_format(command)
    command.set_defaults(run=_walk, relation=relation if relation != "types" else None)


def add_paths_between(command: argparse.ArgumentParser) -> None:
    command.add_argument("--top-k", type=count, metavar="N", help="maximal number of paths (default 10)")
    add_edge_options(command)
    command.add_argument("--kinds", type=_edge_kinds, metavar="A,B", help="edges to follow (default calls)")
    _add_between(command, "paths", "top_k", "min_confidence", "tests", "kinds")


def add_why(command: argparse.ArgumentParser) -> None:
    _add_between(command, "why")


def _add_between(command: argparse.ArgumentParser, method: str, *passed: str) -> None:
    add_target(command, "FROM", "TO", meaning=f"each {_NAME}")
    add_format(command)

    def run(options: argparse.Namespace) -> int:
        source, target = targets_of(options)
        workspace = opened(options)
        return print_answer(getattr(workspace, method)(source, target, **given(options, *passed)), options, workspace)

    command.set_defaults(run=run)


def _walk(options: argparse.Namespace) -> int:
    if options.relation is None:
        options.relation = choice_of(options)
    (target,) = targets_of(options)
    workspace = opened(options)
    walk = getattr(workspace, options.relation)
    return print_answer(walk(target, **given(options, *_WALK_OPTIONS)), options, workspace)


# --------------------------------------------------------------------------- surveys


def add_survey(command: argparse.ArgumentParser) -> None:
    add_paths(command)
    command.usage = f"{command.prog} [options] [PATH ...] {{{','.join(SURVEYS)}}}"
    command.set_defaults(usage=command.usage, choices=tuple(SURVEYS))
    kinds = ", ".join(dict.fromkeys((*DEAD_KINDS, *ENTRY_KINDS)))
    command.add_argument(
        "--only",
        type=_names_of((*DEAD_KINDS, *ENTRY_KINDS)),
        metavar="A,B",
        help=f"dead-code and entry-points: only these kinds: {kinds}",
    )
    command.add_argument("--of", choices=("calls", "imports"), help="cycles: of calls or of imports (default calls)")
    command.add_argument("--top-k", type=count, metavar="N", help="hubs: symbols to show (default 20)")
    command.add_argument(
        "--level", type=_level, metavar="L", help="modules: file, folder, or a number of folders (default file)"
    )
    command.add_argument("--kinds", type=_edge_kinds, metavar="A,B", help="modules: edges to count: calls, uses …")
    command.add_argument("--least", type=count, metavar="N", help="communities: least number of members (default 3)")
    add_edge_options(command)
    said = "count edges from tests too (default of cycles and dead-code)"
    command.add_argument("--tests", dest="tests", action="store_const", const=True, help=said)
    add_format(command)
    command.set_defaults(run=_survey)


def _survey(options: argparse.Namespace) -> int:
    options.survey = choice_of(options)
    if options.only is not None:
        known = DEAD_KINDS if options.survey == "dead-code" else ENTRY_KINDS
        if options.survey not in ("dead-code", "entry-points") or not set(options.only) <= set(known):
            raise QuestionError(f"{options.survey} has no kinds {', '.join(options.only)} for --only")
        options.kinds = options.only
    taken = SURVEYS[options.survey]
    wrong = [
        name
        for name in given(options, "kinds", "of", "top_k", "level", "least", "min_confidence", "tests")
        if name not in taken
    ]
    if wrong:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in wrong)
        raise QuestionError(f"{options.survey} takes no {names}; it takes {', '.join(taken)}")
    workspace = opened(options)
    ask = getattr(workspace, options.survey.replace("-", "_"))
    return print_answer(ask(**given(options, *taken)), options, workspace)


# --------------------------------------------------------------------------- parsers of option values


def _edge_kinds(text: str) -> tuple[EdgeKind, ...]:
    """Parse kinds of edges, separated by commas."""
    from codeexplore.search.options import check_edge_kinds

    try:
        return check_edge_kinds([kind.strip() for kind in text.split(",") if kind.strip()])
    except QuestionError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _names_of(known: tuple[str, ...]) -> Any:
    """Return a parser for names from `known`, separated by commas."""

    def names(text: str) -> tuple[str, ...]:
        wanted = tuple(name.strip() for name in text.split(",") if name.strip())
        for name in wanted:
            if name not in known:
                raise argparse.ArgumentTypeError(f"unknown {name!r}; known: {', '.join(known)}")
        return wanted

    return names


def _level(text: str) -> str:
    if text not in ("file", "folder") and not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is neither file nor folder nor a number of folders")
    return text if text in ("file", "folder") else str(count(text))
