"""``%load_ext codeexplore``: magics, display and bare question marks; unloading takes all of it back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from codeexplore.notebook import formatters
from codeexplore.notebook.magics import ExploreMagics

MAGICS = {"line": ("explore", "ask", "callers"), "cell": ("ask",)}

_replaced: WeakKeyDictionary[Any, dict[tuple[str, str], Any]] = WeakKeyDictionary()  # shell → magics that ours hide

# IPython takes a line that ends in ? for a call for help: "%ask who calls x?" would never be asked
_QUESTION = re.compile(r"(?P<before>\s*(?:\w+\s*=\s*)?)%ask[ \t]+(?P<question>\S.*\?)[ \t]*\n?")
_TRIPLE = re.compile(r"\"\"\"|'''")


def load_ipython_extension(shell: Any) -> None:
    """Register everything with an IPython shell. Called by ``%load_ext codeexplore``."""
    formatters.register(shell)
    _replaced.setdefault(shell, {(kind, name): _find(shell, kind, name) for kind, name in _names()})
    shell.register_magics(ExploreMagics(shell))
    if keep_question_marks not in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.append(keep_question_marks)


def unload_ipython_extension(shell: Any) -> None:
    """Take back what `load_ipython_extension` did. Display stays as long as codeexplore is imported."""
    if keep_question_marks in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.remove(keep_question_marks)
    before = _replaced.pop(shell, {})
    for kind, name in _names():
        if before.get((kind, name)) is None:
            shell.magics_manager.magics[kind].pop(name, None)
        else:
            shell.magics_manager.magics[kind][name] = before[kind, name]
    shell.magics_manager.registry.pop(ExploreMagics.__name__, None)


def _names() -> list[tuple[str, str]]:
    return [(kind, name) for kind, names in MAGICS.items() for name in names]


def _find(shell: Any, kind: str, name: str) -> Any:
    return shell.magics_manager.magics[kind].get(name)


def keep_question_marks(lines: Sequence[str]) -> list[str]:
    """Write ``%ask … ?`` lines as the call they stand for; lines within a triple-quoted string stay as they are."""
    kept, quoted = [], False
    for line in lines:
        match = None if quoted else _QUESTION.fullmatch(line)
        if match:
            line = f"{match['before']}get_ipython().run_line_magic('ask', {match['question']!r})\n"  # noqa: PLW2901
        elif len(_TRIPLE.findall(line)) % 2:
            quoted = not quoted
        kept.append(line)
    return kept


keep_question_marks.has_side_effects = False  # type: ignore[attr-defined]  # IPython may run it to see if a cell is whole
