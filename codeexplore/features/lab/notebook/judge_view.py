"""Widget in which a judge grades the hits of a pool, by mouse or by keys."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import ipywidgets as widgets

from codeexplore.answers.blocks import Piece, Place, Source, Text
from codeexplore.answers.html.components import dim, explorer_style, page
from codeexplore.answers.html.elements import Html, join, tag
from codeexplore.answers.html.show import shown_html
from codeexplore.answers.html.writer import Writer
from codeexplore.answers.wording import cut, one_line, plural
from codeexplore.features.lab.evaluation.fixtures import SUFFIX, Question
from codeexplore.features.lab.evaluation.judgements import GRADES, Item, Judgements, JudgingSession, default_file
from codeexplore.features.lab.evaluation.kappa import agreement
from codeexplore.features.lab.evaluation.pool import make_pool, pooled_settings
from codeexplore.features.lab.evaluation.results import file_name
from codeexplore.notebook.background import CallbackGuard
from codeexplore.notebook.controls import Fold, Message, button, row, text
from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.types import LANES

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace


_LINES = 40  # of the source in sight; the rest unfolds

# A box for text, because JupyterLab takes the keys of other elements as its own: 0 0 would restart the kernel. Each key
# clicks a button, so that keys that follow each other quickly stay in their order.
_KEY_SCRIPT = (
    "if(event.ctrlKey||event.altKey||event.metaKey||event.key.length>1)return;event.preventDefault();"
    "const k=event.key.toLowerCase();if(!/^[0-3unp]$/.test(k))return;"
    "const b=this.closest('.ce-judge').querySelector('.ce-key-'+k);if(b)b.click()"
)


class JudgeView(widgets.VBox):
    """Widget that shows one hit after the other and takes its grade.

    A grade is stored at once and the next hit without one is shown. In the box *Keys*, the keys 0 to 3 grade, U takes
    the last grade back, N and P go to the next and the previous hit. It does not show which lane or fusion found a hit,
    and it highlights no word of the question: both would influence the judge.

    >>> JudgeView(JudgingSession(make_pool(ws, ["where are carts stored?"]), "ada.jsonl", "ada"))
    """

    def __init__(self, session: JudgingSession) -> None:
        self.session = session
        self.message, self.title, self.question, self.hit = Message(), Message(), widgets.HTML(), widgets.HTML()
        guard = CallbackGuard(self.message.alert)
        self.grade_buttons = [button(f"{grade}  {meaning}", "") for grade, meaning in enumerate(GRADES)]
        self.undo_button = button("Undo (U)", "Take the last grade back")
        self.previous_button = button("◂ Previous (P)", "The hit before, without a grade")
        self.next_button = button("Next (N) ▸", "The hit after, without a grade")
        named = [("u", self.undo_button), ("p", self.previous_button), ("n", self.next_button)]
        for key, each in [*((str(n), each) for n, each in enumerate(self.grade_buttons)), *named]:
            each.add_class(f"ce-key-{key}")
        folds = self._folds(guard)
        super().__init__(
            [
                widgets.HTML(explorer_style()),
                row([self.title, widgets.HTML(_key_box())], "ce-heading"),
                self.question,
                row(self.grade_buttons, "ce-grades"),
                row([self.previous_button, self.next_button, self.undo_button]),
                self.message,
                self.hit,
                row([fold.button for fold in folds]),
                *folds,
            ]
        )
        self.add_class("codeexplore-explorer")
        self.add_class("ce-judge")
        for grade, each in enumerate(self.grade_buttons):
            each.on_click(guard(partial(self._grade, grade)))
        self.undo_button.on_click(guard(lambda _: self._undo()))
        self.previous_button.on_click(guard(lambda _: self._go(-1)))
        self.next_button.on_click(guard(lambda _: self._go(1)))
        self._show()

    def _folds(self, guard: CallbackGuard) -> list[Fold]:
        """Return the controls that save the grades, and those that compare them with another judge's."""
        name = file_name(self.session.pool.workspace) or "judged"
        self.qrels = text("qrels file", "", "Path of a file in TREC's format, for other tools")
        self.fixtures = text("question file", "", "Path of a file for codeexplore eval")
        self.other = text("file of the other judge", "ada.jsonl", "The file of grades, or a qrels file")
        self.qrels.value, self.fixtures.value = f"{name}.qrels", f"{name}{SUFFIX}"
        self.qrels_button = button("Write qrels", "Write all grades in TREC's format")
        self.fixtures_button = button("Write questions", "Write the judged questions for codeexplore eval")
        self.compare_button = button("Compare", "Show kappa and the disputed hits")
        self.agreement = widgets.HTML()
        self.qrels_button.on_click(guard(lambda _: self._write_qrels()))
        self.fixtures_button.on_click(guard(lambda _: self._write_fixtures()))
        self.compare_button.on_click(guard(lambda _: self._compare_judges()))
        export = [row([self.qrels, self.qrels_button]), row([self.fixtures, self.fixtures_button])]
        compare = [row([self.other, self.compare_button]), self.agreement]
        return [
            Fold("Export", "Write the grades for other tools", export),
            Fold("Compare judges", "Compare these grades with another judge's", compare),
        ]

    def _grade(self, grade: int, _: object) -> None:
        self.session.grade(grade)
        done, total = self.session.done, self.session.total
        self._show()
        if done == total:
            self.message.show("Every hit has a grade. Export writes them for other tools; Previous changes one.")

    def _undo(self) -> None:
        last = self.session.undo()
        self._show()
        self.message.show("There is no grade to take back." if last is None else f"Took the grade {last.grade} back.")

    def _go(self, by: int) -> None:
        self.session.go(by)
        self._show()

    def _write_qrels(self) -> None:
        self.message.show(f"Wrote {self.session.judgements.to_qrels(self.qrels.value)}.")

    def _write_fixtures(self) -> None:
        path = self.session.write_fixtures(self.fixtures.value)
        left_out = self.session.judgements.unanswered
        without = f" Left out, without a hit of grade 2 or 3: {', '.join(left_out)}." if left_out else ""
        self.message.show(f"Wrote {path}.{without}")

    def _compare_judges(self) -> None:
        path = self.other.value.strip()
        other = agreement(self.session.judgements, Judgements.load(path), pool=self.session.pool)
        self.agreement.value = shown_html(other)
        self.message.show("")

    def _show(self) -> None:
        session, item = self.session, self.session.current
        self.message.show("")
        for each in (*self.grade_buttons, self.previous_button, self.next_button):
            each.disabled = item is None
        self.undo_button.disabled = not session.judgements.entries
        if item is None:
            self.title.show("No lane found a hit for these questions: there is nothing to judge.")
            return
        self.title.show(f"Hit {item.number} of {session.total}, {plural(session.done, 'hit')} graded")
        self.previous_button.disabled, self.next_button.disabled = item.number == 1, item.number == session.total
        for grade, each in enumerate(self.grade_buttons):
            each.button_style = "primary" if item.grade == grade else ""
        self.question.value = page(tag("b", "Does this answer: "), cut(one_line(item.asked.question.query), 400))
        stored = tag("div", dim(f"Each grade is stored at once in {session.path}"))
        self.hit.value = page(_hit_html(item), stored)


def judge_view(
    workspace: Workspace,
    questions: Sequence[Question | str] | str | Path,
    depth: int,
    lanes: Collection[str] | None,
    fusions: Collection[str] | None,
    judge: str,
    file: str | Path | None,
    seed: int,
) -> JudgeView:
    settings = pooled_settings(LANES if lanes is None else lanes, FUSIONS if fusions is None else fusions)
    pool = make_pool(workspace, questions, depth, settings)
    path = default_file(workspace.root, judge) if file is None else file
    return JudgeView(JudgingSession(pool, path, judge, seed))


def _hit_html(item: Item) -> Html:
    source = item.hit.source
    place = Place(source.path, source.start_line, source.end_line)
    graded = "" if item.grade is None else f"  graded {item.grade}"
    head = Text((Piece(item.hit.name, "code"), f"  {item.hit.kind}  ", place, Piece(graded, "strong")))
    return join(Writer().html([head, Source(source.numbered_lines(), source.language, limit=_LINES)]))


def _key_box() -> Html:
    label = "Keys: 0 to 3 grade, U undoes, N next, P previous"
    looks = {"class_": "ce-keys", "autocomplete": "off", "aria_label": label}
    box = tag("input", type_="text", size=4, onkeydown=Html(_KEY_SCRIPT), **looks)
    words = dim(" 0 to 3 grade, U undo, N next, P previous")
    return page(tag("label", "Keys ", box, words))
