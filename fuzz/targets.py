"""What can be fuzzed, by name, and what each starts from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from codeexplore.languages import registry
from codeexplore.source.samples import sample_repo
from fuzz import indexes, sources, text

CORPUS = Path(__file__).parent.parent / "tests" / "fixtures" / "fuzz"
"""The worst inputs that were found, a folder for each target; the tests replay them."""

TARGETS: dict[str, Callable[[bytes], None]] = {
    "tokeniser": text.tokeniser,
    "counter": text.counter,
    "planner": text.planner,
    "notebook": text.notebook,
    "fixtures": text.fixtures,
    "remote": text.remote,
    "decoder": text.decoder,
    "chunker": sources.chunker,
    "cache": indexes.cache_reader,
    "index": indexes.index_reader,
}

QUESTIONS = (
    "who calls dumps?", "path from `a.b` to c::d", "functions that load a session within 2 hops", "impact of X.y",
    "how are expired sessions handled", "what implements Lane", "unused functions", "processHTTPRequest2XML größe",
    "subclasses of the Retriever", "数据库 hindī नमस्ते e\u0301 ﬁx ǅ ᾳ İ ß ①②Ⅷ x_1_y",
)  # fmt: skip
URLS = (
    "https://user:secretword@host.example/owner/name.git", "ssh://git@host:22/x", "git@host:owner/name", "file:///tmp/x",
    "ext::sh -c x", "--upload-pack=x", "https://github.com/o/r/tree/main/x", "http://h/x", "~nobody/x", "refs/heads/x",
)  # fmt: skip


def seeds(name: str) -> Iterator[bytes]:
    """Inputs in order, for a fuzzer to start from."""
    if name in ("tokeniser", "counter", "planner"):
        yield from (question.encode() for question in QUESTIONS)
    elif name == "remote":
        yield from (url.encode() for url in URLS)
    elif name == "fixtures":
        yield from (path.read_bytes()[:4_000] for path in sample_repo("webshop").parent.glob("*.eval.json"))
        row = {
            "id": "a",
            "type": "needle",
            "query": "q",
            "expected": ["x"],
            "top_k": 3,
            "scope": "a/",
            "kinds": ["class"],
        }
        yield json.dumps(
            {"schema": 1, "questions": [row, {**row, "id": "b", "accepted": ["y"], "tests": False}]}
        ).encode()
    elif name == "decoder":
        yield from (b"# -*- coding: latin-1 -*-\n\xe4", "\ufeffx".encode("utf-16"), "\ufeffx".encode(), b"x\0y\0")
    elif name == "notebook":
        yield b"\0%%time\nx = 1\n!ls\nfiles = !ls\xff\3# Title\n\xff\1%%bash\nls\xff\2'''\n%x\n'''\nf?\n"
        yield json.dumps({"worksheets": [{"cells": [{"cell_type": "heading", "level": 2, "input": "x"}]}]}).encode()
    elif name == "chunker":
        yield from _source_seeds()
    else:
        yield bytes(7)


def _source_seeds() -> Iterator[bytes]:
    """A page of each language, out of the tests' fixtures and the samples."""
    number = {language: at for at, language in enumerate(sources.LANGUAGES)}
    places = [CORPUS.parent / "languages", *(sample_repo(each) for each in ("webshop", "chatservice", "ledger"))]
    taken = dict.fromkeys(sources.LANGUAGES, 0)
    for path in (path for place in places for path in sorted(place.rglob("*"))):
        language = registry.by_path(path.name) if path.is_file() else None
        if language is not None and language.name in number and taken[language.name] < 3:
            taken[language.name] += 1
            yield bytes([number[language.name]]) + path.read_bytes()[:3_000]
    yield bytes([number["erb"]]) + b"<% @posts.each do |post| %>\n<%= link_to post.title -%>\n<%# note %>\n<% end %>"
    yield bytes([number["blade"]]) + b"@if ($a->b())\n{{ $a->c }}{!! d() !!}\n@endif\n@include('x', ['y' => $z->w()])"
