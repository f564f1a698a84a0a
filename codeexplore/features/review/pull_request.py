"""A change as a comment for a pull request: Markdown of at most `MAX_LINES` lines, with parts that unfold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from codeexplore.answers.markdown import code_block, code_span
from codeexplore.answers.wording import cut, one_line, plural
from codeexplore.types.visible import visible

MAX_LINES = 60
"""Lines of a comment. GitHub shows about as many before a reader has to scroll."""

_BREAKING, _SYMBOLS, _IMPACT, _TESTS, _NOTES = 8, 12, 5, 5, 3  # lines of each part at most
_CELL = 160


class Comment(NamedTuple):
    """Texts of a comment, as they are before they are cut and escaped."""

    headline: str
    breaking: Sequence[tuple[str, str]]  # name of a symbol, what may break
    symbols: Sequence[tuple[str, str, str, str]]  # kind of change, name, place, what differs
    impact_headline: str
    impact: Sequence[tuple[str, int, str, str]]  # certainty, distance, name of a symbol, name of the changed symbol
    tests_headline: str
    tests: Sequence[tuple[str, str]]  # id, reason
    commands: Sequence[str]
    notes: Sequence[str]


def pull_request_comment(comment: Comment) -> str:
    lines = [f"## {_plain(comment.headline)}", ""]
    if comment.breaking:
        lines += ["**May break code outside of the repository**", ""]
        lines += _cut([f"- {_span(name)}: {_span(reasons)}" for name, reasons in comment.breaking], _BREAKING)
        lines.append("")
    if comment.symbols:
        rows = [
            f"| {kind} | {_span(name)} | {_span(place)} | {_span(what) if what else ''} |"
            for kind, name, place, what in comment.symbols
        ]
        head = ["| change | symbol | where | what differs |", "| --- | --- | --- | --- |"]
        lines += _folded(plural(len(rows), "symbol"), [*head, *_cut(rows, _SYMBOLS, "| … | {} more | | |")])
    if comment.impact:
        shown = [
            f"- {certainty}, distance {depth}: {_span(name)} from {_span(changed)}"
            for certainty, depth, name, changed in comment.impact
            if certainty != "by import"
        ]
        counts = Counter(certainty for certainty, *_ in comment.impact)
        shown = _cut(shown, _IMPACT)
        if counts["by import"]:
            shown.append(f"- {counts['by import']:,} more files only import a changed file")
        lines += _folded(_plain(comment.impact_headline), shown)
    if comment.tests:
        shown = [f"- [ ] {_span(test_id)}: {_span(reason)}" for test_id, reason in comment.tests]
        command = code_block(visible("\n".join(cut(each, 1_000) for each in comment.commands[:3])), "sh")
        lines += _folded(_plain(comment.tests_headline), [*_cut(shown, _TESTS), "", *command.split("\n")])
    lines += [f"> {_plain(note)}" for note in comment.notes[:_NOTES]]
    return "\n".join(lines).rstrip() + "\n"


def _folded(title: str, content: Sequence[str]) -> list[str]:
    return [f"<details><summary>{title}</summary>", "", *content, "", "</details>", ""]


def _cut(lines: Sequence[str], most: int, rest: str = "- and {} more") -> list[str]:
    """Return at most `most` lines. If lines are left out, the last line gives their number."""
    if len(lines) <= most:
        return list(lines)
    return [*lines[: most - 1], rest.format(f"{len(lines) - most + 1:,}")]


def _span(text: str) -> str:
    return code_span(cut(one_line(text), _CELL))


def _plain(text: str) -> str:
    """Return a sentence in which no character can begin markup. It may contain names from the repository."""
    shown = one_line(text)
    for sign in "\\`*_<>[]|#":
        shown = shown.replace(sign, f"&#{ord(sign)};")
    return shown
