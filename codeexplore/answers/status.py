"""State of a workspace, as a record and as blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import NamedTuple

from codeexplore.answers.blocks import Block, Piece, Row, Table, Text
from codeexplore.answers.shown import Shown
from codeexplore.answers.wording import counts, one_line, plural
from codeexplore.types import SCHEMA_VERSION


class Problem(NamedTuple):
    """A problem of a workspace, and the next step for the user."""

    what: str
    next_step: str
    serious: bool = False  # answers are wrong or missing because of it


class LaneHealth(NamedTuple):
    """The result of a test of one lane: a search for the name of a symbol that exists."""

    lane: str
    status: str  # "ok", "empty", "waiting", "failed"
    hits: int
    elapsed_ms: float
    reason: str = ""


class CacheState(NamedTuple):
    """The cache folder, with the number of stored indexes and their size in bytes."""

    folder: str
    indexes: int
    size: int  # bytes
    this: str = ""  # the file that this workspace was read from, "" when it was made in this process
    problem: str = ""
    most: int = 0  # bytes above which the oldest indexes are deleted


@dataclass(frozen=True, slots=True, repr=False)
class WorkspaceStatus(Shown):
    """The state of a workspace. `stale` counts files, and `age` is the number of seconds since the files were read."""

    name: str
    root: str
    age: float
    stale: Mapping[str, int]  # added, changed, removed
    files: Mapping[str, int]
    skipped: Mapping[str, int]
    symbols: int
    chunks: int
    edges: int
    unresolved: int
    lanes: tuple[LaneHealth, ...]
    model: str
    model_checksum: str
    cache: CacheState
    versions: Mapping[str, str]
    warnings: tuple[str, ...]
    problems: tuple[Problem, ...]
    graph: str = ""  # why no edges are known; "" when references were resolved

    @property
    def healthy(self) -> bool:
        """True if there is no serious problem."""
        return not any(problem.serious for problem in self.problems)

    def to_dict(self) -> dict[str, object]:
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        plain["lanes"] = [lane._asdict() for lane in self.lanes]
        plain["problems"] = [problem._asdict() for problem in self.problems]
        plain["cache"] = self.cache._asdict()
        return {"schema": SCHEMA_VERSION, "kind": "status", "healthy": self.healthy, **plain}

    def blocks(self) -> list[Block]:
        """Return age, contents, lanes, model, cache and versions, then the problems, each with its next step."""
        rows = [Row((label, text)) for label, text in status_rows(self) if text]
        remark = plural(len(self.problems), "remark") if self.problems else "no problems found"
        problems = (
            Text((Piece("serious: " if each.serious else "", "strong"), each.what, f" → {each.next_step}"), "warning")
            for each in self.problems
        )
        title = Text((Piece(self.name, "strong"), "  ", Piece(remark, "dim")))
        return [title, Table("State of the workspace", ("part", "state"), rows, "facts"), *problems]


def status_rows(status: WorkspaceStatus) -> list[tuple[str, str]]:
    """Return the rows (label, text) of a status without its problems. All displays use this order."""
    cache = status.cache
    sizes = f"{cache.size / 1e6:,.0f} of at most {cache.most / 1e6:,.0f} MB"
    size = f"{sizes} in {cache.folder}" if cache.folder else "none"
    edges = f"{plural(status.edges, 'edge')} · {plural(status.unresolved, 'unresolved reference')}"
    edges = "edges not known" if status.graph else edges
    stale = counts(status.stale) if any(status.stale.values()) else "nothing changed since"
    return [
        ("root", one_line(status.root)),
        ("age", f"{age_words(status.age)}; {stale if status.stale else 'the files were not checked'}"),
        ("files", counts(status.files)),
        ("holds", f"{plural(status.symbols, 'symbol')} · {plural(status.chunks, 'chunk')} · {edges}"),
        ("skipped", counts(status.skipped) or "nothing"),
        *((lane.lane, _lane_text(lane)) for lane in status.lanes),
        ("model", f"{one_line(status.model)}, {status.model_checksum}"),
        ("cache", f"{cache.indexes:,} kept, {size}" + ("; this index was read from it" if cache.this else "")),
        *([("form", form)] if (form := _form_text(status.versions.get("form", ""))) else []),
        ("versions", ", ".join(f"{name} {version}" for name, version in status.versions.items())),
    ]


def _form_text(form: str) -> str:
    """Return which form of the package runs, and how to get the other one."""
    if form == "compiled":
        return (
            "compiled; CODEEXPLORE_COMPILED=0 pip install --no-binary jupyter-codeexplore jupyter-codeexplore "
            "gives plain Python"
        )
    if form == "Python":
        return (
            "plain Python; compiled, loads are faster: pip install jupyter-codeexplore where there is a wheel for this "
            "Python, or make install COMPILED=1 in a checkout (needs a C compiler)"
        )
    return ""


def _lane_text(lane: LaneHealth) -> str:
    if lane.status == "waiting":
        return "not there yet"
    return f"{lane.status}, {plural(lane.hits, 'hit')} in {lane.elapsed_ms:.1f} ms {one_line(lane.reason)}".rstrip()


def age_words(seconds: float) -> str:
    for size, name in ((86_400.0, "day"), (3_600.0, "hour"), (60.0, "minute")):
        if seconds >= size:
            return plural(int(seconds / size), name)
    return plural(int(seconds), "second")
