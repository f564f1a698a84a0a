"""Ranking: the lanes' rankings fused into one, and signals that adjust the fused scores with reasons.

Change it to add a signal or a fusion.

`fusion.rrf` and the other functions in `fusion.FUSIONS` fuse rankings. `rerank.rerank` applies the re-ranking signals
in `signals.SIGNALS`, or `signals.REPORT_SIGNALS` for bug reports. Every score
is the exact sum of its contributions (by lanes) and adjustments (by signals).

Rank 2 and rank 1 give 1/62 + 1/61:

>>> from codeexplore.search.ranking.fusion import rrf
>>> from codeexplore.types import Hit, Ranking
>>> bm25 = Ranking("bm25", [Hit("a", 1, 9.0), Hit("b", 2, 4.0)])
>>> embedding = Ranking("embedding", [Hit("b", 1, 0.8)])
>>> [(hit.chunk_id, round(hit.score, 4)) for hit in rrf([bm25, embedding])]
[('b', 0.0325), ('a', 0.0164)]
"""
