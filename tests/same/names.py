"""Public names of the base commit and of later versions, so that a renamed call is no difference.

Standard library only: the collector imports this module beside either version of codeexplore.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

# what the collector asks of a workspace: the new name first, then that of the base commit
CALLS = {
    "changes": ("review.changes", "changes"),
    "compare": ("review.compare", "compare"),
    "history": ("review.history", "history"),
    "together": ("review.together", "together"),
    "impact with history": ("review.impact", "impact"),
    "trace": ("runs.trace", "trace"),
    "attach": ("runs.attach", "attach"),
    "detach": ("runs.detach", "detach"),
    "open_run": ("runs.open", "runs.open_run", "open_run"),
    "pack": ("context.pack", "pack"),
    "map": ("context.map", "context.pack", "pack"),
    "tour": ("context.tour", "tour"),
    "as_tools": ("context.as_tools", "as_tools"),
    "judge": ("lab.judge", "judge"),
    "fusion_lab": ("lab.fusion_lab", "fusion_lab"),
}
# objects of modules, the same way
THINGS = {
    "shown_html": ("codeexplore.answers.html.writer:shown_html", "codeexplore.html.show:shown_html"),
    "shown_text": ("codeexplore.answers.show:shown_text", "codeexplore.results.show:shown_text"),
    "settings": ("codeexplore.types.settings", "codeexplore.settings"),
    "main": ("codeexplore.cli:main",),
    "Explorer": ("codeexplore.notebook.explorer:Explorer",),
}
# first words of a command line of the base commit → words that a later version has in their place
COMMANDS = {
    **{name: f"survey {name}" for name in ("cycles", "entry-points", "dead-code", "hubs", "modules", "communities")},
    **{name: f"types {name}" for name in ("implementors", "subclasses", "overrides")},
    "doctor": "status --doctor",
}


def thing(name: str) -> Any:
    """Return an object of THINGS from the version that is imported. Raises ImportError if no name of it exists."""
    for place in THINGS[name]:
        module, _, member = place.partition(":")
        try:
            found = import_module(module)
        except ModuleNotFoundError:
            continue
        wanted = getattr(found, member) if member else found
        return partial(run_line, wanted) if name == "main" else wanted
    raise ImportError(f"none of {', '.join(THINGS[name])} exists")


def run_line(main: Any, words: list[str]) -> Any:
    """Run a command line of the base commit, in the grammar of the version that is imported."""
    if find_spec("codeexplore.features") is not None:
        words = [new for word in words for new in (("--format", "json") if word == "--json" else (word,))]
        if "--repo" in words:  # the repository is a path like any other
            at = words.index("--repo")
            words = [words[0], words[at + 1], *words[1:at], *words[at + 2 :]]
    return main(words)


def call(workspace: Any, name: str, *given: Any, **options: Any) -> Any:
    """Call a method of a workspace by its name in CALLS, or by its own name. Raises AttributeError if there is none."""
    for path in CALLS.get(name, (name,)):
        found = workspace
        for part in path.split("."):
            found = getattr(found, part, None)
        if found is not None:
            return found(*given, **options)
    raise AttributeError(f"the workspace has none of {', '.join(CALLS.get(name, (name,)))}")
