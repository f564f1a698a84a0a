"""The verdict on a relation of symbols: what was found and what else there may be, in one sentence for all displays.

`absence` explains empty answers, and `path_verdict` is for paths.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from codeexplore.graph.build.rules import are_named
from codeexplore.graph.traversal import inside
from codeexplore.graph.usage.absence import (
    CALLS,
    NAMED,
    OF_FORMS,
    absence,
    called_inside,
    clauses_on,
    is_unnamed,
    many,
    perhaps_below,
    recursive,
)
from codeexplore.graph.usage.name_uses import (
    MAX_LINE,
    MOST_NAMES,
    USING,
    Question,
    call_at,
    in_documentation,
    in_order,
    is_read,
    mentions_of,
    named_inside,
    sites_of_edges,
    weaker_uses,
)
from codeexplore.languages.registry import record_of, rules_of
from codeexplore.names.mentions import PAGES
from codeexplore.text.enumeration import shortened
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, VALUE_KINDS, PossibleUse, Site, Symbol, Verdict
from codeexplore.types.certainty import LIKELY, certainty, counted
from codeexplore.types.settings import RESOLVED_CONFIDENCE

_MOST_FILES: Final = 40  # whose syntax is read for one name

# (relation, direction) → (one, several) in "3 callers of X"
_NOUNS = {
    ("callers", "in"): ("caller of", "callers of"),
    ("callees", "out"): ("symbol called by", "symbols called by"),
    ("implementors", "in"): ("implementor of", "implementors of"),
    ("implementors", "out"): ("type or method implemented by", "types or methods implemented by"),
    ("subclasses", "in"): ("subclass of", "subclasses of"),
    ("subclasses", "out"): ("supertype of", "supertypes of"),
    ("overrides", "in"): ("override of", "overrides of"),
    ("overrides", "out"): ("method overridden by", "methods overridden by"),
    ("uses", "in"): ("use of", "uses of"),
    ("uses", "out"): ("symbol used by", "symbols used by"),
    ("imports", "in"): ("import of", "imports of"),
    ("imports", "out"): ("symbol imported by", "symbols imported by"),
    ("impact", "in"): ("symbol reached by a change to", "symbols reached by a change to"),
}


def headline(
    relation: str, direction: str, symbols: Iterable[Symbol], number: int | None = None, kind: str = ""
) -> str:
    """Return ``3 callers of app.run``; without a number, or if the text must explain, ``Callers of app.run``."""
    one, several = _NOUNS.get((relation, direction), ("symbol around", "symbols around"))
    names = shortened(list(dict.fromkeys(symbol.fqn for symbol in symbols)), NAMED)  # overloads have one name
    if number is None or kind in ("possible", "unknown"):
        return f"{several.capitalize()} {names}"
    return f"{number or 'No'} {one if number == 1 else several} {names}"


class Found(NamedTuple):
    """Result of a walk: the confidence of each symbol, and the number of symbols without a limit of steps."""

    confidences: Sequence[float]
    whole: int
    depth: int | None = None
    left_out: int = 0  # of the symbols, because of the limit of an answer
    among: int = 0  # symbols asked about that have the relation to others of them, such as overloads: not listed
    listed: bool = True  # the answer lists all that was found, but for these


def verdict(question: Question, found: Found) -> Verdict:
    """Return the verdict on the answer to `question`, in which `found` was found."""
    relation, direction = question.relation, question.relating.direction
    methods = relation in ("implementors", "overrides") and all(s.kind == "method" for s in question.symbols)
    if methods and not (relation == "implementors" and all(map(question.graph.catalog.is_required, question.symbols))):
        relation = "overrides"
        question = replace(question, relation=relation, relating=replace(question.relating, noun=relation))
    if not found.confidences:
        empty = absence(question)
        return replace(empty, headline=headline(relation, direction, question.symbols, 0, empty.kind))
    words = Counter(map(certainty, found.confidences))
    number, whole = len(found.confidences), max(found.whole, len(found.confidences))
    outer = _outer_types(question) if direction == "in" and relation in ("implementors", "subclasses") else {}
    said = headline(relation, direction, question.symbols, number + len(outer) - len({module for module, _ in outer}))
    if whole > number and found.depth is not None:
        said += f" within {many(range(found.depth), 'step')}, {whole:,} in all"
    if words["certain"] < number:
        alone = f"{'all ' * (number > 1)}{next(iter(words))}" if len(words) == 1 else ""
        said += f", {alone}" if alone else f": {counted(words)}"
    if found.among:
        said += f"; {found.among:,} of them {'is itself' if found.among == 1 else 'are themselves'} asked about"
        said += ", and not listed" if found.listed else ""
    if found.left_out:
        said += f"; the {number - found.left_out - found.among:,} nearest are listed"
    outside, clauses = tuple[str, ...](), list[str]()
    if outer:
        them = "is a type" if len(outer) == 1 else "are types"
        clauses.append(f"{len(outer):,} of them {them} from outside ({shortened([*outer.values()], NAMED)})")
    places = _others(question)
    if direction == "out":
        vertices = inside(question.graph, (question.graph.vertex(symbol.id) for symbol in question.symbols))
        outside = question.graph.externals.used_by(vertices) if relation in ("callees", "uses") else ()
        clauses += _said_of_others(places, question.symbols, "in it could not be resolved")
        clauses += called_inside(question) if relation == "callees" else []
        clauses += [f"{many(outside, 'name')} outside this repository"] if outside else []
    else:
        clauses += _said_of_others(places, question.symbols, "may mean it too")
        clauses += _said_of_handing(question) if relation == "callers" else []
        clauses += perhaps_below(question, question.own, across=True)
    if (own := recursive(question)) and relation in ("callers", "callees"):
        may = "" if recursive(question, LIKELY) else "may "  # on an object of the same type
        name = "it" if len(question.symbols) == 1 else shortened(own, NAMED)
        clauses.append(
            f"{name} {may}call{'' if may or len(own) > 1 else 's'} {'itself' if len(own) == 1 else 'themselves'}"
        )
    ends = {edge.source if direction == "in" else edge.target for edge in question.possible}
    if ends and not places:
        more = f"{len(ends):,} more {'is' if len(ends) == 1 else 'are'} possible"
        clauses.append(f"{more}{', by name only' if are_named(question.possible) else ''}")
    counts = words["certain"], words["likely"], words["possible"]
    text = f"{'; '.join((said, *clauses))}."
    return Verdict("found", text, places, None, (), counts, whole, len(ends), outside, said)


def _outer_types(question: Question) -> dict[tuple[str, Site], str]:
    """Return (module, place) → type without a symbol to which the module gives the supertype asked about there."""
    graph, files = question.graph, question.usage_evidence.files
    asked = question.relating.kinds, RESOLVED_CONFIDENCE, question.tests
    found = (graph.incident(graph.vertex(symbol.id), "in", *asked) for symbol in question.symbols)
    edges = (edge for rows in found for edge in map(graph.edge, rows))
    sites = ((e.source, at) for e in edges if graph.catalog.symbol(e.source).kind == "module" for at in e.sites)
    rows = ((one, at, row) for one, at in sites if at.path in files for row in files[at.path].facts.bases)
    return {(one, at): f"`{row.type}`" for one, at, row in rows if row.line == at.line and row.type}


def _others(question: Question) -> tuple[PossibleUse, ...]:
    """Return the places that may be more than what was found.

    Going in, they are the places with the name of a symbol, unless an edge that is at least likely leads from there to
    another symbol. An edge of a lower confidence removes no place. Going out, they are the calls inside the symbols
    that could not be resolved, or that only the text shows.
    """
    graph, relation = question.graph, question.relation
    if question.relating.direction == "out":
        vertices = inside(graph, (graph.vertex(symbol.id) for symbol in question.symbols))
        if relation not in ("callees", "uses"):
            return ()
        left = [call_at(question, each.site, bool(each.receiver)) for each in graph.unresolved.within(vertices)]
        sites = {use.site for use in left}
        return (*left, *(use for use in named_inside(question, listed=True) if use.site not in sites))
    if question.relating.noun not in USING:
        mentioned = mentions_of(question, question.own if question.relating.noun == "imports" else ())
        in_pages = (
            use for use in mentioned.values() if question.usage_evidence.mentions.language(use.site.path) in PAGES
        )
        return (*_in_broken_files(question), *in_pages)
    own = question.own
    values = question.values
    used = sites_of_edges(question, own) - {site for edge in question.possible for site in edge.sites}
    found = {use.site: use for use in weaker_uses(question) if use.site not in used}
    for name in dict.fromkeys(s.name for s in own) if len({s.fqn for s in own}) <= MOST_NAMES else ():
        named = [symbol for symbol in own if symbol.name == name]
        for same in filter(None, ([s for s in named if s in values], [s for s in named if s not in values])):
            uses = _in_code(mentions_of(question, same, LIKELY).values(), same, question)
            found |= {use.site: use for use in uses if use.site not in used}
    for path in {site.path for site in found} & question.usage_evidence.files.keys():
        for row in question.usage_evidence.files[path].facts.imports:  # what the name is used for has edges
            found.pop(Site(path, row.line), None)
    return in_order(found, graph.catalog, {symbol.path for symbol in values})


def _in_broken_files(question: Question) -> Iterator[PossibleUse]:
    """Yield the places in files with syntax errors that name a type or method: what is asked for may be there."""
    evidence, graph = question.usage_evidence, question.graph
    broken = {path: file.facts for path, file in evidence.files.items() if file.facts.errors}
    imported = {path: {row.line for row in facts.imports} for path, facts in broken.items()}
    own = question.own
    rows = (row for s in own for row in graph.incident(graph.vertex(s.id), "in", question.relating.kinds))
    known = {*(site for row in rows for site in graph.edge(row).sites), *(Site(s.path, s.line) for s in own)}
    whole = {symbol.fqn for symbol in question.symbols}  # without the members of outside types
    named = [symbol.name.rpartition(".") for symbol in question.symbols if symbol.fqn.rpartition(".")[0] not in whole]
    for name in dict.fromkeys(last for _, _, last in named) if broken else ():
        known |= {site for _, _, site in graph.externals.users(name)}
        for site in evidence.mentions.words(name) if evidence.mentions.has_texts else ():
            if site.path in imported and site not in known and site.line not in imported[site.path]:
                yield PossibleUse(site, "name", False, evidence.mentions.line(site).strip()[:MAX_LINE])


def _in_code(uses: Iterable[PossibleUse], same: Sequence[Symbol], question: Question) -> Iterator[PossibleUse]:
    """Yield the uses that code makes: no documentation and, if few files must be read, no declaration and no string.

    The body of a macro is not read as code, so that its lines stay, and so does a call on an expression that is no
    path of names: ``(a or b).show()``, and a symbol of Ruby. A method that is no property needs a receiver or a call
    where members have none by their bare names. In many files, only calls, members and values are listed. A string may
    name a value.
    """
    name, rules = same[0].name, rules_of(same[0].language)
    members = rules is not None and rules.scopes.members_visible
    macros = "\\" if rules is not None and rules.modules.linked else "\n"  # the end of a line of C's macros
    bare = members or any(symbol.kind != "method" or is_read(symbol) for symbol in same)
    on_expression = re.compile(
        rf"(?:^|[)\]}}?!\"'`])\s*(?:\?\.|\.|->|::)\s*{re.escape(name)}\s*[({{!]|(?<![\w:]):{re.escape(name)}(?!\w)"
    )
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    key = re.compile(rf"(?:^|[{{,])\s*([\"']?){re.escape(name)}\1\s*:")  # of an object whose type is not known
    keyed = same[0].kind == "field" and record_of(same[0].language).shapes is not None
    is_value = same[0].kind in VALUE_KINDS
    files, given = question.usage_evidence.files, [use for use in uses if use.form != "string" or is_value]
    paths, lines = list(dict.fromkeys(use.site.path for use in given)), dict[str, set[int]]()
    for path in paths if len(paths) <= _MOST_FILES else ():
        if path in files and files[path].facts.language not in PAGES:
            facts = files[path].facts
            rows = (row for row in facts.references if bare or row.path != name or row.kind != "access")
            lines[path] = {row.line for row in rows if word.search(row.path)}
            lines[path] |= {row.line for row in facts.bases if word.search(row.path)}
            bindings = facts.bindings if is_value else ()
            lines[path] |= {row.line for row in bindings if word.search(row.value)}  # by a pattern
    for use in given:
        in_page = bare and question.usage_evidence.mentions.language(use.site.path) in PAGES
        otherwise = {use.site.line} if use.form == "call" or use.receiver or is_value or in_page else set[int]()
        known = use.site.line in lines.get(use.site.path, otherwise) or use.form in ("string", "implicit")
        known = known or use.text.startswith("#") or use.text.endswith(macros)
        known = known or bool(keyed and key.search(use.text))
        if (known or on_expression.search(use.text)) and not in_documentation(use, question.graph.catalog):
            yield use


def _said_of_others(places: Sequence[PossibleUse], symbols: Sequence[Symbol], end: str) -> list[str]:
    """Return ``68 more calls of `apply` may mean it too (app.py:3 and 67 more)``, and a clause on mentions."""
    inward = end.startswith("may") and not any(symbol.kind in TYPE_KINDS for symbol in symbols)  # members count too
    groups: dict[str, list[PossibleUse]] = {}
    for use in places:
        form = use.form if use.form in ("call", "implicit") else "name"
        groups.setdefault("unnamed" if inward and is_unnamed(use, symbols) else form, []).append(use)
    words = {"call": ("call", f"{'of {name} ' if inward else ''}{end}")}
    words |= {form: OF_FORMS[form] for form in ("unnamed", "implicit", "name")}
    more = {form: (f"more {noun.removeprefix('other ')}", text) for form, (noun, text) in words.items()}
    return clauses_on(groups, more, symbols)


def _said_of_handing(question: Question) -> list[str]:
    """Return a clause on the symbols that name the functions asked about without a call, and do not call them."""
    graph, found = question.graph, dict[int, Site]()
    for vertex in (graph.vertex(symbol.id) for symbol in question.symbols if symbol.kind in CALLABLE_KINDS):
        calling = {*graph.neighbours(vertex, "in", CALLS, RESOLVED_CONFIDENCE)}
        calling |= {graph.vertex(symbol.id) for symbol in question.symbols}
        for row in graph.incident(vertex, "in", ("USES",), RESOLVED_CONFIDENCE, question.tests):
            source, sites = graph.edges.source[row], graph.edge(row).sites
            if source not in calling and sites:
                found.setdefault(source, sites[0])
    uses = [PossibleUse(site, "name", False, "") for site in sorted(found.values())]
    return clauses_on({"name": uses}, {"name": ("more symbol", "use{s} {name} without a call")}, question.symbols)
