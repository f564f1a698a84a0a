"""Map of a repository: the pack that is made without a question.

`modules` finds the modules with their purpose, role and build unit (`roles`, `build_units`). `centre` chooses the
central types, `main_calls` the calls that lead through most of the code. `interface` divides the public
definitions by what a user wants to do with them. `structure` has bridges, cycles and the most needed symbols, and
`used_by_tests` the tests. `repository_map` writes the rows of all sections within a budget.

The value of a row falls with its rank in its section. The knapsack of packs chooses the rows and their detail. Nothing
is guessed: sentences are quoted from documentation, and dependencies are edges with a confidence of at least 0.8.
"""

from codeexplore.features.context.map.main_calls import MainCalls
from codeexplore.features.context.map.material import Material
from codeexplore.features.context.map.modules import Module, Modules
from codeexplore.features.context.map.repository_map import map_of

__all__ = ["MainCalls", "Material", "Module", "Modules", "map_of"]
