"""Language families, as other packages import them until they ask the registry."""

from codeexplore.languages.registry import family_of, rules_of

__all__ = ["family_of", "rules_of"]
