"""Answers as text for terminals: `writer` writes blocks in the columns of a terminal, with ANSI colours on request.

`terminal` has widths, wrapping and colours, `phrases` the words that displays share. Text of the repository is cut and
its invisible characters are escaped (`clip`). `results.show.shown_text` shows any result on a stream.

>>> from codeexplore.results.text.clip import shorten
>>> shorten("src/company/product/sessions.py", 20)
'src/compan…ssions.py'
"""
