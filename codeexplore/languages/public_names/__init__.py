"""Names as people write them: through re-exports, aliases, packages and inherited members."""

from codeexplore.languages.public_names.names import PublicNames

__all__ = ["PublicNames"]
