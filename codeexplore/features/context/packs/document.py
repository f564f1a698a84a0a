"""Documents of numbered lines below headings, written as Markdown, as text between tags, or as JSON.

Text of the repository cannot act as markup: a code fence is longer than any run of backticks in the text, a tag has a
name that the text does not contain, and invisible characters are escaped. All forms contain the same lines, because a
`Page` has the content and a `Form` only writes it. Known forms of tokens and keys are masked, because what a pack or an
assistant's answer shows goes to others.

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
>>> masked(["key = 'AKIAIOSFODNN7EXAMPLE'"])
(["key = 'AKIA[masked]'"], 1)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple
from xml.sax.saxutils import quoteattr

from codeexplore.answers.markdown import code_block, code_span
from codeexplore.types import SCHEMA_VERSION
from codeexplore.types.visible import visible_json

_SECRETS: Final = (
    r"(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}",  # AWS
    r"gh[oprsu]_\w{30,}|github_pat_\w{22,}|gl(?:pat|ptt|rt)-[\w-]{20,}",  # GitHub, GitLab
    r"xox[abeoprs]-[\w-]{10,}|xapp-\d-[\w-]{10,}",  # Slack
    r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}",  # JSON Web Token
    r"AIza[\w-]{35}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}",  # Google
    r"[rs]k_(?:live|test)_\w{16,}|whsec_\w{24,}",  # Stripe
    r"sk-(?:proj-|svcacct-|ant-\w{3,8}-|or-v1-)?[A-Za-z0-9]{20}[\w-]*|hf_[A-Za-z0-9]{30,}",  # models
    r"npm_[A-Za-z0-9]{36}|pypi-AgE[\w-]{50,}|dckr_pat_[\w-]{20,}|dop_v1_[a-f0-9]{64}",  # registries, DigitalOcean
    r"SG\.[\w-]{16,}\.[\w-]{16,}|SK[0-9a-f]{32}|key-[0-9a-f]{32}",  # SendGrid, Twilio, Mailgun
)
_TOKEN: Final = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(_SECRETS)})(?![A-Za-z0-9])")
_LABELLED: Final = re.compile(
    r"(?P<kept>hooks\.slack\.com/services/|discord(?:app)?\.com/api/webhooks/|AccountKey=|"
    r"aws_?(?:secret|session)_?\w*[\"']?\s*[:=]\s*[\"']?|[a-z][\w+.-]*://[^\s/:@\"']{1,64}:(?=[^\s/@\"'{}$<%]{3,128}@))"
    r"[^\s\"'@<>{}$]{3,}",
    re.IGNORECASE,
)
_BEGIN: Final = re.compile(r"(?P<kept>-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----).*?(?=-----END|$)")
_END: Final = re.compile(r"-----END [A-Z0-9 ]*PRIVATE KEY")
_KEY_LINE: Final = re.compile(r"[A-Za-z0-9+/=]{16,}|^[^\w]*[A-Za-z0-9+/]+={0,2}[^\w]*$")
_MASK: Final = "[masked]"
_SHOWN: Final = 4  # characters of a token that say which form it has


def masked(lines: Iterable[str]) -> tuple[list[str], int]:
    """Return lines in which tokens and private keys are replaced, and the number of those replaced."""
    found, count, inside = [], 0, False
    for line in lines:
        text, inside_before = line, inside
        if inside_before and _END.search(text) is None:
            text, n = _KEY_LINE.subn(_MASK, text)
            inside = n > 0 or not text.strip()  # a key that a pack shows in part ends with the text that is none
        else:
            inside = False
            text, n = _BEGIN.subn(rf"\g<kept>{_MASK}", text)
            inside, count = n > 0 and _END.search(text) is None, count + n
        text, n = _TOKEN.subn(lambda match: match[0][:_SHOWN] + _MASK, text)
        text, more = _LABELLED.subn(rf"\g<kept>{_MASK}", text)
        found.append(text)
        count += n + more
    return found, count


def mask_note(count: int) -> str:
    return f"Masked: {count:,} {'text' if count == 1 else 'texts'} in the form of a token or key" if count else ""


class Row(NamedTuple):
    """A line below a heading. `number` is its line number in the file, 1-based, or 0 if it is not from a file."""

    number: int
    text: str

    def __str__(self) -> str:
        return f"{self.number} {self.text}" if self.number else self.text


class Section(NamedTuple):
    """A heading and the lines below it. With a `language`, the heading is a path and the lines are source."""

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


def masked_sections(sections: Iterable[Section]) -> tuple[tuple[Section, ...], int]:
    """Return the sections without tokens and keys, and how many were masked."""
    found, count = [], 0
    for section in sections:
        texts, n = masked(row.text for row in section.rows)
        rows = tuple(Row(row.number, text) for row, text in zip(section.rows, texts, strict=True))
        found.append(section._replace(rows=rows) if n else section)
        count += n
    return tuple(found), count


class Form(NamedTuple):
    """A form in which a page is written: the text of a page, and that of one row with its line end."""

    written: Callable[[Page], str]
    row: Callable[[Row], str]


_CODE_OR_MARKUP: Final = re.compile(r"((?<!`)`[^`\n]+`(?!`))|[<\\\[]")
"""A span of code, in which nothing is markup, or a character with which markup begins."""


def _literal(text: str) -> str:
    """Return text without links, pictures and HTML: a stranger may have written it. Spans of code stay."""
    return _CODE_OR_MARKUP.sub(lambda found: found[1] or ("&lt;" if found[0] == "<" else f"\\{found[0]}"), text)


def _line(row: Row) -> str:
    return f"{row}\n"


def _markdown(page: Page) -> str:
    parts = [f"# {_literal(page.title)}", _literal(page.intro)]
    for section in page.sections:
        title = code_span(section.title) if section.language else _literal(section.title)
        parts.append(f"## {title}\n{code_block(''.join(map(_line, section.rows)), section.language or 'text')}")
    parts.append("\n".join(f"- {_literal(note)}" for note in page.notes))
    return "\n\n".join(part for part in parts if part)


def _tagged(page: Page) -> str:
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


_TAG: Final = re.compile(r"</?\s*(?:pack|about|file|list|note)(-\d+)?", re.IGNORECASE)


def _ending(page: Page) -> str:
    """Return what is added to all tag names, so that the text contains none of them: "", or "-2" and higher numbers."""
    texts = [page.intro, *page.notes, *(str(row) for section in page.sections for row in section.rows)]
    used = {match[1] or "" for text in texts for match in _TAG.finditer(text)}
    return "" if not used else f"-{1 + max(int(end[1:] or 1) if end else 1 for end in used)}"


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


FORMS: Final[Mapping[str, Form]] = {
    "markdown": Form(_markdown, _line),
    "xml": Form(_tagged, _line),
    "json": Form(lambda page: visible_json(plain(page)), lambda row: visible_json(str(row)) + ", "),
}


def heading(form: Form, title: str, language: str) -> str:
    """Return the text that a section needs besides its rows: its heading and, in some forms, its end."""
    empty = Page("", "", ())
    return form.written(empty._replace(sections=(Section(title, language, ()),)))[len(form.written(empty)) :]
