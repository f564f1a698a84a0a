"""No modules import each other in a circle. Imports inside functions and imports for typing count too."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import grimp
import pytest


def imports_of_the_package() -> dict[str, set[str]]:
    """Return module → modules that it imports."""
    graph = grimp.build_graph("codeexplore")
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def test_no_modules_import_each_other() -> None:
    list(TopologicalSorter(imports_of_the_package()).static_order())


def test_a_circle_is_found() -> None:
    imports = imports_of_the_package()
    imports["codeexplore.types.settings"] = imports["codeexplore.types.settings"] | {"codeexplore.cli"}
    with pytest.raises(CycleError):
        list(TopologicalSorter(imports).static_order())
