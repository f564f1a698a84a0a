"""Output of the commands: answers in all formats, streams of any encoding, links at file positions, and next steps.

Standard output is not always UTF-8: a pipe on Windows, a C locale, `PYTHONIOENCODING`. A character that the encoding
lacks is written as similar ASCII, else as its code point. No command fails because of it.
"""

from __future__ import annotations

import argparse
import codecs
import io
import os
import re
import shlex
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO
from urllib.parse import quote

from codeexplore.types.errors import QuestionError
from codeexplore.types.next_step import NextStep, with_steps
from codeexplore.types.visible import visible, visible_json

if TYPE_CHECKING:
    from codeexplore.types import Verdict
    from codeexplore.workspace.workspace import Workspace

FOUND, NOTHING, ERROR = 0, 1, 2
FORMATS: Final = ("text", "json", "markdown")  # that every answer has
GRAPH_FORMATS: Final = (*FORMATS, "dot", "mermaid", "graphml")

LINKS = "CODEEXPLORE_LINKS"
"""Environment variable for links. ``0`` means no links.

Other values are the form of a link, with ``{path}`` and ``{line}``, instead of ``file://…``."""

_ALIKE = {
    "…": "...", "→": "->", "←": "<-", "↔": "<->", "↳": "->", "·": "-", "–": "-", "—": "-", "−": "-", "×": "x",
    "“": '"', "”": '"', "‘": "'", "’": "'", "⟨": "<", "⟩": ">", "⚠": "!", "✓": "ok", "✗": "x", "●": "*", "○": "o",
    "▸": ">", "█": "#", "▇": "#", "▓": "#", "▒": "+", "░": ".", "▏": "|", "Σ": "sum", "ⁿ": "n", "₂": "2",
    "│": "|", "─": "-", "├": "|", "└": "`", "⋮": ":", "≥": ">=", "≤": "<=",
    "∞": "inf", "\u00a0": " ",
}  # fmt: skip
_HANDLER = "codeexplore-alike"
_PLACE = re.compile(r"(?P<colour>\x1b\[[\d;]*m)?(?P<path>[^\s:()\x1b]+):(?P<line>[1-9]\d*)")


def _alike(error: UnicodeError) -> tuple[str, int]:
    """Return similar ASCII for a character that cannot be encoded. Streams use this function as their error handler."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    wanted = error.object[error.start : error.end]
    return "".join(_ALIKE.get(char) or f"<U+{ord(char):04X}>" for char in wanted), error.end


def prepare_streams() -> None:
    """Let standard output and standard error accept any text, even if they are closed (``>&-``)."""
    sys.stdout, sys.stderr = (stream or Path(os.devnull).open("w") for stream in (sys.stdout, sys.stderr))  # noqa: SIM115
    codecs.register_error(_HANDLER, _alike)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)


def print_json(plain: Any) -> None:
    """Print data as JSON. If standard output is not UTF-8, characters beyond ASCII are escaped."""
    text = visible_json(plain, indent=2)
    encoding = codecs.lookup(getattr(sys.stdout, "encoding", None) or "utf-8").name
    if not encoding.startswith("utf"):
        text = re.sub(r"[^\x00-\x7f]+", lambda found: visible_json(found[0], ascii_only=True)[1:-1], text)
    print(text)


def has_links(stream: TextIO) -> bool:
    """Return True if file positions are written to `stream` as links.

    They are links on a terminal that is not dumb, unless `LINKS` switches them off.
    """
    return stream.isatty() and os.environ.get("TERM") != "dumb" and os.environ.get(LINKS) != "0"


def linked(text: str, root: Path, files: Iterable[str]) -> str:
    """Return text for a terminal in which each file position, ``path:line``, is a hyperlink (OSC 8).

    Parameters
    ----------
    text
        Text as it is shown. A position that was cut or wrapped is not linked.
    root
        Folder of the repository.
    files
        Paths of the indexed files, relative to `root`.
    """
    known = frozenset(files)
    form = os.environ.get(LINKS) or "file://{path}#{line}"

    def link(found: re.Match[str]) -> str:
        if found["path"] not in known:
            return found[0]
        url = form.replace("{path}", quote((root / found["path"]).as_posix())).replace("{line}", found["line"])
        if not url.isascii() or not url.isprintable():
            return found[0]
        place = f"{found['path']}:{found['line']}"
        return f"{found['colour'] or ''}\x1b]8;;{url}\x1b\\{place}\x1b]8;;\x1b\\"

    return _PLACE.sub(link, text)


# --------------------------------------------------------------------------- next steps

_COMMANDS: Final = {
    "search": "ask",
    "localise": "locate",
    "source": "symbol",
    "outline": "symbol",
    **{name: f"types {name}" for name in ("implementors", "subclasses", "overrides")},
    **{
        name: f"survey {name.replace('_', '-')}"
        for name in ("dead_code", "entry_points", "cycles", "hubs", "modules", "communities")
    },
}
"""Method of a workspace → the words of its command, where these differ."""
_WRITTEN: Final = {
    "files": "codeexplore status PATH --skipped lists the skipped files",
    "imports": "codeexplore ask PATH 'what imports NAME?' lists what imports it",
    "save": "ws.save('path') in Python writes an index",
}
_LOADS: Final = ("Workspace", "Workspace.from_git", "Workspace.from_package")
"""A command loads whatever PATH is: a folder, a URL or the name of a package. It has no step beside that."""


def in_commands(step: NextStep) -> str:
    """Return the command of a step, ``codeexplore ask PATH 'x y' finds its uses``; "" if no command does the same."""
    if step.call in _LOADS:
        return ""
    if step.call == "wait_for_graph":
        return f"the same command {step.does}"
    if step.call in _WRITTEN:
        return _WRITTEN[step.call]
    words = [word for name, value in step.options for word in _option(name, value)]
    if step.call:
        command = _COMMANDS.get(step.call, step.call.rpartition(".")[2]).split()
        words = ["codeexplore", *command, "PATH", *map(str, step.arguments or ()), *words]
    return f"{shlex.join(words)} {step.does}"


def _option(name: str, value: object) -> tuple[str, ...]:
    if name == "tests":
        return ("--no-tests",)
    if name == "include_externals":
        return ("--externals",)
    return f"--{name.replace('_', '-')}", ",".join(value) if isinstance(value, tuple) else str(value)


def answer_in_commands(answer: Any) -> Any:
    """Return the answer with its next steps as commands in its texts. Other answers are returned unchanged."""
    from codeexplore.answers import GraphAnswer, PathsAnswer, SearchAnswer

    if isinstance(answer, PathsAnswer):
        return replace(answer, verdict=_told(answer.verdict))
    if isinstance(answer, GraphAnswer):
        return replace(answer, subgraph=replace(answer.subgraph, verdict=_told(answer.verdict)))
    if isinstance(answer, SearchAnswer):
        found = answer.result
        notices = (*found.notices, *(f"{step}." for step in map(in_commands, answer.next_steps) if step))
        verdict = found.verdict and replace(found.verdict, next_steps=())
        return replace(answer, result=replace(found, verdict=verdict, surveys=(), notices=notices))
    return answer


def _told(absence: Verdict | None) -> Verdict | None:
    if absence is None:
        return None
    return replace(absence, text=with_steps(absence.text, absence.next_steps, in_commands), next_steps=())


# --------------------------------------------------------------------------- answers


def add_format(command: argparse.ArgumentParser, *formats: str) -> None:
    """Add the option ``--format``, which `print_answer` reads. Without `formats` it takes those of graph answers."""
    known = formats or GRAPH_FORMATS
    command.add_argument("--all", action="store_true", dest="everything", help="list all of what the text shortens")
    if known is GRAPH_FORMATS:
        command.add_argument("--explain", action="store_true", help="name the rule and confidence of each edge")
    command.add_argument("--format", choices=known, default=known[0], help=f"how to print (default {known[0]})")


def print_answer(answer: Any, options: argparse.Namespace, workspace: Workspace | None = None) -> int:
    """Print an answer in the requested format, and return the exit status.

    Raises QuestionError for a format of graphs if the answer is none.
    """
    from codeexplore.types.displayed import explain

    explain(getattr(options, "explain", None) in (True, "all"))
    if options.format in ("text", "json"):
        show(answer, options.format == "json", workspace, everything=options.everything)
    elif not hasattr(answer, f"to_{options.format}"):
        raise QuestionError(f"this answer is no graph, so it has no format {options.format}; give {', '.join(FORMATS)}")
    else:
        print(visible(getattr(answer, f"to_{options.format}")().rstrip("\n")))
    found = bool(answer) if not hasattr(type(answer), "__len__") else len(answer) > 0
    return FOUND if found else NOTHING


def show(answer: Any, as_json: bool, workspace: Workspace | None = None, *, everything: bool = False) -> None:
    """Print an answer as text, or as JSON of its to_dict(). With `everything`, no list of the text is shortened.

    On a terminal, file positions in `workspace` are links.
    """
    if as_json:
        print_json(answer.to_dict())
        return
    from codeexplore.answers.show import shown_text

    text = shown_text(answer_in_commands(answer), more="all" if everything else "option")
    if workspace is not None and has_links(sys.stdout):
        text = linked(text, workspace.root, workspace.files)
    print(text)
