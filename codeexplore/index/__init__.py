"""Tables of one load: symbols, chunks, texts and facts of files, in memory and on disk.

Change it to change what is stored.

Words used here:

- member: a named array or block of bytes, in memory or in a stored file (`archive.Member`).
- column: one member that contains a value for each row of a table, such as the name of each symbol.
- row: the position of a symbol or chunk, counted from 0. It is the same in all columns and arrays of an index.
- part: one of several tables from which `columns.splice` makes a new table. Run: consecutive rows of a part.
- record: a `Symbol` or `Chunk` object. Columns are stored, and records are made when they are needed.

`catalog.Catalog` finds symbols and chunks by row, id, name, and file and line. `columns` makes the new tables after an
edit, `archive.Archive` is the file format, and `cache.CacheSlot` stores an index in the cache folder. `Archive.verify`
checks the checksums of a file; `integrity.check_members` also checks the content of a file that another user may have
written.

>>> from codeexplore import Workspace, sample_repo
>>> catalog = Workspace(sample_repo("webshop")).catalog
>>> len(catalog.symbols), len(catalog.chunks)
(561, 418)
>>> [symbol.fqn for symbol in catalog.find("purge_expired")]
['webshop.sessions.SessionManager.purge_expired']
>>> catalog.at("webshop/sessions.py", 80).name
'purge_expired'
>>> catalog.nearest("purge_expird", limit=1)
('webshop.sessions.SessionManager.purge_expired',)
"""
