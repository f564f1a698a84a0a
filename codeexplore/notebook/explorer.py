"""The explorer: one widget, whose page draws what Python answers.

The page (`front`, built into `static/explorer.js`) asks by messages, and `replies` answers them. The few traits are
what a reloaded page needs, and what a saved notebook keeps; the page itself is fetched by a message, so no notebook
contains it. A still picture in an output of its own shows the last state where no kernel runs.

Depending on its version, a kernel calls the handlers from the main thread or from others, so one lock guards the state.
"""

from __future__ import annotations

import json
import threading
import time
import zlib
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from codeexplore.notebook.config import ASK
from codeexplore.notebook.replies import REDRAWN, REPLIES, SLOW, front_end, search
from codeexplore.notebook.session import Session, failure
from codeexplore.types.errors import CodeExploreError, QuestionError

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace


class Explorer(Session):
    """Widget to ask questions, read code, switch lanes on and off, see the reasons for a ranking, and follow callers.

    Parameters
    ----------
    workspace
        The workspace to search. With None the explorer starts without an open repository.
    question
        Question that is asked at once, if not empty.
    view
        "ask" for question, answer, source and call graph; "lab" for every step of the search with its numbers too.
    explain
        Show the arithmetic of every hit from the beginning.

    Attributes
    ----------
    workspace
        The current workspace. Opening another repository changes it.
    question, place, value
        Traits: the question, the place whose source is open, and the ids of the selected symbols.

    Examples
    --------
    >>> explorer = ws.explore("how are expired sessions handled?")
    >>> explorer.result.hits[0], explorer.value
    >>> print(explorer.code())
    """

    def __init__(
        self, workspace: Workspace | None = None, question: str = "", *, view: str = ASK, explain: bool = False
    ) -> None:
        super().__init__(workspace, view, f"{zlib.crc32(front_end()):08x}", explain=explain)
        self.on_msg(self._heard)
        if question:
            self.ask(question)

    def ask(self, question: str) -> None:
        """Ask a question. The page shows its answer; an error is shown there and leaves no answer."""
        with self.guard.lock:
            self.question = question
            try:
                search(self, question, self.options)
            except CodeExploreError:
                self.answered = None  # the page asks too, and shows the error

    def _heard(self, _: Any, message: Any, __: Any = None) -> None:
        kind = message.get("kind") if isinstance(message, dict) else None
        if kind in SLOW:
            self._slow = [thread for thread in self._slow if thread.is_alive()]
            thread = threading.Thread(target=self._answer, args=(message, False), daemon=True)
            self._slow.append(thread)
            thread.start()
        elif kind is not None:
            self._answer(message, True)

    def _answer(self, message: dict[str, Any], locked: bool) -> None:
        """Send the answer to a request. A failure is an answer too: the page never waits for nothing."""
        began, buffers = time.perf_counter(), list[bytes]()
        try:
            reply = REPLIES.get(str(message["kind"]))
            if reply is None:
                raise QuestionError(f"the explorer has no answer to {message['kind']!r}")
            with self.guard.lock if locked else nullcontext():
                data, buffers = reply(self, **message.get("args", {}))
            # plain data: marimo sends a string of another type, such as Html, as an object
            answer = {"ok": True} | json.loads(json.dumps(data))
        except Exception as error:  # noqa: BLE001 - shown in the page
            answer = failure(error)
        answer |= {"id": message.get("id"), "ms": round((time.perf_counter() - began) * 1000, 1)}
        self.send(answer, buffers)
        if answer["ok"] and message["kind"] in REDRAWN:
            self.redraw()  # right behind the answer: whoever saves what is displayed saves its picture
