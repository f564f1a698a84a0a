"""Controls and background work that the panels of features share; the controls are made of ipywidgets.

Each control has a label, which screen readers use as its name. `Message` is a line for state and errors; screen readers
read it out when it changes. `LatestTask` works on the newest request only. Typing therefore never waits, and the answer
to an old request never replaces a newer answer. `CallbackGuard` runs callbacks of widgets one at a time and shows their
errors in the widget, because a browser has no other place for errors.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import ipywidgets as widgets

from codeexplore.answers.html import components
from codeexplore.answers.html.elements import WARNING, tag
from codeexplore.types.errors import CodeExploreError

if TYPE_CHECKING:
    from codeexplore.answers import SearchAnswer
    from codeexplore.notebook.requests import SearchRequest
    from codeexplore.workspace.workspace import Workspace


class CallbackGuard:
    """Wrapper for the callbacks of one explorer. It runs them one at a time and reports their exceptions.

    Depending on its version, a kernel calls callbacks from the main thread or from other threads. Therefore all
    callbacks and the results of background work (see `LatestTask`) use one lock. `alert` is called with an exception
    that a callback raises.
    """

    def __init__(self, alert: Callable[[Exception], None]) -> None:
        self.lock = threading.RLock()
        self._alert = alert

    def __call__(self, callback: Callable[..., Any]) -> Callable[..., None]:
        """Return a function that runs `callback` under the lock and passes its exceptions to `alert`."""

        def guarded(*given: Any) -> None:
            with self.lock:
                try:
                    callback(*given)
                except Exception as error:  # noqa: BLE001 - shown in the alert line
                    self._alert(error)

        return guarded


Request = TypeVar("Request")
Outcome = TypeVar("Outcome")


class LatestTask(Generic[Request, Outcome]):
    """Background task that calls `work` for the newest request, in a thread of its own, and `show` with its result.

    If a newer request arrives before the result is shown, the result is dropped. `fail` gets an exception of `work` or
    `show`, because a widget has no other way to report it. Calls of `show` and `fail` hold the lock and never overlap.
    Several tasks and callbacks can share it; None makes a new lock.
    """

    def __init__(
        self,
        work: Callable[[Request], Outcome],
        show: Callable[[Outcome], None],
        fail: Callable[[Exception], None],
        lock: threading.RLock | None = None,
    ) -> None:
        self._work, self._show, self._fail = work, show, fail
        self._changed = threading.Condition(lock or threading.RLock())
        self._newest = 0
        self._threads = 0

    def ask(self, request: Request, wait: float = 0.0) -> None:
        """Start work on `request` after `wait` seconds, unless a newer request arrives. Returns at once."""
        with self._changed:
            self.forget()
            self._threads += 1
            number = self._newest
        threading.Thread(target=self._run, args=(number, request, wait), daemon=True).start()

    def forget(self) -> None:
        """Drop the waiting request, and drop the result of the request that is being worked on."""
        with self._changed:
            self._newest += 1
            self._changed.notify_all()

    def wait(self, timeout: float = 30.0) -> bool:
        """Wait until all requests are done. Return False if that takes longer than `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self._threads == 0, timeout)

    def _run(self, number: int, request: Request, wait: float) -> None:
        try:
            with self._changed:
                if self._changed.wait_for(lambda: self._newest != number, wait):
                    return
            try:
                outcome = self._work(request)
            except Exception as error:  # noqa: BLE001 - shown by the caller
                self._deliver(number, self._fail, error)
            else:
                self._deliver(number, self._show, outcome)
        finally:
            with self._changed:
                self._threads -= 1
                self._changed.notify_all()

    def _deliver(self, number: int, call: Callable[[Any], None], value: object) -> None:
        with self._changed:
            if self._newest != number:
                return
            try:
                call(value)
            except Exception as error:  # noqa: BLE001 - as above
                self._fail(error)


class Message(widgets.HTML):
    """A status line, which can also show an error as an alert."""

    value: str  # ipywidgets' trait

    def show(self, text: str) -> None:
        self.value = components.page(tag("div", text, role="status", aria_live="polite")) if text else ""

    def busy(self, text: str) -> None:
        """Show `text`, the name of the running work, with a spinner."""
        spinner = tag("span", class_="ce-spinner", aria_hidden="true")
        self.value = components.page(tag("div", spinner, text, role="status", aria_live="polite"))

    def alert(self, error: Exception) -> None:
        """Show an error. For an error of codeexplore only the message is shown, for other errors the type too."""
        said = str(error) if isinstance(error, CodeExploreError) else f"{type(error).__name__}: {error}"
        style = f"color:{WARNING};white-space:pre-wrap"
        self.value = components.page(tag("div", "⚠ ", said, role="alert", class_="ce-warning", style=style))


def row(children: Sequence[Any], style: str = "") -> Any:
    """Return controls in a row that wraps on a narrow page. `style` is the name of a class in the style sheet."""
    made = widgets.HBox(list(children), layout=widgets.Layout(flex_flow="row wrap", align_items="center"))
    made.add_class("ce-row")
    if style:
        made.add_class(style)
    return made


def checkbox(label: str, tooltip: str, *, value: bool = True) -> Any:
    layout = widgets.Layout(width="auto")
    return widgets.Checkbox(value=value, description=label, tooltip=tooltip, indent=False, layout=layout)


def _labelled(kind: Any, label: str, tooltip: str, look: str = "", **options: Any) -> Any:
    """Return a control of a kind of ipywidgets. `look` is the name of a class in the style sheet."""
    layout, style = widgets.Layout(width="auto"), {"description_width": "auto"}
    made = kind(description=label, tooltip=tooltip, style=style, layout=layout, **options)
    return made.add_class(look) if look else made


def number(label: str, value: int, low: int, high: int, tooltip: str = "") -> Any:
    return _labelled(widgets.BoundedIntText, label, tooltip, "ce-number", value=value, min=low, max=high)


def fraction(label: str, value: float, low: float, high: float, step: float, tooltip: str = "") -> Any:
    bounds = {"min": low, "max": high, "step": step}
    return _labelled(widgets.BoundedFloatText, label, tooltip, "ce-number", value=value, **bounds)


def choice(label: str, options: Sequence[Any], tooltip: str = "") -> Any:
    return _labelled(widgets.Dropdown, label, tooltip, options=options)


def text(label: str, placeholder: str, tooltip: str = "") -> Any:
    """Return a box for a line of text. Its value changes on Enter and when the box loses the focus."""
    return _labelled(widgets.Text, label, tooltip, "ce-text", placeholder=placeholder, continuous_update=False)


def button(label: str, tooltip: str) -> Any:
    """Return a button. It has no icon, because a screen reader would read the icon's private-use letter."""
    return widgets.Button(description=label, tooltip=tooltip, layout=widgets.Layout(width="auto"))


class Fold(widgets.VBox):
    """Controls behind a button. It stays open or closed until the button is pressed again."""

    def __init__(self, label: str, tooltip: str, children: Sequence[Any]) -> None:
        self._folded = tuple(children)
        self.button = widgets.ToggleButton(
            value=False, description=label, tooltip=tooltip, layout=widgets.Layout(width="auto")
        )
        self.button.add_class("ce-fold")
        super().__init__([])
        self.button.observe(lambda change: self._toggle(bool(change["new"])), "value")

    def _toggle(self, opened: bool) -> None:
        self.children = self._folded if opened else ()


class Host(Protocol):
    """The explorer, as panels and actions of features see it."""

    workspace: Workspace | None
    guard: CallbackGuard

    @property
    def answer(self) -> SearchAnswer | None:
        """The displayed answer."""

    @property
    def asked(self) -> SearchRequest | None:
        """The question of the displayed answer, with its options."""

    def update_code(self) -> None:
        """Show the new code of a panel, if code is displayed."""
