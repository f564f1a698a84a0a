"""Indexes on disk: the archive format, lazy tables over it, and the cache folder."""
