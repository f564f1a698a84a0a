"""Context: packs for a language model, maps and tours of a repository, and tools for assistants."""

from codeexplore.types.features import Action, Command, Feature, Magics, Panel

FEATURE = Feature(
    name="context",
    title="context for a language model, maps, tours, and tools for assistants",
    extra="jupyter-codeexplore[mcp,tokens]",
    accessor="codeexplore.features.context.accessor:Context",
    names=("codeexplore.features.context.packs.pack:Pack",),
    commands=(
        Command(
            "pack",
            "write context for a language model within a budget",
            "codeexplore.features.context.commands:add_pack",
        ),
        Command(
            "map", "write a map of the repository within a budget", "codeexplore.features.context.commands:add_map"
        ),
        Command(
            "tour",
            "list the symbols to read first, in order, with the reasons",
            "codeexplore.features.context.commands:add_tour",
        ),
        Command(
            "mcp",
            "serve ask, walk, read and map to an assistant (MCP, on standard input)",
            "codeexplore.features.context.commands:add_mcp",
        ),
    ),
    magics=(
        Magics(("pack",), "codeexplore.features.context.notebook.magics:PackMagics"),
        Magics(("tour",), "codeexplore.features.context.notebook.magics:TourMagics"),
    ),
    panels=(
        Panel(
            "tour",
            "Tour",
            "codeexplore.features.context.notebook.panels:TourPanel",
            "Show step by step in which order to read the code that answers the question",
            of_answer=True,
        ),
    ),
    actions=(
        Action(
            "Pack",
            "codeexplore.features.context.notebook.panels:packed_html",
            "Make context for a language model from this answer, to be copied",
        ),
    ),
)
