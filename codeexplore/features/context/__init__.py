"""Context: packs for a language model, maps and tours of a repository, and tools for assistants."""

from codeexplore.types.features import Action, Command, Feature, Magics, Panel

FEATURE = Feature(
    name="context",
    title="context for a language model, maps, tours, and tools for assistants",
    extra="jupyter-codeexplore[mcp,tokens]",
    accessor="codeexplore.features.context.accessor:Context",
    names=("codeexplore.packs.pack:Pack",),
    commands=(
        Command("pack", "write context for a language model within a budget", "codeexplore.cli.pack:add_pack"),
        Command("map", "write a map of the repository within a budget", "codeexplore.cli.pack:add_map"),
        Command("tour", "list the symbols to read first, in order, with the reasons", "codeexplore.cli.tour:add"),
        Command(
            "mcp", "serve ask, walk, read and map to an assistant (MCP, on standard input)", "codeexplore.cli.mcp:add"
        ),
    ),
    magics=(
        Magics(("pack",), "codeexplore.notebook.magics.pack:PackMagics"),
        Magics(("tour",), "codeexplore.notebook.magics.tour:TourMagics"),
    ),
    panels=(
        Panel(
            "tour",
            "Tour",
            "codeexplore.notebook.panels.tour:TourPanel",
            "Show step by step in which order to read the code that answers the question",
            of_answer=True,
        ),
    ),
    actions=(
        Action(
            "Pack",
            "codeexplore.notebook.panels.pack:packed_html",
            "Make context for a language model from this answer, to be copied",
        ),
    ),
)
