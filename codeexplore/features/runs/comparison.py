"""Observed calls beside the edges of the call graph.

Each pair of functions has a status: the graph has the call and it was observed; the graph has it and the caller ran
without it; the graph has it and the caller did not run; or it was observed and the graph does not have it, with the
likely reason. A run shows only the paths that it took: a call that was not observed may still happen.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, get_args

from codeexplore.features.runs.records import OUTSIDE, Bridge, Call, CallSite, Code, Trace
from codeexplore.languages.registry import record_of
from codeexplore.types import CALLABLE_KINDS, EDGE_KINDS, TYPE_KINDS, Site, Symbol, settings
from codeexplore.types.rows import grouped

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.index.catalog import Catalog

Match: TypeAlias = Literal["exact", "moved", "none"]
"""How a traced function was found: at its line, elsewhere in the file by its name, or not at all."""
LineMap: TypeAlias = Callable[[str, int], int]
"""(path, line of the file that ran) → line of the loaded text; 0 if it is not there."""
_LAMBDA = re.compile(r"<lambda(?::(?P<line>\d+):(?P<column>\d+))?>")


@dataclass(frozen=True, slots=True)
class MappedCodes:
    """The symbol of each traced function, by its number in the trace; None for functions that match no symbol."""

    symbols: tuple[Symbol | None, ...]
    matches: tuple[Match, ...]


def map_codes(codes: Sequence[Code], catalog: Catalog, line_of: LineMap) -> MappedCodes:
    files: dict[str, _File] = {}
    symbols: list[Symbol | None] = []
    matches: list[Match] = []
    for code in codes:
        file = files.get(code.path)
        if file is None:
            file = files[code.path] = _File(catalog.in_file(code.path))
        symbol, match = file.find(code, line_of(code.path, code.line), line_of(code.path, code.body[0]))
        symbols.append(symbol)
        matches.append(match)
    return MappedCodes(tuple(symbols), tuple(matches))


class _File:
    """The symbols of one file by qualified name, without the name of the module."""

    def __init__(self, symbols: Sequence[Symbol]) -> None:
        self._module = symbols[0] if symbols else None
        self._named: dict[str, list[Symbol]] = defaultdict(list)
        self._in_decorators: dict[str, list[Symbol]] = defaultdict(list)  # by the name that a run gives them
        beginning = len(symbols[0].fqn) + 1 if symbols else 0
        for symbol in symbols:
            if symbol.kind in CALLABLE_KINDS or symbol.kind in TYPE_KINDS:
                name = _LAMBDA.sub("<lambda>", symbol.fqn[beginning:])
                self._named[name].append(symbol)
                if name.endswith(".<lambda>"):  # in the arguments of a decorator, it runs outside of what is decorated
                    around = name.removesuffix(".<lambda>").rpartition(".")[0]
                    self._in_decorators[f"{around}.<lambda>".removeprefix(".")].append(symbol)

    def find(self, code: Code, line: int, body: int) -> tuple[Symbol | None, Match]:
        if self._module is None:
            return None, "none"
        if code.kind == "module":
            return self._module, "exact"
        if code.kind == "comprehension":
            return self._around(code, line)
        named = self._named.get(code.qualname, [])
        if code.kind == "lambda":
            return _lambda_at(named, self._in_decorators.get(code.qualname, []), body or line, code.body[1])
        exact = [symbol for symbol in named if symbol.span.start_line == line]
        if exact:
            return exact[0], "exact"
        return (named[0], "moved") if len(named) == 1 else (None, "none")

    def _around(self, code: Code, line: int) -> tuple[Symbol | None, Match]:
        owner, _, _ = code.qualname.rpartition(".")
        while owner.endswith(("comp>", "<genexpr>")):
            owner, _, _ = owner.rpartition(".")
        if not owner:
            return self._module, "exact"
        named = self._named.get(owner, [])
        around = [symbol for symbol in named if line in symbol.span.lines]
        if around:
            return max(around, key=lambda symbol: symbol.span.start_line), "exact"
        return (named[0], "moved") if len(named) == 1 else (None, "none")


def _lambda_at(
    named: Sequence[Symbol], others: Sequence[Symbol], line: int, column: int
) -> tuple[Symbol | None, Match]:
    """Return the last of the lambdas that begin before the place of the first instruction and contain its line.

    `others` may be in the arguments of a decorator.
    Python 3.12 has no column for a lambda that returns a constant. It is found if it is the only one of its line.
    """
    found: list[tuple[int, int, Symbol]] = []
    for symbol in (*named, *others):
        match = _LAMBDA.search(symbol.name)
        start = (int(match["line"]), int(match["column"])) if match and match["line"] else (symbol.span.start_line, 0)
        if start <= (line, column or 1_000_000) and line <= symbol.span.end_line:
            found.append((*start, symbol))
    if len(found) == 1 or (found and column):
        return max(found, key=lambda each: each[:2])[2], "exact"
    return (named[0], "moved") if len(named) == 1 else (None, "none")


Status: TypeAlias = Literal["observed", "caller ran", "caller did not run", "observed only"]
STATUSES: tuple[Status, ...] = get_args(Status)
STATUS_WORDS: Mapping[Status, str] = MappingProxyType(
    {
        "observed": "in the graph and observed",
        "caller ran": "in the graph; the caller ran without this call",
        "caller did not run": "in the graph; the caller did not run",
        "observed only": "observed, and not in the graph",
    }
)
REASON_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "callback of a C function": "a function written in C calls it",
        "callback through outside code": "code outside of the workspace calls it",
        "generated code": "code made at run time calls it, such as the __init__ of a dataclass, or exec",
        "protocol": "an operator, a loop, a with statement or a conversion calls it",
        "attribute access": "reading or writing an attribute calls it: a property, a descriptor or __getattr__",
        "getattr": "its name is computed: getattr",
        "registry": "it was taken out of a container",
        "decorator": "the line of a decorator calls it: the decorator, or the function that makes it",
        "decorated": "a decorator replaced the named function by it",
        "returned": "it is what another call returned",
        "closure": "a function made it and stored it",
        "class statement": "a class statement calls it: a metaclass, __init_subclass__ or __set_name__",
        "finalizer": "its object is no longer used",
        "constructor": "the class was passed or stored, and an instance is made of it",
        "callable instance": "an instance is called",
        "unknown receiver": "a method of this name; the type of the receiver is not known",
        "function in a variable": "a parameter, an attribute or another variable holds the function",
        "import": "an import runs it",
        "generator": "its code starts where the first item is asked for, or where it is first awaited",
    }
)
_CALLS: Final = EDGE_KINDS.index("CALLS")
_REASON_OF_FORM: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("operator", "iteration", "with", "format"), "protocol"),
        **{form: form for form in ("getattr", "import", "decorator")},
        "access": "attribute access",
        "subscript": "registry",
    }
)
_OF_ATTRIBUTES: Final = frozenset(
    f"__{name}__" for name in ("getattr", "getattribute", "setattr", "delattr", "get", "set", "delete")
)
"""Methods that reading, writing or deleting an attribute calls."""
_TAKING: Final = frozenset({"get", "pop", "popitem", "popleft", "setdefault", "get_nowait", "__getitem__"})
"""Methods of containers that return what is in them."""


class ObservedCall(NamedTuple):
    """The observed calls of one symbol by another, given by their ids."""

    source: str
    target: str
    calls: int
    sites: tuple[tuple[Site, CallSite, Bridge, int], ...]  # of each place: its calls


@dataclass(frozen=True, slots=True)
class ComparedEdge:
    """A call in the graph, in the run, or in both.

    `calls` is the number of observed calls, directly or through outside code. `confidence` is that of the graph's edge,
    0 if there is none. `bridges` are the ways through outside code. `reason` explains an edge that was only observed:
    one of `REASON_WORDS`. `wrapper` is the id of the function that a decorator put between the two.
    """

    source: str
    target: str
    status: Status
    calls: int = 0
    sites: tuple[Site, ...] = ()
    confidence: float = 0.0
    rule: str = ""
    reason: str = ""
    bridges: tuple[Bridge, ...] = ()
    wrapper: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All edges of a comparison, and the number of static edges that no trace can show.

    `unobservable` counts calls of classes without a constructor of their own, and of code in other languages.
    """

    edges: tuple[ComparedEdge, ...]
    unobservable: int


def observed_calls(trace: Trace, mapped: MappedCodes) -> dict[tuple[str, str], ObservedCall]:
    found: dict[tuple[str, str], list[Call]] = defaultdict(list)
    for call in trace.calls:
        target = mapped.symbols[call.callee]
        source = None if call.caller == OUTSIDE else mapped.symbols[call.caller]
        if source is not None and target is not None:
            found[source.id, target.id].append(call)
    return {
        key: ObservedCall(
            *key,
            sum(call.calls for call in calls),
            tuple((Site(trace.codes[c.caller].path, c.site.line), c.site, c.bridge, c.calls) for c in calls),
        )
        for key, calls in found.items()
    }


def compare(trace: Trace, mapped: MappedCodes, graph: CodeGraph) -> Comparison:
    """Return the calls of the graph and of the run, each with its status.

    Calls by name alone (below `settings.RESOLVED_CONFIDENCE`) are compared only if they were observed.
    """
    observed = observed_calls(trace, mapped)
    generators = {
        symbol.id
        for symbol, code in zip(mapped.symbols, trace.codes, strict=True)
        if symbol is not None and code.kind == "generator"
    }
    ran = {symbol.id for symbol in mapped.symbols if symbol is not None}
    wrapped = _wrapped(observed)
    table, catalog = graph.edges, graph.catalog
    edges: list[ComparedEdge] = []
    unobservable = 0
    for row, kind in enumerate(table.kind):
        if kind != _CALLS:
            continue
        source, target = table.ids[table.source[row]], table.ids[table.target[row]]
        call, wrapper = observed.pop((source, target), None), ""
        if call is None:
            call, wrapper = wrapped.get((source, target), (None, ""))
        if call is None and table.confidence[row] < settings.RESOLVED_CONFIDENCE:
            continue
        callee = catalog.symbol(target)
        if call is None and _never_runs(callee):
            unobservable += 1
            continue
        edge, reason = table[row], ""
        status: Status = "observed"
        if call is None:
            status = "caller ran" if source in ran else "caller did not run"
            reason = "generator" if target in generators and status == "caller ran" else ""
        count, sites, bridges = call.calls if call else 0, _sites(call) or edge.sites, _bridges(call)
        edges.append(
            ComparedEdge(source, target, status, count, sites, edge.confidence, edge.rule, reason, bridges, wrapper)
        )
    decorators: dict[str, set[str]] = defaultdict(set)
    for symbol in catalog.symbols if observed else ():
        if symbol.decorators:
            decorators[symbol.name].update(re.findall(r"\w+", " ".join(symbol.decorators)))
    for call in observed.values():
        callee = catalog.symbol(call.target)
        is_local = callee.parent is not None and catalog.symbol(callee.parent).kind in CALLABLE_KINDS
        reason = likely_reason(call, callee, call.target in generators, is_local, decorators)
        sites, bridges = _sites(call), _bridges(call)
        edges.append(
            ComparedEdge(call.source, call.target, "observed only", call.calls, sites, reason=reason, bridges=bridges)
        )
    order = {status: place for place, status in enumerate(STATUSES)}
    edges.sort(key=lambda edge: (order[edge.status], -edge.calls, edge.source, edge.target))
    return Comparison(tuple(edges), unobservable)


def _never_runs(callee: Symbol) -> bool:
    """Return True for what a run can't enter: types, other languages, and stubs that declare an overload."""
    is_stub = record_of(callee.language).is_overload_head
    stub = is_stub is not None and is_stub(callee, "")
    return stub or callee.kind not in CALLABLE_KINDS or callee.language != "python"


def _wrapped(observed: Mapping[tuple[str, str], ObservedCall]) -> dict[tuple[str, str], tuple[ObservedCall, str]]:
    """Return for each pair (a, f) the call of a wrapper by a, if that wrapper called f, and the wrapper."""
    callees = grouped(observed)
    return {
        (source, inner): (call, wrapper)
        for (source, wrapper), call in observed.items()
        for inner in callees.get(wrapper, ())
    }


def _sites(call: ObservedCall | None) -> tuple[Site, ...]:
    return () if call is None else tuple(dict.fromkeys(site for site, *_ in call.sites))


def _bridges(call: ObservedCall | None) -> tuple[Bridge, ...]:
    found = () if call is None else (bridge for _, _, bridge, _ in call.sites if bridge.entered)
    return tuple(dict.fromkeys(found))


def likely_reason(
    call: ObservedCall,
    callee: Symbol,
    is_generator: bool,
    is_local: bool,
    decorators: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> str:
    """Return the likely reason why the graph lacks a call, from the place with most calls.

    The form of the place decides, and then the kind of the callee. `decorators` is name of a function → words of the
    decorators of all functions of this name.
    """
    _, site, bridge, _ = max(call.sites, key=lambda each: each[3])
    if is_generator and site.name != callee.name:
        return "generator"
    if callee.name == "__del__":
        return "finalizer"
    if site.name == "class":
        return "class statement"
    if bridge.entered:
        return _reason_of_bridge(bridge, callee)
    if found := _reason_of_form(site, callee, is_local):
        return found
    if is_local and not set(decorators.get(site.name, ())).isdisjoint(callee.fqn.split(".")):
        return "decorated"
    if is_local and not site.name:
        return "closure"
    return "function in a variable"


def _reason_of_form(site: CallSite, callee: Symbol, is_local: bool) -> str:
    """Return the reason that the form of a place tells for this kind of callee; "" if a variable holds the callee."""
    if callee.name in ("__exit__", "__aexit__") and site.name != callee.name:
        return "protocol"  # the end of a with statement is a call, at the place of its expression
    if site.form in _REASON_OF_FORM:
        return _REASON_OF_FORM[site.form]
    if site.form == "result" and site.name in _TAKING:
        return "registry"
    if site.form == "attribute" and site.name == callee.name and not is_local:
        return "unknown receiver"
    if callee.name in record_of(callee.language).constructors:
        return "constructor"
    if callee.name == "__call__":
        return "callable instance"
    if _is_special(callee.name) and site.name != callee.name:
        return "protocol"  # such as str(…) by a variable
    return "returned" if site.form == "result" else ""


def _reason_of_bridge(bridge: Bridge, callee: Symbol) -> str:
    if " in <" in bridge.left or " in <" in bridge.entered:
        return "generated code"
    if bridge.entered != bridge.left or "." in bridge.entered:
        return "callback through outside code"
    if callee.name in _OF_ATTRIBUTES:
        return "attribute access"
    return "protocol" if _is_special(callee.name) else "callback of a C function"


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
