"""Chunks for the lanes' tests: functions and classes of the running interpreter's standard library."""

import ast
import functools
import importlib.util
from collections.abc import Sequence
from pathlib import Path

from codeexplore.search.lanes.bm25 import NumberedTokens, Postings, postings_of, token_counts
from codeexplore.text.word_counts import count_words
from codeexplore.types import Chunk, QueryPlan, Span

MODULES = ("argparse", "http.client", "json.decoder", "json.encoder", "shutil", "tempfile", "textwrap", "zipfile")


def make_chunk(chunk_id: str, text: str, context: str = "", path: str = "a.py") -> Chunk:
    span = Span(1, text.count("\n") + 1, 0, len(text.encode("utf-8", "replace")))
    return Chunk(chunk_id, path, (span,), text, "python", None, context)


def postings(chunks: Sequence[Chunk]) -> Postings:
    tokens = NumberedTokens()
    return postings_of([token_counts(count_words(chunks), tokens)], tokens)


@functools.cache
def stdlib_chunks(modules: tuple[str, ...] = MODULES) -> tuple[Chunk, ...]:
    """One chunk per function or class, nested ones too, so that texts overlap and repeat."""
    found = []
    for module in modules:
        spec = importlib.util.find_spec(module)
        assert spec is not None
        assert spec.origin is not None
        source = Path(spec.origin).read_text("utf-8")
        lines = source.split("\n")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
                found.append(make_chunk(f"{module}.{node.name}:{node.lineno}", text, f"{module} {node.name}", module))
    return tuple(found)


def make_plan(text: str, tokens: tuple[str, ...] = ()) -> QueryPlan:
    return QueryPlan(text=text, kind="conceptual", tokens=tokens)
