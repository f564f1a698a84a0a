"""Tables of one load: symbols, chunks, texts and facts of files, in memory and on disk.

`catalog.Catalog` finds symbols and chunks by row, id, name and place; `stored_catalog.StoredCatalog` does it over
columns without making records. `columns` splices the columns after an edit, `archive.Archive` is the file format,
`integrity` checks a file when it is opened, and `cache.CacheSlot` stores it in the cache folder.

>>> from codeexplore import Workspace, sample_repo
>>> catalog = Workspace(sample_repo("webshop")).catalog
>>> len(catalog.symbols), len(catalog.chunks)
(554, 417)
>>> [symbol.fqn for symbol in catalog.find("purge_expired")]
['webshop.sessions.SessionManager.purge_expired']
>>> catalog.at("webshop/sessions.py", 80).name
'purge_expired'
>>> catalog.nearest("purge_expird", limit=1)
('webshop.sessions.SessionManager.purge_expired',)
"""
