"""Answer to a search for a text or regular expression: matches, grouped by the symbol that contains them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from codeexplore.answers.blocks import Block, Heading, Name, Place, Row, Source, Table, Text, Words
from codeexplore.answers.data import frame
from codeexplore.answers.shown import Shown, ShownRows
from codeexplore.answers.wording import counts, cut, plural
from codeexplore.types import SCHEMA_VERSION, Symbol

if TYPE_CHECKING:
    import pandas as pd

    from codeexplore.index.catalog import Catalog
    from codeexplore.search.grep import GrepGroup, GrepLine, GrepResult
    from codeexplore.types import Filters

_LINES = 5  # of a symbol before it is unfolded
_HEADLINE_CHARS = 300
_COLUMNS = ("rank", "symbol", "kind", "path", "line", "text", "matches", "defines")


@dataclass(frozen=True, slots=True, repr=False)
class GrepHit(Shown):
    """The matches inside one symbol. Matches inside its nested symbols belong to the nested symbols."""

    rank: int
    group: GrepGroup
    symbol: Symbol | None

    @property
    def path(self) -> str:
        """Path of the file, relative to the root, with ``/``."""
        return self.group.path

    @property
    def count(self) -> int:
        """Number of matches. Several matches on one line count separately."""
        return self.group.count

    @property
    def lines(self) -> tuple[GrepLine, ...]:
        return self.group.lines

    @property
    def defines(self) -> bool:
        """True if the symbol's name is exactly the searched text."""
        return self.group.defines

    @property
    def kind(self) -> str:
        """The symbol's kind; "text" for lines outside of any symbol."""
        return "text" if self.symbol is None else self.symbol.kind

    @property
    def name(self) -> str:
        """The symbol's qualified name; the path for lines outside of any symbol."""
        return self.path if self.symbol is None else self.symbol.fqn

    @property
    def start_line(self) -> int:
        return self.lines[0].line

    @property
    def location(self) -> str:
        """``path:line`` of the first match. Every call that takes a symbol accepts this form."""
        return f"{self.path}:{self.start_line}"

    @property
    def shown_name(self) -> Symbol | Name:
        return self.symbol or Name(self.path, self.kind, self.path.rpartition("/")[2])

    def source(self, brief: int) -> Source:
        """Return the lines with their matches. A terminal shows at most `brief` of them."""
        lines, spans = [(each.line, each.text) for each in self.lines], [each.spans for each in self.lines]
        return Source(lines, "", brief, spans=spans, limit=_LINES)

    def blocks(self) -> list[Block]:
        line = (f"{self.rank}. ", self.shown_name, "  ", Place(self.path, self.start_line), f"  {_count(self)}")
        return [Text(line), self.source(len(self.lines))]

    def to_dict(self) -> dict[str, object]:
        symbol = self.symbol
        return {
            "rank": self.rank,
            "symbol": None if symbol is None else {"id": symbol.id, "fqn": symbol.fqn, "kind": symbol.kind},
            "path": self.path,
            "count": self.count,
            "defines": self.defines,
            "lines": [{"line": e.line, "text": e.text, "spans": [list(span) for span in e.spans]} for e in self.lines],
        }

    def __repr__(self) -> str:
        from codeexplore.types.visible import visible_repr

        return visible_repr(f"<GrepHit {self.rank}: {self.name} ({self.kind}, {self.location}) {self.count} matches>")


@dataclass(frozen=True, slots=True, repr=False)
class GrepAnswer(ShownRows[GrepHit]):
    """The symbols that contain a text or a match of a regular expression: a sequence of hits, best first.

    The definition of the searched name is first. Then code comes before compatibility code, documentation and tests.
    Among these, symbols with more matches come first, then the order is by path and line.
    """

    _records_in: ClassVar[str] = "hits"

    pattern: str
    regex: bool
    ignore_case: bool
    filters: Filters
    result: GrepResult
    hits: tuple[GrepHit, ...]
    notices: tuple[str, ...] = ()
    elapsed_ms: float = field(default=0.0, compare=False)

    @classmethod
    def of(
        cls,
        result: GrepResult,
        catalog: Catalog,
        pattern: str,
        filters: Filters,
        *,
        regex: bool = False,
        ignore_case: bool = False,
        elapsed_ms: float = 0.0,
        unread: Mapping[str, int] = MappingProxyType({}),
    ) -> GrepAnswer:
        """Return the answer for `result`, joined with its symbols. `unread` counts files without a text, by reason.

        Raises KeyError for an id that is not in the catalog.
        """
        hits = tuple(
            GrepHit(rank, group, None if group.symbol_id is None else catalog.symbol(group.symbol_id))
            for rank, group in enumerate(result.groups, 1)
        )
        said = f"there are more than {result.matches:,} matches; only the first of them, by path, were examined"
        notices: tuple[str, ...] = (said,) if result.cut else ()
        if unread:
            files = plural(sum(unread.values()), "file")
            notices += (f"{files} not searched: {counts(unread)}; the status says why and lists them",)
        return cls(pattern, regex, ignore_case, filters, result, hits, notices, elapsed_ms)

    @property
    def matches(self) -> int:
        """Number of matches in all files, including matches that are not shown."""
        return self.result.matches

    @property
    def headline(self) -> str:
        """The answer in one line: ``14 matches of “retry” in 6 symbols of 3 files``."""
        result, what = self.result, f"/{self.pattern}/" if self.regex else f"“{self.pattern}”"
        case = ", ignoring case," if self.ignore_case else ""
        if not result.matches:
            return f"No match of {what}{case}".rstrip(",")
        first = "first is" if len(self) == 1 else f"first {len(self)} are"
        shown = f"; the {first} shown" if result.symbols > len(self) else ""
        return (
            f"{plural(result.matches, 'match', 'es')} of {what}{case} in {plural(result.symbols, 'symbol')} of "
            f"{plural(result.files, 'file')}{shown}"
        )

    def to_dict(self) -> dict[str, object]:
        """Return the answer as plain data for JSON. `schema` names its format."""
        return {
            "schema": SCHEMA_VERSION,
            "kind": "grep",
            "pattern": self.pattern,
            "regex": self.regex,
            "ignore_case": self.ignore_case,
            "matches": self.result.matches,
            "symbols": self.result.symbols,
            "files": self.result.files,
            "hits": [hit.to_dict() for hit in self.hits],
            "notices": list(self.notices),
            "elapsed_ms": self.elapsed_ms,
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each line with a match. Raises ImportError without pandas."""
        rows = [
            (hit.rank, hit.name, hit.kind, hit.path, each.line, each.text, len(each.spans), hit.defines)
            for hit in self.hits
            for each in hit.lines
        ]
        return frame(_COLUMNS, rows)

    def blocks(self) -> list[Block]:
        """Return the symbols, best first, each with its lines."""
        columns = ("#", "symbol", "kind", "where", "matches")
        rows = [
            Row(
                (str(hit.rank), hit.shown_name, Words(hit.kind), Place(hit.path, hit.start_line), _count(hit)),
                blocks=(hit.source(4),),
            )
            for hit in self
        ]
        caption = "Definitions first, then by number of matches"
        return [
            Heading(cut(self.headline, _HEADLINE_CHARS)),
            *(Text(notice, "notice") for notice in self.notices),
            Table(caption, columns, rows, "spaced", brief=len(rows)),
        ]


def _count(hit: GrepHit) -> str:
    return ("defines it · " if hit.defines else "") + plural(hit.count, "match", "es")
