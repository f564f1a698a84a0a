"""Command ``codeexplore demo``."""

from __future__ import annotations

import argparse
from typing import Final

from codeexplore.cli.options import FOUND
from codeexplore.source.samples import sample_repo
from codeexplore.types.visible import visible
from codeexplore.workspace.open import open_workspace
from codeexplore.workspace.starters import starter_questions
from codeexplore.workspace.workspace import Workspace

_SAMPLE: Final = ("how are expired sessions handled?", "validate_session", "what calls validate_session?")


def add_demo(demo: argparse.ArgumentParser) -> None:
    """Add the arguments of ``demo``."""
    demo.add_argument("path", nargs="?", metavar="PATH", help="a repository of your own")
    demo.set_defaults(run=_demo)


def _demo(options: argparse.Namespace) -> int:
    """Load a repository, and print the answers to three questions of different kinds."""
    workspace = open_workspace(options.path) if options.path else Workspace(sample_repo("webshop"))
    print(workspace)
    for question in starter_questions(workspace) if options.path else _SAMPLE:
        print(f"\n── {visible(question)} " + "─" * max(4, 76 - len(question)))
        print(workspace.search(question, top_k=5))
    return FOUND
