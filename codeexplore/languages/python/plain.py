"""Python's expressions and argument lists read off their text, where that is plain.

Most are: names, calls, numbers, strings. A pattern reads them in a fraction of the time that asking the tree takes, and
gives what the tree would give; where a text does not tell, the answer is None.
"""

from __future__ import annotations

import re
from collections.abc import Callable

MOST_CALLS = 10
"""Calls along a path that is read off the text; a chain of many more has no path."""

_NAME = rb"[A-Za-z_]\w*+"
_STRING = rb"""(?:[bBrRuU]?(?:"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')|[fF](?:"[^"\\\n{]*+"|'[^'\\\n{]*+'))"""
_INSIDE = rb"""\((?:[^()\[\]{}'"#\\]|%b)*+\)""" % _STRING  # parentheses without others in them
_CHAIN = rb"%b(?:\.%b|%b)*+" % (_NAME, _NAME, _INSIDE)
_ARGUMENT = rb"(?:\*\*?|%b=)?(?:%b|%b|\d++(?:\.\d++)?)" % (_NAME, _STRING, _CHAIN)
_is_chain = re.compile(_CHAIN).fullmatch
_are_arguments = re.compile(rb"\(\s*+(?:%b(?:,\s*+%b)*+,?\s*+)?\)" % (_ARGUMENT, _ARGUMENT)).fullmatch
_each_argument = re.compile(rb"(\*\*?|%b=)?(?:(%b)|(%b)|\d++(?:\.\d++)?)" % (_NAME, _STRING, _CHAIN)).findall
_without_arguments = re.compile(_INSIDE).sub
_keyword = re.compile(rb"(?:not|await|yield|None|True|False)\b").match
_data = re.compile(rb"[\[({]?+(?:[\s,:\d.+-]|%b|(?:True|False|None)\b)*+[\])}]?+" % _STRING)


def plain_path(written: bytes) -> str | None:
    """The access path of a dotted name, or of calls along one whose results don't depend on their arguments."""
    if _is_chain(written) is None:
        return None
    if b"(" not in written:
        return written.decode()
    if _keyword(written) is not None or written.count(b"(") > MOST_CALLS:
        return None
    return _without_arguments(b"()", written).decode()


def is_data(data: bytes, start: int, end: int) -> bool:
    """Whether a container literal holds numbers, strings and the like only."""
    found = _data.match(data, start, end)
    return found is not None and found.end() == end


def plain_arguments(written: bytes, path_of: Callable[[bytes], str | None]) -> tuple[str, ...] | None:
    """Access paths of the arguments of a call, as `Extractor.arguments` gives them.

    Parameters
    ----------
    written
        What stands from the opening to the closing parenthesis.
    path_of
        The access path of an argument, by its text; None where that does not tell.
    """
    if _are_arguments(written) is None:
        return None
    paths = []
    for before, string, chain in _each_argument(written):
        path = path_of(chain) if chain else "%str" if string else "%num"
        if path is None or (before[:1] == b"*" and b"(" in chain):  # *f(x) is parsed as a call of *f
            return None
        paths.append(before.decode() + path if before and path else path)
    while paths and not paths[-1]:
        paths.pop()
    return tuple(paths)
