"""IPython extension ``%load_ext codeexplore``: registers magics, completion, defaults and questions.

Unloading the extension removes all of them. Questions that end in a question mark are rewritten, because IPython would
treat them as requests for help. Results need no extension: they display themselves (`types.displayed`).
"""

from __future__ import annotations

import re
import time
import warnings
from ast import literal_eval
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from IPython.display import display

from codeexplore.types.features import Feature, FeatureUnavailable, registered

if TYPE_CHECKING:
    from traitlets.config import Configurable

    from codeexplore.notebook.magics.base import WorkspaceMagics
    from codeexplore.notebook.object_help import ObjectHelp
    from codeexplore.notebook.state import NotebookState


_MAGIC = re.compile(r"(?P<before>\s*(?:\w+\s*=\s*)?)%(?P<name>ask|grep|pack|tour)[ \t]+(?P<text>\S.*\?)[ \t]*\n?")
_BARE = re.compile(
    r"(?:how|what|where|which|who|whom|whose|why|when|does|do|is|are|can|should|will)[ \t]+"
    r"(?P<rest>[^\s?][^?\n]*)\?[ \t]*\n?",
    re.IGNORECASE,
)
_HELP = re.compile(r"run_line_magic\('pinfo2?', (?P<name>'[^'\\]*')\)")
_TRIPLE = re.compile(r"\"\"\"|'''")


def keep_questions(lines: Sequence[str]) -> list[str]:
    """Rewrite ``%ask … ?`` lines, and questions in plain words, as calls of the magic. Return the new lines.

    The body of a cell magic, triple-quoted strings and requests for help (``is_open?``) are not changed.
    """
    if lines and lines[0].startswith("%%"):
        return list(lines)
    kept, quoted = [], False
    for line in lines:
        asked = None if quoted else _asked(line)
        if asked is not None:
            before, name, text = asked
            kept.append(f"{before}get_ipython().run_line_magic({name!r}, {text!r})\n")
            continue
        quoted ^= len(_TRIPLE.findall(line)) % 2 == 1
        kept.append(line)
    return kept


def taken_for_help(cell: str) -> dict[str, tuple[str, str]]:
    """Return the questions of a cell that IPython turns into requests for help, unless `keep_questions` rewrites them.

    The result maps the name for which IPython requests help to (name of the magic, text of the question).
    """
    from IPython.core.inputtransformer2 import TransformerManager

    found = {}
    for line in cell.splitlines():
        asked = _asked(line)
        help_for = _HELP.search(TransformerManager().transform_cell(line)) if asked is not None else None
        if asked is not None and help_for is not None:
            found[literal_eval(help_for["name"])] = asked[1:]
    return found


def _asked(line: str) -> tuple[str, str, str] | None:
    """Return (text before the magic, its name, the question) for a line that asks a question; None for other lines."""
    if match := _MAGIC.fullmatch(line):
        return match["before"], match["name"], match["text"]
    return ("", "ask", line.strip()) if _BARE.fullmatch(line) else None


keep_questions.has_side_effects = False  # type: ignore[attr-defined]  # IPython may run it to check a cell


@dataclass(frozen=True, slots=True)
class _Loaded:
    """Objects that were registered in a shell, and the magics that they replaced."""

    state: NotebookState
    configurables: tuple[Configurable, ...]  # our settings in %config
    help: ObjectHelp
    replaced: dict[tuple[str, str], Any]  # (line or cell, name) → the magic, None when there was none


_loaded: WeakKeyDictionary[Any, _Loaded] = WeakKeyDictionary()


def _loadable(targets: Sequence[tuple[Feature, str]]) -> list[Any]:
    """Return what targets of features name. One that can't be imported gets a warning; the others are loaded."""
    found = []
    for feature, target in targets:
        try:
            found.append(feature.load(target))
        except FeatureUnavailable as error:
            warnings.warn(str(error), RuntimeWarning, stacklevel=2)
    return found


@cache
def magic_classes() -> tuple[type[WorkspaceMagics], ...]:
    """Return the class of every group of magics. A new group of the core must be added here."""
    from codeexplore.notebook.magics.graph import SurveyMagics, WalkMagics
    from codeexplore.notebook.magics.search import AskMagics
    from codeexplore.notebook.magics.workspace import ExploreMagics

    found = _loadable([(feature, magics.target) for feature in registered() for magics in feature.magics])
    made = (each if isinstance(each, type) else each() for each in found)
    return (ExploreMagics, AskMagics, WalkMagics, SurveyMagics, *made)


def load_ipython_extension(shell: Any) -> None:
    """Register magics, completion and the rewriting of questions in a shell, for ``%load_ext codeexplore``."""
    from codeexplore.notebook import completion
    from codeexplore.notebook.config import CodeExplore
    from codeexplore.notebook.object_help import ObjectHelp
    from codeexplore.notebook.state import NotebookState

    attach(shell)
    before = _loaded.get(shell)
    if before is not None:
        unload_ipython_extension(shell)
        attach(shell)
    settings = _loadable([(feature, feature.settings) for feature in registered() if feature.settings])
    defaults = CodeExplore(parent=shell)
    own = tuple(each(parent=shell) for each in settings)
    state = NotebookState(shell)
    magics = shell.magics_manager
    replaced = {(kind, name): magics.magics[kind].get(name) for kind, name in _names()}
    shell.configurables.extend((defaults, *own))
    groups = [group(shell, state, defaults) for group in magic_classes()]  # each adds itself to the configurables
    shell.register_magics(*groups)
    _loaded[shell] = _Loaded(state, (defaults, *own, *groups), ObjectHelp(state, defaults), replaced)
    parsers = {name: getattr(group, name).parser for group in groups for name in group.magics["line"]}
    completion.attach(shell.Completer, *completion.Completer(state, parsers).matchers)
    shell.input_transformers_cleanup.append(keep_questions)
    _ask_in_this_cell(shell)


def _ask_in_this_cell(shell: Any) -> None:
    """Ask the questions in the cell that loads the extension.

    IPython rewrites a whole cell before it runs the cell, so it has turned these questions into requests for help.
    Until the cell ends, these requests ask the questions instead. Other requests for help are unchanged.
    """
    cells = shell.history_manager.input_hist_raw if shell.history_manager is not None else ()
    waiting = taken_for_help(cells[-1]) if cells else {}
    if not waiting:
        return
    magics = shell.magics_manager.magics["line"]
    real = shell.find_line_magic("pinfo")  # the table itself may contain a proxy that looks the name up again

    def pinfo(line: str = "", *given: Any, **options: Any) -> Any:
        asked = waiting.get(line)
        return shell.run_line_magic(*asked) if asked is not None else real(line, *given, **options)

    def restore(*_: Any) -> None:
        magics["pinfo"] = real
        shell.events.unregister("post_run_cell", restore)

    magics["pinfo"] = pinfo
    shell.events.register("post_run_cell", restore)


def unload_ipython_extension(shell: Any) -> None:
    """Undo `load_ipython_extension`."""
    from codeexplore.notebook import completion

    loaded = _loaded.pop(shell, None)
    if loaded is None:
        return
    loaded.state.clear()
    loaded.help.close()
    shell.input_transformers_cleanup.remove(keep_questions)
    shell.configurables[:] = [each for each in shell.configurables if each not in loaded.configurables]
    completion.detach(shell.Completer)
    for (kind, name), before in loaded.replaced.items():
        if before is None:
            shell.magics_manager.magics[kind].pop(name, None)
        else:
            shell.magics_manager.magics[kind][name] = before
    for group in magic_classes():
        shell.magics_manager.registry.pop(group.__name__, None)


def attach(shell: Any) -> None:
    """Set up IPython when codeexplore is imported: loads show their progress, and ``ws["…`` is completed."""
    from codeexplore.notebook.completion import attach as add
    from codeexplore.notebook.completion import key_matcher

    if getattr(shell, "kernel", None) is not None:
        from codeexplore.workspace import progress

        progress.notebook_bar = NotebookBar
    if getattr(shell, "Completer", None) is not None:
        add(shell.Completer, key_matcher(shell))


def _names() -> list[tuple[str, str]]:
    return [(kind, name) for group in magic_classes() for kind in ("line", "cell") for name in group.magics[kind]]


_PAUSE = 0.2  # minimal number of seconds between two updates of the display
_WIDTH = 160


class NotebookBar:
    """Progress bar of one stage, with the methods of `progress.Line`.

    The bar is a named output of the cell, which appears after `delay` seconds. `close` empties the output, so that a
    saved or exported notebook contains no trace of it.
    """

    def __init__(self, *, total: int, desc: str, delay: float = 0.0, **_: object) -> None:
        self.n = 0
        self._total, self._title = total, desc
        self._next = time.monotonic() + delay
        self._started = time.monotonic()
        self._handle: Any = None

    def update(self, done: int) -> None:
        self.n += done
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PAUSE
        if self._handle is None:
            self._handle = display(self._shown(now), display_id=True, raw=True)
        else:
            self._handle.update(self._shown(now), raw=True)

    def close(self) -> None:
        if self._handle is not None:
            self._handle.update({"text/html": "", "text/plain": ""}, raw=True)
            self._handle = None

    def _shown(self, now: float) -> dict[str, str]:
        from codeexplore.answers.html import components
        from codeexplore.answers.html.elements import tag

        share = min(1.0, self.n / self._total) if self._total else 0.0
        inner = f"display:inline-block;height:8px;width:{round(_WIDTH * share)}px;background:currentColor"
        frame = f"display:inline-block;width:{_WIDTH}px;border:1px solid currentColor;border-radius:3px;line-height:0"
        bar = tag("span", tag("span", style=inner), style=frame, aria_hidden="true")
        count = f" {self.n:,} of {self._total:,}" if self._total > 1 else ""
        text = f"{self._title}{count}, {now - self._started:.0f} s"
        return {"text/html": components.page(tag("div", bar, "\u2002", text)), "text/plain": text}
