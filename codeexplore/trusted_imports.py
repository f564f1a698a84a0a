"""Where codeexplore's own imports come from: never from the repository that is explored.

A repository's folder is on `sys.path` for every script that lies in it, for ``python -m`` started in it, at a prompt in
it, and after ``sys.path.insert(0, repo)``. A module in it that is named like one of the standard library, or like one
that a dependency of ours looks for, would then run as soon as that is first imported. So imports that codeexplore
makes, and what it imports makes in turn, go by these rules; everybody else's are as ever:

- the standard library, site-packages, PYTHONPATH and codeexplore's own folder come first;
- then other entries of `sys.path`;
- never the working folder, the folder of the script, or what lies in a repository that was opened.

The package imports this module before anything else. So it may import only what every Python process has loaded:
neither pathlib nor ``__future__``, which is a file like others.
"""

import os
import sys
from importlib.machinery import ModuleSpec, PathFinder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_STDLIB = os.path.dirname(os.path.abspath(os.__file__))
_MAIN = "__main__"

_explored: set[str] = set()


def explore(root: "os.PathLike[str] | str") -> None:
    """Import nothing more from this folder, or from folders in it."""
    _explored.add(os.path.realpath(root))


def search_path() -> tuple[list[str], list[str]]:
    """The entries of `sys.path` that come first, and the others that may be searched; each in their order."""
    first: list[str] = []
    others: list[str] = []
    installed, given = _installed(), _given()
    away = _places_of_others()
    for entry in sys.path:
        place = os.path.abspath(entry)
        if place in installed:
            first.append(entry)
        elif not os.path.isabs(entry) or _is_in(entry, away):
            continue
        else:
            (first if place in given else others).append(entry)
    return first, others


def _installed() -> set[str]:
    """Folders in which Python and packages are installed, and our own."""
    found = {_FOLDER, _STDLIB, os.path.join(_STDLIB, "lib-dynload")}
    for prefix in (sys.base_prefix, sys.base_exec_prefix):
        zipped = f"python{sys.version_info[0]}{sys.version_info[1]}.zip"
        found |= {os.path.join(prefix, *below) for below in (("DLLs",), (zipped,), (sys.platlibdir, zipped))}
        versioned = f"python{sys.version_info[0]}.{sys.version_info[1]}"
        found.add(os.path.join(prefix, sys.platlibdir, versioned, "lib-dynload"))
        if os.name == "nt":
            found.add(os.path.abspath(prefix))
    site = sys.modules.get("site")  # not there under -S
    if site is not None:
        found |= {os.path.abspath(folder) for folder in site.getsitepackages()}
        if site.USER_SITE:
            found.add(os.path.abspath(site.USER_SITE))
    return found


def _given() -> set[str]:
    """The folders that PYTHONPATH names."""
    if sys.flags.ignore_environment:
        return set()
    return {os.path.abspath(each) for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each}


def _places_of_others() -> tuple[set[str], set[str]]:
    """Folders of which nothing is imported: they alone, and with all in them."""
    alone = set()
    try:
        alone.add(os.path.realpath(os.getcwd()))
    except OSError:  # the working folder is gone
        pass
    script = getattr(sys.modules.get(_MAIN), "__file__", None)
    if isinstance(script, str):
        alone.add(os.path.dirname(os.path.realpath(script)))
    return alone, _explored


def _is_in(entry: str, places: tuple[set[str], set[str]]) -> bool:
    place = os.path.realpath(entry)
    alone, whole = places
    return place in alone or any(place == root or place.startswith(os.path.join(root, "")) for root in whole)


def find_anywhere(name: str) -> "ModuleSpec | None":
    """Where anybody else's import would find a top-level module, which is not run. Raises what finders raise."""
    for finder in sys.meta_path:
        if finder is not TrustedImports and (find := getattr(finder, "find_spec", None)) is not None:
            spec = find(name, None)
            if isinstance(spec, ModuleSpec):
                return spec
    return None


class TrustedImports:
    """The finder on `sys.meta_path` that holds imports on behalf of codeexplore to the rules above."""

    @classmethod
    def find_spec(cls, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":  # noqa: ARG003
        """The spec of a top-level module for codeexplore; None leaves it to the others.

        Raises ModuleNotFoundError for one that is found only where nothing is to be imported from.
        """
        if path is not None or not _is_for_us():  # a submodule is found where its package was
            return None
        first, others = search_path()
        for finder in sys.meta_path:
            if finder is cls:
                continue
            if finder is PathFinder:
                spec = PathFinder.find_spec(name, first) or PathFinder.find_spec(name, others)
            else:
                find = getattr(finder, "find_spec", None)
                spec = None if find is None else find(name, None)
            if spec is not None:
                return spec
        if PathFinder.find_spec(name) is None:
            return None
        raise ModuleNotFoundError(
            f"No module named {name!r} but in the working folder, beside the script or in an explored repository, "
            "from where codeexplore imports nothing",
            name=name,
        )


def _is_for_us() -> bool:
    """Whether the import under way is codeexplore's, or one by what it imports, and not by code that it calls back."""
    folders: tuple[str, ...] = ()
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module == "codeexplore" or (isinstance(module, str) and module.startswith("codeexplore.")):
            return True
        file = frame.f_code.co_filename
        if module == _MAIN:
            return False
        if not file.startswith("<"):  # <frozen importlib._bootstrap> and the like say nothing of who imports
            if not folders:
                folders = tuple(os.path.join(each, "") for each in (*_installed(), *_given()))
            if not file.startswith(folders):
                return False
        frame = frame.f_back
    return False


def _install() -> None:
    if TrustedImports not in sys.meta_path:
        sys.meta_path.insert(0, TrustedImports)


_install()
