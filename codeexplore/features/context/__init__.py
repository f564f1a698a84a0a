"""Context: packs for a language model, maps and tours of a repository, and tools for assistants.

`accessor.Context` is ``ws.context``.

- `packs`: lines of a repository within a budget of tokens. `candidates` lists what could be in a pack, in levels of
  detail; `knapsack` chooses the levels that fit, `document` writes them in a form, and `pack.Pack` is the result.
- `map`: the pack that is made without a question. `repository_map.sections` lists its sections; a module for each kind
  of them makes the rows from the shared `material`.
- `tours`: an order in which to read a repository. `evidence` finds the code that documents show, and ranks the
  symbols; `tour` chooses and orders the steps, and `tour.Tour` is the result.
- `assistants`: ask, walk, read and map as `tools` with JSON schemas. `server` serves them over the Model Context
  Protocol, `jupyter_mcp` in JupyterLab.

`commands` and `notebook` offer all of it on the command line and in notebooks.

Change it to add a section of the map, a tool for assistants or a form of packs. A section is a title, a weight and rows
in `map.repository_map.sections`; a tool is one in `assistants.tools.Toolbox.tools`; a form is an entry of
`packs.document.FORMS`:

>>> from codeexplore.features.context.packs.document import FORMS, Page, Row, Section
>>> page = Page("Where does it run?", "", (Section("app.py", "python", (Row(7, "def run():"),)),), ("2 hits left out",))
>>> print(FORMS["xml"].written(page))
<pack title="Where does it run?">
<file path="app.py">
7 def run():
</file>
<note>2 hits left out</note>
</pack>
"""

from codeexplore.types.features import Action, Command, Feature, Magics, Panel

_PACK = "write context for a language model within a budget"
_MAP = "write a map of the repository within a budget"
_TOUR = "list the symbols to read first, in order, with the reasons"
_MCP = "serve ask, walk, read and map to an assistant (MCP, on standard input)"
_PANEL = "Show step by step in which order to read the code that answers the question"
_ACTION = "Make context for a language model from this answer, to be copied"

FEATURE = Feature(
    name="context",
    title="texts for a language model, maps, tours, and tools for assistants",
    extra="jupyter-codeexplore[mcp,tokens]",
    accessor="codeexplore.features.context.accessor:Context",
    names=("codeexplore.features.context.packs.pack:Pack",),
    commands=(
        Command("pack", _PACK, "codeexplore.features.context.commands:add_pack"),
        Command("map", _MAP, "codeexplore.features.context.commands:add_map"),
        Command("tour", _TOUR, "codeexplore.features.context.commands:add_tour"),
        Command("mcp", _MCP, "codeexplore.features.context.commands:add_mcp"),
    ),
    magics=(Magics(("pack", "tour"), "codeexplore.features.context.notebook.magics:ContextMagics"),),
    panels=(Panel("tour", "Tour", "codeexplore.features.context.notebook.panels:TourPanel", _PANEL, of_answer=True),),
    actions=(Action("Pack", "codeexplore.features.context.notebook.panels:packed_html", _ACTION),),
)
