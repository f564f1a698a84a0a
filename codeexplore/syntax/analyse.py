"""One file in, its facts and chunks out. Depends on that file and on its layout alone."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from codeexplore.languages import registry
from codeexplore.languages.base import Language
from codeexplore.languages.extraction import Extractor, Layout
from codeexplore.syntax import notebooks, sections
from codeexplore.syntax.chunks import make_chunks
from codeexplore.syntax.parse import GrammarError, ParseTimeout, TooDeep, captures, check_depth, grammar
from codeexplore.syntax.recovery import parse_unwrapped
from codeexplore.syntax.spares import Spares
from codeexplore.types import FileIndex, SourceFile


@cache
def _extractors(language: Language) -> Spares[Extractor]:
    if language.extractor is None:
        raise ValueError(f"language {language.name} has no extractor")
    return Spares(language.extractor)


def analyse(file: SourceFile, layout: Layout | None = None) -> FileIndex:
    """Parse one file and cut it into symbols, references and chunks.

    A file that can't be parsed, because its grammar is missing or it takes too long, is kept as text with a warning: it
    can still be found, it has no symbols but its module.

    Parameters
    ----------
    file
        The decoded file.
    layout
        What the names of modules depend on besides the file.
    """
    language = registry.by_name(file.language)
    layout = layout or Layout()
    if language.name == "notebook":
        return notebooks.analyse_notebook(file, layout, _parsed)
    if language.level == "text":
        return sections.analyse_text(file)
    return _parsed(file, language, layout)


def _parsed(file: SourceFile, language: Language, layout: Layout) -> FileIndex:
    data = file.text.encode("utf-8", "replace")
    try:
        loaded = grammar(language)
        tree, errors = parse_unwrapped(loaded, language, data)
        check_depth(tree.root_node)
    except (GrammarError, ParseTimeout, TooDeep) as error:
        whole = sections.analyse_text(file)
        return replace(whole, warnings=(str(error),))
    root = tree.root_node
    found = captures(loaded, root)
    extractors = _extractors(language)
    extractor = extractors.take()
    extraction = extractor.extract(file.path, language.name, data, root, found, layout)
    extractors.put(extractor)
    facts = replace(extraction.facts, errors=errors)
    return FileIndex(file, facts, make_chunks(extraction, data, language.name))
