"""Answers as text for terminals: a module for each kind of answer, widths in terminal columns, ANSI colours on request.

`show.shown_text` renders any result for a stream; the modules `search`, `graph`, `edge`, `grep`, `source`, `table` and
`explanation` have one function for each answer. Text of the repository is cut and its invisible characters are escaped
(`clip`).

>>> from codeexplore.results.text.clip import shorten
>>> shorten("src/company/product/sessions.py", 20)
'src/compan…ssions.py'
"""
