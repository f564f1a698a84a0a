"""The steps from a question to an answer: plan, find seeds, search the lanes, fuse, re-rank.

Change it to add a signal (`ranking.signals`), a fusion (`ranking.fusion`) or a form of questions (`query.patterns`).

`engine.SearchEngine` runs the steps. `query` makes a plan for the question. `seeds` finds the symbols that the
question is about (*seeds*). `lanes` rank chunks, and `ranking` fuses the rankings and adjusts scores. `explain.derive`
returns every number behind a rank, and `grep` finds exact text.

>>> from codeexplore import Workspace, sample_repo
>>> engine = Workspace(sample_repo("webshop")).engine
>>> result = engine.search("how are expired sessions handled?", top_k=1)
>>> result.plan.kind, result.plan.lanes
('conceptual', {'bm25': 1.0, 'embedding': 1.0, 'graph': 0.1})
>>> hit = result.hits[0]
>>> engine.catalog.symbol_of(engine.catalog.chunk(hit.chunk_id)).fqn
'webshop.sessions.SessionManager.purge_expired'
>>> [(share.lane, share.rank) for share in hit.contributions]
[('bm25', 3), ('embedding', 1), ('graph', 1)]
>>> [adjustment.signal for adjustment in hit.adjustments]
['name match', 'owner match', 'strength']
"""
