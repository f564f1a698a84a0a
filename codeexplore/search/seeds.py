"""Seeds of a graph walk: the symbols that a question names, or that fit its description.

`Corrector` corrects misspelt names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import EXTERNAL, PLACE, can_be, chosen_types, name_parts, other_name, short
from codeexplore.languages.registry import is_text, record_of, rules_of
from codeexplore.search.ranking.rerank import file_stem
from codeexplore.text.enumeration import shortened
from codeexplore.text.similar_names import Spelling
from codeexplore.text.tokens import analyze
from codeexplore.types.facts import Symbol
from codeexplore.types.graph import Site
from codeexplore.types.kinds import CALLABLE_KINDS, SYMBOL_KINDS, TEXT_KINDS, TYPE_KINDS, Relation, SymbolKind
from codeexplore.types.search import FusedHit, QueryPlan, Reason, Seed

UNLIKELY: Final = 0.3
"""Weight of a symbol beside another that its name means more likely, such as a method beside what a package exports."""
MAX_NAMED: Final = 20
"""Symbols that one name may start from: ``get`` may have hundreds, and no graph answer is about all of them."""
MAX_ENDS: Final = 500
"""Symbols from which, or to which, a path may lead. "There is none" is only said if none of them has one."""
MAX_DESCRIBED: Final = 10
"""Symbols that a description may start from. On our development data the right one is the first in 45 % of questions,
and among the first ten in 88 %."""
MAX_AROUND: Final = 5
"""Symbols whose neighbours a question without a relation includes."""
DESCRIBED_DECAY: Final = 0.7
"""A described seed weighs rank ** -DESCRIBED_DECAY, about as fast as the probability falls that it was meant."""
_ANY: Final = frozenset(SYMBOL_KINDS)
_NAMED: Final = _ANY - TEXT_KINDS - {"lambda"}
_CODE: Final = CALLABLE_KINDS | TYPE_KINDS
_MEANT: Final[Mapping[Relation | None, frozenset[SymbolKind]]] = {
    "callers": CALLABLE_KINDS | TYPE_KINDS,
    "callees": CALLABLE_KINDS | TYPE_KINDS | {"module"},
    "implementors": TYPE_KINDS | {"method"},
    "subclasses": TYPE_KINDS,
    "path": CALLABLE_KINDS | TYPE_KINDS | {"module"},
}


@dataclass(frozen=True, slots=True)
class Found:
    """Seeds, notices about them, and the names in the question that no symbol has."""

    seeds: tuple[Seed, ...] = ()
    notices: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def named_seeds(
    names: Sequence[str],
    catalog: Catalog,
    relation: Relation | None,
    outside: Callable[[str], Sequence[str]],
    used: Callable[[str], Sequence[Site]],
    local: Callable[[str], Sequence[Site]],
) -> Found:
    """Return the definitions of `names`. If several symbols have a name, each gets a share of the weight.

    A relation restricts the kinds of symbols: only types have subclasses, and nothing calls a field. If no symbol has
    a name, `outside` returns the external names that it means, also for a question about subtypes if no such symbol
    can have any; `used` returns the places where it means nothing known, and `local` those where a function has it.
    """
    seeds: list[Seed] = []
    notices: list[str] = []
    unknown: list[str] = []
    most = MAX_ENDS if relation == "path" else MAX_NAMED
    for name in names:
        own = _symbols(name, catalog)
        beyond = () if own and can_be(own, relation) else tuple(outside(name))[:MAX_NAMED]
        if beyond:
            seeds.extend(Seed(EXTERNAL + each, "name", 1.0 / len(beyond), "a name outside") for each in beyond)
            notices.append(_outside(name, beyond))
            continue
        symbols, reason = definitions(name, catalog)
        if not symbols and (symbols := catalog.renamed(name)):
            own, reason = symbols, "name"
        symbols = tuple(s for s in symbols if s.kind in _MEANT.get(relation, _ANY)) or symbols
        if not symbols:
            unknown.append(name)
            notices.append(_unknown(name, catalog, used(name), local(name)))
            continue
        likely = _likely_first(name, symbols, catalog)
        shown = likely[:most]
        if not own and not PLACE.fullmatch(name):
            notices.append(f"No symbol is called `{short(name)}`, so only its end was looked up: `{likely[0].name}`.")
        elif len(symbols) == 1 and (other := other_name(name, symbols[0], catalog.find)):
            notices.append(f"{other}.")
        if len(symbols) > 1:
            notices.append(_ambiguous(name if own else likely[0].name, likely, most))
        weight = 1.0 / len(shown)
        for symbol, overloads in zip(shown, catalog.overloads(shown), strict=True):
            others = () if chosen_types(name) else overloads[: MAX_NAMED - 1]  # a caller of one of them calls the name
            same = (symbol, *others)
            share = weight if _is_likely(symbol, shown[0], name, catalog) else UNLIKELY * weight
            seeds.extend(Seed(each.id, "name", share, reason) for each in same)
    return Found(tuple(seeds), tuple(notices), tuple(unknown))


def _likely_first(name: str, symbols: Sequence[Symbol], catalog: Catalog) -> tuple[Symbol, ...]:
    """Return the symbols as `Catalog.ranked` does; among equals, a definition in a file of its name comes first."""
    in_place = sorted(symbols, key=lambda s: file_stem(s.path).lower() != s.name.lower())
    return catalog.ranked(in_place, (name_parts(name) or ("",))[-1])


def _is_likely(symbol: Symbol, first: Symbol, name: str, catalog: Catalog) -> bool:
    """Return True if nothing but its qualified name ranks a symbol after the first of its name."""
    rank = None if catalog.public_names is None else catalog.public_names.rank
    last = (name_parts(name) or ("",))[-1]
    return rank is None or rank(symbol, last)[:-1] == rank(first, last)[:-1]


def choices(names: Sequence[str], catalog: Catalog) -> dict[str, tuple[Symbol, ...]]:
    meant = {name: definitions(name, catalog)[0] for name in names}
    return {name: _likely_first(name, symbols, catalog) for name, symbols in meant.items() if len(symbols) > 1}


def described_seeds(hits: Sequence[FusedHit], description: str, catalog: Catalog, limit: int) -> tuple[Seed, ...]:
    """Return the symbols of the best hits for a description, weighted by their ranks."""
    seeds: list[Seed] = []
    for hit in hits:
        symbol = catalog.chunk_symbol(catalog.chunk_row(hit.chunk_id))
        if symbol is None or symbol.kind in TEXT_KINDS or is_text(symbol.language):
            continue
        rank = len(seeds) + 1
        seeds.append(
            Seed(symbol.id, "description", rank**-DESCRIBED_DECAY, f"number {rank} for “{short(description)}”")
        )
        if len(seeds) == limit:
            break
    return tuple(seeds)


def describe_choice(seeds: Sequence[Seed], description: str, catalog: Catalog) -> str:
    first, *others = [f"`{catalog.symbol(seed.symbol_id).fqn}`" for seed in seeds]
    more = f"; less likely {shortened(others, 2)}" if others else ""
    return f"“{short(description)}” was taken to mean {first}{more}."


def definitions(name: str, catalog: Catalog) -> tuple[tuple[Symbol, ...], str]:
    """Return the symbols that a name, the end of a name or ``path:line`` may mean, and how they were found."""
    place = PLACE.fullmatch(name)
    if place is not None:
        paths = catalog.find_paths(place["path"])
        found = [catalog.at(path, int(place["line"])) for path in paths]
        at = tuple(symbol for symbol in found if symbol is not None)
        if at:
            return at, f"the symbol at {name}"
    if exact := _symbols(name, catalog):
        return exact, f"named `{short(name)}`"
    parts = name_parts(name)
    for start in range(1, len(parts)):
        shorter = ".".join(parts[start:])
        if found_shorter := _symbols(shorter, catalog):
            return found_shorter, f"named `{short(shorter)}`, the end of `{short(name)}`"
    return (), ""


def _symbols(name: str, catalog: Catalog) -> tuple[Symbol, ...]:
    """Return the symbols that a name may mean, also as another name of them. Headings of texts are left out."""
    found, public = [s for s in catalog.meant(name) if s.kind not in TEXT_KINDS], catalog.public_names
    if public is not None:
        found = list(dict.fromkeys(each for s in found for each in public.named_by(s)))
    if found and found[0].fqn == name.strip():  # a bare name may mean one that is inside of something, too
        others = [s for s in catalog.named(found[0].name) if s.kind in _CODE and s.name == found[0].name]
        found += [] if len(name_parts(name)) > 1 else [each for each in others if each not in found]
    return tuple(found)


MEMBER: Final = r"(?<!\w){0}\s*(?:\?\.|\.|::|->)\s*{1}(?!\w)"
"""Form of a member with its receiver, of which both names are missing."""

NO_SYMBOL: Final = (
    "but no symbol has this name: it may be an attribute that only assignments make or a local variable, or come from "
    "a macro, generated code or another package"
)


def _unknown(name: str, catalog: Catalog, used: Sequence[Site], local: Sequence[Site]) -> str:
    around = {site: each for site in local if (each := _function_at(site, catalog)) is not None}
    others = [site for site in used if site not in around]
    said = f"No symbol is called `{short(name)}`"
    if around:
        owners = shortened([f"`{each}`" for each in dict.fromkeys(around.values())], 3)
        said += f": it is local to {owners} ({_listed(around)})"
    if not around and (own := of_language(name, catalog)):
        return f"{said}: it is a name of {own} itself, whose uses are not followed."
    if others:
        return f"{said}; it is used at {_listed(others)}, {NO_SYMBOL}."
    nearest = () if around else catalog.nearest(name)
    hint = f" Similar names: {', '.join(f'`{near}`' for near in nearest)}." if nearest else " No name is similar."
    return f"{said}.{'' if around else hint}"


def of_language(name: str, catalog: Catalog) -> str:
    """Return the title of a language of the repository that has a name itself, as Go has ``error``; "" for none."""
    rules = {each: rules_of(each) for each in sorted({*catalog.chunks.languages})}
    return next((record_of(each).title for each, own in rules.items() if own and name in own.builtins.names), "")


def _listed(sites: Iterable[Site]) -> str:
    return shortened([f"{site.path}:{site.line}" for site in sites], 4)


def _function_at(site: Site, catalog: Catalog) -> str | None:
    at = catalog.at(*site)
    around = None if at is None else catalog.named_around(at)
    return around.fqn if around is not None and around.kind in CALLABLE_KINDS else None


def _outside(name: str, meant: Sequence[str]) -> str:
    shown = shortened([f"`{each}`" for each in meant], 4)
    return f"`{short(name)}` is outside this repository: {shown}."


def _ambiguous(name: str, symbols: Sequence[Symbol], most: int) -> str:
    alike = len({symbol.fqn for symbol in symbols}) < len(symbols)
    shown = shortened([f"`{each.fqn}`{f' in {each.path}' if alike else ''}" for each in symbols], 4)
    followed = f"The first {most} were followed." if len(symbols) > most else "All were followed."
    return f"`{short(name)}` may mean {len(symbols)} symbols: {shown}. {followed}"


def as_seeds(symbol_ids: Sequence[str | Seed], plan: QueryPlan) -> tuple[Seed, ...]:
    reason = f"given with “{short(plan.text)}”"
    return tuple(given if isinstance(given, Seed) else Seed(given, "object", 1.0, reason) for given in symbol_ids)


class Corrector:
    """Finder of typing errors in names.

    A name is corrected if no symbol has it, no chunk contains it, and the name of a symbol is similar. It is also
    corrected if the name of a symbol differs from it only by case and underscores. No name that code uses is corrected.

    `holds` returns True for a token that any chunk contains, and `used` for a name that code uses: one from outside,
    or one that means nothing known.
    """

    def __init__(self, catalog: Catalog, holds: Callable[[str], bool], used: Callable[[str], bool]) -> None:
        self._catalog, self._holds, self._used = catalog, holds, used
        self._spelling = cache(self._spelling_of)

    def _spelling_of(self, modules: bool) -> Spelling:
        kinds = _NAMED if modules else _NAMED - {"module"}
        return Spelling(symbol.name for symbol in self._catalog.symbols if symbol.kind in kinds)

    def meant(self, name: str, relation: Relation | None = None) -> tuple[str, float] | None:
        """Return the correct name for `name`, and their similarity; None if `name` exists or no name is similar.

        No module is meant by a question about a relation that modules have not: nothing calls them.
        """
        parts = name_parts(name)
        if len(name.split()) != 1:  # words of prose; the last of them may look like a name
            return None
        if not parts or definitions(name, self._catalog)[0]:
            return None
        near = self._spelling("module" in _MEANT.get(relation, _ANY)).nearest(parts[-1])
        if near is None or self._used(name) or (near.similarity < 1.0 and self._stands_elsewhere(parts[-1], near.name)):
            return None
        qualified = ".".join((*parts[:-1], near.name))
        if near.similarity == 1.0 and near.name != parts[-1] and parts[:-1] and not self._catalog.find(parts[-2]):
            return None  # ``tea.Model`` of an outside package is not the struct ``model``
        return (qualified if self._catalog.find(qualified) else near.name), near.similarity

    def misspelt(self, name: str) -> bool:
        return self.meant(name) is not None

    def correct(self, plan: QueryPlan) -> tuple[QueryPlan, tuple[str, ...]]:
        """Return the plan with its unknown names replaced by known names, and the notices about this."""
        read: dict[str, str] = {}
        said = []
        for name in plan.identifiers:
            found = self.meant(name, plan.relation)
            if found is not None:
                read[name] = found[0]
                how = f"similarity {found[1]:.2f}" if found[1] < 1.0 else "same letters"
                said.append(f"No symbol is called `{name:.80}`; `{found[0]}` was taken instead ({how}).")
        if not read:
            return plan, ()
        text = plan.text
        for typed, meant in read.items():
            text = text.replace(typed, meant)
        names = tuple(dict.fromkeys(read.get(name, name) for name in plan.identifiers))
        reasons = (*plan.reasons, *(Reason("identifiers", why) for why in said))
        return replace(plan, identifiers=names, reasons=reasons, searched=text), tuple(said)

    def _stands_elsewhere(self, word: str, near: str) -> bool:
        """Return True if chunks contain `word` itself, and not only another word with the stem of `near`."""
        tokens = analyze(word)
        return bool(tokens) and tokens[:1] != analyze(near)[:1] and self._holds(tokens[0])
