"""The notebook interface: magics, completion, display of results, and the explorer. Only this package uses IPython.

`extension` registers everything in a shell (``%load_ext codeexplore``); `magics` contains the ``%`` commands,
`explorer.Explorer` composes the widgets of `panels`, `requests` are the searches and walks of the explorer as records:

>>> from codeexplore.notebook.requests import SearchRequest
>>> SearchRequest("expired sessions", top_k=5).code("ws")
"ws.search('expired sessions', top_k=5)"
"""
