"""The commits of a repository: renames followed, what changes together, lines carried between versions.

>>> from codeexplore.features.review.history.log import ChangedPath, Commits, LoggedCommit
>>> from codeexplore.features.review.history.log import History
>>> newer = LoggedCommit("b" * 40, 200, "Ada", (ChangedPath("R", "b.py", "a.py"), ChangedPath("M", "c.py")))
>>> older = LoggedCommit("a" * 40, 100, "Ada", (ChangedPath("A", "a.py"),))
>>> history = History.of(Commits("b" * 40, ("b" * 40, "a" * 40), 0, False, False, False), [newer, older])
>>> [history.ids[row][0] for row in history.commits_of("b.py")]
['b', 'a']
"""
