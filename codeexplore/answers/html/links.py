"""Links that open a place of the explored repository in the program that shows the page.

All links are made here. A link is an address of a fixed form with a percent-encoded path, so a hostile file name cannot
change its meaning.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextvars import ContextVar
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast
from urllib.parse import quote

from codeexplore.types.errors import CodeExploreError

SETTING = "CODEEXPLORE_LINKS"
"""Environment variable that chooses the form of links: "auto" (the default), "jupyter", "vscode", "file" or "none"."""

FORMS = ("auto", "jupyter", "vscode", "file", "none")

_OPEN = "rendermime:handle-local-link"  # JupyterLab's command for a link to a file of its server

Renderer = TypeVar("Renderer", bound=Callable[..., Any])


class Server(NamedTuple):
    """The Jupyter server that runs this kernel: the folder that it serves, and the path of its pages."""

    root: str
    base_url: str


_root: ContextVar[str] = ContextVar("codeexplore_links_root", default="")


def linked(render: Renderer) -> Renderer:
    """Decorate `render` so that places in its output become links, if the folder of the repository is known."""

    @wraps(render)
    def with_links(shown: object, *given: Any, **options: Any) -> Any:
        before = _root.set(root_of(shown) or _root.get())
        try:
            return render(shown, *given, **options)
        finally:
            _root.reset(before)

    return cast("Renderer", with_links)


def root_of(shown: object) -> str:
    """Return the folder of the repository to which a result belongs; "" if the result does not contain it."""
    return str(getattr(getattr(shown, "catalog", None), "root", ""))


def attributes_of(path: str, line: int) -> dict[str, str]:
    """Return the attributes of an ``<a>`` that opens a line (1-based) of a file; {} if no link is possible.

    Raises CodeExploreError if `SETTING` has an unknown value.
    """
    root = _root.get()
    if not root or not path:
        return {}
    form = os.environ.get(SETTING, "auto")
    if form not in FORMS:
        raise CodeExploreError(f"{SETTING}={form!r} is not a form of links; known forms are {', '.join(FORMS)}")
    server = jupyter_server() if form in ("auto", "jupyter") else None
    try:
        return _attributes(form, server, Path(root, path).absolute(), line)
    except (ValueError, RuntimeError):  # a name that is not text or contains a NUL, which no address can express; a
        return {}  # link that leads to itself, about which Python up to 3.12 raises RuntimeError


def _attributes(form: str, server: Server | None, path: Path, line: int) -> dict[str, str]:
    if form == "none":
        return {}
    served = None if server is None else _below(server.root, path)
    if server is not None and served is not None:
        # in JupyterLab the command opens the file at the line, counted from 0; elsewhere the address opens the file
        arguments = json.dumps({"path": served, "id": f"#line={line - 1}", "scope": "server"})
        return {
            "href": f"{server.base_url}lab/tree/{quote(served)}",
            "data_commandlinker_command": _OPEN,
            "data_commandlinker_args": arguments,
        }
    # the root of a saved index is its author's text; opening a share of another computer tells it the user's name
    if str(path).startswith(("//", "\\\\")):
        return {}
    address = path.as_uri()
    in_vscode = "VSCODE_PID" in os.environ or os.environ.get("TERM_PROGRAM") == "vscode"
    if form == "vscode" or (form == "auto" and server is None and in_vscode):
        return {"href": f"vscode://file{address.removeprefix('file://')}:{line}"}
    return {"href": address}


def _below(root: str, path: Path) -> str | None:
    """Return a path relative to the folder of a server, with slashes; None if the server does not serve it."""
    for folder, file in ((Path(root), path), (Path(root).resolve(), path.resolve())):
        try:
            parts = file.relative_to(folder).parts
        except ValueError:
            continue
        return None if any(part.startswith(".") for part in parts) else "/".join(parts)
    return None


def jupyter_server() -> Server | None:
    """Return the Jupyter server that started this kernel; None without a server."""
    return _server(os.environ.get("JPY_PARENT_PID", ""))


@lru_cache(maxsize=4)
def _server(process: str) -> Server | None:
    """Return the Jupyter server with the process id `process`; None if there is no note about it.

    Each server writes a note, which is a file in Jupyter's runtime folder.
    """
    if not process.isdigit():
        return None
    try:
        from jupyter_core.paths import jupyter_runtime_dir

        note: Any = json.loads((Path(jupyter_runtime_dir()) / f"jpserver-{process}.json").read_text("utf-8"))
        return Server(str(note["root_dir"]), str(note["base_url"]))
    except (ImportError, OSError, ValueError, KeyError, TypeError):  # another kind of server: its pages are unknown
        return None
