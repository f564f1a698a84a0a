"""Answers as escaped HTML, for notebooks and files. `html.drawing` has drawings.

`show.shown_html` makes a page from the blocks of any answer. `writer` writes each kind of block, and `code` writes
source text. `elements.tag` makes all markup, and escapes every string that is not `Html`:

>>> from codeexplore.answers.html.elements import tag
>>> print(tag("b", "<script>"))
<b>&lt;script&gt;</b>
"""
