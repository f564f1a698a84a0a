"""Command ``codeexplore mcp``: the tools for assistants, over standard input and output."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from codeexplore.cli.options import FOUND
from codeexplore.workspace.open import open_workspace

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace


def add(server: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    server.add_argument("paths", nargs="+", metavar="PATH", help="folders or installed packages; nothing else is read")
    server.set_defaults(run=_serve)


def _serve(options: argparse.Namespace) -> int:
    from codeexplore.features.context.assistants.server import serve
    from codeexplore.types.errors import GitError
    from codeexplore.workspace.clone import is_remote

    for path in options.paths:
        if is_remote(path):
            raise GitError(f"{path!r} is a URL, and the server opens no connection; clone it and give the folder")
    serve(tuple(options.paths), _opened)
    return FOUND


def _opened(path: str) -> Workspace:
    return open_workspace(path, graph="background", progress=lambda *_: None)
