"""What is read as source: any text in any language is cut into chunks, and what it says survives its journeys."""

from __future__ import annotations

from codeexplore.index.files import pack_facts, plain_facts, unpack_facts
from codeexplore.languages import registry
from codeexplore.source.notebook import NotebookError, parse_notebook
from codeexplore.syntax.analyse import analyse
from codeexplore.types import FileIndex, SourceFile
from fuzz.text import decoded

LANGUAGES = (
    "python", "javascript", "typescript", "tsx", "go", "rust", "java", "c", "cpp", "csharp", "ruby", "php", "kotlin",
    "scala", "swift", "lua", "bash", "elixir", "haskell", "zig", "solidity", "markdown", "rst", "text", "notebook",
    "yaml", "toml", "json", "ini", "sql", "proto", "graphql", "thrift", "prisma", "html", "css", "scss", "dockerfile",
    "make", "cmake", "hcl", "groovy", "script", "xml", "other", "vue", "svelte", "erb", "blade",
)  # fmt: skip
"""By the first byte of an input. Their order stays, so that kept inputs keep their meaning."""


def chunker(data: bytes) -> None:
    """Every line is in a chunk, spans are exact, ids are unique, parents exist; facts come back as they were stored."""
    if not data or data[0] >= len(LANGUAGES):
        return
    file = _file(LANGUAGES[data[0]], data[1:])
    if file is None:
        return
    found = analyse(file)
    _spans_are_exact(found)
    _symbols_stand(found)
    stored = pack_facts(plain_facts(found))
    assert unpack_facts(stored, file.path, file.language, found.facts.symbols) == (found.facts, found.warnings)


def _file(language: str, data: bytes) -> SourceFile | None:
    """A file as reading makes it: its text encodes to UTF-8."""
    text = decoded(data).encode("utf-8", "replace").decode()
    record = registry.by_name(language)
    ending = min(record.extensions, default=".txt")
    if language != "notebook":
        return SourceFile(f"pkg/m{ending}", language, text, "0" * 64)
    try:
        found = parse_notebook(text)
    except NotebookError:
        return None
    return SourceFile("pkg/m.ipynb", language, found.text, "0" * 64, "utf-8", found.cells)


def _spans_are_exact(found: FileIndex) -> None:
    data = found.file.text.encode()
    rows = found.file.text.split("\n")
    covered = set()
    for chunk in found.chunks:
        assert chunk.spans, "a chunk of nothing"
        pieces = []
        for span in chunk.spans:
            assert 1 <= span.start_line <= span.end_line <= len(rows)
            assert 0 <= span.start_byte <= span.end_byte <= len(data)
            covered.update(range(span.start_line, span.end_line + 1))
            pieces.append(data[span.start_byte : span.end_byte])
        assert chunk.text == b"\n".join(pieces).decode("utf-8", "replace")
    missing = [number for number, row in enumerate(rows, 1) if row.strip() and number not in covered]
    assert not missing, f"lines in no chunk: {missing[:5]}"
    assert len({chunk.id for chunk in found.chunks}) == len(found.chunks), "two chunks of one id"


def _symbols_stand(found: FileIndex) -> None:
    symbols = found.facts.symbols
    size, rows = len(found.file.text.encode()), found.file.text.count("\n") + 1
    ids = {symbol.id for symbol in symbols}
    assert len(ids) == len(symbols), "two symbols of one id"
    for symbol in symbols[1:]:
        assert symbol.parent in ids, f"{symbol.id} has no parent"
        assert 1 <= symbol.span.start_line <= symbol.line <= rows
        assert symbol.span.start_line <= symbol.span.end_line <= rows
        assert 0 <= symbol.span.start_byte <= symbol.span.end_byte <= size
    scoped = (found.facts.references, found.facts.bindings, found.facts.returns, found.facts.bases)
    for row in (row for rows_ in scoped for row in rows_):
        assert 0 <= row.scope < len(symbols)
    assert all(chunk.symbol is None or chunk.symbol in ids for chunk in found.chunks)
