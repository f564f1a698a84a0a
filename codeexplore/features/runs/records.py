"""Records of a trace: traced functions, calls between them, the call tree and a timeline.

All of them are plain values, without code objects or frames, so that a file can store them and traces of several
processes can be merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias, get_args

CodeKind: TypeAlias = Literal["function", "generator", "lambda", "comprehension", "class", "module"]
CODE_KINDS: tuple[CodeKind, ...] = get_args(CodeKind)
"""Kinds of code; "generator" is a function whose code starts later than its call: a generator or a coroutine."""

CallForm: TypeAlias = Literal["name", "attribute", "subscript", "getattr", "result", "decorator"]
SiteForm: TypeAlias = Literal[CallForm, "access", "operator", "iteration", "with", "format", "await", "import", "other"]
SITE_FORMS: tuple[SiteForm, ...] = get_args(SiteForm)

MOST_NAME_CHARS = 1_000
"""Characters of a name that are kept. Code made at run time can have names of any length."""

OUTSIDE = -1
"""Number of the caller of a function that no function of the workspace called, directly or through other code."""


class Code(NamedTuple):
    """A function, class body or module whose code ran. `path` is relative to the traced folder, POSIX.

    `line` is the first line of the code, with its decorators. `body` is the place of its first instruction as (line,
    column); it distinguishes several anonymous functions of one line.
    """

    path: str
    qualname: str  # without "<locals>"
    line: int
    kind: CodeKind
    body: tuple[int, int] = (0, 0)


class CallSite(NamedTuple):
    """The place of a call: its line, the form of the expression, and the name by which it calls."""

    line: int
    form: SiteForm = "other"
    name: str = ""


class Bridge(NamedTuple):
    """The code outside of the workspace through which a call goes.

    `entered` is the outside function that the caller called, and `left` the one that called the callee; they are equal
    if there is only one. Both are "" for a direct call.
    """

    entered: str = ""
    left: str = ""

    def __str__(self) -> str:
        return self.entered if self.entered == self.left else f"{self.entered} … {self.left}"


class Call(NamedTuple):
    """Calls of one function from one place. `caller` and `callee` are numbers in `Trace.codes`."""

    caller: int  # or OUTSIDE
    callee: int
    site: CallSite
    bridge: Bridge
    calls: int


class TreeNode(NamedTuple):
    """A function in the call tree, reached by one chain of callers. Times are in nanoseconds, 0 if not measured.

    `parent` is the number of an earlier node, or -1 for the start of a thread or process.
    """

    parent: int
    code: int
    calls: int
    total: int = 0
    own: int = 0


class TimelineCall(NamedTuple):
    """One call of the timeline. `start` is in nanoseconds since the trace began; `duration` is -1 if it did not end."""

    node: int
    thread: int
    start: int
    duration: int


@dataclass(frozen=True, slots=True)
class Trace:
    """The calls of one run."""

    codes: tuple[Code, ...]  # the functions, class bodies and modules that ran
    calls: tuple[Call, ...]  # the calls between them, one for each callee, place and bridge
    tree: tuple[TreeNode, ...] = ()  # parents before children; empty if it was not recorded
    timeline: tuple[TimelineCall, ...] = ()  # the first calls in the order in which they began
    files: tuple[
        tuple[str, str], ...
    ] = ()  # path, SHA-256 of the file's bytes when the trace ended, as hexadecimal text
    notes: tuple[str, ...] = ()  # sentences about everything that the trace does not contain
    python: str = ""  # the version
    seconds: float = 0.0  # duration of the traced block
    overhead: float = 0.0  # seconds that the recording of one call took, measured at the end of the trace
    ended_by: str = ""  # name of the exception that ended the traced block
    times: bool = False  # were they measured?
    counted: bool = True  # False: a place of calls was watched only until it said nothing new; counts are lower bounds

    @property
    def n_calls(self) -> int:
        return sum(call.calls for call in self.calls)


def merge_traces(traces: Sequence[Trace]) -> Trace:
    """Return one trace with the calls of all. The first is the main process; its timeline and times of day are kept."""
    first = traces[0]
    if len(traces) == 1:
        return first
    numbers: dict[Code, int] = {}
    calls: dict[tuple[int, int, CallSite, Bridge], int] = {}
    tree: list[TreeNode] = []
    for trace in traces:
        number = [numbers.setdefault(code, len(numbers)) for code in trace.codes]
        for caller, callee, site, bridge, n in trace.calls:
            key = (caller if caller == OUTSIDE else number[caller], number[callee], site, bridge)
            calls[key] = calls.get(key, 0) + n
        offset = len(tree)
        tree += [
            node._replace(parent=node.parent if node.parent < 0 else node.parent + offset, code=number[node.code])
            for node in trace.tree
        ]
    return replace(
        first,
        codes=tuple(numbers),
        calls=tuple(Call(*key, n) for key, n in calls.items()),
        tree=tuple(tree),
        files=tuple(sorted({pair for trace in traces for pair in trace.files})),
        notes=tuple(dict.fromkeys(note for trace in traces for note in trace.notes)),
    )
