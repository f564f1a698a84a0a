"""The history of a repository as evidence: when and how often files changed, who knows them, what changes together.

`log.History` has every commit with its files, under the last name of each file. `cochange` ranks what changed together
with a file. `versions` compares two versions of a file line by line and finds the symbols that changed. `workspace.
history` reads the commits, and `results.history` has the answers.

>>> from codeexplore.history.log import History
>>> from codeexplore.source.git_log import ChangedPath, Commits, LoggedCommit
>>> newer = LoggedCommit("b" * 40, 200, "Ada", (ChangedPath("R", "b.py", "a.py"), ChangedPath("M", "c.py")))
>>> older = LoggedCommit("a" * 40, 100, "Ada", (ChangedPath("A", "a.py"),))
>>> history = History.of(Commits("b" * 40, ("b" * 40, "a" * 40), 0, False, False, False), [newer, older])
>>> [history.id_of(row)[0] for row in history.commits_of("b.py")]
['b', 'a']
"""
