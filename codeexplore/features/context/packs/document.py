"""Documents of numbered lines below headings, written as Markdown, as text between tags, or as JSON.

Text of the repository cannot act as markup: a code fence is longer than any run of backticks in the text, a tag has a
name that the text does not contain, and invisible characters are escaped. All forms contain the same lines, because a
`Page` has the content and a `Form` only writes it.

>>> page = Page("Where is it?", "", (Section("app.py", "python", (Row(7, "def run():"),)),), ("2 hits left out",))
>>> print(FORMS["markdown"].written(page))
# Where is it?
<BLANKLINE>
## `app.py`
```python
7 def run():
```
<BLANKLINE>
- 2 hits left out
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol
from xml.sax.saxutils import quoteattr

from codeexplore.answers.markdown import code_block, code_span
from codeexplore.types import SCHEMA_VERSION
from codeexplore.types.visible import visible_json


class Row(NamedTuple):
    """A line below a heading. `number` is its line number in the file, 1-based, or 0 if it is not from a file."""

    number: int
    text: str

    def __str__(self) -> str:
        return f"{self.number} {self.text}" if self.number else self.text


class Section(NamedTuple):
    """A heading and the lines below it.

    With a `language`, the heading is the path of a file and the lines are its source. Without one, both are
    codeexplore's own words.
    """

    title: str
    language: str
    rows: tuple[Row, ...]


class Page(NamedTuple):
    """A document: a title, an introduction of one or two sentences, sections, and notes at the end."""

    title: str
    intro: str
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()
    facts: tuple[tuple[str, str | int], ...] = ()  # further fields, by name, for the forms that have fields


class Form(Protocol):
    """A form in which a page is written, such as Markdown."""

    def written(self, page: Page) -> str:
        """Return the page as text."""
        ...

    def row(self, row: Row) -> str:
        """Return one row as text, with its line end."""
        ...


class _Markdown:
    def written(self, page: Page) -> str:
        parts = [f"# {page.title}", page.intro]
        for section in page.sections:
            title = code_span(section.title) if section.language else section.title
            parts.append(f"## {title}\n{code_block(''.join(map(self.row, section.rows)), section.language or 'text')}")
        parts.append("\n".join(f"- {note}" for note in page.notes))
        return "\n\n".join(part for part in parts if part)

    def row(self, row: Row) -> str:
        return f"{row}\n"


class _Tagged:
    def written(self, page: Page) -> str:
        end = _ending(page)
        facts = "".join(f" {name}={quoteattr(str(value))}" for name, value in page.facts)
        lines = [f"<pack{end} title={quoteattr(page.title)}{facts}>"]
        lines += [f"<about{end}>{page.intro}</about{end}>"] if page.intro else []
        for section in page.sections:
            tag = f"file{end}" if section.language else f"list{end}"
            name = "path" if section.language else "title"
            lines += [f"<{tag} {name}={quoteattr(section.title)}>", *map(str, section.rows), f"</{tag}>"]
        lines += [f"<note{end}>{note}</note{end}>" for note in page.notes]
        return "\n".join([*lines, f"</pack{end}>"])

    def row(self, row: Row) -> str:
        return f"{row}\n"


_TAG: Final = re.compile(r"</?\s*(?:pack|about|file|list|note)(-\d+)?", re.IGNORECASE)


def _ending(page: Page) -> str:
    """Return the text to add to all tag names, so that the page's text contains none of the tags.

    It is "" if the text contains none of them anyway, else "-2" or a higher number.
    """
    texts = [page.intro, *page.notes, *(str(row) for section in page.sections for row in section.rows)]
    used = {match[1] or "" for text in texts for match in _TAG.finditer(text)}
    return "" if not used else f"-{1 + max(int(end[1:] or 1) if end else 1 for end in used)}"


class _Json:
    def written(self, page: Page) -> str:
        return visible_json(plain(page))

    def row(self, row: Row) -> str:
        return visible_json(str(row)) + ", "


def plain(page: Page) -> dict[str, Any]:
    """Return a page as a dict for JSON. `schema` is the version of its format."""
    return {
        "schema": SCHEMA_VERSION,
        "kind": "pack",
        "title": page.title,
        **dict(page.facts),
        "about": page.intro,
        "sections": [
            {"path" if section.language else "title": section.title, "lines": [str(row) for row in section.rows]}
            for section in page.sections
        ],
        "notes": list(page.notes),
    }


FORMS: Final[Mapping[str, Form]] = {"markdown": _Markdown(), "xml": _Tagged(), "json": _Json()}


def heading(form: Form, title: str, language: str) -> str:
    """Return the text that a section needs besides its rows: its heading and, in some forms, its end."""
    empty = Page("", "", ())
    return form.written(empty._replace(sections=(Section(title, language, ()),)))[len(form.written(empty)) :]
