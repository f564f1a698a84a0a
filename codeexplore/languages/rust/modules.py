"""Modules of Rust: the module name of a file, the names that ``use`` imports, and the modules that ``mod`` declares."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Container, Iterator

from tree_sitter import Node

from codeexplore.languages.base import Wrapping

_WRAPPED = re.compile(rb"^[ \t]*[\w:]+![ \t]*\{", re.MULTILINE)
_DEFINES = re.compile(rb"\b(?:fn|struct|enum|trait|impl|mod|use|const|static|type|macro_rules!)\s")
_ATTRIBUTES = re.compile(rb"(?:#\[[^\]\n]*\]\s*)+\Z")
_ATTRIBUTE_BYTES = 400  # bytes above an item that are searched for its attributes
_PLACE = re.compile(rb'#\[path\s*=\s*"([^"]+)"\s*\]')
_HOLDS_ITEMS = frozenset({"source_file", "mod_item", "impl_item", "trait_item", "declaration_list"})
_OF_A_CRATE = ("Cargo.toml", "src/lib.rs", "src/main.rs")
_ROOTS = frozenset({"lib", "main"})


def module_name(path: str, paths: Container[str]) -> str:
    """Return the module name of a file, as ``crate::folder::file``.

    The crate is the nearest folder above the file with a Cargo.toml, a src/lib.rs or a src/main.rs. It is called
    ``crate`` at the root of the repository and has the name of its folder elsewhere, so that the crates of a workspace
    have different names.

    ``src``, ``lib.rs`` and ``mod.rs`` are not part of the name, and neither is ``main.rs`` unless it is beside a
    ``lib.rs``. For the compiler, files in tests/, examples/, benches/ and src/bin/ are separate crates; here they are
    modules of the crate to which they belong, and ``crate`` in them means the module of their root.
    """
    folders = path.removesuffix(".rs").split("/")
    stem = folders.pop()
    depth = _crate_depth(folders, paths)
    crate = folders[depth - 1].replace("-", "_") if depth else "crate"
    inner = folders[depth:]
    if inner[:1] == ["src"]:
        inner = inner[1:]
    is_binary = stem == "main" and (inner or not _exists("/".join(folders), "lib.rs", paths))
    is_root = stem == "mod" or (stem == "lib" and not inner) or is_binary
    return "::".join([crate, *inner, *(() if is_root else (stem,))])


def _crate_depth(folders: list[str], paths: Container[str]) -> int:
    """Return the number of folders above the crate's folder, which contains a Cargo.toml or the root module."""
    for depth in range(len(folders), -1, -1):
        folder = "/".join(folders[:depth])
        if any(_exists(folder, name, paths) for name in _OF_A_CRATE):
            return depth
    return folders.index("src") if "src" in folders else 0


def _exists(folder: str, name: str, paths: Container[str]) -> bool:
    return (f"{folder}/{name}" if folder else name) in paths


def child_module(path: str, name: str, paths: Container[str]) -> str:
    """Return the module that ``mod name;`` declares in the file `path`: the existing one of its two possible paths."""
    folder, _, stem = path.removesuffix(".rs").rpartition("/")
    beside = f"{folder}/{name}" if folder else name
    below = f"{folder}/{stem}/{name}" if folder else f"{stem}/{name}"
    tried = [f"{base}{suffix}" for base in (beside, below) for suffix in (".rs", "/mod.rs")]
    if stem not in _ROOTS and stem != "mod":
        tried = tried[2:] + tried[:2]  # a crate root may have any name: the modules of tests/api.rs are beside it
    found = next((candidate for candidate in tried if candidate in paths), tried[0])
    return module_name(found, paths)


def attributes_above(node: Node, data: bytes) -> bytes:
    """Return the text of the attributes above `node`."""
    run = _ATTRIBUTES.search(data, max(0, node.start_byte - _ATTRIBUTE_BYTES), node.start_byte)
    return run.group() if run is not None else b""


def placed_module(path: str, attributes: bytes, paths: Container[str]) -> str:
    """Return the module that ``#[path = "…"]`` above a ``mod name;`` names; "" for no such attribute."""
    declared = _PLACE.search(attributes)
    if declared is None:
        return ""
    found = posixpath.normpath(posixpath.join(posixpath.dirname(path), declared.group(1).decode("utf-8", "replace")))
    return module_name(found, paths) if found in paths else ""


def wrappings(root: Node, data: bytes) -> list[Wrapping]:
    """Return the macros with definitions in braces where definitions may stand: ``cfg_test! { fn f() {} }``."""
    found: list[Wrapping] = []
    if _WRAPPED.search(data) is None:
        return found
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type in _HOLDS_ITEMS:
            pending.extend(node.named_children)
        elif node.type == "macro_invocation" and node.named_child_count:
            tokens = node.named_children[-1]
            first, last = tokens.start_byte, tokens.end_byte
            if data[first : first + 1] == b"{" and _DEFINES.search(data, first, last) is not None:
                found.append(Wrapping(node.start_byte, first + 1, last - 1, last))
    return found


def uses(node: Node, text: Callable[[Node], str]) -> Iterator[tuple[str, str, str]]:
    """Yield (name, module, member) of each import of a ``use`` declaration; the member of a whole crate is ""."""
    argument = node.child_by_field_name("argument")
    pending = [(argument, "")] if argument is not None else []
    while pending:
        tree, prefix = pending.pop()
        kind = tree.type
        if kind == "scoped_use_list":
            path, items = tree.child_by_field_name("path"), tree.child_by_field_name("list")
            inner = _joined(prefix, text(path) if path is not None else "")
            if items is not None:
                pending.extend((child, inner) for child in reversed(items.named_children))
        elif kind == "use_list":
            pending.extend((child, prefix) for child in reversed(tree.named_children))
        elif kind == "use_wildcard":
            module = _joined(prefix, text(tree.named_children[0]) if tree.named_child_count else "")
            yield "*", module, "*"
        elif kind == "use_as_clause":
            path, alias = tree.child_by_field_name("path"), tree.child_by_field_name("alias")
            if path is not None and alias is not None:
                yield _use(_joined(prefix, text(path)), text(alias))
        elif not tree.is_extra:
            yield _use(_joined(prefix, text(tree)), "")


def _joined(prefix: str, path: str) -> str:
    path = "".join(path.split()).removeprefix("::")
    return f"{prefix}::{path}" if prefix and path else prefix or path


def _use(path: str, alias: str) -> tuple[str, str, str]:
    path = path.removesuffix("::self") if "::" in path else path
    module, _, member = path.rpartition("::")
    name = alias or member
    return (name, module, member) if module else (name, member, "")
