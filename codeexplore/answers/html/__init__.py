"""Answers as escaped HTML: `show` makes pages, `writer` writes each kind of block, and `elements` makes all markup.

Change it to change what a notebook shows.
"""
