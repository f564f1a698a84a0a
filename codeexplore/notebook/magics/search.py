"""%ask, %locate, %explain, %grep and %related."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError
from IPython.core.magic import line_cell_magic, line_magic, magics_class
from IPython.core.magic_arguments import argument

from codeexplore.notebook.magics.base import (
    WorkspaceMagics,
    answer_options,
    as_usage_error,
    first,
    joined,
    json_option,
    option_magic,
    parse_line,
    tests_option,
    to_option,
)
from codeexplore.types import Filters
from codeexplore.types.displayed import explain
from codeexplore.types.settings import NUMBERS

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace


top_k_option = argument("-k", "--top-k", type=int, metavar="N", help="hits to show")
path_option = argument(
    "--path", action="append", metavar="GLOB", help="only files whose path matches this glob; may be repeated"
)
lang_option = argument("--lang", action="append", metavar="NAME", help="only this language; may be repeated")
kind_option = argument("--kind", action="append", metavar="KIND", help="only symbols of this kind; may be repeated")
number_options = joined(*(argument(f"--{name}", type=float, metavar="N", help=said) for name, said in NUMBERS.items()))
filter_options = joined(path_option, lang_option, kind_option, tests_option)


@magics_class
class AskMagics(WorkspaceMagics):
    """Magics that search."""

    @option_magic(line_cell_magic)
    @top_k_option
    @argument("-l", "--lanes", metavar="A,B", help="only these lanes: bm25, embedding, graph")
    @argument("--rrf-k", type=int, metavar="N", help="constant of the rank fusion (default 60)")
    @argument("--fusion", metavar="NAME", help="how rankings are merged (default rrf)")
    @number_options
    @argument("--per-file", type=int, metavar="N", help="at most N hits of one file")
    @argument("--wait", action="store_true", help="wait for the graph, so that the answer can be repeated")
    @filter_options
    @answer_options
    def ask(self, line: str, cell: str | None = None) -> Any:
        """Rank the symbols that answer a question: ``%ask how are expired sessions handled?``.

        The question needs no quotes and may end in a question mark; with ``%%ask`` it may fill the cell. A line that
        starts with a word like how, what, where, which or who and ends in a question mark is asked without ``%ask``.
        """
        options, text = parse_line(self.ask, line)
        question = "\n".join(part for part in (text, (cell or "").strip()) if part)
        if not question:
            raise UsageError("ask what? For example: %ask how are expired sessions handled?")
        defaults = self.defaults
        chosen: dict[str, Any] = {
            "top_k": first(options.top_k, defaults.top_k),
            "rrf_k": first(options.rrf_k, defaults.rrf_k),
            "fusion": options.fusion or defaults.fusion,
            "per_file": first(options.per_file, defaults.per_file or None),
            "lanes": _names(options.lanes) or tuple(defaults.lanes) or None,
            "filters": self._filters(options),
            "wait": options.wait,
        }
        chosen |= {name: value for name in NUMBERS if (value := getattr(options, name)) is not None}
        return self.answered(as_usage_error(self.workspace_of(options).search, question, **chosen), options)

    @option_magic(line_cell_magic)
    @top_k_option
    @argument("--per-file", type=int, metavar="N", help="at most N hits of one file")
    @filter_options
    @answer_options
    def locate(self, line: str, cell: str | None = None) -> Any:
        """Rank the places that a bug report is about: paste an issue or a stack trace below ``%%locate``.

        Without a text, ``%locate`` uses the last exception. It searches the workspace that contains files of its
        traceback. ``-w`` selects another workspace.
        """
        options, text = parse_line(self.locate, line)
        text = "\n".join(part for part in (text, (cell or "").strip("\n")) if part.strip())
        report: str | BaseException | None = text or last_error()
        if report is None:
            raise UsageError(
                "locate what? Paste an issue or a stack trace below %%locate, or run %locate after an error"
            )
        through = None if isinstance(report, str) or options.workspace else workspace_of(report, self.state.named())
        workspace = through or self.workspace_of(options)
        chosen = {
            "top_k": first(options.top_k, self.defaults.top_k),
            "per_file": first(options.per_file, self.defaults.per_file or None),
            "filters": self._filters(options),
        }
        return self.answered(as_usage_error(workspace.localise, report, **chosen), options)

    @option_magic(line_magic)
    @argument("--of", metavar="NAME", help="the answer bound to this variable, instead of the last one")
    @json_option
    @to_option
    def explain(self, line: str) -> Any:
        """Show every number behind a hit of the last answer: ``%explain 2``. Without a number, hit 1 is explained.

        ``%explain on`` shows formulas and names of rules in all later answers, until ``%explain off``.
        """
        options, text = parse_line(self.explain, line)
        if text in ("on", "off"):
            explain(text == "on")
            return None
        if text and not text.isdecimal():
            raise UsageError(f"%explain takes the rank of a hit, a whole number from 1, or on or off, not {text!r}")
        rank = int(text or 1)
        answer = self.state.shell.user_ns.get(options.of) if options.of else self.state.last_search()
        if answer is None or not hasattr(answer, "explain"):
            where = f"{options.of!r} contains no answer of a search" if options.of else "there is no answer yet"
            raise UsageError(f"{where}; %ask a question first")
        return self.answered(as_usage_error(answer.explain, rank), options)

    @option_magic(line_magic)
    @argument("-e", "--regex", action="store_true", help="the text is a regular expression")
    @argument("-i", "--ignore-case", action="store_true", help="ignore upper and lower case")
    @top_k_option
    @filter_options
    @answer_options
    def grep(self, line: str) -> Any:
        """Find a text in the indexed files, with the symbol around each place: ``%grep raise ValueError``."""
        options, pattern = parse_line(self.grep, line)
        if not pattern:
            raise UsageError("find what? For example: %grep TODO, or %grep -e 'raise \\w+Error'")
        chosen = {"regex": options.regex, "ignore_case": options.ignore_case, "filters": self._filters(options)}
        if options.top_k is not None:
            chosen["top_k"] = options.top_k
        return self.answered(as_usage_error(self.workspace_of(options).grep, pattern, **chosen), options)

    @option_magic(line_magic)
    @top_k_option
    @filter_options
    @answer_options
    def related(self, line: str) -> Any:
        """Rank the symbols most similar to one symbol: ``%related validate_session``, or ``%related 2`` for hit 2."""
        options, text = parse_line(self.related, line)
        if not text:
            raise UsageError("related to what? For example: %related validate_session")
        workspace = self.workspace_of(options)
        chosen = {"top_k": first(options.top_k, self.defaults.top_k), "filters": self._filters(options)}
        return self.answered(as_usage_error(workspace.related, self.target(workspace, text), **chosen), options)

    def _filters(self, options: Any) -> Filters:
        return filters_of(options, tests=first(options.tests, self.defaults.tests))


def filters_of(options: Any, *, tests: bool = True) -> Filters:
    """Return the filters that `filter_options` of a line give."""
    return Filters(
        paths=tuple(options.path or ()),
        languages=tuple(name.lower() for name in options.lang or ()),
        kinds=tuple(name.lower() for name in options.kind or ()),
        tests=tests,
    )


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in (text or "").split(",") if name.strip())


def last_error() -> BaseException | None:
    """Return the exception whose traceback the shell showed last; None if there is none."""
    found = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)  # last_exc since Python 3.12
    return found if isinstance(found, BaseException) else None


def workspace_of(error: BaseException, bound: Mapping[str, Workspace]) -> Workspace | None:
    """Return the workspace whose files contain most frames of the traceback; None if no workspace contains any."""
    files = [Path(frame.f_code.co_filename) for frame, _ in walk_tb(error.__traceback__)]
    counts = {name: sum(file.is_relative_to(workspace.root) for file in files) for name, workspace in bound.items()}
    best = max(counts, key=counts.__getitem__, default=None)
    return bound[best] if best is not None and counts[best] else None
