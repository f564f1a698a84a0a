"""Records of the graph as plain data for JSON."""

from __future__ import annotations

from codeexplore.types import Absence, Edge, Symbol, Unresolved


def symbol_dict(symbol: Symbol) -> dict[str, object]:
    """What names and places a symbol."""
    return {"id": symbol.id, "fqn": symbol.fqn, "kind": symbol.kind, "path": symbol.path, "line": symbol.line}


def edge_dict(edge: Edge) -> dict[str, object]:
    """An edge with all its sites."""
    return {
        "source": edge.source,
        "target": edge.target,
        "kind": edge.kind,
        "manner": edge.manner,
        "rule": edge.rule,
        "confidence": float(edge.confidence),
        "sites": [site._asdict() for site in edge.sites],
        "in_test": edge.in_test,
    }


def absence_dict(absence: Absence | None) -> dict[str, object] | None:
    """What an empty answer means, with the places that may be what was asked for; None when the answer is not empty."""
    if absence is None:
        return None
    mentions = [{**use._asdict(), "site": use.site._asdict(), "targets": list(use.targets)} for use in absence.mentions]
    return {"kind": absence.kind, "text": absence.text, "mentions": mentions}


def unresolved_dict(reference: Unresolved) -> dict[str, object]:
    """A reference that resolves to nothing."""
    return {**reference._asdict(), "site": reference.site._asdict()}
