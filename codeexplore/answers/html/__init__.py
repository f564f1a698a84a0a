"""Answers as escaped HTML, for notebooks and files: `show` pages, `writer` each kind of block, `elements` markup.

Change it to change what a notebook shows.
"""
