"""The workspace: one repository loaded as an immutable `snapshot.Index`, asked, refreshed and stored.

`workspace.Workspace` is the public class; its methods are in `search_api`, `graph_api` and `refresh_api`. `pipeline`
and `load` build an index, `cache` and `serialization` store it, `refresh` renews it after edits, and `graph_wait`
resolves references in the background.

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
