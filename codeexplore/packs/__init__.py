"""Packs: the part of a repository that answers a question, chosen for a language model within a token budget.

`candidates` lists the symbols that could be in a pack, each at several levels of detail. `knapsack` chooses levels,
`document` writes them as Markdown, tagged text or JSON, and `pack` joins these steps into a `Pack`. `organiser` makes
the pack without a question: a map of the repository. `tokens` counts the tokens of a text.

>>> from codeexplore import Workspace, sample_repo
>>> pack = Workspace(sample_repo("webshop")).context.pack("how are expired sessions handled?", tokens=1_000)
>>> pack.tokens <= 1_000, "SessionManager" in str(pack)
(True, True)
"""

from codeexplore.packs.pack import Pack

__all__ = ["Pack"]
