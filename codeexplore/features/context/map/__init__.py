"""Map of a repository: the pack that is made without a question.

`repository_map` lists the sections and writes their rows within a budget. `modules` finds the modules with their
purpose, role and build unit, and `centre` the central types and the calls that lead through most of the code.
`material` has what several sections share.

The value of a row falls with its rank in its section. The knapsack of packs chooses the rows and their detail. Nothing
is guessed: sentences are quoted from documentation, and dependencies are likely edges.

Change it to add a section of the map.
"""
