"""Answers as escaped HTML, for notebooks and files: `show` makes pages, `writer` each kind of block, `elements` markup."""
