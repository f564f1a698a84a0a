"""Help on live objects: ``obj?`` and Shift+Tab also tell the callers and the place of an object in a workspace.

IPython writes every help from the fields of `Inspector.info`, a public method. Ours adds a line to the field "file".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codeexplore.answers.wording import cut, one_line, plural
from codeexplore.types.errors import CodeExploreError

if TYPE_CHECKING:
    from codeexplore.notebook.config import CodeExplore
    from codeexplore.notebook.state import NotebookState
    from codeexplore.types import Symbol
    from codeexplore.workspace.workspace import Workspace

_CHARS = 300


class ObjectHelp:
    """The addition to a shell's help, until `close`."""

    def __init__(self, state: NotebookState, settings: CodeExplore) -> None:
        self._state, self._settings = state, settings
        self._inspector: Any = None
        self._attach()
        state.shell.observe(self._attach, "colors")  # IPython may make a new inspector for other colours

    def _attach(self, _: Any = None) -> None:
        if self._inspector is self._state.shell.inspector:
            return
        self._inspector = self._state.shell.inspector
        real = self._inspector.info

        def info(obj: Any, *given: Any, **options: Any) -> dict[str, Any]:
            found: dict[str, Any] = real(obj, *given, **options)
            if self._settings.help and (line := self._line(obj)):
                found["file"] = "\n".join(filter(None, (found.get("file"), line)))
            return found

        self._inspector.info = info

    def close(self) -> None:
        self._state.shell.unobserve(self._attach, "colors")
        del self._inspector.info

    def _line(self, obj: object) -> str:
        """Return the line about a live object; "" for an object of no workspace. An error never costs the help."""
        try:
            for workspace in {id(each): each for each in self._state.named().values()}.values():
                if symbol := _symbol_of(workspace, obj):
                    return cut(one_line(_described(workspace, symbol)), _CHARS)
        except Exception as error:  # noqa: BLE001 - IPython's own help must stay; the line tells the error
            return cut(one_line(f"codeexplore can't tell its callers: {type(error).__name__}: {error}"), _CHARS)
        return ""


def _symbol_of(workspace: Workspace, obj: object) -> Symbol | None:
    from codeexplore.workspace.view import resolve_live

    try:  # not `workspace.symbol`: a text is an object here, not a name
        return resolve_live(workspace.catalog, workspace.root, obj)
    except CodeExploreError:
        return None


def _described(workspace: Workspace, symbol: Symbol) -> str:
    place = f"{symbol.path}:{symbol.line}"
    if symbol.kind == "module":
        return place
    if workspace.graph_state not in ("ready", "outdated"):  # asking would wait
        return f"{place}, callers not known yet"
    answer = workspace.callers(symbol)
    verdict = answer.verdict
    if verdict is not None and (verdict.kind != "found" or verdict.whole > len(answer)):
        return f"{verdict.headline or verdict.text} · {place}"
    incoming = answer.incoming()
    tests = sum(all(edge.in_test for edge in incoming.of(reached)) for reached in answer.reached)
    return f"{plural(len(answer) - tests, 'caller')}, {plural(tests, 'test')} · {place}"
