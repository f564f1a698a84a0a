"""Stack frames in a text: tracebacks of Python, JavaScript, Java, Go and Rust, anywhere in a report or log.

Every form of frame is a regular expression over a single line, or over a line and the next line. The search takes
linear time.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple


class Frame(NamedTuple):
    """One line of a stack trace.

    `path` is as written, with ``/`` between folders. `line` is 0 if the frame has no line number.
    """

    path: str
    line: int
    function: str = ""  # as written: ``Session.get``, ``com.acme.Pool.take``, ``<module>``
    depth: int = 0  # steps from the innermost frame of its stack trace, which is 0


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
    innermost_first: bool
    most_between: int = 3  # lines from one frame to the next


_FLAGS: Final = re.MULTILINE

_FORMS: Final = (
    _Form(
        "python",
        re.compile(
            r'^[^\n"]{0,80}?\bFile "(?P<path>[^"\n]{1,500})", line (?P<line>\d{1,9})'
            r"(?:, in (?P<function>[^\n]{1,200}))?",
            _FLAGS,
        ),
        innermost_first=False,
        most_between=6,
    ),
    _Form(  # IPython since 8
        "python",
        re.compile(r"^\s{0,8}File (?P<path>[^\n:\"]{1,500}):(?P<line>\d{1,9}), in (?P<function>[^\s(]{1,200})", _FLAGS),
        innermost_first=False,
        most_between=60,
    ),
    _Form(  # IPython before 8: the line is that of the arrow
        "python",
        re.compile(
            r"^(?P<path>[^\n:\"(]{1,500}\.pyx?) in (?P<function>[\w.<>]{1,200})\([^\n]{0,500}\n"
            r"(?:[^\n-][^\n]{0,300}\n){0,6}?-{1,8}> ?(?P<line>\d{1,9})\b",
            _FLAGS,
        ),
        innermost_first=False,
        most_between=60,
    ),
    _Form(  # pytest
        "python",
        re.compile(
            r"^(?P<path>[^\s:\"(]{1,500}\.py):(?P<line>\d{1,9}):(?: in (?P<function>\w{1,200})| \w{0,80})[^\S\n]*$",
            _FLAGS,
        ),
        innermost_first=False,
        most_between=60,
    ),
    _Form(
        "java",
        re.compile(
            r"^[^\S\n]{0,40}at (?:[\w.@-]{1,200}/{1,2})?(?P<function>[\w$.<>]{1,400})"
            r"\((?P<path>[\w$]{1,200}\.(?:java|kt|scala|groovy)):(?P<line>\d{1,9})\)",
            _FLAGS,
        ),
        innermost_first=True,
    ),
    _Form(  # before JavaScript, whose frames have the form of its second line
        "rust",
        re.compile(
            r"^[^\S\n]{0,8}\d{1,4}:[^\S\n]{1,20}(?:0x[0-9a-f]{1,20} - )?(?P<function>[^\n]{1,400})\n"
            r"[^\S\n]{1,40}at (?P<path>[^\s:]{1,500}\.rs):(?P<line>\d{1,9})",
            _FLAGS,
        ),
        innermost_first=True,
    ),
    _Form(
        "javascript",
        re.compile(
            r"^[^\S\n]{0,40}at (?:(?:async |new )*(?P<function>[^\s(]{1,300})(?: \[as [^\]\n]{1,100}\])? \()?"
            r"(?:async )?(?:file://)?(?P<path>[^\s()]{1,500}?):(?P<line>\d{1,9}):\d{1,9}\)?[^\S\n]*$",
            _FLAGS,
        ),
        innermost_first=True,
    ),
    _Form(  # Firefox and Safari
        "javascript",
        re.compile(
            r"^(?P<function>[\w$.<>/*]{0,300})@(?:https?://[^/\s]{1,200}/|file://)?"
            r"(?P<path>[^\s@:]{1,500}):(?P<line>\d{1,9}):\d{1,9}$",
            _FLAGS,
        ),
        innermost_first=True,
    ),
    _Form(
        "go",
        re.compile(
            r"^(?P<function>[\w./*(){}\[\]-]{1,400})\([^()\n]{0,500}\)\n"
            r"[^\S\n]{1,8}(?P<path>[^\s:]{1,500}\.go):(?P<line>\d{1,9})",
            _FLAGS,
        ),
        innermost_first=True,
    ),
    _Form(
        "rust",
        re.compile(r"\bpanicked at (?:'[^'\n]{0,500}', )?(?P<path>[^\s:']{1,500}\.rs):(?P<line>\d{1,9})", _FLAGS),
        innermost_first=True,
    ),
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
    """Return the stack traces in a text, in order."""
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
    """Yield the frames of each stack trace.

    A header, or too many lines between two frames, begin another stack trace.
    """
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
    ordered = matches if form.innermost_first else matches[::-1]
    frames = tuple(_frame(form.language, match, depth) for depth, match in enumerate(ordered))
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


def _frame(language: str, match: re.Match[str], depth: int) -> Frame:
    groups = match.groupdict()
    path, function = match["path"].strip().replace("\\", "/"), (groups.get("function") or "").strip()
    if language == "java":  # the file's name is given without its folders: the package has them
        owner = function.rpartition(".")[0].split("$")[0].rpartition(".")[0]
        path = f"{owner.replace('.', '/')}/{path}" if owner else path
    return Frame(path, int(match["line"]), function, depth)
