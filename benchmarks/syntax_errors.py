"""Syntax errors of the grammars, as parsed and after mending (`syntax.parse.parse_unwrapped`).

usage: python benchmarks/syntax_errors.py FOLDER …

For each folder: the parsed files of code; the files with errors and the lines inside errors, as the grammar parses the
text and after mending. Lines inside errors may hide definitions.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages import registry
from codeexplore.source.discovery import discover
from codeexplore.source.read import read
from codeexplore.syntax.parse import grammar, parse, parse_unwrapped
from codeexplore.types import SourceFile

if TYPE_CHECKING:
    from tree_sitter import Node


def lines_in_errors(root: Node) -> int:
    """Return the number of line breaks inside the outermost ERROR nodes below `root`."""
    found, pending = 0, [root] if root.has_error else []
    while pending:
        node = pending.pop()
        if node.type == "ERROR":
            found += node.end_point[0] - node.start_point[0]
        else:
            pending.extend(child for child in node.children if child.has_error)
    return found


def measured(folder: Path) -> tuple[int, int, int, int, int]:
    """Return the files of a folder, those with errors and the lines in errors before mending, and both after it."""
    files = before = after = lines_before = lines_after = 0
    found = discover(folder)
    for candidate in found.candidates:
        language, file = registry.by_name(candidate.language), read(found.root, candidate)
        if language.level == "text" or not language.grammar or not isinstance(file, SourceFile):
            continue
        files += 1
        loaded, data = grammar(language), file.text.encode("utf-8", "replace")
        plain = parse(loaded, data).root_node
        if plain.has_error:
            tree, errors = parse_unwrapped(loaded, language, data)
            before, after = before + 1, after + (errors > 0)
            lines_before, lines_after = (
                lines_before + lines_in_errors(plain),
                lines_after + lines_in_errors(tree.root_node),
            )
    return files, before, lines_before, after, lines_after


def main() -> None:
    """Print one row for each folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    print("| | files | with errors | lines in errors | with errors, mended | lines in errors, mended |")
    print("|---|---|---|---|---|---|")
    for folder in parser.parse_args().folders:
        print(f"| {folder.name} | " + " | ".join(f"{number:,}" for number in measured(folder)) + " |")


if __name__ == "__main__":
    main()
