"""All files of one language family in, what their names mean out."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence

from codeexplore.languages.resolution.flow import Flow
from codeexplore.languages.resolution.loading import Loader
from codeexplore.languages.resolution.program import Program
from codeexplore.languages.resolution.rules import Rules
from codeexplore.types import FileFacts


class Solved:
    """A family of files whose values have come to rest.

    `manifests` are the texts of the files that name modules, by path.
    """

    def __init__(self, files: Sequence[FileFacts], rules: Rules, manifests: Mapping[str, str] | None = None) -> None:
        collecting = gc.isenabled()
        gc.disable()  # hundreds of thousands of small tuples and no cycles: collecting only costs time
        try:
            self.program = Program(files, rules, manifests or {})
            self.flow = Flow(self.program)
            self.loader = Loader(self.flow)
            self.loader.load()
        finally:
            if collecting:
                gc.enable()
