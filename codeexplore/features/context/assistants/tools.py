"""The tools for language models: four of ours and those of features, with their JSON schemas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, get_args

from codeexplore.answers.wording import cut, edge_words, one_line, plural, whereabouts
from codeexplore.features.context.packs.document import FORMS, Page, Row, Section, mask_note, masked, masked_sections
from codeexplore.features.context.packs.pack import LEAST_TOKENS
from codeexplore.features.context.packs.tokens import cl100k
from codeexplore.types import features
from codeexplore.types.certainty import CERTAINTIES
from codeexplore.types.errors import AmbiguousSymbol, CodeExploreError, QuestionError, SymbolNotFound
from codeexplore.types.next_step import with_steps
from codeexplore.types.visible import visible

if TYPE_CHECKING:
    from codeexplore.answers import GraphAnswer, PathsAnswer
    from codeexplore.index.catalog import Catalog
    from codeexplore.types import Edge, NextStep, Symbol, Verdict
    from codeexplore.workspace.workspace import Workspace

ROW_CHARS: Final = 300


def listed(
    title: str,
    sections: Sequence[Section],
    notes: Sequence[str],
    tokens: int,
    more: str = "raise tokens",
    said: str = "",
) -> str:
    """Return a document with the first rows that fit in `tokens`. A note counts others and says how to get `more`.

    `said` comes before all rows. Tokens and keys are masked.
    """
    sections, hidden = masked_sections(sections)
    (title, said, *notes), found = masked((cut(one_line(title), ROW_CHARS), said, *notes))
    notes = [mask_note(hidden + found), *notes] if hidden + found else notes
    total, write = sum(len(section.rows) for section in sections), FORMS["markdown"].written

    def written(count: int) -> str:
        shown, left = [], count
        for section in sections:
            if first := section.rows[:left]:
                shown.append(section._replace(rows=first))
            left -= len(first)
        ends = [f"{total - count:,} of {total:,} rows left out; {more}"] if count < total else []
        ends += [cut(one_line(note), ROW_CHARS) for note in notes]
        text = write(Page(title, said, tuple(shown), tuple(ends)))
        while ends and not shown and cl100k(text) > tokens:
            ends.pop()
            text = write(Page(title, said, (), tuple(ends)))
        return text

    low, high = 0, total
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if cl100k(written(middle)) <= tokens else (low, middle - 1)
    return written(low)


def rows(texts: Sequence[str]) -> tuple[Row, ...]:
    return tuple(Row(0, cut(one_line(text), ROW_CHARS)) for text in texts)


Relation = Literal[
    "callers", "callees", "uses", "used_by_it", "implementors", "supertypes", "overrides", "imports", "impact", "path"
]
"""What `walk` follows. `used_by_it` and `supertypes` are `uses` and `subclasses` in the other direction."""
DEFAULT_TOKENS: Final = 4_000
"""Tokens of an answer, unless the caller gives another number; clients cut or refuse what is far longer."""
MOST_TOKENS: Final = 20_000
"""Largest budget that a call may give."""
_REVERSED: Final = {"used_by_it": "uses", "supertypes": "subclasses"}
_LEVELS: Final = frozenset({"implementors", "supertypes", "overrides", "impact"})  # walked at any depth
_STEPS: Final[Mapping[str, str]] = {
    "search": "ask {}",
    "uses": "walk uses {}",
    "imports": "walk imports {}",
    "files": "map lists the modules",
}
_OTHER_LINES: Final = "read path:first-last for others"
_LINE_CHARS: Final = 2_000  # of a line of source
_EDGES: Final = 2
_CHOICES: Final = 12
_TOKENS: Final = {"type": "integer", "description": "budget of the answer", "default": DEFAULT_TOKENS}
_SYMBOL: Final = {"type": "string", "description": "name, qualified name or path:line"}


class Result(NamedTuple):
    """The text that a tool returns. It is an error message if `failed`: an unknown name, or a wrong argument."""

    text: str
    failed: bool = False


class Tool(NamedTuple):
    """A tool: its name, description, JSON schema of its arguments, and the function that answers."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    answer: Callable[..., Result]


class Toolbox:
    """The tools over some workspaces, by name. With more than one, each tool has an argument `root` with the name.

    `before` is called with the workspace before each answer; a server refreshes it there.
    """

    def __init__(self, workspaces: Mapping[str, Workspace], before: Callable[[Workspace], None] | None = None) -> None:
        self._workspaces, self._before = workspaces, before

    def tools(self) -> tuple[Tool, ...]:
        return (
            self._tool(
                "ask",
                "Find code: the source that best answers a question or bug report, with what it calls and who uses it.",
                {"question": {"type": "string", "description": "a question, a name, or a bug report"}},
                lambda workspace, tokens, question: str(workspace.context.pack(question, tokens)),
            ),
            self._tool(
                "walk",
                "Follow the call and type graph from a symbol. Says if nobody calls it, or if that is not certain.",
                {
                    "symbol": _SYMBOL,
                    "relation": {"type": "string", "enum": list(get_args(Relation))},
                    "to": {"type": "string", "description": "for path: the symbol at its end", "default": ""},
                    "depth": {"type": "integer", "description": "steps", "default": 1},
                },
                self._walk,
            ),
            self._tool(
                "read",
                "Read the source of a symbol, lines of a file (path:10-40), or the outline of a file.",
                {
                    "target": {"type": "string", "description": "symbol, path, path:line or path:first-last"},
                    "outline": {"type": "boolean", "description": "definitions of the file alone", "default": False},
                },
                self._read,
            ),
            self._tool(
                "map",
                "Map of the repository: modules and dependencies, entry points, public interface, central symbols.",
                {},
                lambda workspace, tokens: str(workspace.context.map(tokens)),
            ),
            *(
                self._tool(tool.name, tool.description, tool.parameters, partial(_of_feature, make, tool.name))
                for make in (each.load(each.tools) for each in features.registered() if each.tools)
                for tool in make(self._workspace(None))
            ),
        )

    def _tool(self, name: str, description: str, own: Mapping[str, Any], answer: Callable[..., str]) -> Tool:
        properties = {**own, "tokens": _TOKENS}
        if len(self._workspaces) > 1:
            properties = {"root": {"type": "string", "enum": list(self._workspaces)}, **properties}
        schema = {
            "type": "object",
            "properties": properties,
            "required": [key for key, value in properties.items() if "default" not in value],
            "additionalProperties": False,
        }

        def answered(**arguments: Any) -> Result:
            result = self._answered(answer, schema, arguments)
            return result._replace(text="\n".join(masked(result.text.split("\n"))[0]))  # errors and features too

        return Tool(name, description, schema, answered)

    def _answered(self, answer: Callable[..., str], schema: Mapping[str, Any], arguments: dict[str, Any]) -> Result:
        """Call a tool with checked arguments. An error that the caller can correct is returned as a failed `Result`."""
        try:
            _check(arguments, schema)
            workspace = self._workspace(arguments.pop("root", None))
            tokens = min(arguments.pop("tokens", DEFAULT_TOKENS), MOST_TOKENS)
            if self._before is not None:
                self._before(workspace)
            return Result(answer(workspace, tokens, **arguments))
        except AmbiguousSymbol as error:
            return Result(_ambiguous(error), failed=True)
        except SymbolNotFound as error:
            return Result(f"Not found: {with_steps(error.message, error.next_steps, in_tools)}", failed=True)
        except CodeExploreError as error:
            return Result(error_text(error), failed=True)

    def _workspace(self, root: str | None) -> Workspace:
        if root is None:
            return next(iter(self._workspaces.values()))
        return self._workspaces[root]

    # ----------------------------------------------------------------- the tools

    def _walk(self, workspace: Workspace, tokens: int, symbol: str, relation: str, to: str = "", depth: int = 1) -> str:
        if relation == "path":
            if not to:
                raise QuestionError("a path needs `to`, the symbol at its end")
            return _paths(workspace, workspace.paths(symbol, to), tokens)
        walk = getattr(workspace, _REVERSED.get(relation, relation))
        options = {"direction": "out"} if relation in _REVERSED else {}
        answer = walk(symbol, None if relation in _LEVELS and depth == 1 else depth, **options)
        return _walked(workspace, answer, tokens)

    def _read(self, workspace: Workspace, tokens: int, target: str, outline: bool = False) -> str:
        path, first, last = _lines_of(target)
        if workspace.catalog.find_paths(path) or "/" in path or "\\" in path or last > first:
            file = workspace.file(path)
            if outline:
                return _outline(workspace, file.path, tokens)
            if not first or last > first:
                return _source(workspace, file.path, max(1, first), last or file.text.count("\n") + 1, "", tokens)
        symbol = workspace.symbol(target)
        if outline:
            return _outline(workspace, symbol.path, tokens)
        span = symbol.span
        return _source(
            workspace, symbol.path, span.start_line, span.end_line, f"{symbol.kind} {symbol.fqn} in ", tokens
        )


# --------------------------------------------------------------------------- writing
def _of_feature(
    make: Callable[[Workspace], Sequence[features.Tool]], name: str, workspace: Workspace, tokens: int, **arguments: Any
) -> str:
    tool = next(each for each in make(workspace) if each.name == name)
    return visible(tool.answer(tokens=tokens, **arguments))


def _walked(workspace: Workspace, answer: GraphAnswer, tokens: int) -> str:
    incoming, catalog = answer.incoming(), answer.catalog
    found: dict[str, list[str]] = {word: [] for word in CERTAINTIES}
    for symbol, reached in zip(answer.symbols, answer.reached, strict=True):
        every = sorted(incoming.of(reached), key=lambda edge: -edge.confidence)
        words = (reached.certainty, *(edge.certainty for edge in every[:1]))
        sure = max(map(CERTAINTIES.index, words))  # the less certain of both
        every = [edge for edge in every if CERTAINTIES.index(edge.certainty) <= sure]
        edges = "; ".join(_directed(catalog, symbol, edge) for edge in every[:_EDGES])
        far = reached.depth > 1 and reached.via
        via = f", {reached.depth} steps, via {catalog.symbol(reached.via).fqn}" if far and reached.via else ""
        found[CERTAINTIES[sure]].append(f"{whereabouts(symbol)} {symbol.fqn} ({symbol.kind}) {edges}{via}")
    possible = [
        f"{catalog.symbol(edge.source).fqn} → {catalog.symbol(edge.target).fqn} {edge_words(edge)}"
        for edge in answer.possible
    ]
    sections = [Section(word.capitalize(), "", rows(found[word])) for word in CERTAINTIES]
    sections += [Section("Possible", "", rows(possible)), *_mentioned(answer.verdict)]
    if answer.tests:
        sections.append(Section("Tests that reach it", "", rows([f"{whereabouts(t)} {t.fqn}" for t in answer.tests])))
    notes = [f"{plural(answer.subgraph.cut, 'more symbol')} not listed"] if answer.subgraph.cut else []
    notes += [*answer.notes, *_outdated(workspace, (s.path for s in (*answer.seeds, *answer.symbols)))]
    seeds = ", ".join(whereabouts(seed) for seed in answer.seeds[:3])
    return listed(f"{answer.heading} ({seeds})", sections, notes, tokens, said=_explained(answer.verdict))


def _directed(catalog: Catalog, symbol: Symbol, edge: Edge) -> str:
    """Return an edge in words, as seen from a symbol at one of its ends: ``calls …``, or ``← app.main calls …``."""
    words = edge_words(edge, symbol.path)
    return words if edge.source == symbol.id else f"← {catalog.symbol(edge.source).fqn} {words}"


def _paths(workspace: Workspace, answer: PathsAnswer, tokens: int) -> str:
    sections = []
    ways = [
        (path, [edge.source == each for edge, each in zip(path.edges, path.symbol_ids, strict=False)])
        for path in answer.paths
    ]
    for number, (path, forward) in enumerate(sorted(ways, key=lambda way: not all(way[1])), 1):
        arrows = [
            f" {'→' if along else '←'} {edge_words(edge)}" for edge, along in zip(path.edges, forward, strict=True)
        ]
        found = [
            f"{whereabouts(s)} {s.fqn}{arrow}" for s, arrow in zip(answer.symbols(path), (*arrows, ""), strict=True)
        ]
        title = f"Path {number}" if all(forward) else f"Connection {number} (not a way: ← is against the edge)"
        sections.append(Section(title, "", rows(found)))
    sections += _mentioned(answer.verdict)
    notes = [*answer.notes, *_outdated(workspace, (answer.source.path, answer.target.path))]
    return listed(answer.heading, sections, notes, tokens, said=_explained(answer.verdict))


def in_tools(step: NextStep) -> str:
    """Return the call of a tool that does what `step` does; "" if there is none."""
    return _STEPS.get(step.call, "").format(step.does)


def error_text(error: CodeExploreError) -> str:
    return f"Error: {with_steps(error.message, error.next_steps, in_tools)}"


def _explained(verdict: Verdict | None) -> str:
    """Return the verdict with its next steps; "" if its heading, which may be cut, says it all."""
    said = "" if verdict is None else one_line(with_steps(verdict.text, verdict.next_steps, in_tools))
    return said if verdict is not None and said.removesuffix(".") != cut(one_line(verdict.heading), ROW_CHARS) else ""


def _mentioned(verdict: Verdict | None) -> list[Section]:
    mentions = () if verdict is None else verdict.mentions
    found = [f"{use.site.path}:{use.site.line} {use.text}" for use in mentions]
    return [Section("Places that may be meant", "", rows(found))] if found else []


def _source(workspace: Workspace, path: str, first: int, last: int, said: str, tokens: int) -> str:
    file = workspace.file(path)
    lines = file.text.split("\n")[first - 1 : last]
    if not lines:
        raise QuestionError(f"{path} has {file.text.count(chr(10)) + 1} lines, none from {first}")
    found = tuple(
        Row(n, cut(visible(line.rstrip()).replace("\n", " "), _LINE_CHARS)) for n, line in enumerate(lines, first)
    )
    title = f"{said}{path}:{first}-{first + len(lines) - 1}"
    return listed(title, [Section(path, file.language, found)], _outdated(workspace, [path]), tokens, _OTHER_LINES)


def _outline(workspace: Workspace, path: str, tokens: int) -> str:
    symbols = [symbol for symbol in workspace.outline(path) if symbol.kind != "module"]
    found = tuple(Row(s.line, visible(" ".join((s.signature or s.name).split()))) for s in symbols)
    return listed(f"Outline of {path}", [Section(path, "text", found)], _outdated(workspace, [path]), tokens)


def _outdated(workspace: Workspace, paths: Iterable[str]) -> list[str]:
    changed = workspace.context.outdated(sorted({path for path in paths if path}))
    return [f"{', '.join(changed)} changed since the last load or refresh: this answer is outdated"] if changed else []


def _ambiguous(error: AmbiguousSymbol) -> str:
    choices = [f"{whereabouts(symbol)} {symbol.fqn} ({symbol.kind})" for symbol in error.choices[:_CHOICES]]
    more = f"\n… and {len(error.choices) - _CHOICES} more" if len(error.choices) > _CHOICES else ""
    return visible(f"Ambiguous: {error.name} is one of these; give the qualified name or path:line\n") + visible(
        "\n".join(choices) + more
    )


def _lines_of(target: str) -> tuple[str, int, int]:
    """Return (path, first line, last line) of ``path:first-last``. A line that is not given is 0."""
    path, colon, lines = target.strip().rpartition(":")
    first, _, last = lines.partition("-")
    if not colon or len(lines) > 20 or not first.isdecimal() or not (last or "0").isdecimal():
        return target.strip(), 0, 0
    return path, int(first), int(last or first)


# --------------------------------------------------------------------------- arguments and plain functions
_TYPES: Final[Mapping[str, type]] = {"string": str, "integer": int, "boolean": bool}


def _check(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    properties = schema["properties"]
    if unknown := sorted(arguments.keys() - properties.keys()):
        raise QuestionError(f"unknown argument {unknown[0]!r:.80}; known are {', '.join(properties)}")
    if missing := [name for name in schema["required"] if name not in arguments]:
        raise QuestionError(f"the argument {missing[0]} is missing")
    for name, value in arguments.items():
        wanted = properties[name]
        if not isinstance(value, _TYPES[wanted["type"]]) or (isinstance(value, bool) and wanted["type"] != "boolean"):
            raise QuestionError(f"{name} must be of type {wanted['type']}, not {value!r:.80}")
        if value not in wanted.get("enum", (value,)):
            raise QuestionError(f"unknown {name} {value!r:.80}; known are {', '.join(wanted['enum'])}")
    if "tokens" in arguments and arguments["tokens"] < LEAST_TOKENS:
        raise QuestionError(f"tokens must be at least {LEAST_TOKENS}, not {arguments['tokens']}")


def as_functions(workspace: Workspace) -> tuple[Callable[..., str], ...]:
    """Return the tools of one workspace as functions with annotations, a docstring and the attribute `schema`."""
    return tuple(map(_function, Toolbox({workspace.name: workspace}).tools()))


def _function(tool: Tool) -> Callable[..., str]:
    properties = tool.parameters["properties"]
    parameters = [
        Parameter(
            name,
            Parameter.POSITIONAL_OR_KEYWORD,
            default=value.get("default", Parameter.empty),
            annotation=Literal[tuple(value["enum"])] if "enum" in value else _TYPES[value["type"]],
        )
        for name, value in properties.items()
    ]
    signature = Signature(parameters, return_annotation=str)
    described = [
        f"    {name}: {value.get('description') or ', '.join(value.get('enum', ()))}"
        for name, value in properties.items()
    ]

    def function(*args: Any, **kwargs: Any) -> str:
        return tool.answer(**signature.bind_partial(*args).arguments, **kwargs).text

    function.__name__ = function.__qualname__ = tool.name
    function.__doc__ = "\n".join((f"{tool.description}\n\nArgs:", *described))
    function.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": str}
    schema = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    vars(function).update(__signature__=signature, schema=schema)  # as the function calls of several services name it
    return function
