"""Tours: an order of symbols in which to read a repository, with a sentence and the reasons for each step.

`documents` finds the symbols that documentation shows in code. `evidence` ranks symbols by documents, tests, PageRank
and manifests. `planner` chooses the steps, `order` puts prerequisites first, and `tour` is the answer.

>>> from codeexplore import Workspace, sample_repo
>>> tour = Workspace(sample_repo("webshop")).context.tour(steps=8)
>>> len(tour)
8
"""

from codeexplore.tours.tour import Step, Tour

__all__ = ["Step", "Tour"]
