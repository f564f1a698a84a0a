"""Names of symbols by their beginning: what Tab offers, out of hundreds of thousands, without looking at each.

Everything is found by bisection in sorted lists, which are made when they are first needed and kept with their catalog.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

from codeexplore.index.catalog import Catalog

_MOST_OWNERS = 20  # of one name: a prefix like "get." would offer the members of every get
_LAST_JOINT = re.compile(r"(?s)(?P<head>.+)(?P<joint>::|[.#])(?P<stem>[^.:#]*)")
_JOINT = re.compile(r"::|[.#]")
_AFTER_ALL = "\U0010ffff"

_fqns_of: WeakKeyDictionary[Catalog, list[str]] = WeakKeyDictionary()
_folded_of: WeakKeyDictionary[Catalog, list[tuple[str, str]]] = WeakKeyDictionary()


def complete(catalog: Catalog, prefix: str, limit: int = 50) -> tuple[str, ...]:
    """At most `limit` names that `prefix` may grow to, sorted.

    ``ses`` grows to names of symbols, those that agree in case first; ``Session.ge`` to members of whatever is called
    Session; ``app.ses`` to what follows in qualified names, one part at a time.
    """
    match = _LAST_JOINT.fullmatch(prefix)
    if match is None:
        found = dict.fromkeys(catalog.names_with_prefix(prefix, limit))
        if len(found) < limit:
            found |= dict.fromkeys(_folded(catalog, prefix, limit))
    else:
        found = dict.fromkeys(_members(catalog, match["head"], match["joint"], match["stem"]))
    shown = (name for name in found if name.isprintable() and " " not in name)
    return tuple(shown)[:limit]


def _folded(catalog: Catalog, prefix: str, limit: int) -> list[str]:
    """Names that begin like `prefix` when case does not count."""
    if catalog not in _folded_of:
        names = catalog.names_with_prefix("", limit=len(catalog.symbols))
        _folded_of[catalog] = sorted((name.casefold(), name) for name in names)
    pairs = _folded_of[catalog]
    wanted = prefix.casefold()
    start = bisect.bisect_left(pairs, (wanted, ""))
    near = pairs[start : start + limit]
    return [name for folded, name in near if folded.startswith(wanted)]


def _members(catalog: Catalog, head: str, joint: str, stem: str) -> list[str]:
    """What stands in `head`, taken as a qualified name from its beginning, as the end of one, and as a public name."""
    fqns = _fqns(catalog)
    found = list(_next_parts(fqns, head + joint, stem))
    if catalog.public_names is not None:
        offered = catalog.public_names.offered(head)
        private = stem.startswith("_")
        found += [head + joint + name for name in offered if name.startswith(stem) and (private or name[0] != "_")]
    for owner in catalog.find(head)[:_MOST_OWNERS]:
        if owner.fqn != head:
            found += [head + name[len(owner.fqn) :] for name in _next_parts(fqns, owner.fqn + joint, stem)]
    return sorted(set(found))


def _next_parts(fqns: Sequence[str], owner: str, stem: str) -> Iterator[str]:
    """The qualified names one part longer than `owner` (joint included) that begin with `owner` + `stem`."""
    beginning = owner + stem
    position = bisect.bisect_left(fqns, beginning)
    while position < len(fqns) and fqns[position].startswith(beginning):
        joint = _JOINT.search(fqns[position], len(beginning))
        name = fqns[position][: joint.start()] if joint else fqns[position]
        if len(name) > len(owner):
            yield name
        position = bisect.bisect_left(fqns, name + (joint[0] if joint else "") + _AFTER_ALL * bool(joint), position + 1)


def _fqns(catalog: Catalog) -> list[str]:
    """Every qualified name, sorted, read from the ids: a stored catalog need not make its symbols for this."""
    if catalog not in _fqns_of:
        _fqns_of[catalog] = sorted({symbol_id.partition(":")[2] for symbol_id in catalog.symbol_ids()})
    return _fqns_of[catalog]
