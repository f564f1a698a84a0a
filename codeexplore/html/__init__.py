"""Answers as escaped HTML, for notebooks and files: a module for each kind of answer, drawings in `html.drawing`.

Entry points are the functions that end in ``_html``: `search.answer_html`, `graph.drawn_html`, `score_terms.why_html`,
`status.summary_html` and others. `elements.tag` makes all markup, and escapes every string that is not `Html`:

>>> from codeexplore.html.elements import tag
>>> print(tag("b", "<script>"))
<b>&lt;script&gt;</b>
"""
