"""``%load_ext codeexplore``: magics, completion, defaults, display, bare questions; unloading takes all of it back."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from codeexplore.notebook import formatters

if TYPE_CHECKING:
    from traitlets.config import Configurable

    from codeexplore.notebook.magics.base import WorkspaceMagics
    from codeexplore.notebook.state import NotebookState


@dataclass(frozen=True, slots=True)
class _Loaded:
    """What was put into a shell, and which magics stood where ours are."""

    state: NotebookState
    configurables: tuple[Configurable, ...]  # what %config knows of us
    replaced: dict[tuple[str, str], Any]  # (line or cell, name) → the magic, None when there was none


_loaded: WeakKeyDictionary[Any, _Loaded] = WeakKeyDictionary()


def magic_classes() -> tuple[type[WorkspaceMagics], ...]:
    """Every group of magics. A new group is a class of its own and a line here."""
    from codeexplore.notebook.magics.asking import AskMagics
    from codeexplore.notebook.magics.evaluating import EvaluateMagics
    from codeexplore.notebook.magics.exploring import ExploreMagics
    from codeexplore.notebook.magics.surveying import SurveyMagics
    from codeexplore.notebook.magics.walking import WalkMagics

    return (ExploreMagics, AskMagics, WalkMagics, SurveyMagics, EvaluateMagics)


def load_ipython_extension(shell: Any) -> None:
    """Register everything with an IPython shell. Called by ``%load_ext codeexplore``."""
    from codeexplore.notebook import completion, questions
    from codeexplore.notebook.defaults import CodeExplore
    from codeexplore.notebook.state import NotebookState

    attach(shell)
    before = _loaded.get(shell)
    if before is not None:
        unload_ipython_extension(shell)
        attach(shell)
    defaults = CodeExplore(parent=shell)
    state = NotebookState(shell)
    magics = shell.magics_manager
    replaced = {(kind, name): magics.magics[kind].get(name) for kind, name in _names()}
    shell.configurables.append(defaults)
    groups = [group(shell, state, defaults) for group in magic_classes()]  # each adds itself to the configurables
    shell.register_magics(*groups)
    _loaded[shell] = _Loaded(state, (defaults, *groups), replaced)
    parsers = {name: getattr(group, name).parser for group in groups for name in group.magics["line"]}
    completion.attach(shell.Completer, *completion.Completer(state, parsers).matchers)
    shell.input_transformers_cleanup.append(questions.keep_questions)
    _ask_in_this_cell(shell)


def _ask_in_this_cell(shell: Any) -> None:
    """Ask the questions of the cell that loads the extension.

    IPython rewrote the whole cell before it ran, and took its questions for calls for help. Until the cell ends, these
    calls ask the questions instead; all other calls for help stay what they are.
    """
    from codeexplore.notebook import questions

    cells = shell.history_manager.input_hist_raw if shell.history_manager is not None else ()
    waiting = questions.taken_for_help(cells[-1]) if cells else {}
    if not waiting:
        return
    magics = shell.magics_manager.magics["line"]
    real = shell.find_line_magic("pinfo")  # the table itself may hold a stand-in that looks the name up again

    def pinfo(line: str = "", *given: Any, **options: Any) -> Any:
        asked = waiting.get(line)
        return shell.run_line_magic(*asked) if asked is not None else real(line, *given, **options)

    def restore(*_: Any) -> None:
        magics["pinfo"] = real
        shell.events.unregister("post_run_cell", restore)

    magics["pinfo"] = pinfo
    shell.events.register("post_run_cell", restore)


def unload_ipython_extension(shell: Any) -> None:
    """Take back what `load_ipython_extension` did.

    Results go on showing as HTML as long as a variable of the user's holds something of codeexplore.
    """
    from codeexplore.notebook import completion, questions

    loaded = _loaded.pop(shell, None)
    if loaded is None:
        return
    loaded.state.clear()
    shell.input_transformers_cleanup.remove(questions.keep_questions)
    shell.configurables[:] = [each for each in shell.configurables if each not in loaded.configurables]
    completion.detach(shell.Completer)
    for (kind, name), before in loaded.replaced.items():
        if before is None:
            shell.magics_manager.magics[kind].pop(name, None)
        else:
            shell.magics_manager.magics[kind][name] = before
    for group in magic_classes():
        shell.magics_manager.registry.pop(group.__name__, None)
    if any(map(_is_ours, list(shell.user_ns.values()))):
        attach(shell)
    else:
        formatters.unregister(shell)


def attach(shell: Any) -> None:
    """What an import of the package does under IPython: results show, and ``ws["…`` completes."""
    from codeexplore.notebook.completion import attach as add
    from codeexplore.notebook.completion import key_matcher

    formatters.register(shell)
    if getattr(shell, "kernel", None) is not None:
        from codeexplore.workspace import progress

        progress.notebook_bar = _bar
    if getattr(shell, "Completer", None) is not None:
        add(shell.Completer, key_matcher(shell))


def _bar(**options: Any) -> Any:
    from codeexplore.notebook.bars import NotebookBar

    return NotebookBar(**options)


def _names() -> list[tuple[str, str]]:
    return [(kind, name) for group in magic_classes() for kind in ("line", "cell") for name in group.magics[kind]]


def _is_ours(value: Any) -> bool:
    """Whether a variable's value is codeexplore, or something of it."""
    module = value.__name__ if isinstance(value, ModuleType) else getattr(type(value), "__module__", "")
    if isinstance(value, type) or callable(value):
        module = getattr(value, "__module__", None) or module
    return isinstance(module, str) and module.partition(".")[0] == "codeexplore"
