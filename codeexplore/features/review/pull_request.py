"""A change as a comment for a pull request: Markdown of at most `MAX_LINES` lines, with parts that unfold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeexplore.answers.markdown import code_block, code_span
from codeexplore.answers.wording import cut, one_line, plural
from codeexplore.types.visible import visible

if TYPE_CHECKING:
    from codeexplore.features.review.answers import ChangeImpactAnswer, ChangesAnswer, TestsAnswer

MAX_LINES = 60
"""Lines of a comment. GitHub shows about as many before a reader has to scroll."""

_BREAKING, _SYMBOLS, _IMPACT, _TESTS, _NOTES = 8, 12, 5, 5, 3  # lines of each part at most
_CELL = 160


def pull_request_comment(changes: ChangesAnswer, impact: ChangeImpactAnswer, tests: TestsAnswer) -> str:
    lines = [f"## {_plain(changes.headline)}", ""]
    if changes.breaking:
        lines += ["**May break code outside of the repository**", ""]
        said = [f"- {_span(each.symbol.fqn)}: {_span('; '.join(each.breaking))}" for each in changes.breaking]
        lines += [*_cut(said, _BREAKING), ""]
    if len(changes):
        rows = [
            f"| {each.kind} | {_span(each.symbol.fqn)} | {_span(f'{each.symbol.path}:{each.symbol.line}')} | "
            f"{_span(each.what) if each.what else ''} |"
            for each in changes
        ]
        head = ["| change | symbol | where | what differs |", "| --- | --- | --- | --- |"]
        lines += _folded(plural(len(rows), "symbol"), [*head, *_cut(rows, _SYMBOLS, "| … | {} more | | |")])
    if len(impact):
        certain = [each for each in impact if each.certainty != "by import"]
        ways = [(f"{each.certainty}, distance {each.depth}", each.symbol.fqn, each.way[0].fqn) for each in certain]
        shown = _cut([f"- {how}: {_span(name)} from {_span(changed)}" for how, name, changed in ways], _IMPACT)
        if importing := len(impact) - len(certain):
            shown.append(f"- {importing:,} more files only import a changed file")
        lines += _folded(_plain(impact.headline), shown)
    if len(tests):
        shown = [f"- [ ] {_span(each.id)}: {_span(each.reason)}" for each in tests]
        command = code_block(visible("\n".join(cut(each, 1_000) for each in tests.short_commands()[:3])), "sh")
        lines += _folded(_plain(tests.headline), [*_cut(shown, _TESTS), "", *command.split("\n")])
    lines += [f"> {_plain(note)}" for note in changes.notes[:_NOTES]]
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
