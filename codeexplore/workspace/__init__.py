"""The workspace: one repository, loaded as an immutable `snapshot.Index` that answers questions.

Change it to add a method that users call.

`workspace.Workspace` is the public class; its `__getattr__` makes the accessor of a feature, such as ``ws.review``.
`snapshot_holder.SnapshotHolder` owns its current index. Each call reads one `view.SnapshotView` of this index. The
questions are methods in `searches` and `graph_questions`. `pipeline` and `load` build an index. `cache` stores it,
opens a stored one and checks who made it, and `fingerprints` finds the files that changed since. `refresh` and `watch`
update an index after edits: `graph_update` decides which edges an edit keeps and which references are resolved again,
and `snapshot_holder` waits for them in the background.

Words used here:

- A *family* is a group of languages that are resolved together, such as JavaScript and TypeScript.
- A *row* is the position of a symbol or an edge in the tables of an index. Edits change rows.
- *Pending* parts of a graph are edges that are not resolved yet (`snapshot.Pending`).
- An *outdated* graph has the edges of before the last edit, at their new lines.

An edit that adds ``sweep``, which calls ``purge_expired``, to a copy of the sample repository:

>>> from codeexplore import Workspace
>>> ws = Workspace("webshop")
>>> ws.refresh(graph="background")
Changes(added=(), changed=('webshop/sessions.py',), removed=(), moved=())
>>> ws.graph_state
'outdated'
>>> [symbol.fqn for symbol in ws.callers("purge_expired").symbols]
['tests.test_sessions.test_purge_ends_only_expired_sessions', 'webshop.sessions.sweep']
>>> ws.wait_for_graph(), ws.graph_state
(True, 'ready')
"""
