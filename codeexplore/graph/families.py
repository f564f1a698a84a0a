"""Language families: groups of languages that are resolved together, such as JavaScript and TypeScript.

Values never flow from one family to another, so each family is resolved alone.
"""

from __future__ import annotations

from functools import cache

from codeexplore.languages import registry
from codeexplore.resolution.default_rules import plain_rules
from codeexplore.resolution.language_rules import Rules


@cache
def rules_of(language: str) -> Rules | None:
    """Return the resolution rules of `language`; None for text files, which contain no references."""
    known = registry.by_name(language)
    if known.level == "text":
        return None
    return known.rules() if known.rules is not None else plain_rules(known.name)


def family_of(language: str) -> str:
    """Return the name of the family to which `language` belongs; "" for text files."""
    rules = rules_of(language)
    return "" if rules is None else rules.family
