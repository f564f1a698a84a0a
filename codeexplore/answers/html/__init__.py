"""Answers as escaped HTML: `writer` makes pages and writes each kind of block, and `elements` makes all markup.

Change it to change what a notebook shows.
"""
