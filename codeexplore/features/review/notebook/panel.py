"""Panel "Changes" of the explorer: the symbols that differ from another state, their impact, and the tests to run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import ipywidgets as widgets

from codeexplore.answers.blocks import Drawing
from codeexplore.answers.drawing.vis_network import still_html
from codeexplore.answers.html import components
from codeexplore.answers.html.elements import Html, join, tag
from codeexplore.answers.html.links import linked
from codeexplore.answers.html.writer import Writer
from codeexplore.notebook.controls import CallbackGuard, Host, LatestTask, Message, checkbox, number, row
from codeexplore.notebook.requests import call

if TYPE_CHECKING:
    from codeexplore.features.review.answers import ChangeImpactAnswer, ChangesAnswer, TestsAnswer
    from codeexplore.workspace.workspace import Workspace

# A widget's box keeps a text back until the kernel has answered to the text before it, but a button sends its press at
# once. So the button puts the text of this box into a hidden box; the time makes each press a change of that box.
_SEND: Final = Html(
    "const e=this.closest('.ce-entry'),i=e.querySelector('.ce-sent textarea');"
    "i.value=Date.now()+' '+e.querySelector('.ce-typed').value;i.dispatchEvent(new Event('input',{bubbles:true}))"
)
_SEND_ON_ENTER: Final = Html(f"if(event.key==='Enter'){{event.stopPropagation();{_SEND}}}")
_BUTTON: Final = "jupyter-widgets jupyter-button widget-button"


class TextEntry(widgets.HBox):
    """A box for text, and a button. The button, and Enter in a box of one line, call `sent` with the text."""

    def __init__(self, press: str, tooltip: str, sent: Callable[[str], None], guard: CallbackGuard) -> None:
        self._press, self._tooltip, self._call = press, tooltip, sent
        self._page = widgets.HTML(layout=widgets.Layout(flex="1 1 auto"))
        self._sent = widgets.Textarea(description="Sent text", layout=widgets.Layout(display="none"))
        self._sent.add_class("ce-sent")
        self.offered: tuple[str, ...] = ()
        super().__init__([self._page, self._sent], layout=widgets.Layout(flex="1 1 320px"))
        self.add_class("ce-entry")
        self._sent.observe(guard(lambda change: self.send(change["new"].partition(" ")[2])), "value")

    def show(
        self, label: str, placeholder: str, value: str = "", *, offered: Sequence[str] = (), lines: int = 1
    ) -> None:
        """Show a box with a label and a text. `offered` are texts to choose from; they need a box of one line."""
        self.offered = tuple(offered)
        known = f"offered-{self.model_id}" if offered else None
        if lines > 1:
            style = "widget-textarea"
            box = tag("textarea", value, class_="ce-typed", placeholder=placeholder, rows=lines)
        else:
            style = "widget-text"
            typed = {"type": "text", "value": value, "placeholder": placeholder}
            box = tag("input", class_="ce-typed", **typed, list=known, onkeydown=_SEND_ON_ENTER)
        named = tag("span", label, class_="widget-label")
        button = tag("button", self._press, type="button", title=self._tooltip, class_=_BUTTON, onclick=_SEND)
        options = tag("datalist", *(tag("option", value=each) for each in offered), id=known) if offered else ""
        labelled = tag("label", named, box, class_=f"jupyter-widgets widget-inline-hbox {style}")
        self._page.value = tag("div", labelled, button, options, class_="ce-entry-line")

    def send(self, text: str) -> None:
        """Act as if the user had typed `text` and pressed the button."""
        self._call(text)


SYMBOLS, IMPACT, TESTS = "Symbols", "Impact", "Tests"
_STALE = "ce-old"  # a result that is being replaced is dimmed


class Comparing(NamedTuple):
    """A requested comparison and the part of it to show."""

    workspace: Workspace
    base: str
    untracked: bool
    view: str
    depth: int  # steps of the impact; 0 for any number
    safe: bool
    known: ChangesAnswer | None = None  # the comparison, if only the view is another one

    def same_states(self, other: Comparing) -> bool:
        return (self.workspace, self.base, self.untracked) == (other.workspace, other.base, other.untracked)


class _Compared(NamedTuple):
    request: Comparing
    changes: ChangesAnswer
    answer: ChangesAnswer | ChangeImpactAnswer | TestsAnswer
    markup: str


class ChangesPanel(widgets.VBox):
    """Controls to choose a state to compare with, and the comparison in three views.

    Opening the panel compares the files with the last commit. A pasted patch takes the place of the reference.
    """

    children: tuple[Any, ...]  # ipywidgets' trait

    def __init__(self, host: Host) -> None:
        self._host, guard = host, host.guard
        self._shown: _Compared | None = None
        self._latest: LatestTask[Comparing, _Compared] = LatestTask(_work, self._show, self._fail, guard.lock)
        self._base, self._patch, self._references = "HEAD", "", tuple[str, ...]()
        self.given = TextEntry("Compare", "Read the edited files and compare again", self._submitted, guard)
        self.patch_button = widgets.ToggleButton(
            value=False,
            description="Patch",
            tooltip="Paste a patch, to see what it would change",
            layout=widgets.Layout(width="auto"),
        )
        self.patch_button.add_class("ce-fold")
        self.untracked = checkbox("untracked files", "Compare new files too, which git does not track")
        self.view = widgets.ToggleButtons(
            options=(SYMBOLS, IMPACT, TESTS),
            description="Show",
            style={"description_width": "auto"},
            tooltips=["Functions and types that differ", "Code that the changes may affect", "Tests to run"],
        )
        self.view.add_class("ce-views")
        self.depth = number("steps (0: any)", 0, 0, 99, "How many steps to follow from a changed symbol; 0: to the end")
        self.safe = checkbox(
            "by import too",
            "Add the test files that import a changed file without a call into it: fewer are missed, more are run",
            value=False,
        )
        self.message = Message()
        self.result = widgets.HTML()
        self.result.add_class("ce-found")
        self._views = row([self.view, self.depth, self.safe])
        top = row([self.given, self.patch_button, self.untracked])
        super().__init__([top, self._views, self.message, self.result])
        self.add_class("ce-changes")
        self._show_box()
        self._arrange()
        self.patch_button.observe(guard(lambda _: self._show_box()), "value")
        for control in (self.view, self.depth, self.safe):
            control.observe(guard(lambda _: self._other_view()), "value")

    @property
    def answer(self) -> ChangesAnswer | ChangeImpactAnswer | TestsAnswer | None:
        """The displayed answer; None before the first comparison and after an error."""
        return None if self._shown is None else self._shown.answer

    def start(self) -> None:
        """Offer the references of the repository, and compare with the last commit if nothing is displayed."""
        from codeexplore.features.review.states import references

        workspace = self._host.workspace
        if workspace is not None:
            self._references = ("HEAD", *references(workspace.root))
            self._show_box()
        if self._shown is None:
            self.compare()

    def compare(self) -> None:
        request = self._request()
        if request is None:
            return
        self.message.busy("Comparing …")
        self.result.add_class(_STALE)
        self._latest.ask(request)

    def code(self, workspace: str) -> str:
        """Return the Python expression of the displayed answer; "" if nothing is displayed."""
        if self._shown is None:
            return ""
        request = self._shown.request
        options = {} if request.untracked else {"untracked": False}
        made = call(f"{workspace}.review.changes", request.base, options)
        if request.view == IMPACT:
            return f"{made}.impact({request.depth or ''})"
        return made if request.view == SYMBOLS else f"{made}.tests({'safe=True' if request.safe else ''})"

    def clear(self) -> None:
        self._latest.forget()
        self._shown = None
        self._base, self._patch, self._references, self.patch_button.value = "HEAD", "", (), False
        self._show_box()
        self.message.value = self.result.value = ""

    def wait(self, timeout: float = 30.0) -> bool:
        """Wait until the requested comparison is displayed. Return False if that takes longer than `timeout` s."""
        return self._latest.wait(timeout)

    def _request(self) -> Comparing | None:
        workspace, base = self._host.workspace, self._patch if self.patch_button.value else self._base
        if not base:
            self.message.show("Paste a patch first.")
            return None
        if workspace is None:
            self.message.show("Open a repository first.")
            return None
        untracked, depth, safe = bool(self.untracked.value), int(self.depth.value), bool(self.safe.value)
        return Comparing(workspace, base, untracked, str(self.view.value), depth, safe)

    def _submitted(self, text: str) -> None:
        if not self.patch_button.value:
            self._base = text.strip() or "HEAD"
        else:
            self._patch = text.removesuffix("\n") + "\n" if text.strip() else ""
        self.compare()

    def _show_box(self) -> None:
        if self.patch_button.value:
            self.given.show("Patch", "the output of git diff", self._patch, lines=6)
        else:
            hint = "a branch, tag, commit, or main...feature"
            self.given.show("Changes since", hint, self._base, offered=self._references)

    def _other_view(self) -> None:
        self._arrange()
        request = self._request()
        if self._shown is None or request is None:
            return
        known = self._shown.changes if request.same_states(self._shown.request) else None
        self.message.busy("Following the change …" if request.view != SYMBOLS else "Comparing …")
        self.result.add_class(_STALE)
        self._latest.ask(request._replace(known=known))

    def _arrange(self) -> None:
        own = {IMPACT: (self.depth,), TESTS: (self.safe,)}
        self._views.children = (self.view, *own.get(self.view.value, ()))

    def _show(self, compared: _Compared) -> None:
        self._shown = compared
        self.result.remove_class(_STALE)
        self.message.value = ""
        self.result.value = compared.markup
        self._host.update_code()

    def _fail(self, error: Exception) -> None:
        self._shown = None
        self.result.remove_class(_STALE)
        self.result.value = ""
        self.message.alert(error)
        self._host.update_code()


def _work(request: Comparing) -> _Compared:
    changes = request.known
    if changes is None:
        request.workspace.refresh(graph="background")
        changes = request.workspace.review.changes(request.base, untracked=request.untracked)
    answer: ChangesAnswer | ChangeImpactAnswer | TestsAnswer = changes
    if request.view == IMPACT:
        answer = changes.impact(request.depth or None)
    elif request.view == TESTS:
        answer = changes.tests(safe=request.safe)
    return _Compared(request, changes, answer, changes_html(answer))


@linked
def changes_html(answer: ChangesAnswer | ChangeImpactAnswer | TestsAnswer) -> Html:
    """Return changes, their impact or their tests for the explorer, with a still picture of the impact.

    Unlike an output that is stored in a notebook, it has the source of every symbol before and after.
    """
    blocks = answer.blocks()
    drawn = next((block.answer for block in blocks if isinstance(block, Drawing)), None)
    picture = None if drawn is None else still_html(drawn)
    return components.page(*Writer(chars=None, drawing=picture or join(())).html(blocks))
