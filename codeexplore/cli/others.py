"""Commands ``codeexplore status``, ``cache``, ``completion`` and ``demo``."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codeexplore.cli.options import add_paths, opened
from codeexplore.cli.output import ERROR, FOUND, NOTHING, add_format, print_json, show
from codeexplore.source.safe_io import VARIABLE, given_path
from codeexplore.types.errors import CodeExploreError, IndexFileError
from codeexplore.types.visible import visible, visible_repr

if TYPE_CHECKING:
    from codeexplore.index.cache import Entry


def add_status(command: argparse.ArgumentParser) -> None:
    add_paths(command)
    command.add_argument("--skipped", action="store_true", help="list every skipped file with its reason")
    command.add_argument(
        "--doctor", action="store_true", help="look for problems of lanes, model, cache, files; status 1 if serious"
    )
    add_format(command, "text", "json")
    command.set_defaults(run=_status)


def _status(options: argparse.Namespace) -> int:
    if options.doctor:
        return _doctor(options)
    workspace = opened(options)
    if options.format == "json":
        print_json(workspace.summary.to_dict())
        return FOUND
    show(workspace, False, everything=options.everything)
    if options.skipped:
        for item in workspace.summary.skipped_files:
            print(visible_repr(f"  {item.reason:<20} {item.path}  {item.detail}".rstrip()))
    return FOUND


def _doctor(options: argparse.Namespace) -> int:
    try:
        status = opened(options).status()
    except CodeExploreError as error:
        if options.format != "json":
            raise
        print_json({"kind": "status", "healthy": False, "error": str(error)})
        return ERROR
    show(status, options.format == "json", everything=options.everything)
    return FOUND if status.healthy else NOTHING


# --------------------------------------------------------------------------- stored indexes


def add_cache(cache: argparse.ArgumentParser) -> None:
    cache.set_defaults(nested=True)
    actions = cache.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, help_text in (
        ("list", "list the stored indexes with their sizes and ages"),
        ("verify", "check every byte; exit status 1 if something is damaged"),
        ("clean", "delete the indexes of folders that are gone, and the oldest ones above the limit of size"),
        ("clear", "delete all stored indexes, or those of one repository"),
    ):
        action = actions.add_parser(name, help=help_text)
        if name == "clear":
            action.add_argument(
                "path", metavar="PATH", nargs="?", help="a repository's folder; without it, all indexes are deleted"
            )
        add_format(action, "text", "json")
        action.set_defaults(run=_cache)


def _cache(options: argparse.Namespace) -> int:
    from codeexplore.index import cache as cache_folder

    try:
        if options.action == "clear":
            found = cache_folder.clear(given_path(options.path).resolve() if options.path else None)
        elif options.action == "clean":
            found = cache_folder.clean()
        else:
            found = cache_folder.entries(verify=options.action == "verify")
    except OSError as error:
        verb = {"list": "listed", "verify": "verified", "clean": "cleaned", "clear": "cleared"}[options.action]
        raise IndexFileError(f"the cache can't be {verb}: {error}. {VARIABLE} sets another folder") from error
    if options.action == "clear" and options.path and not found and options.format != "json":
        print(f"no index of {options.path!r} is stored; codeexplore cache list shows the stored indexes")
    else:
        _show_entries(found, options)
    if options.action == "clear":
        return FOUND if found or not options.path else NOTHING
    return NOTHING if any(entry.problem for entry in found) else FOUND


def _show_entries(found: list[Entry], options: argparse.Namespace) -> None:
    from codeexplore.answers.status import age_words
    from codeexplore.answers.wording import one_line

    if options.format == "json":
        plain = [{**entry._asdict(), "folder": str(entry.folder)} for entry in found]
        print_json({"kind": "cache", "action": options.action, "indexes": plain})
        return
    for entry in found:
        age = age_words(max(0.0, time.time() - entry.saved)) if entry.saved else "?"
        state = f"  {one_line(entry.problem)}" if entry.problem else ""
        what = f"{entry.name} in " if entry.name not in ("", Path(entry.root).name) else ""
        print(f"{entry.size / 1e6:8.1f} MB  {age:>11}  {one_line(what + (entry.root or str(entry.folder)))}{state}")
    total = sum(entry.size for entry in found) / 1e6
    verb = {"list": "kept", "verify": "checked", "clean": "deleted", "clear": "deleted"}[options.action]
    print(f"{len(found)} {verb}, {total:,.1f} MB")


# --------------------------------------------------------------------------- help for beginners


def add_completion(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "shell", choices=("bash", "zsh", "tcsh"), help='the shell: eval "$(codeexplore completion bash)"'
    )
    command.set_defaults(run=_completion)


def _completion(options: argparse.Namespace) -> int:
    import shtab

    from codeexplore import cli

    whole = argparse.ArgumentParser(prog="codeexplore", description="Explore an unfamiliar codebase.")
    commands = whole.add_subparsers()
    for _, group in cli.groups():
        for command in group:
            parser = cli.parser_of(command)
            parser.usage = None
            if (words := parser.get_default("positional")) is not None:  # checked when the command line is read
                words.choices = parser.get_default("choices")
            commands.add_parser(command.name, help=command.help, parents=[parser], add_help=False)
    print(shtab.complete(whole, options.shell))
    return FOUND


_SAMPLE: Final = ("how are expired sessions handled?", "validate_session", "what calls validate_session?")


def add_demo(demo: argparse.ArgumentParser) -> None:
    demo.add_argument("path", nargs="?", metavar="PATH", help="a repository of your own")
    demo.set_defaults(run=_demo)


def _demo(options: argparse.Namespace) -> int:
    """Load a repository, and print the answers to three questions of different kinds."""
    from codeexplore.source.samples import sample_repo
    from codeexplore.workspace.open import open_workspace
    from codeexplore.workspace.starters import starter_questions
    from codeexplore.workspace.workspace import Workspace

    workspace = open_workspace(options.path) if options.path else Workspace(sample_repo("webshop"))
    print(workspace)
    for question in starter_questions(workspace) if options.path else _SAMPLE:
        print(f"\n── {visible(question)} " + "─" * max(4, 76 - len(question)))
        print(workspace.search(question, top_k=5))
    return FOUND
