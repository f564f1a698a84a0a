"""Analysis of one file, which gives its facts and chunks. The only other input is the layout (the paths of all files).

The analysis can be made in two steps. An outline has what a search needs, symbols and chunks, in half the time. The
facts without chunks are what is missing then. The file is parsed again for them: the trees of a repository take 20 to
30 times the memory of its texts, and parsing takes a quarter of the second step.

In a Jupyter notebook, code cells are Python and markdown cells are text. The joined text of the cells is displayed and
divided into chunks. The parser gets another text, `source.notebook.python_view`, in which everything except Python is
replaced by blanks of the same length. Therefore lines and byte offsets are the same in both texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial

from codeexplore.faults import fault
from codeexplore.languages import registry
from codeexplore.languages.base import Language
from codeexplore.languages.embedded import CODE_OF, COMPONENTS, OPENING, blocks, made_view, script_view, template_view
from codeexplore.languages.extraction.expressions import Layout
from codeexplore.languages.extraction.extractor import Extractor
from codeexplore.source.notebook import python_view
from codeexplore.syntax.chunking import ChunkIds, Lines, cut_lines, make_chunks
from codeexplore.syntax.parse import (
    GrammarError,
    ParseTimeout,
    Spares,
    TooDeep,
    captures,
    check_depth,
    grammar,
    outline_query,
    parse_unwrapped,
    whole_query,
)
from codeexplore.syntax.structure import analyse_structure, analyse_text, markdown_headings, part_symbol
from codeexplore.text.tokens import joined
from codeexplore.types import Cell, Chunk, FileIndex, SourceFile, Symbol
from codeexplore.types.settings import MAX_SECTION_LINES

Parse = Callable[[SourceFile, Language, Layout], FileIndex]


def analyse_notebook(file: SourceFile, layout: Layout, parse: Parse) -> FileIndex:
    """Return facts and chunks of a notebook: one for each function, each class, and the rest of each cell."""
    masked = replace(file, text=python_view(file.text, file.cells), language="python")
    parsed = parse(masked, registry.by_name("python"), layout)
    lines = Lines(file.text.encode("utf-8", "replace"))
    module = parsed.facts.symbols[0]
    rows = file.text.split("\n")
    cells = [_cell_symbol(file, cell, module, lines, rows) for cell in file.cells if cell.start_line <= cell.end_line]
    inner = [chunk for chunk in parsed.chunks if chunk.symbol != module.id]
    taken = {line for chunk in inner for span in chunk.spans for line in span.lines}
    chunks = [_true_text(chunk, lines, file.language) for chunk in inner]
    makers = ChunkIds(file.path, file.language)
    for symbol in cells:
        free = joined((n, n) for n in symbol.span.lines if n not in taken)
        runs = [trimmed for run in free if (trimmed := lines.trimmed(*run)) is not None]
        if runs:
            chunks.append(makers.make(symbol, tuple(lines.span(*run) for run in runs), lines))
    chunks.sort(key=lambda chunk: chunk.spans[0].start_byte)
    symbols = tuple(replace(s, language=file.language) for s in parsed.facts.symbols) + tuple(cells)
    facts = replace(parsed.facts, symbols=symbols)
    return FileIndex(file, facts, tuple(chunks), parsed.warnings)


def analyse_component(file: SourceFile, layout: Layout, parse: Parse) -> FileIndex:
    """Return facts and chunks of a single-file component: its script, and the blocks around it."""
    data = file.text.encode("utf-8", "replace")
    view = script_view(data)
    masked = replace(file, text=view.data.decode("utf-8", "replace"), language=view.language)
    parsed = parse(masked, registry.by_name(view.language), layout)
    lines, makers = Lines(data), ChunkIds(file.path, file.language)
    module = parsed.facts.symbols[0]
    symbols: dict[str, Symbol] = {}
    chunks = [_true_text(chunk, lines, file.language) for chunk in parsed.chunks]
    for block in blocks(data, view.data):
        symbol, last = module, min(block.last, lines.count)
        if block.name:
            span = lines.span(block.line, last)
            symbol = part_symbol(file, module, block.name, "block", span, f"<{block.name}>")
            symbol = symbols.setdefault(symbol.id, symbol)
        for start, end in cut_lines(block.first, last, MAX_SECTION_LINES, (), lines.blank):
            if (trimmed := lines.trimmed(start, end)) is not None:
                chunks.append(makers.make(symbol, (lines.span(*trimmed),), lines))
    chunks.sort(key=lambda chunk: chunk.spans[0].start_byte)
    own = tuple(replace(symbol, language=file.language) for symbol in parsed.facts.symbols)
    facts = replace(parsed.facts, language=file.language, symbols=own + tuple(symbols.values()))
    return FileIndex(file, facts, tuple(chunks), parsed.warnings)


def analyse_template(file: SourceFile, language: Language, layout: Layout, parse: Parse) -> FileIndex:
    """Return facts and chunks of a template: the parts of what it makes, a page by default, and what its code uses."""
    opening = OPENING.get(language.name, b"")
    view = opening + template_view(language.name, file.text.encode("utf-8", "replace"))
    code = CODE_OF[language.name]
    parsed = parse(replace(file, text=view.decode("utf-8", "replace"), language=code), registry.by_name(code), layout)
    made = registry.made_in(file.path)
    if made is None or made.structure is None:
        page = analyse_structure(file, language)
    else:
        page = _of_made(file, partial(analyse_structure, language=made))
    module, *parts = page.facts.symbols
    first, *own = parsed.facts.symbols
    inner = []
    for symbol in own:
        start, end = (max(byte - len(opening), 0) for byte in (symbol.span.start_byte, symbol.span.end_byte))
        span = symbol.span._replace(start_byte=start, end_byte=end)
        parent = module.id if symbol.parent == first.id else symbol.parent
        inner.append(replace(symbol, language=language.name, span=span, parent=parent))
    facts = replace(parsed.facts, language=language.name, symbols=(module, *inner, *parts))
    return FileIndex(file, facts, page.chunks, page.warnings)


def _of_made(file: SourceFile, analyse_as: Callable[[SourceFile], FileIndex]) -> FileIndex:
    """Return facts and chunks of what a template makes. It is analysed without the tags, which the chunks contain."""
    data = file.text.encode("utf-8", "replace")
    view = made_view(file.path[file.path.rfind(".") :].lower(), data)
    found, lines = analyse_as(replace(file, text=view.decode("utf-8", "replace"))), Lines(data)
    return replace(found, file=file, chunks=tuple([_true_text(chunk, lines, file.language) for chunk in found.chunks]))


def _cell_symbol(file: SourceFile, cell: Cell, module: Symbol, lines: Lines, rows: Sequence[str]) -> Symbol:
    """Return the symbol of a notebook cell. Its name is the cell's first heading or its number."""
    headings = markdown_headings(rows[cell.start_line - 1 : cell.end_line]) if cell.kind == "markdown" else []
    title = headings[0].name if headings else f"cell {cell.number}"
    last = min(cell.end_line, lines.count)
    span, signature = lines.span(min(cell.start_line, last), last), f"{cell.kind} cell {cell.number}"
    return part_symbol(file, module, title, "section", span, signature, f"#cell{cell.number}")


def _true_text(chunk: Chunk, lines: Lines, language: str) -> Chunk:
    return replace(chunk, text=lines.text(chunk.spans), language=language)


@cache
def _extractors(language: Language) -> Spares[Extractor]:
    if language.extractor is None:
        raise ValueError(f"language {language.name} has no extractor")
    return Spares(language.extractor)


def has_facts(language: str) -> bool:
    """Return True if files of a language have facts besides their symbols, which an outline leaves out."""
    found = registry.by_name(language)
    return found.extractor is not None or found.name in COMPONENTS | CODE_OF.keys() | {"notebook"}


def analyse(
    file: SourceFile, layout: Layout | None = None, *, outlined: bool = False, chunked: bool = True
) -> FileIndex:
    """Parse one file and return its symbols, references and chunks. Module names depend on the layout.

    If it is only `outlined`, it has no facts besides its symbols; if it is not `chunked`, no chunks.

    If a file can't be parsed, because its grammar is missing or parsing takes too long, or if a rule of its language
    fails, it is indexed as text with a warning. It can still be found, and its only symbol is its module.
    """
    language, layout = registry.by_name(file.language), layout or Layout()
    parse = partial(_parsed, outlined=outlined, chunked=chunked)
    run = partial(_analyse, language=language, layout=layout, parse=parse)
    return _of_made(file, run) if registry.is_made(file.path) else run(file)


def _analyse(file: SourceFile, language: Language, layout: Layout, parse: Parse) -> FileIndex:
    if language.name == "notebook":
        return analyse_notebook(file, layout, parse)
    if language.name in COMPONENTS:
        return analyse_component(file, layout, parse)
    if language.name in CODE_OF:
        return analyse_template(file, language, layout, parse)
    if language.structure is not None:
        return analyse_structure(file, language)
    if language.level == "text":
        return analyse_text(file)
    return parse(file, language, layout)


def _parsed(file: SourceFile, language: Language, layout: Layout, *, outlined: bool, chunked: bool) -> FileIndex:
    data = file.text.encode("utf-8", "replace")
    extractors = _extractors(language)
    extractor = extractors.take()
    try:
        loaded = grammar(language)
        query = outline_query(language, extractor.outline_captures) if outlined else whole_query(language)
        tree, errors = parse_unwrapped(loaded, language, data)
        check_depth(tree.root_node)
    except (GrammarError, ParseTimeout, TooDeep) as error:
        extractors.put(extractor)
        return replace(analyse_text(file), warnings=(str(error),))
    root = tree.root_node
    run = extractor.outline if outlined else extractor.extract
    try:
        extraction = run(file.path, language.name, data, root, captures(loaded, root, query), layout)
    except Exception as error:  # noqa: BLE001 - a rule met code that it does not expect: told, and the file is text
        return replace(analyse_text(file), warnings=(fault(error),))
    extractors.put(extractor)
    facts = replace(extraction.facts, errors=errors)
    return FileIndex(file, facts, make_chunks(extraction, data, language.name) if chunked else ())
