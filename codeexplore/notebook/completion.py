"""Completion by Tab: symbols after ``%callers`` and in ``ws["…``, and options with their values after every magic.

IPython asks several *matchers* in turn for completions. Our matchers are asked first. If they return completions, they
suppress the other matchers, because reading all keys of a large workspace takes long. Each suggestion has a kind, for
which front ends show an icon.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from IPython.core.completer import CompletionContext, SimpleCompletion, SimpleMatcherResult, context_matcher
from IPython.core.error import UsageError

from codeexplore.notebook.magics.graph import SURVEYS
from codeexplore.types import LANES, SYMBOL_KINDS

if TYPE_CHECKING:
    from codeexplore.notebook.state import NotebookState
    from codeexplore.workspace.workspace import Workspace

_MAGIC = re.compile(r"\s*(?:[\w.\[\]\"']+\s*=\s*)?%{1,2}(?P<name>\w+)[ \t]+(?P<rest>.*)", re.DOTALL)
_KEY = re.compile(r".*?(?P<name>[^\W\d]\w*)\[(?P<quote>['\"])(?P<start>[^'\"\\]*)", re.DOTALL)
_OUTSIDE = frozenset({"ask", "callers", "uses"})  # magics that accept names outside the repository
_SYMBOLS = frozenset(
    {"ask", "callees", "callers", "implementors", "impact", "imports", "overrides", "paths", "related", "source"}
    | {"subclasses", "uses", "why", "grep"}
)
LIMIT = 60
"""Maximal number of suggestions. More do not help, and the kind of each must be looked up."""

_TYPES = {"function": "function", "method": "function", "lambda": "function", "module": "module", "field": "property"}


class _Line(NamedTuple):
    """The part of a magic's line before the cursor."""

    magic: str
    words: tuple[str, ...]  # complete words
    start: str  # beginning of the word at the cursor, "" after a space

    @property
    def option(self) -> str:
        """The option whose value is being typed; "" if it is no option's value."""
        return self.words[-1] if self.words and self.words[-1].startswith("-") else ""


class Completer:
    """The matchers for the magics of one shell. `parsers` maps names of magics to their argument parsers."""

    def __init__(self, state: NotebookState, parsers: Mapping[str, Any]) -> None:
        self._state = state
        self._parsers = parsers
        self.matchers: tuple[Callable[..., Any], ...] = (_matcher("magics", self.in_magic),)

    def in_magic(self, context: CompletionContext) -> SimpleMatcherResult:
        """Return the completions at the cursor, if the line calls one of our magics."""
        match = _MAGIC.fullmatch(context.text_until_cursor)
        if match is None or match["name"] not in self._parsers:
            return _result("", ())
        whole, _, start = match["rest"].rpartition(" ")
        line = _Line(match["name"], tuple(whole.split()), start.lstrip("'\""))
        return _result(line.start, self._offered(line))

    def _offered(self, line: _Line) -> Iterable[SimpleCompletion]:
        if line.start.startswith("-"):
            options = self._parsers[line.magic]._option_string_actions
            return [SimpleCompletion(text=name, type="keyword") for name in sorted(options) if len(name) > 2]
        action = self._parsers[line.magic]._option_string_actions.get(line.option)
        if line.option and action is not None and action.nargs != 0:
            return self._values(line)
        if line.magic == "workspace":
            actions = _words(("status", "list", "switch", "close"), "keyword")
            return _words(self._state.named(), "instance") if line.words else actions
        if line.magic == "survey":
            return _words(SURVEYS, "keyword")
        workspace = self._workspace(line)
        if workspace is None or line.magic not in _SYMBOLS or (line.magic in ("ask", "grep") and len(line.start) < 2):
            return []
        outside = _outside_names(workspace, line.start) if line.magic in _OUTSIDE else []
        files = _file_paths(workspace, line.start) if line.magic == "source" or "/" in line.start else []
        return [*_symbol_names(workspace, line.start), *files, *outside]

    def _values(self, line: _Line) -> Iterable[SimpleCompletion]:
        option = line.option
        if option in ("-w", "--workspace"):
            return _words(self._state.named(), "instance")
        if option in ("-l", "--lanes"):
            done = line.start.rpartition(",")
            return _words([done[0] + done[1] + lane for lane in LANES if lane not in done[0]], "keyword")
        if option == "--fusion":
            from codeexplore.search.ranking.fusion import FUSIONS

            return _words(FUSIONS, "keyword")
        if option == "--kind":
            return _words(SYMBOL_KINDS, "keyword")
        workspace = self._workspace(line)
        if workspace is None:
            return []
        if option == "--lang":
            return _words(_language_names(workspace), "keyword")
        if option == "--path":
            return _file_paths(workspace, line.start)
        return []

    def _workspace(self, line: _Line) -> Workspace | None:
        """Return the workspace that a line uses; None if it is ambiguous. The error is reported when the line runs."""
        named = next((b for a, b in zip(line.words, line.words[1:], strict=False) if a in ("-w", "--workspace")), None)
        try:
            return self._state.workspace(named)
        except UsageError:
            return None


def key_matcher(shell: Any) -> Callable[..., Any]:
    """Return the matcher for keys as in ``ws["…``. The variable may have any name."""

    def in_key(context: CompletionContext) -> SimpleMatcherResult:
        from codeexplore.workspace.workspace import Workspace

        match = _KEY.fullmatch(context.text_until_cursor)
        workspace = None if match is None else shell.user_ns.get(match["name"])
        if match is None or not isinstance(workspace, Workspace):
            return _result("", ())
        return _result(match["start"], _symbol_names(workspace, match["start"]))

    return _matcher("keys", in_key)


def attach(completer: Any, *matchers: Callable[..., Any]) -> None:
    """Add matchers to IPython's completer. Matchers that it has already are not added again."""
    known = {each.matcher_identifier for each in completer.custom_matchers if hasattr(each, "matcher_identifier")}
    completer.custom_matchers.extend(each for each in matchers if each.matcher_identifier not in known)  # type: ignore[attr-defined]


def detach(completer: Any) -> None:
    """Remove the matchers that `attach` added."""
    kept = [m for m in completer.custom_matchers if not getattr(m, "matcher_identifier", "").startswith("codeexplore")]
    completer.custom_matchers[:] = kept


def _matcher(name: str, call: Callable[[CompletionContext], SimpleMatcherResult]) -> Callable[..., Any]:
    def matcher(context: CompletionContext) -> SimpleMatcherResult:
        return call(context)

    made: Callable[..., Any] = context_matcher(priority=100, identifier=f"codeexplore.{name}")(matcher)
    return made


def _result(start: str, offered: Iterable[SimpleCompletion]) -> SimpleMatcherResult:
    """Return the completions that begin with `start`, in order. If there are none, IPython asks its other matchers."""
    wanted = start.casefold()
    fitting = [each for each in offered if each.text.casefold().startswith(wanted)]
    return {"completions": fitting, "matched_fragment": start, "suppress": bool(fitting), "ordered": True}


def _symbol_names(workspace: Workspace, start: str) -> list[SimpleCompletion]:
    from codeexplore.workspace.view import complete

    catalog = workspace.catalog
    found = []
    for name in complete(catalog, start, LIMIT):
        symbol = next(iter(catalog.find(name)), None)
        kind = "" if symbol is None else symbol.kind
        found.append(SimpleCompletion(text=name, type=_TYPES.get(kind, "class" if kind else "text")))
    return found


def _outside_names(workspace: Workspace, start: str) -> list[SimpleCompletion]:
    names = workspace.externals(start, LIMIT) if len(start) > 1 else ()
    return [SimpleCompletion(text=name, type="module") for name in names if name.isprintable() and " " not in name]


def _language_names(workspace: Workspace) -> list[str]:
    from codeexplore.languages.registry import LANGUAGES

    return [language.name for language in LANGUAGES if workspace.summary.files.get(language.title)]


def _file_paths(workspace: Workspace, start: str) -> list[SimpleCompletion]:
    fitting = (path for path in workspace.files if path.startswith(start) and " " not in path and path.isprintable())
    return [SimpleCompletion(text=path, type="path") for path, _ in zip(fitting, range(LIMIT), strict=False)]


def _words(texts: Iterable[str], kind: str) -> list[SimpleCompletion]:
    return [SimpleCompletion(text=text, type=kind) for text in sorted(texts)]
