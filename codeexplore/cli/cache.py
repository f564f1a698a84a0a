"""Commands ``codeexplore cache list``, ``clean``, ``clear`` and ``verify``."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.cli.options import FOUND, NOTHING, add_format
from codeexplore.cli.output import print_json
from codeexplore.source.cache_dir import VARIABLE
from codeexplore.source.safe_io import given_path
from codeexplore.types.errors import IndexFileError

if TYPE_CHECKING:
    from codeexplore.index.cache import Entry


def add_cache(cache: argparse.ArgumentParser) -> None:
    """Add the arguments of ``cache`` with its actions list, clean, clear and verify."""
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
        action.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
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
        _show(found, options)
    if options.action == "clear":
        return FOUND if found or not options.path else NOTHING
    return NOTHING if any(entry.problem for entry in found) else FOUND


def _show(found: list[Entry], options: argparse.Namespace) -> None:
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
