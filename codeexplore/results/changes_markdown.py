"""A change as a comment for a pull request: Markdown of at most `MAX_LINES` lines, with parts that unfold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeexplore.results.markdown import code_block, code_span
from codeexplore.results.text.clip import cut, one_line, visible
from codeexplore.results.text.phrases import plural

if TYPE_CHECKING:
    from codeexplore.results.changes import ChangesAnswer

MAX_LINES = 60
"""Lines of a comment. GitHub shows about as many before a reader has to scroll."""

_BREAKING, _SYMBOLS, _IMPACT, _TESTS, _NOTES = 8, 12, 5, 5, 3  # lines of each part at most
_CELL = 160


def pull_request_comment(changes: ChangesAnswer) -> str:
    """Return the change, what may break, what it reaches and the tests to run."""
    lines = [f"## {_plain(changes.headline)}", ""]
    if changes.breaking:
        lines += ["**May break code outside of the repository**", ""]
        lines += _cut(
            [f"- {_name(each.symbol.fqn)}: {_span('; '.join(each.breaking))}" for each in changes.breaking], _BREAKING
        )
        lines.append("")
    if len(changes):
        rows = [
            f"| {each.kind} | {_name(each.symbol.fqn)} | {_span(f'{each.symbol.path}:{each.symbol.line}')} "
            f"| {_span(each.what) if each.what else ''} |"
            for each in changes
        ]
        head = ["| change | symbol | where | what differs |", "| --- | --- | --- | --- |"]
        lines += _folded(plural(len(changes), "symbol"), [*head, *_cut(rows, _SYMBOLS, "| … | {} more | | |")])
    impact = changes.impact()
    if len(impact):
        shown = [
            f"- {each.certainty}, distance {each.depth}: {_name(each.symbol.fqn)} from {_name(each.way[0].fqn)}"
            for each in impact
            if each.certainty != "by import"
        ]
        counts = Counter(each.certainty for each in impact)
        shown = _cut(shown, _IMPACT)
        if counts["by import"]:
            shown.append(f"- {counts['by import']:,} more files only import a changed file")
        lines += _folded(_plain(impact.headline), shown)
    tests = changes.tests()
    if len(tests):
        shown = [f"- [ ] {_span(each.id)}: {_span(each.reason)}" for each in tests]
        command = code_block(visible("\n".join(cut(each, 1_000) for each in tests.short_commands()[:3])), "sh")
        lines += _folded(_plain(tests.headline), [*_cut(shown, _TESTS), "", *command.split("\n")])
    lines += [f"> {_plain(note)}" for note in changes.notes[:_NOTES]]
    return "\n".join(lines).rstrip() + "\n"


def _folded(title: str, content: Sequence[str]) -> list[str]:
    return [f"<details><summary>{title}</summary>", "", *content, "", "</details>", ""]


def _cut(lines: Sequence[str], most: int, rest: str = "- and {} more") -> list[str]:
    """Return at most `most` lines; the last one counts those left out."""
    if len(lines) <= most:
        return list(lines)
    return [*lines[: most - 1], rest.format(f"{len(lines) - most + 1:,}")]


def _name(text: str) -> str:
    return _span(text)


def _span(text: str) -> str:
    return code_span(cut(one_line(text), _CELL))


def _plain(text: str) -> str:
    """Return a sentence of ours, which may quote a name, so that it can't begin markup."""
    shown = one_line(text)
    for sign in "\\`*_<>[]|#":
        shown = shown.replace(sign, f"&#{ord(sign)};")
    return shown
