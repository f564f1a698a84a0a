"""Command ``codeexplore demo``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from codeexplore.cli.options import FOUND
from codeexplore.workspace.open import open_workspace

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace


def add_demo(demo: argparse.ArgumentParser) -> None:
    """Add the arguments of ``demo``."""
    demo.add_argument("path", nargs="?", metavar="PATH", help="a repository of your own")
    demo.set_defaults(run=_demo)


def _demo(options: argparse.Namespace) -> int:
    """Load a repository, and print the answers to three questions of different kinds and the callers of a function."""
    from codeexplore.source.samples import sample_repo
    from codeexplore.workspace.workspace import Workspace

    workspace = open_workspace(options.path) if options.path else Workspace(sample_repo("webshop"))
    print(workspace)
    name, described = ("validate_session", "how are expired sessions handled?") if not options.path else _own(workspace)
    for kind, question in (
        ("an identifier", name),
        ("a structural question", f"what calls {name}?"),
        ("a description in plain words", described),
    ):
        answer = workspace.search(question, top_k=5)
        print(f"\n── {kind} " + "─" * max(4, 76 - len(kind)))
        print(answer)
    print(f"\n── callers of {name} " + "─" * max(4, 66 - len(name)))
    print(workspace.callers(name))
    return FOUND


def _own(workspace: Workspace) -> tuple[str, str]:
    """Return the most called function of a repository, and a question from the documentation of another function.

    The other function is the one with the longest documentation.
    """
    from collections import Counter

    from codeexplore.types import EDGE_KINDS

    catalog, calls = workspace.catalog, EDGE_KINDS.index("CALLS")
    edges = workspace.graph.edges
    rows = zip(edges.target, edges.kind, edges.in_test, strict=True)
    counts = Counter(target for target, kind, in_test in rows if kind == calls and not in_test)
    called = [catalog.symbols[row] for row, _ in counts.most_common(200)]
    called = [s for s in called if not s.name.startswith("__")] or called  # the callers of __init__ are not interesting
    named = next((s for s in called if len(catalog.find(s.fqn)) == 1), catalog.symbols[0])
    documented = max((s for s in called if s is not named), key=lambda s: min(len(s.doc), 400), default=named)
    sentence = documented.doc.split("\n\n")[0].replace("\n", " ").strip()[:160]
    return named.fqn, sentence or f"where is {documented.name.replace('_', ' ')} done?"
