"""The explorer widget: a question box, an answer with the reasons for its ranking, and the callers of its hits.

Data flows one way: controls → `SearchRequest` → ``ws.search`` → answer → HTML. Panels never call each other. The
explorer passes an answer to the panels that show it.

`code_of` writes the Python that recreates the displayed results. `explorer_text` replaces the explorer in a terminal,
which cannot show widgets.
"""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import ipywidgets as widgets
from IPython.core.getipython import get_ipython
from IPython.display import display

from codeexplore.answers import SearchAnswer
from codeexplore.answers.wording import cut, one_line, plural
from codeexplore.notebook.background import CallbackGuard, LatestTask
from codeexplore.notebook.config import ASK, LAB, checked_view
from codeexplore.notebook.panels.compare import ComparePanel
from codeexplore.notebook.panels.graph import CallersPanel
from codeexplore.notebook.panels.open import LoadPanel
from codeexplore.notebook.panels.pins import Pins
from codeexplore.notebook.panels.query import AskingPanel
from codeexplore.notebook.panels.staleness import FreshnessPanel, Snapshot
from codeexplore.notebook.panels.starters import StartersPanel
from codeexplore.notebook.panels.toolbar import Columns, Heading, Message, ViewSwitch, row
from codeexplore.notebook.requests import SearchRequest, Walk, call
from codeexplore.notebook.state import in_terminal
from codeexplore.types import Symbol
from codeexplore.types.features import Action, Feature, registered
from codeexplore.workspace.targets import complete

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from codeexplore.workspace.workspace import Workspace

_NO_OTHERS: Mapping[str, Callable[[str], str]] = MappingProxyType({})


def code_of(
    workspace: Workspace | None,
    asked: SearchRequest | None,
    walk: Walk | None,
    name: str | None = None,
    where: str = "",
    others: Mapping[str, Callable[[str], str]] = _NO_OTHERS,
) -> str:
    """Return Python statements that open the workspace and compute ``answer``, ``walk`` and others again.

    If `name` is a variable that contains the workspace, the statements use it. `where` is the path, package or URL from
    which the workspace was opened; "" if it is unknown. `others` maps further variables to functions that return their
    expressions for a variable of the workspace; "" if the panel shows nothing.
    """
    if workspace is None:
        return "# no repository is open"
    bound = name or _bound_name(workspace)
    lines: list[str] = []
    imports = ["Filters"] if asked is not None and "filters" in asked.options() else []
    if bound is None:
        bound = "ws"
        made, needs = _opened(workspace, where)
        imports += needs
        lines.append(f"ws = {made}")
    if "open_workspace" in imports:
        imports.remove("open_workspace")
        lines.insert(0, "from codeexplore.workspace.open import open_workspace\n")
    if imports:
        lines.insert(0, f"from codeexplore import {', '.join(sorted(imports))}" + ("" if len(lines) > 1 else "\n"))
    if asked is not None:
        lines.append(f"answer = {asked.code(bound)}")
    if walk is not None:
        lines.append(f"walk = {walk.code(bound)}")
    lines += [f"{variable} = {written}" for variable, code in others.items() if (written := code(bound))]
    return "\n".join(lines)


def _opened(workspace: Workspace, where: str) -> tuple[str, list[str]]:
    """Return the expression that opens the workspace again, and the names that it needs to import."""
    if where:
        return call("open_workspace", where, {}), ["open_workspace"]
    return workspace.to_code(), ["Workspace"]


def _bound_name(workspace: Workspace) -> str | None:
    """Return the name of a variable of this notebook whose value is the workspace; None if there is none."""
    from IPython import get_ipython

    shell = get_ipython()
    if shell is None:
        return None
    names = [name for name, value in list(shell.user_ns.items()) if value is workspace and not name.startswith("_")]
    return min(names, key=lambda name: (name != "ws", name), default=None)


_SECONDS = 5.0  # maximal time that `explorer_text` waits for an answer


def explorer_text(explorer: Explorer) -> str:
    """Return a text that replaces the explorer in a terminal: a hint, and the answer if a question was asked."""
    from codeexplore.answers.show import shown_text

    hint = "The explorer is a widget: it needs JupyterLab, Notebook or another front end with ipywidgets.\n"
    hint += "As text: ws.search('how are …?'), ws.callers('name'), or %load_ext codeexplore and %ask how are …?"
    explorer.wait(_SECONDS)
    return hint if explorer.result is None else f"{hint}\n\n{shown_text(explorer.result)}"


TYPING_PAUSE = 0.2
"""Seconds without a keystroke before the search starts."""

OLD = "ce-old"
"""CSS class of results of the previous question while the next answer is computed: they are dimmed."""

_QUESTION_CHARS = 120  # maximal number of characters of the question in the status line


class _Question(NamedTuple):
    workspace: Workspace
    asked: SearchRequest
    view: str


class _Answered(NamedTuple):
    question: _Question
    answer: SearchAnswer
    snapshot: Snapshot
    rendered: dict[str, str]  # view → its HTML, as far as it was displayed


class Explorer(widgets.VBox):
    """Widget to ask questions, switch lanes on and off, see the reasons for a ranking, and follow callers.

    Parameters
    ----------
    workspace
        The workspace to search. With None the explorer starts without an open repository.
    question
        Question that is asked at once, if not empty.
    pause
        Seconds without a keystroke after which the question is asked. Enter asks it at once.
    view
        "ask" for question, answer and call graph; "lab" for every step of the search with its numbers and controls.

    Attributes
    ----------
    workspace
        The current workspace. Opening another repository changes it.

    Examples
    --------
    >>> explorer = ws.explore("how are expired sessions handled?")
    >>> explorer.result.hits[0], explorer.selected
    >>> print(explorer.code())
    """

    def __init__(
        self, workspace: Workspace | None = None, question: str = "", *, pause: float = TYPING_PAUSE, view: str = ASK
    ) -> None:
        self._view = view
        self.workspace = workspace
        self._where = ""
        self._pause = pause
        self._answered: _Answered | None = None
        self.message = Message()
        self.guard = guard = CallbackGuard(self.message.alert)
        self._lock = guard.lock
        self._latest: LatestTask[_Question, _Answered] = LatestTask(_work, self._show, self._fail, guard.lock)
        self.compare = ComparePanel(guard)
        self.panel = AskingPanel(question, self._changed, self._names, guard, more=[self.compare.controls])
        self.freshness = FreshnessPanel(lambda: self._changed(True), guard)
        self.starters = StartersPanel(self.ask, guard)
        self.results = widgets.HTML()
        self.callers = CallersPanel(self.update_code, guard)
        self.load = LoadPanel(self._loaded, guard)
        self.pins = Pins()
        features = tuple(registered())
        self._offered = {panel.key: (feature, panel) for feature in features for panel in feature.panels}
        self.panels: dict[str, Any] = {}
        self.views = ViewSwitch(view, self._choose_view, guard)
        panels = [(panel, partial(self.opened, key)) for key, (_, panel) in self._offered.items()]
        actions = [(action, partial(self._made, each, action)) for each in features for action in each.actions]
        self.heading = Heading(self.load, panels, actions, self.pin, self.code, self.views, guard)
        self._how = widgets.VBox([row([self.panel.found_fold.button]), self.panel.found_fold])
        self._found = widgets.VBox([])
        self._found.add_class("ce-found")
        self.columns = Columns(self._found, self.callers)
        state = row([self.message], "ce-state")
        super().__init__([self.heading, self.panel, state, self.freshness, self.columns])
        self.add_class("codeexplore-explorer")
        self.panel.found_fold.button.observe(guard(lambda _: self._show_scores()), "value")
        with guard.lock:
            self._choose_view(view)
            self._opened()

    # ----------------------------------------------------------------- for the notebook

    @property
    def result(self) -> SearchAnswer | None:
        """The displayed answer; None before the first answer and after an error."""
        return None if self._answered is None else self._answered.answer

    answer = result

    @property
    def asked(self) -> SearchRequest | None:
        """The question of the displayed answer, with its options; None without an answer."""
        return None if self._answered is None else self._answered.question.asked

    def opened(self, key: str) -> Any:
        """Return the panel of a feature, such as ``"changes"``. It is made at its first use."""
        if key not in self.panels:
            feature, panel = self._offered[key]
            self.panels[key] = feature.load(panel.make)(self)
        return self.panels[key]

    def update_code(self) -> None:
        self.heading.renew_code()

    @property
    def selected(self) -> Symbol | None:
        """The symbol selected in the list of the call graph, or else the symbol at which the walk started."""
        return self.callers.selected

    def code(self, workspace: str | None = None) -> str:
        """Return Python statements that compute the displayed results again.

        They set the workspace, ``answer``, ``walk``, and a variable with the key of each panel, as far as these are
        displayed.

        Parameters
        ----------
        workspace
            Name of the variable that contains the workspace. By default such a variable of this notebook is searched.
            If there is none, the code opens the workspace.
        """
        with self._lock:
            asked = None if self._answered is None else self._answered.question.asked
            walk = None if self.callers.walked is None else self.callers.walked.walk
            others = {key: self.panels[key].code for key in self._offered if key in self.panels}
            return code_of(self.workspace, asked, walk, workspace, self._where, others)

    def pin(self) -> None:
        """Save the displayed answer and walk below the explorer, as HTML that is stored in the notebook.

        If a walk is being computed, this is done in the background when the walk is ready.
        """
        with self._lock:
            answered = self._answered
            if answered is None:
                self.message.show("Ask a question first: its answer can be pinned.")
                return
            self.callers.then(lambda: self._pin(answered))

    def ask(self, question: str) -> None:
        """Put a question into the box and ask it at once. The search runs in the background; `wait` waits for it."""
        with self._lock:  # one request: the change of the box makes none of its own
            self.panel.question.show(question)
            self._changed(True)

    def wait(self, timeout: float = 30.0) -> bool:
        """Wait until all requested results are displayed. Return False if that takes longer than `timeout` seconds."""
        # each may start the next
        parts = (self.load, self.starters, self._latest, self.compare, self.callers, *self.panels.values())
        return all(part.wait(timeout) for part in parts)

    def close(self) -> None:
        """Remove the widget, and drop the work that is running."""
        self._latest.forget()
        self.freshness.clear()
        self.load.close()
        self.starters.clear()
        self.compare.clear()
        self.callers.close()
        for panel in self.panels.values():
            panel.clear()
        super().close()

    def _ipython_display_(self, **_: Any) -> None:
        if in_terminal(get_ipython()):
            print(explorer_text(self))  # noqa: T201 - there is nothing else to show it in
            return
        display(self._repr_mimebundle_(), raw=True)
        self.pins.place()

    def __repr__(self) -> str:
        name = "nothing open" if self.workspace is None else self.workspace.name
        return (
            f"<Explorer: {name}; needs a running kernel. ws.search(), %ask and its Pin button leave results that stay>"
        )

    # ----------------------------------------------------------------- views

    @property
    def view(self) -> str:
        """The displayed view: "ask" or "lab". Set it to change the view."""
        return self._view

    @view.setter
    def view(self, view: str) -> None:
        self.views.value = checked_view(view)

    def _choose_view(self, view: str) -> None:
        """Arrange the parts of a view. The answer, the call graph and the values of all controls stay."""
        self._view = view
        lab = view == LAB
        (self.add_class if lab else self.remove_class)("ce-lab")
        self.panel.arrange(view)
        self.callers.controls.arrange(view)
        above, below = ((self.compare,), ()) if lab else ((), (self._how,))
        self._found.children = (*above, self.starters, self.results, *below)
        self._show_results()

    def _show_results(self) -> None:
        answered = self._answered
        self.results.value = "" if answered is None else _rendered(answered, self._view)
        self._how.layout.display = "none" if answered is None else ""
        self._show_scores()

    def _show_scores(self) -> None:
        """Show how the scores add up, if *How it was found* is open; they are made when it is opened first."""
        answered = self._answered
        wanted = answered is not None and self._view == ASK and self.panel.found_fold.button.value
        self.panel.scores.value = _rendered(answered, _SCORES) if wanted and answered is not None else ""

    # ----------------------------------------------------------------- events

    def _changed(self, at_once: bool) -> None:
        asked = self.panel.asked()
        if not asked.question or self.workspace is None:
            self._latest.forget()
            self._clear()
            self._invite()
            return
        self.starters.clear()
        self.columns.with_graph(True)
        self.message.busy("Searching …")
        for part in (self.results, self.compare, self.callers):
            part.add_class(OLD)
        self._latest.ask(_Question(self.workspace, asked, self._view), 0.0 if at_once else self._pause)

    def _show(self, answered: _Answered) -> None:
        self._answered = answered
        question, answer, snapshot, _ = answered
        self._undim()
        # clear the previous comparison and call graph first: they are never shown with the new answer
        self.compare.offer(question.workspace, question.asked, answer)
        self.callers.offer(question.workspace, answer)
        self._show_results()
        self.panel.show(answer)
        question_text = cut(one_line(answer.question), _QUESTION_CHARS)
        self.message.show(f"{plural(len(answer), 'hit')} for “{question_text}” in {answer.result.elapsed_ms:.0f} ms")
        self.freshness.offer(snapshot)
        self._answer_changed()
        self.update_code()

    def _fail(self, error: Exception) -> None:
        self._clear()
        self.message.alert(error)

    def _pin(self, answered: _Answered) -> None:
        from codeexplore.notebook.panels.pins import pinned_html

        walked = self.callers.walked if answered is self._answered else None  # else it is the walk of another answer
        self.pins.pin(pinned_html(answered.answer, None if walked is None else walked.pinned))

    def _made(self, feature: Feature, action: Action) -> str:
        with self._lock:
            html: str = feature.load(action.make)(self)
            return html

    def _answer_changed(self) -> None:
        made = [self.panels[key] for key, (_, panel) in self._offered.items() if panel.of_answer and key in self.panels]
        self.heading.answer_changed(made)

    def _clear(self) -> None:
        self._answered = None
        self._undim()
        self.compare.clear()
        self.callers.clear()
        self._show_results()
        self.panel.clear()
        self.freshness.clear()
        self._answer_changed()
        self.update_code()

    def _undim(self) -> None:
        for part in (self.results, self.compare, self.callers):
            part.remove_class(OLD)

    def _loaded(self, workspace: Workspace, where: str) -> None:
        self.workspace, self._where = workspace, where
        for panel in self.panels.values():
            panel.clear()
        self._clear()
        self._opened()

    def _opened(self) -> None:
        self.heading.show(self.workspace)
        if self.workspace is not None:
            self.panel.options.offer_languages(_languages(self.workspace))
        self._changed(True)

    def _invite(self) -> None:
        self.columns.with_graph(False)
        if self.workspace is None:
            self.starters.clear()
            self.message.show("Open a repository to ask about it.")
        else:
            self.starters.show(self.workspace)
            self.message.show("Type a name or a question, or start with one of those below.")

    def _names(self, beginning: str) -> tuple[str, ...]:
        return () if self.workspace is None else complete(self.workspace.catalog, beginning)


def open_explorer(workspace: Workspace, question: str, view: str) -> Explorer:
    """Return an explorer. Raises QuestionError if there is no such view: before there is a widget to close again."""
    return Explorer(workspace, question, view=checked_view(view))


def _work(question: _Question) -> _Answered:
    snapshot = Snapshot.of(question.workspace)  # before the search: an update in the meantime counts as newer
    answer = question.asked.search(question.workspace)
    answered = _Answered(question, answer, snapshot, {})
    _rendered(answered, question.view)
    return answered


_SCORES = "scores"


def _rendered(answered: _Answered, part: str) -> str:
    """Return the HTML of the hits for a view, or of the scores. It is made once for each answer."""
    from codeexplore.answers.html.show import found_html, plain_html, scores_html

    if part not in answered.rendered:
        make = {ASK: plain_html, LAB: found_html, _SCORES: scores_html}[part]
        answered.rendered[part] = make(answered.answer)
    return answered.rendered[part]


def _languages(workspace: Workspace) -> list[tuple[str, str]]:
    """Return (title, name) of each language of the workspace, sorted by title."""
    from codeexplore.languages.registry import by_name

    names = {workspace.file(path).language for path in workspace.files}
    return sorted((by_name(name).title, name) for name in names)
