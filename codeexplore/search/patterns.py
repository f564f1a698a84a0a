"""What a grep looks for: exact text or a regular expression, over UTF-8 bytes, in linear time.

Regular expressions are RE2's: no pattern can be made slow, at the price of backreferences and look-around. A door to
google-re2, beside that of ignore files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from codeexplore.errors import QuestionError

Find: TypeAlias = Callable[[bytes], Iterator[tuple[int, int]]]
"""Tells where in a text something stands: (start, end) of each match in bytes, ascending, none overlapping or empty."""

MAX_PATTERN_CHARS: Final = 10_000
"""Characters. Longer patterns are pasted by mistake."""

_MEMORY: Final = 8 << 20
"""Bytes for one compiled pattern, RE2's own default: what needs more is refused."""

_LINES: Final = b"(?m)"
"""Before a regular expression: ^ and $ stand for the ends of lines."""

_NOT_IN_RE2: Final = {
    "invalid perl operator": "RE2, which matches in linear time, has no look-around and no backreferences",
    "invalid escape sequence": "RE2 knows no such escape; a backslash before a sign makes it mean itself",
    "pattern too large": "a smaller repeat count makes it smaller",
}
_PLAIN: Final = "without regex=True the text is looked for as it stands"


def compile_pattern(pattern: str, *, regex: bool = False, ignore_case: bool = False) -> Find:
    """Make a function that finds a pattern.

    In a regular expression ``^`` and ``$`` stand for the ends of lines, and ``.`` for anything but a newline.

    Raises
    ------
    QuestionError
        The pattern is empty, too long, no string, or no regular expression that RE2 understands.
    """
    if not isinstance(pattern, str):
        raise QuestionError(f"a pattern is a string, not {type(pattern).__name__}: {pattern!r:.80}")
    if not pattern:
        raise QuestionError("the pattern is empty; give a text that stands in the code: ws.grep('connection refused')")
    if len(pattern) > MAX_PATTERN_CHARS:
        raise QuestionError(
            f"the pattern has {len(pattern):,} characters; at most {MAX_PATTERN_CHARS:,} are looked for"
        )
    encoded = pattern.encode("utf-8", "replace")
    if not regex and not ignore_case:
        return lambda data: _exact(data, encoded)
    return _with_re2(pattern, encoded, regex, ignore_case)


def _exact(data: bytes, wanted: bytes) -> Iterator[tuple[int, int]]:
    size = len(wanted)
    at = data.find(wanted)
    while at != -1:
        yield at, at + size
        at = data.find(wanted, at + size)


def _with_re2(pattern: str, encoded: bytes, regex: bool, ignore_case: bool) -> Find:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.case_sensitive = not ignore_case
    options.literal = not regex
    options.max_mem = _MEMORY
    try:
        compiled = re2.compile(_LINES + encoded if regex else encoded, options)
    except re2.error as error:
        raise _refused(pattern, error) from error

    def found(data: bytes) -> Iterator[tuple[int, int]]:
        for match in compiled.finditer(data):
            start, end = match.span()
            if start < end:
                yield start, end

    return found


def _refused(pattern: str, error: Exception) -> QuestionError:
    told = error.args[0] if error.args else ""
    why = told.decode("utf-8", "replace") if isinstance(told, bytes) else str(told)
    why = why.replace(_LINES.decode(), "", 1)
    hint = next((hint for start, hint in _NOT_IN_RE2.items() if why.startswith(start)), _PLAIN)
    return QuestionError(f"{pattern!r:.120} is no regular expression: {why}; {hint}")
