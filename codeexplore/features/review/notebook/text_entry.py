"""Box for a text, and a button that sends it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import ipywidgets as widgets

from codeexplore.answers.html.elements import Html, tag
from codeexplore.notebook.background import CallbackGuard

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
