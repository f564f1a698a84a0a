"""Parts of a bug report: title, prose, error messages, stack frames, code, and the names and paths that it contains.

Markdown is read by markdown-it-py (CommonMark). Text that is not about the fault is left out: comments and questions of
templates, check lists, versions of software, logs and repeated paragraphs. Lines of code without a fence count as code
too, because many trackers have no Markdown.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


class Frame(NamedTuple):
    """One line of a stack trace.

    `path` is as written, with ``/`` between folders. `line` is 0 if the frame has no line number.
    """

    path: str
    line: int
    function: str = ""  # as written: ``Session.get``, ``com.acme.Pool.take``, ``<module>``


class Stack(NamedTuple):
    """One stack trace: its frames, innermost first, and its range of characters in the text."""

    language: str
    frames: tuple[Frame, ...]
    start: int
    end: int
    error: str = ""  # the exception with its message, where the trace ends with it


class _Form(NamedTuple):
    """A form of stack frames. The groups of its pattern are path, line and, in some forms, function."""

    language: str
    pattern: re.Pattern[str]
    most_between: int  # lines from one frame to the next


_FLAGS: Final = re.MULTILINE


def _form(language: str, pattern: str, most_between: int = 3) -> _Form:
    return _Form(language, re.compile(pattern, _FLAGS), most_between)


_FORMS: Final = (
    _form(
        "python",
        r'^[^\n"]{0,80}?\bFile "(?P<path>[^"\n]{1,500})", line (?P<line>\d{1,9})'
        r"(?:, in (?P<function>[^\n]{1,200}))?",
        most_between=6,
    ),
    _form(  # IPython since 8
        "python",
        r"^\s{0,8}File (?P<path>[^\n:\"]{1,500}):(?P<line>\d{1,9}), in (?P<function>[^\s(]{1,200})",
        most_between=60,
    ),
    _form(  # IPython before 8: the line is that of the arrow
        "python",
        r"^(?P<path>[^\n:\"(]{1,500}\.pyx?) in (?P<function>[\w.<>]{1,200})\([^\n]{0,500}\n"
        r"(?:[^\n-][^\n]{0,300}\n){0,6}?-{1,8}> ?(?P<line>\d{1,9})\b",
        most_between=60,
    ),
    _form(  # pytest
        "python",
        r"^(?P<path>[^\s:\"(]{1,500}\.py):(?P<line>\d{1,9}):(?: in (?P<function>\w{1,200})| \w{0,80})[^\S\n]*$",
        most_between=60,
    ),
    _form(
        "java",
        r"^[^\S\n]{0,40}at (?:[\w.@-]{1,200}/{1,2})?(?P<function>[\w$.<>]{1,400})"
        r"\((?P<path>[\w$]{1,200}\.(?:java|kt|scala|groovy)):(?P<line>\d{1,9})\)",
    ),
    _form(  # before JavaScript, whose frames have the form of its second line
        "rust",
        r"^[^\S\n]{0,8}\d{1,4}:[^\S\n]{1,20}(?:0x[0-9a-f]{1,20} - )?(?P<function>[^\n]{1,400})\n"
        r"[^\S\n]{1,40}at (?P<path>[^\s:]{1,500}\.rs):(?P<line>\d{1,9})",
    ),
    _form(
        "javascript",
        r"^[^\S\n]{0,40}at (?:(?:async |new )*(?P<function>[^\s(]{1,300})(?: \[as [^\]\n]{1,100}\])? \()?"
        r"(?:async )?(?:file://)?(?P<path>[^\s()]{1,500}?):(?P<line>\d{1,9}):\d{1,9}\)?[^\S\n]*$",
    ),
    _form(  # Firefox and Safari
        "javascript",
        r"^(?P<function>[\w$.<>/*]{0,300})@(?:https?://[^/\s]{1,200}/|file://)?"
        r"(?P<path>[^\s@:]{1,500}):(?P<line>\d{1,9}):\d{1,9}$",
    ),
    _form(
        "go",
        r"^(?P<function>[\w./*(){}\[\]-]{1,400})\([^()\n]{0,500}\)\n"
        r"[^\S\n]{1,8}(?P<path>[^\s:]{1,500}\.go):(?P<line>\d{1,9})",
    ),
    _form("rust", r"\bpanicked at (?:'[^'\n]{0,500}', )?(?P<path>[^\s:']{1,500}\.rs):(?P<line>\d{1,9})"),
)

_TYPE: Final = r"(?:[A-Za-z_]\w{0,80}\.){0,8}[A-Z]\w{0,80}(?:Error|Exception|Warning|Failure|Interrupt|Exit)"

ERROR: Final = re.compile(
    r"^[^\S\n]{0,8}(?:E[^\S\n]{1,8}|>[^\S\n]|Uncaught (?:\(in promise\) )?|Caused by: "
    r"|Exception in thread \"[^\"\n]{0,80}\" )?"
    rf"(?P<error>{_TYPE}(?::[^\n]{{0,400}})?|panic: [^\n]{{1,400}}|(?:error|fatal error): [^\n]{{1,400}})[^\S\n]*$",
    _FLAGS,
)
"""A line with the type of an exception and its message."""

_HEADER: Final = re.compile(r"^[^\n]{0,80}Traceback \(most recent call last\)[^\n]*\n?", _FLAGS)


_RAISED: Final = re.compile(r"\n(?:[ \t][^\n]*\n){0,3}(?P<error>[A-Za-z_][\w.]{0,200}:[^\n]{0,400})")
"""The line after the last frame of Python and its source: an exception, whatever its name."""


def stacks(text: str) -> tuple[Stack, ...]:
    found: list[Stack] = []
    taken: list[tuple[int, int]] = []
    for form in _FORMS:
        matches = [match for match in form.pattern.finditer(text) if not _inside(match.start("path"), taken)]
        taken = sorted([*taken, *(match.span() for match in matches)])
        found += [_stack(form, group, text) for group in _grouped(matches, text, form.most_between)]
    return tuple(sorted(found, key=lambda stack: stack.start))


def errors(text: str, found: Sequence[Stack]) -> tuple[str, ...]:
    """Return the exceptions with their messages that a text, or a stack trace found in it, contains, in order."""
    named = [(match.start(), " ".join(match["error"].split())) for match in ERROR.finditer(text)]
    raised = [(stack.end, stack.error) for stack in found if stack.error]
    return tuple(dict.fromkeys(error for _, error in sorted([*named, *raised])))


def _inside(place: int, spans: list[tuple[int, int]]) -> bool:
    at = bisect_right(spans, (place, len(spans) and spans[-1][1] + 1)) - 1
    return at >= 0 and spans[at][0] <= place < spans[at][1]


def _grouped(matches: list[re.Match[str]], text: str, most_between: int) -> Iterator[list[re.Match[str]]]:
    """Yield the frames of each stack trace. A header, or too many lines between two frames, begin another."""
    group: list[re.Match[str]] = []
    for match in matches:
        between = text[group[-1].end() : match.start()] if group else ""
        if group and (between.count("\n") > most_between or _HEADER.search(between)):
            yield group
            group = []
        group.append(match)
    if group:
        yield group


def _stack(form: _Form, matches: list[re.Match[str]], text: str) -> Stack:
    ordered = matches[::-1] if form.language == "python" else matches  # innermost first
    frames = tuple(_frame(form.language, match) for match in ordered)
    start, end = _start(matches[0], text), _end(form, matches[-1], text)
    raised = _RAISED.match(text, end) if form.language == "python" else None
    if raised is not None:
        return Stack(form.language, frames, start, raised.end(), " ".join(raised["error"].split()))
    return Stack(form.language, frames, start, end)


def _start(match: re.Match[str], text: str) -> int:
    """Return the position at which a stack trace begins. A header directly before its first frame belongs to it."""
    before = text.rfind("\n", 0, max(match.start() - 1, 0)) + 1
    return before if _HEADER.match(text, before) else match.start()


def _end(form: _Form, match: re.Match[str], text: str) -> int:
    """Return the position after a stack trace, which ends with the error, or with the source line of its last frame."""
    end = match.end()
    error = ERROR.search(text, end) if form.language == "python" else None
    if error is not None and text.count("\n", end, error.start()) <= form.most_between:
        return error.end()
    newline = text.find("\n", end)
    if newline < 0:
        return len(text)
    if form.language != "python" or text[newline + 1 : newline + 2] not in (" ", "\t"):
        return newline
    after = text.find("\n", newline + 1)
    return len(text) if after < 0 else after


def _frame(language: str, match: re.Match[str]) -> Frame:
    groups = match.groupdict()
    path, function = match["path"].strip().replace("\\", "/"), (groups.get("function") or "").strip()
    if language == "java":  # the file's name is given without its folders: the package has them
        owner = function.rpartition(".")[0].split("$")[0].rpartition(".")[0]
        path = f"{owner.replace('.', '/')}/{path}" if owner else path
    return Frame(path, int(match["line"]), function)


@dataclass(frozen=True, slots=True)
class Report:
    """The parts of a bug report. A part is empty if the report does not have it."""

    title: str = ""
    body: str = ""  # prose
    code: str = ""  # examples and output, without stack traces
    errors: tuple[str, ...] = ()  # ``TypeError: unhashable type``
    frames: tuple[Frame, ...] = ()  # of the last stack trace first, each innermost first
    names: tuple[str, ...] = ()  # written as code in the prose: in backticks, ``a.b``, ``a_b``, ``aB``, ``a()``
    paths: tuple[str, ...] = ()  # of files that the prose names

    @property
    def rest(self) -> str:
        """The words outside of title, body and code: messages and the functions of frames, without folders."""
        return "\n".join([*self.errors, *(frame.function for frame in self.frames)])


MOST_PROSE: Final = 20_000
"""Characters of a report that are read as Markdown: its beginning. Stack traces are found in the whole text."""

MOST_TEXT: Final = 1_000_000
"""Characters after the beginning in which stack traces are searched: the last ones of a longer text."""

_SHORTEST: Final = 120
"""Characters. A shorter text is a question, unless it contains a stack trace or a block of code."""

_FENCE: Final = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_HEADING: Final = re.compile(r"^ {0,3}#{1,6}[ \t]+\S", re.MULTILINE)


def is_report(text: object) -> bool:
    """Return True if a text has the form of a bug report.

    It has several lines and is longer than a question, or it contains a block of code, a heading or a stack trace.
    """
    if not isinstance(text, str) or "\n" not in text:
        return False
    stripped = text.strip()
    lines = [line for line in stripped[:MOST_PROSE].split("\n") if line.strip()]
    if len(lines) < 2:
        return False
    return len(stripped) >= _SHORTEST or bool(_FENCE.search(stripped) or _HEADING.search(stripped) or stacks(stripped))


def shortened(text: str) -> str:
    """Return the parts of a text that `read_report` reads: its beginning, and the last stack traces in the rest."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) <= MOST_PROSE:
        return text
    end = text.rfind("\n", 0, MOST_PROSE)  # a line of a log that is cut looks like prose
    end = MOST_PROSE if end < 0 else end
    beginning, rest = text[:end], text[end:][-MOST_TEXT:]
    kept: list[str] = []
    room = MOST_PROSE
    for stack in reversed(stacks(rest)):
        trace = rest[stack.start : stack.end]
        if len(trace) > room:
            break
        kept.append(trace)
        room -= len(trace)
    return "\n\n".join([beginning, *reversed(kept)])


def read_report(text: str) -> Report:
    """Return the parts of a text that `shortened` has returned. Any text is accepted."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    found = stacks(text)
    beginning = _without_stacks(text, found)
    prose, code = _Blocks(), _Blocks()
    _read_markdown(beginning[:MOST_PROSE], prose, code)
    title, body = _title(prose.parts)
    found_errors = errors(text, found)[-_MOST_ERRORS:]
    return Report(
        title=title or next(reversed(found_errors), ""),  # a stack trace alone is about its last error
        body="\n".join(body),
        code="\n".join(code.parts),
        errors=found_errors,
        frames=_frames(found),
        names=_names([title, *body]),
        paths=_paths([title, *body]),
    )


_MOST_ERRORS: Final = 5
_MOST_FRAMES: Final = 100


def _frames(found: Sequence[Stack]) -> tuple[Frame, ...]:
    kept: dict[tuple[str, int, str], Frame] = {}
    for stack in reversed(found):
        for frame in stack.frames:
            kept.setdefault(frame[:3], frame)
    return tuple(kept.values())[:_MOST_FRAMES]


def _without_stacks(text: str, found: Sequence[Stack]) -> str:
    kept, at = [], 0
    for stack in found:
        if stack.start >= at:
            kept.append(text[at : stack.start])
        at = max(at, stack.end)
    return "".join([*kept, text[at:]])


# --------------------------------------------------------------------------- Markdown


class _Blocks:
    def __init__(self) -> None:
        self.parts: list[str] = []

    def add(self, text: str) -> None:
        """Add a block, unless it is empty or was added before. Some trackers repeat the first message."""
        text = text.strip("\n")
        if text.strip() and text not in self.parts:
            self.parts.append(text)


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # an indented line is prose or code by its look: many reports indent without meaning code; inline markup is text
    read = MarkdownIt("commonmark", {"maxNesting": 20}).enable("table")
    return read.disable(["code", "lheading", "reference", "inline"])


_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>")
_CHECK: Final = re.compile(r"^\s*(?:[-*]\s*)?\[[ xX]?\]\s.*$", re.MULTILINE)
_VERSIONS_HEADING: Final = re.compile(
    r"\b(?:versions?|environment|system info|operating system|platform|os|installation|dependencies|backend|setup"
    r"|pip (?:list|freeze))\b",
    re.IGNORECASE,
)
_TEMPLATE: Final = re.compile(
    r"^\W*(?:description|bug (?:report|summary)|(?:the )?steps?(?: to reproduce)?|(?:code )?(?:for|to) reproduc\w+"
    r"|how to reproduce|minimal\b.{0,40}example|what (?:happened|did you expect).{0,40}|describe the bug"
    r"|(?:expected|actual|current|observed)(?: (?:behaviou?r|outcome|results?|output))?"
    r"|additional (?:context|information|notes)|screenshots?|logs?|traceback|relevant log output|_?no response_?"
    r"|problem|issue|summary|none|n/?a|\(last modified by .{0,80}\))\W*$",
    re.IGNORECASE,
)
_DIGITS: Final = re.compile(r"\d\.\w")  # looked for first: few lines of code have them
_VERSION: Final = re.compile(r"^[\s*>|-]*[\w .()/+-]{1,60}?(?:\s*[:=]{1,2}\s*|\s+)['\"]?v?\d+(?:\.\w+)+\S*.{0,60}$")


def _read_markdown(text: str, prose: _Blocks, code: _Blocks) -> None:
    text = _CHECK.sub("", _COMMENT.sub("", text))
    skipping = False
    for kind, content in _leaves(_markdown().parse(text)):
        if kind == "heading":
            skipping = bool(_VERSIONS_HEADING.search(content)) and len(content) < 80 and bool(prose.parts)
            if not skipping:
                _add_prose(content, prose, code)
        elif skipping:
            continue
        elif kind == "code":
            code.add("\n".join(_without_versions(content.split("\n"))))
        else:
            _add_prose(content, prose, code)


def _leaves(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Yield (kind, text) of each leaf block. The kind is "heading", "code" or "text"."""
    heading = False
    for token in tokens:
        if token.type == "heading_open":
            heading = True
        elif token.type in ("fence", "code_block"):
            yield "code", token.content
        elif token.type == "html_block":
            yield "text", _TAG.sub(" ", token.content)
        elif token.type == "inline":
            yield "heading" if heading else "text", _TAG.sub(" ", token.content)
            heading = False


def _add_prose(content: str, prose: _Blocks, code: _Blocks) -> None:
    """Add each line to `prose` or `code`, depending on its form. Lines of templates and on versions are left out."""
    run: list[str] = []
    code_run: list[str] = []
    for line in _without_versions(content.split("\n")):
        if _TEMPLATE.match(line):
            continue
        (code_run if _CODE_LINE.search(line) or _LOG_LINE.match(line) else run).append(line)
        if prose.parts or len(run) != 1:
            continue
        prose.add(run.pop())  # the first line is the title
    prose.add("\n".join(run))
    code.add("\n".join(code_run))


def _without_versions(lines: Sequence[str]) -> Iterable[str]:
    return (line for line in lines if not (_DIGITS.search(line) and _VERSION.match(line)))


_CODE_LINE: Final = re.compile(
    r"^\s*(?:>>> |\.\.\. |In \[\d+\]:|Out\[\d+\]:|\$ |(?:from [\w.]+ )?import [\w.{}*, ]+|def \w+\(|class \w+[(:{]|@\w+"
    r"|func \w|fn \w|let \w+ ?=|const \w+ ?=|var \w+ ?=|return\b.*|(?:if|for|while|elif|else|try|except|with)\b.*:\s*$"
    r"|[}\])]+[;,]?\s*$)"
    r"|^\s*[\w.\[\]'\"]+(?:, ?[\w.]+)* ?[-+*/|]?= ?\S|[;{]\s*$|^\s*[\w.]+\(.*\)\s*(?:#.*|//.*)?$|^\s*SELECT .* FROM "
)


_LOG_LINE: Final = re.compile(
    r"^\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|(?:DEBUG|INFO|WARN|TRACE)\w*\b)"
)


_SUBJECT: Final = re.compile(r"^\s*(?:\[[^\]]{1,30}\]:?|(?:bug|issue|regression)(?: report)?:)\s*", re.IGNORECASE)


def _title(paragraphs: Sequence[str]) -> tuple[str, Sequence[str]]:
    if not paragraphs:
        return "", ()
    first, rest = paragraphs[0], paragraphs[1:]
    return _SUBJECT.sub("", first).strip(), [text for text in rest if _SUBJECT.sub("", text).strip() != first]


# --------------------------------------------------------------------------- names and paths

_PATH: Final = re.compile(
    r"(?<![\w/@.-])(?:[\w.~-]+[/\\])*[\w-]+(?:\.[\w-]+)*\.(?:py|pyx|jsx?|tsx?|mjs|cjs|go|rs|java|kt|rb|php|cs"
    r"|c|h|cc|cpp|hpp|swift|scala|lua|exs?|hs|zig|sh|bash)(?![\w/])"
)


def _paths(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(match[0].replace("\\", "/") for text in texts for match in _PATH.finditer(text)))


def _names(texts: Sequence[str]) -> tuple[str, ...]:
    from codeexplore.search.query.planner import mentions

    found = (mention.name for text in texts for mention in mentions(text))
    return tuple(dict.fromkeys(name for name in found if not _PATH.fullmatch(name)))
