"""What signals ask of every candidate, as columns over a catalog's chunks: the file, its role, whether it is prose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, get_args

from codeexplore.file_roles import PathRole, path_role
from codeexplore.index.catalog import Catalog

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

        files, numbers = catalog.chunk_files()
        self._files, self._numbers = files, numbers
        self.paths: list[str] = [files[number] for number in numbers.tolist()]
        self.sections = catalog.chunks_of_kind("section")
        self._roles = np.full(len(files), -1, np.int8)  # of each file, when it is first asked for

    def has_role(self, rows: NDArray[np.int64], roles: Collection[PathRole]) -> NDArray[np.bool_]:
        """Which of some rows lie in a file of one of the roles."""
        import numpy as np

        files = self._numbers[rows]
        for number in set(files[self._roles[files] < 0].tolist()):
            self._roles[number] = _CODES[path_role(self._files[number])]
        wanted = np.array([role in roles for role in _ROLES])
        found: NDArray[np.bool_] = wanted[self._roles[files]]
        return found
