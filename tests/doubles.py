"""Test doubles: small records with sensible defaults, a small catalog, and lanes with fixed answers."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeexplore.index.catalog import Catalog
from codeexplore.index.files import SourceTexts, catalog_of
from codeexplore.index.symbol_table import Codes, chunk_members, symbol_members
from codeexplore.text.tokens import tokenize
from codeexplore.types import Chunk, Hit, LaneName, QueryPlan, Span, Symbol, SymbolKind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def make_symbol(
    fqn: str,
    *,
    path: str = "app/main.py",
    kind: SymbolKind = "function",
    start_line: int = 1,
    end_line: int | None = None,
    parent: str | None = None,
    language: str = "python",
    signature: str = "",
    doc: str = "",
) -> Symbol:
    """Return a symbol of three lines. Its id is ``path:fqn``, and its name is the last part of the fqn."""
    end_line = start_line + 2 if end_line is None else end_line
    span = Span(start_line, end_line, 40 * (start_line - 1), 40 * end_line)
    name = fqn.rpartition(".")[2]
    return Symbol(f"{path}:{fqn}", fqn, name, kind, path, span, start_line, language, parent, signature, doc)


def make_chunk(
    symbol: Symbol | None = None,
    *,
    text: str = "",
    path: str = "",
    part: int = 0,
    chunk_id: str = "",
    language: str = "",
) -> Chunk:
    """Return a chunk of a symbol, or of a path without a symbol."""
    path = path or (symbol.path if symbol is not None else "README.md")
    span = symbol.span if symbol is not None else Span(1, 1, 0, len(text.encode()))
    about = f"{path}:{symbol.fqn if symbol is not None else ''}:{part}"
    context = f"{path}\n{symbol.fqn}\n{symbol.signature}" if symbol is not None else path
    language = language or (symbol.language if symbol is not None else "text")
    symbol_id = symbol.id if symbol is not None else None
    return Chunk(chunk_id or about, path, (span,), text, language, symbol_id, context, part)


_TINY: tuple[tuple[str, str, SymbolKind, str], ...] = (
    ("app/sessions.py", "app.sessions.Session", "class", "class Session: user, expires_at. A person's visit."),
    ("app/sessions.py", "app.sessions.Session.touch", "method", "def touch(self): move the expiry time of this visit"),
    ("app/sessions.py", "app.sessions.load_session", "function", "def load_session(token): row = store.get(token)"),
    ("app/sessions.py", "app.sessions.drop_expired", "function", "def drop_expired(now): delete visits that are over"),
    ("app/store.py", "app.store.Store", "class", "class Store: keeps rows by key, in memory"),
    ("app/store.py", "app.store.Store.get", "method", "def get(self, key): return the row or None"),
    ("app/store.py", "app.store.Store.put", "method", "def put(self, key, row): keep a row"),
    ("app/http.py", "app.http.HTTPConnection", "class", "class HTTPConnection: a socket that speaks HTTP"),
    ("app/http.py", "app.http.handle_request", "function", "def handle_request(r): s = load_session(r.cookie)"),
    ("app/http.py", "app.http.login", "function", "def login(r): check password, load_session, set cookie"),
    ("app/util.py", "app.util.get", "function", "def get(mapping, key): a safe lookup"),
    ("tests/test_sessions.py", "tests.test_sessions.test_load_session", "function", "def test_load_session(): load"),
)


def tiny_catalog() -> Catalog:
    """Return a catalog of twelve symbols of a small web application. Each has one chunk; the last is in a test file."""
    lines: Counter[str] = Counter()
    symbols, chunks = [], []
    for path, fqn, kind, text in _TINY:
        start = lines[path] + 1
        lines[path] += 4
        owner = fqn.rpartition(".")[0]
        parent = f"{path}:{owner}" if kind == "method" else None
        symbol = make_symbol(fqn, path=path, kind=kind, start_line=start, end_line=start + 2, parent=parent)
        symbols.append(symbol)
        chunks.append(make_chunk(symbol, text=text))
    return make_catalog(symbols, chunks)


def make_catalog(symbols: Sequence[Symbol], chunks: Sequence[Chunk]) -> Catalog:
    """Return a catalog over columns in memory. It gives the same records back.

    Raises KeyError if the parent of a symbol or the symbol of a chunk is not among the symbols.
    """
    paths = Codes()
    by_id = {symbol.id: symbol for symbol in symbols}
    members = {**symbol_members(symbols, paths), **chunk_members(chunks, by_id, paths)}
    catalog = catalog_of(members, SourceTexts(paths.number, {}))
    catalog.symbols.made = list(symbols)
    catalog.chunks.made = list(chunks)
    return catalog


class FixedLane:
    """A lane that always returns the same hits.

    Optionally it raises an error, or waits `seconds` before it answers.
    """

    def __init__(
        self, lane: LaneName, hits: Sequence[str] = (), *, error: BaseException | None = None, seconds: float = 0.0
    ) -> None:
        self.lane = lane
        self.hits = tuple(hits)
        self.error = error
        self.seconds = seconds
        self.asked: list[QueryPlan] = []

    def retrieve(
        self,
        plan: QueryPlan,
        pool: int,
        allowed: NDArray[np.bool_] | None = None,
    ) -> Sequence[Hit]:
        """Return the configured hits, scored 1, 1/2, 1/3 …; `allowed` is ignored."""
        self.asked.append(plan)
        if self.seconds:
            time.sleep(self.seconds)
        if self.error is not None:
            raise self.error
        return [Hit(chunk_id, rank, 1.0 / rank) for rank, chunk_id in enumerate(self.hits[:pool], start=1)]


class WordLane:
    """A lane that scores each chunk by how often the question's tokens occur in its text and context.

    It is slow, small and predictable.
    """

    def __init__(self, lane: LaneName, catalog: Catalog) -> None:
        self.lane = lane
        self._catalog = catalog
        self._counts = [Counter(tokenize(f"{chunk.text} {chunk.context}")) for chunk in catalog.chunks]

    def retrieve(self, plan: QueryPlan, pool: int, allowed: NDArray[np.bool_] | None = None) -> Sequence[Hit]:
        """Rank chunks by the number of occurrences of the plan's tokens.

        Chunks with equal numbers are ordered by row.
        """
        found = []
        for row, counts in enumerate(self._counts):
            score = float(sum(counts[token] for token in set(plan.tokens)))
            if score and (allowed is None or allowed[row]):
                found.append((-score, row))
        best = sorted(found)[:pool]
        return [Hit(self._catalog.chunks[row].id, rank, -score) for rank, (score, row) in enumerate(best, start=1)]
