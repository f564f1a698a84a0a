"""Import finder that prevents codeexplore from importing modules of the explored repository.

A repository's folder is on `sys.path` for every script in it, for ``python -m`` started in it, at a prompt in it, and
after ``sys.path.insert(0, repo)``. If a module in it had the name of a standard library module, or of an optional
dependency of one of our dependencies, the module would run at our first import of this name.

Imports by codeexplore, and by the packages it imports, therefore follow these rules. All other imports are unchanged.

- The standard library, site-packages, PYTHONPATH and codeexplore's own folder are searched first.
- Other entries of `sys.path` are searched next.
- These folders are never searched: the working folder, the folder of the script, and folders in a repository that was
  opened.

The package imports this module before any other. So this module may import only modules that every Python process has
loaded already. `pathlib` is not among them, and neither is ``__future__``.
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
    """Exclude the folder `root`, and all folders in it, from later imports."""
    _explored.add(os.path.realpath(root))


def search_path() -> tuple[list[str], list[str]]:
    """Return two lists of entries of `sys.path`: entries to search first, and other permitted entries.

    Each list is in the order of `sys.path`.
    """
    first: list[str] = []
    others: list[str] = []
    installed, given = _installed(), _given()
    excluded = _places_of_others()
    for entry in sys.path:
        place = os.path.abspath(entry)
        if place in installed:
            first.append(entry)
        elif not os.path.isabs(entry) or _is_in(entry, excluded):
            continue
        else:
            (first if place in given else others).append(entry)
    return first, others


def _installed() -> set[str]:
    """Return the folders in which Python and packages are installed, and the folder of codeexplore."""
    found = {_FOLDER, _STDLIB, os.path.join(_STDLIB, "lib-dynload")}
    for prefix in (sys.base_prefix, sys.base_exec_prefix):
        zipped = f"python{sys.version_info[0]}{sys.version_info[1]}.zip"
        found |= {os.path.join(prefix, *below) for below in (("DLLs",), (zipped,), (sys.platlibdir, zipped))}
        versioned = f"python{sys.version_info[0]}.{sys.version_info[1]}"
        found.add(os.path.join(prefix, sys.platlibdir, versioned, "lib-dynload"))
        if os.name == "nt":
            found.add(os.path.abspath(prefix))
    site = sys.modules.get("site")  # not loaded under -S
    if site is not None:
        found |= {os.path.abspath(folder) for folder in site.getsitepackages()}
        if site.USER_SITE:
            found.add(os.path.abspath(site.USER_SITE))
    return found


def _given() -> set[str]:
    """Return the folders that the environment variable PYTHONPATH names."""
    if sys.flags.ignore_environment:
        return set()
    return {os.path.abspath(each) for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each}


def _places_of_others() -> tuple[set[str], set[str]]:
    """Return two sets of folders from which codeexplore must not import.

    The folders of the first set are excluded without the folders inside them. The folders of the second set are
    excluded with all folders inside them.
    """
    alone = set()
    try:
        alone.add(os.path.realpath(os.getcwd()))
    except OSError:  # the working folder was deleted
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
    """Return the spec that an ordinary import would find for a top-level module, without running the module.

    Raises every exception that a finder raises.
    """
    for finder in sys.meta_path:
        if finder is not TrustedImports and (find := getattr(finder, "find_spec", None)) is not None:
            spec = find(name, None)
            if isinstance(spec, ModuleSpec):
                return spec
    return None


class TrustedImports:
    """Import finder on `sys.meta_path` that applies the rules of this module to imports by codeexplore."""

    @classmethod
    def find_spec(cls, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":  # noqa: ARG003
        """Return the spec of a top-level module that codeexplore imports. For other imports, return None.

        Raises ModuleNotFoundError for a module that exists only in excluded folders.
        """
        if path is not None or not _is_for_us():  # a submodule is searched in its package's folder
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
            f"No trusted module named {name!r}: codeexplore imports nothing from the working folder, the script's "
            "folder or an explored repository",
            name=name,
        )


def _is_for_us() -> bool:
    """Return True if codeexplore, or a package that it imports, makes the current import.

    Imports by a user's callback that codeexplore calls do not count.
    """
    folders: tuple[str, ...] = ()
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module == "codeexplore" or (isinstance(module, str) and module.startswith("codeexplore.")):
            return True
        file = frame.f_code.co_filename
        if module == _MAIN:
            return False
        if not file.startswith("<"):  # frames such as <frozen importlib._bootstrap> do not identify the importer
            if not folders:
                folders = tuple(os.path.join(each, "") for each in (*_installed(), *_given()))
            if not file.startswith(folders):
                return False
        frame = frame.f_back
    return False


if TrustedImports not in sys.meta_path:
    sys.meta_path.insert(0, TrustedImports)
