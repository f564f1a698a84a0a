"""Answers as text for terminals. `writer` writes blocks in the width of a terminal, with ANSI colours on request.

`terminal` has widths, wrapping and colours. `phrases` has the words that displays share. `clip` shortens text of the
repository and escapes its invisible characters. `results.show.shown_text` shows any result on a stream.

>>> from codeexplore.results.text.clip import shorten
>>> shorten("src/company/product/sessions.py", 20)
'src/compan…ssions.py'
"""
