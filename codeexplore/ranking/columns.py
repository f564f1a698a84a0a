"""What signals ask of every candidate, as columns over a catalog's chunks: the file, its role, whether it is prose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, get_args

from codeexplore.catalog import Catalog
from codeexplore.languages.paths import PathRole, path_role

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy as np
    from numpy.typing import NDArray

_ROLES: Final[tuple[PathRole, ...]] = get_args(PathRole)
_CODES: Final = {role: code for code, role in enumerate(_ROLES)}


class Columns:
    """Columns by chunk row, all of shape (n_chunks,).

    Attributes
    ----------
    paths : list of str
        The file.
    sections : ndarray
        Whether it is a section of a text.
    """

    def __init__(self, catalog: Catalog) -> None:
        import numpy as np

        places = list(catalog.chunk_places())
        self.paths = [path for path, _, _ in places]
        self.sections: NDArray[np.bool_] = np.array([kind == "section" for _, _, kind in places], np.bool_)
        code = {path: _CODES[path_role(path)] for path in dict.fromkeys(self.paths)}
        self._roles = np.array([code[path] for path in self.paths], np.int8)

    def has_role(self, rows: NDArray[np.int64], roles: Collection[PathRole]) -> NDArray[np.bool_]:
        """Which of some rows lie in a file of one of the roles."""
        import numpy as np

        wanted = np.array([role in roles for role in _ROLES])
        found: NDArray[np.bool_] = wanted[self._roles[rows]]
        return found
