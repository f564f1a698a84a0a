"""References that became no edge, as columns: those nothing could resolve, and those that lead outside.

As in the table of edges, records are made when they are asked for.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self, overload

from codeexplore.graph.columns import Columns, Words
from codeexplore.types import Site, Unresolved

_IMPORT = 2


class UnresolvedTable(Sequence[Unresolved]):
    """References no rule could resolve, in the order of files and lines."""

    def __init__(self, ids: Sequence[str], paths: Sequence[str]) -> None:
        self.ids = ids
        self.paths = paths
        self._source = array("i")
        self._name = array("i")
        self._receiver = array("i")
        self._kind = array("i")
        self._site = array("q")
        self._words = Words()
        self._by_name_known: dict[int, list[int]] | None = None  # found when it is first asked for

    def add(self, source: int, name: str, receiver: str, kind: str, site: int) -> None:
        """Add one reference; `site` as in `EdgeTable.add`. All are added before any is asked for."""
        self._source.append(source)
        self._name.append(self._words.number(name))
        self._receiver.append(self._words.number(receiver))
        self._kind.append(self._words.number(kind))
        self._site.append(site)

    @property
    def _by_name(self) -> dict[int, list[int]]:
        if self._by_name_known is None:
            self._by_name_known = self._find_by_name()
        return self._by_name_known

    def _find_by_name(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for row, number in enumerate(self._name):
            found.setdefault(number, []).append(row)
        return found

    def columns(self) -> Columns:
        """The columns of a table to which nothing will be added."""
        return {
            "source": self._source, "name": self._name, "receiver": self._receiver, "kind": self._kind,
            "site": self._site, "words": self._words.texts,
        }  # fmt: skip

    @classmethod
    def of_columns(cls, ids: Sequence[str], paths: Sequence[str], columns: Mapping[str, Any]) -> Self:
        """The table whose `columns` these were."""
        table = cls(ids, paths)
        table._source, table._name, table._receiver = columns["source"], columns["name"], columns["receiver"]
        table._kind, table._site, table._words = columns["kind"], columns["site"], Words(columns["words"])
        return table

    def named(self, name: str) -> tuple[Unresolved, ...]:
        """The references that end in a name."""
        return tuple(self[row] for row in self._by_name.get(self._words.known(name), ()))

    def within(self, sources: Collection[int]) -> tuple[Unresolved, ...]:
        """The references whose scopes are among some symbols' rows."""
        return tuple(self[row] for row, source in enumerate(self._source) if source in sources)

    def __len__(self) -> int:
        return len(self._source)

    @overload
    def __getitem__(self, row: int) -> Unresolved: ...
    @overload
    def __getitem__(self, row: slice) -> tuple[Unresolved, ...]: ...
    def __getitem__(self, row: int | slice) -> Unresolved | tuple[Unresolved, ...]:
        if isinstance(row, slice):
            return tuple(self[index] for index in range(*row.indices(len(self))))
        texts, site = self._words.texts, self._site[row]
        return Unresolved(
            self.ids[self._source[row]], texts[self._name[row]], texts[self._receiver[row]], texts[self._kind[row]],
            Site(self.paths[site >> 32], site & 0xFFFFFFFF),
        )  # fmt: skip


class ExternalUse(NamedTuple):
    """One use of what lies outside the repository; `source` is a symbol's row, `site` as in `EdgeTable.add`."""

    source: int
    name: str
    call: bool
    site: int
    imported: bool = False  # an import statement names it


class ExternalTable:
    """Uses of what lies outside the repository, by dotted name."""

    def __init__(self, ids: Sequence[str], paths: Sequence[str]) -> None:
        self.ids = ids
        self.paths = paths
        self._source = array("i")
        self._site = array("q")
        self._kind = array("b")  # 1 for a call, 2 for an import, else 0
        self._name = array("i")
        self._words = Words()
        self._rows_known: dict[str, list[int]] | None = None  # found when it is first asked for

    def add(self, source: int, name: str, call: bool, site: int, imported: bool = False) -> None:
        """Add one use; `site` as in `EdgeTable.add`. All are added before any is asked for."""
        self._name.append(self._words.number(name))
        self._source.append(source)
        self._kind.append(_IMPORT if imported else call)
        self._site.append(site)

    @property
    def _rows(self) -> dict[str, list[int]]:
        if self._rows_known is None:
            self._rows_known = self._find_rows()
        return self._rows_known

    def _find_rows(self) -> dict[str, list[int]]:
        """Name → rows, in the order of first appearance; that of `_words` depends on what the table was joined from."""
        found: dict[int, list[int]] = {}
        for row, number in enumerate(self._name):
            rows = found.get(number)
            if rows is None:
                rows = found[number] = []
            rows.append(row)
        texts = self._words.texts
        return {texts[number]: rows for number, rows in found.items()}

    def columns(self) -> Columns:
        """The columns of a table to which nothing will be added."""
        return {
            "source": self._source, "name": self._name, "kind": self._kind, "site": self._site,
            "words": self._words.texts,
        }  # fmt: skip

    @classmethod
    def of_columns(cls, ids: Sequence[str], paths: Sequence[str], columns: Mapping[str, Any]) -> Self:
        """The table whose `columns` these were."""
        table = cls(ids, paths)
        table._source, table._name, table._kind = columns["source"], columns["name"], columns["kind"]
        table._site, table._words = columns["site"], Words(columns["words"])
        return table

    def __len__(self) -> int:
        return len(self._source)

    def names(self) -> tuple[str, ...]:
        """Every outside name that is used, most used first."""
        return tuple(sorted(self._rows, key=lambda name: (-len(self._rows[name]), name)))

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    def __iter__(self) -> Iterator[ExternalUse]:
        """Every use, by name in the order of first appearance."""
        for name, rows in self._rows.items():
            for row in rows:
                kind = self._kind[row]
                yield ExternalUse(self._source[row], name, kind == 1, self._site[row], kind == _IMPORT)

    def used_by(self, sources: Collection[int]) -> tuple[str, ...]:
        """The outside names that some symbols (rows) use, each once, in the order of the source."""
        texts = self._words.texts
        rows = (row for row, source in enumerate(self._source) if source in sources)
        return tuple(dict.fromkeys(texts[self._name[row]] for row in rows))

    def users(self, name: str) -> tuple[tuple[str, str, Site], ...]:
        """Who uses an outside name (or one that ends in it at a dot): symbol id, full name and site."""
        matching = [full for full in self._rows if full == name or full.endswith("." + name)]
        exact = [name] if name in self._rows else matching
        return tuple(
            (self.ids[self._source[row]], full, Site(self.paths[self._site[row] >> 32], self._site[row] & 0xFFFFFFFF))
            for full in exact
            for row in self._rows[full]
        )
