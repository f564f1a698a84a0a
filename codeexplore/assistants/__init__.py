r"""Tools for language models: four calls that ask, walk, read and map a loaded repository.

`tools` has the calls with their JSON schemas, `listing` writes rows within a token budget, `server` serves the tools
over the Model Context Protocol. Nothing here writes a file, opens a connection or reads a file that is not indexed.

>>> from codeexplore import Workspace, sample_repo
>>> ask, walk, read, map_repository = Workspace(sample_repo("webshop")).context.as_tools()
>>> print(walk("luhn_valid", "callers").partition("\n")[0])
# 1 caller of webshop.payments.card.luhn_valid (webshop/payments/card.py:63)
"""
