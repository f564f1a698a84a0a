"""The workspace: one repository loaded as an immutable `snapshot.Index`, asked, refreshed and stored.

`workspace.Workspace` is the public class. `snapshot_holder.SnapshotHolder` owns its current index, and a
`view.SnapshotView` is what one call reads of it; `searches`, `walks` and `surveys` answer questions. `pipeline` and
`load` build an index, `cache` and `serialization` store it, `refresher` and `refresh` renew it after edits, and
`background_resolve` resolves references in the background.

An edit that adds ``sweep``, which calls ``purge_expired``, to a copy of the sample repository:

>>> from codeexplore import Workspace
>>> ws = Workspace("webshop")
>>> ws.refresh(graph="background")
Changes(added=(), changed=('webshop/sessions.py',), removed=(), moved=())
>>> ws.graph_state
'provisional'
>>> [symbol.fqn for symbol in ws.callers("purge_expired").symbols]
['tests.test_sessions.test_purge_ends_only_expired_sessions', 'webshop.sessions.sweep']
>>> ws.wait_for_graph(), ws.graph_state
(True, 'ready')
"""
