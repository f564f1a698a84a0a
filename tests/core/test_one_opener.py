"""One module opens files that others wrote, `source.safe_io`: regular ones, bounded, without waiting for a pipe."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

import codeexplore
from codeexplore.source.safe_io import NotRegular, open_given, read_given, read_regular

PACKAGE = Path(codeexplore.__file__).parent
READING = {"open", "read_bytes", "read_text", "fdopen"}
ALLOWED = {  # path → calls of `READING` in it, and why they are no other person's files
    "source/safe_io.py": 3,  # the opener
    "answers/drawing/vis_network.py": 3,  # files of the package, and of pyvis
    "answers/html/components.py": 1,
    "answers/html/links.py": 1,  # a note of the Jupyter server to its own kernels
    "cli/__init__.py": 1,  # the null device
    "cli/output.py": 1,
    "features/context/packs/tokens.py": 1,  # a file of the package
    "features/review/archive.py": 2,  # members of an archive, whose stream is bounded
    "features/runs/call_tree_block.py": 1,
    "index/archive.py": 3,  # files that it writes, and the folder around them
    "index/cache.py": 3,  # the lock, and files of the package
    "languages/base.py": 1,
    "languages/registry.py": 1,
    "memory.py": 4,  # /proc and /sys
    "notebook/replies.py": 1,
    "notebook/session.py": 1,
    "search/lanes/encoder.py": 1,
    "types/entry_points.py": 1,  # metadata of the packages that this Python would import
    "workspace/workers/__main__.py": 1,  # the pipe from its parent
}


def test_no_other_module_opens_files() -> None:
    found = {}
    for path in PACKAGE.rglob("*.py"):
        calls = [node.func for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Call)]
        named = [f.attr for f in calls if isinstance(f, ast.Attribute)]  # path.read_bytes, os.open …
        names = [*named, *("open" for f in calls if isinstance(f, ast.Name) and f.id == "open")]
        if count := sum(name in READING for name in names):
            found[path.relative_to(PACKAGE).as_posix()] = count
    assert found == ALLOWED


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_the_opener_refuses_pipes_links_outside_and_too_many_bytes(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/secret").write_text("key")
    (tmp_path / "in/away").symlink_to(tmp_path / "out")
    (tmp_path / "link").symlink_to(tmp_path / "out/secret")
    os.mkfifo(tmp_path / "pipe")
    assert read_regular(tmp_path / "out/secret", 2) == b"ke"
    for path, within in (
        (tmp_path / "pipe", None),
        (tmp_path / "link", None),
        (tmp_path / "in/away/secret", tmp_path / "in"),
    ):
        with pytest.raises(NotRegular):
            read_regular(path, 10, within)
    for opened in (read_given, open_given):
        with pytest.raises(NotRegular):
            opened(tmp_path / "pipe")
    assert read_given(tmp_path / "link") == b"key"
    with pytest.raises(OSError, match="more than 2 bytes"):
        read_given(tmp_path / "link", 2)
