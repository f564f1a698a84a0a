"""Interface for notebooks: magics, completion, display of results, and the explorer. Only this package uses IPython.

Change it to add a magic of the core or a request of the explorer's page. Features register theirs.

Entry points:

- `extension` registers everything in an IPython shell (``%load_ext codeexplore``).
- `magics` contains the ``%`` commands.
- `explorer.Explorer` is the widget. Its page is in `front`, and `replies` has an answer for each request of the page.
- `requests` has the searches and walks of the explorer as records:

>>> from codeexplore.notebook.requests import SearchRequest
>>> SearchRequest("expired sessions", top_k=5).code("ws")
"ws.search('expired sessions', top_k=5)"
"""

from codeexplore.types.features import Feature

FEATURE = Feature(
    name="notebook",
    title="magics, displays and the explorer",
    views={"explore": "codeexplore.notebook.explorer:Explorer"},
)
