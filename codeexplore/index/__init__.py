"""Tables of one load: symbols, chunks and files by id and name, in memory and on disk."""
