"""The three lanes: BM25 over words, cosine over static embeddings, and walks along the call graph.

Change it to add a lane.

`bm25.Bm25Lane`, `embedding.EmbeddingLane` and `graph.GraphLane` each rank the chunks of a catalog for a plan
(`retrieve`), and return the parts of a score (`explain`, `shares`). `encoder.Encoder` is the embedding model.

Words used here: a *row* is the position of a chunk in the catalog. After an edit, *order* gives for each new row the
row from which its data is taken: an old row, or the number of old rows plus the position of a new chunk.

>>> from codeexplore import Workspace, sample_repo
>>> from codeexplore.search.query.planner import plan
>>> engine = Workspace(sample_repo("webshop")).engine
>>> asked = plan("how are expired sessions handled?")
>>> hit = engine.retrievers["embedding"].retrieve(asked, 1)[0]
>>> engine.catalog.symbol_of(engine.catalog.chunk(hit.chunk_id)).name, round(hit.score, 2)
('purge_expired', 0.85)
>>> [(part.term, part.tf, round(part.score, 2)) for part in engine.retrievers["bm25"].explain(asked, hit.chunk_id)]
[('expir', 11, 2.37), ('sess', 12, 1.69), ('handl', 0, 0.0), ('expiredsess', 0, 0.0)]
"""
