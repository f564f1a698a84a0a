"""Packs: lines of a repository that fit a token budget, with notes on what was left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block
from codeexplore.answers.shown import Shown
from codeexplore.answers.wording import cut, one_line, plural
from codeexplore.features.context.packs import document, knapsack
from codeexplore.features.context.packs.document import FORMS, Page, Row, Section, mask_note, masked
from codeexplore.features.context.packs.tokens import Count, Counter, counter_of
from codeexplore.types.errors import QuestionError

if TYPE_CHECKING:
    from codeexplore.features.context.packs.candidates import Candidate, Line
    from codeexplore.types import SourceFile

LEAST_TOKENS: Final = 200
"""Smallest budget: title, explanation and notes of a pack take half of it."""
_MOST_NOTES: Final = 8
_NOTE_CHARS: Final = 1_000  # a verdict with long names fits
_LEAST_SAID: Final = 200  # characters of an introduction that are never left out
_NAMED: Final = 5  # answers that were left out and are named
_FIRST: Final = 5  # answers whose signature is there at every budget


class Budget(NamedTuple):
    """A number of tokens, the counter of tokens, and the form in which the text is counted."""

    tokens: int
    counter: Counter
    form: str


def budget_of(tokens: object, counter: str | Count | None, form: str) -> Budget:
    if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < LEAST_TOKENS:
        raise QuestionError(f"tokens must be a whole number of at least {LEAST_TOKENS}, not {tokens!r:.80}")
    if form not in FORMS:
        raise QuestionError(f"unknown form {form!r:.80}; known: {', '.join(FORMS)}")
    return Budget(tokens, counter_of(counter), form)


@dataclass(frozen=True, slots=True, repr=False)
class Pack(Shown):
    """Lines of a repository for a language model. ``str(pack)`` is the text, which has at most `budget` tokens."""

    page: Page
    budget: int
    counter: Counter
    form: str
    names: tuple[str, ...] = field(default=(), compare=False)
    """Qualified names of the symbols that are in it, in the order of their value."""

    @property
    def text(self) -> str:
        return FORMS[self.form].written(self.page)

    @property
    def tokens(self) -> int:
        """Number of tokens of `text`, by the pack's counter."""
        return self.counter.count(self.text)

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of the files with lines in the pack, in the order of the pack."""
        return tuple(section.title for section in self.page.sections if section.language)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what was left out, and on what is outdated or uncertain."""
        return self.page.notes

    def lines(self, path: str) -> Mapping[int, str]:
        """Return the lines of one file that are in the pack, by number (1-based); empty for another file."""
        return {row.number: row.text for section in self.page.sections if section.title == path for row in section.rows}

    def to_markdown(self) -> str:
        """Return the pack as Markdown. If the pack was made in another form, the text may exceed the budget."""
        return FORMS["markdown"].written(self.page)

    def to_json(self) -> str:
        return FORMS["json"].written(self.page)

    def to_dict(self) -> dict[str, Any]:
        return document.plain(self.page)

    def __str__(self) -> str:
        return self.text

    def blocks(self) -> list[Block]:
        said: list[Block] = [
            b.Heading(self.page.title),
            b.Text((f"{self.tokens:,} of {self.budget:,} tokens ({self.counter.name}), {self.form} ",), "dim"),
            b.Copy("the pack", self.text),
        ]
        for section in self.page.sections:
            title = (section.title, b.Piece(f"  {plural(len(section.rows), 'line')}", "dim"))
            said.append(b.Fold(title, (_block(section),)))
        return [*said, *b.notes(self.page.notes)]


def _block(section: Section) -> Block:
    if section.language:
        return b.Source([(row.number, row.text) for row in section.rows], section.language)
    return b.Items("", [row.text for row in section.rows])


_ABOUT: Final = (
    "Lines have the number that they have in their file; lines and blank lines between them are left out. "
    "A line that ends in … stands for a whole definition or for a use of one."
)


class Description(NamedTuple):
    """Header of a pack: the name of the repository, a title, and notes on what is left out or outdated."""

    name: str  # of the repository
    title: str
    notes: tuple[str, ...] = ()
    said: str = ""  # how far the repository answers the question, if it does not; it comes first


def pack_of(
    candidates: Sequence[Candidate], sources: Mapping[str, SourceFile], description: Description, budget: Budget
) -> Pack:
    form, count = FORMS[budget.form], budget.counter.count
    items = [_item(candidate, form, count) for candidate in candidates]
    headings = {
        path: count(document.heading(form, path, sources[path].language))
        for path in sorted({line.path for c in candidates for lines in c.levels.values() for line in lines})
    }

    first = min(_FIRST, sum(candidate.role == "answer" for candidate in candidates))

    def made(room: int) -> Pack:
        chosen = knapsack.choose(items, room, headings, first)
        return _written(candidates, chosen, sources, description, budget)

    return fitted(made, budget)


def made_pack(
    description: Description,
    budget: Budget,
    about: str,
    sections: Sequence[Section],
    notes: Sequence[str],
    names: tuple[str, ...] = (),
) -> Pack:
    """Return the pack with these sections, and with the facts that every pack tells."""
    facts = (("repository", description.name), ("budget", budget.tokens), ("counter", budget.counter.name))
    shown, count = document.masked_sections(sections)
    (title,), more = masked([description.title])
    said = [mask_note(count + more)] if count + more else []
    page = Page(title, f"{description.said} {about}".lstrip(), shown, (*said, *notes), facts)
    return Pack(page, budget.tokens, budget.counter, budget.form, names)


def fitted(made: Callable[[int], Pack], budget: Budget) -> Pack:
    """Return ``made(room)`` for the first `room` at which the text fits. `room` begins with the whole budget.

    The text may be too long at first, because a tokenizer joins or splits tokens of neighbouring lines, and because the
    headings and notes depend on the chosen lines. Then `room` is reduced. If the notes alone exceed the budget, the
    last notes are left out, and then the end of the introduction, which begins with the verdict. Raises QuestionError
    if even an empty pack does not fit.
    """
    room = budget.tokens
    pack = made(room)
    while (over := pack.tokens - budget.tokens) > 0 and room > 0:
        room = max(0, room - over)
        pack = made(room)
    while pack.tokens > budget.tokens and pack.page.notes:
        pack = replace(pack, page=pack.page._replace(notes=pack.page.notes[:-1]))
    while pack.tokens > budget.tokens and len(intro := pack.page.intro) > _LEAST_SAID:
        pack = replace(pack, page=pack.page._replace(intro=cut(intro, len(intro) * 3 // 4)))
    if pack.tokens > budget.tokens:
        raise QuestionError(
            f"tokens={budget.tokens} is less than an empty pack takes by this counter: give at least {2 * pack.tokens}"
        )
    return pack


def _item(candidate: Candidate, form: document.Form, count: Count) -> knapsack.Item:
    levels = []
    for name, lines in candidate.levels.items():
        places = {(line.path, line.number): count(form.row(Row(line.number, line.text))) for line in lines}
        levels.append(knapsack.Level(candidate.worth(name), places))
    return levels


_PRECEDENCE: Final = {"use": 0, "signature": 1, "source": 2}


def _written(
    candidates: Sequence[Candidate],
    chosen: Sequence[int],
    sources: Mapping[str, SourceFile],
    description: Description,
    budget: Budget,
) -> Pack:
    taken = [(c, list(c.levels)[level]) for c, level in zip(candidates, chosen, strict=True) if level >= 0]
    taken.sort(key=lambda pair: -pair[0].worth(pair[1]))
    files: dict[str, dict[int, Line]] = {}
    for candidate, level in taken:
        for line in candidate.levels[level]:
            shown = files.setdefault(line.path, {})
            known = shown.get(line.number)
            if known is None or _PRECEDENCE[known.form] < _PRECEDENCE[line.form]:
                shown[line.number] = line
    sections = tuple(
        Section(path, sources[path].language, tuple(Row(n, lines[n].text) for n in sorted(lines)))
        for path, lines in files.items()
    )
    notes = (*_left_out(candidates, chosen), *description.notes[:_MOST_NOTES])
    shown_notes = [cut(one_line(note), _NOTE_CHARS) for note in notes]
    return made_pack(description, budget, _ABOUT, sections, shown_notes, tuple(c.name for c, _ in taken))


def _left_out(candidates: Sequence[Candidate], chosen: Sequence[int]) -> list[str]:
    """Return sentences that count the answers and the other candidates that are not in the pack."""
    missing = [c for c, level in zip(candidates, chosen, strict=True) if level < 0]
    answers = [c for c in missing if c.role == "answer"]
    said = []
    if answers:
        total = sum(c.role == "answer" for c in candidates)
        named = ", ".join(f"{c.name} ({c.path}:{c.line})" for c in answers[:_NAMED])
        said.append(f"Left out {len(answers):,} of {plural(total, 'hit')}, the likeliest first: {named}")
    if rest := len(missing) - len(answers):
        said.append(f"Left out {plural(rest, 'symbol')} that the hits use, that use them, or that are in their files")
    return said
