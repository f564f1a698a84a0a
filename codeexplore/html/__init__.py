"""Answers as escaped HTML, for notebooks and files; drawings are in `html.drawing`.

`show.shown_html` makes the page of any answer from its blocks, `writer` writes each kind of block, `code` source text.
`elements.tag` makes all markup, and escapes every string that is not `Html`:

>>> from codeexplore.html.elements import tag
>>> print(tag("b", "<script>"))
<b>&lt;script&gt;</b>
"""
