"""Names as people write them: through re-exports, aliases, packages and inherited members."""

from codeexplore.public_names.names import PublicNames

__all__ = ["PublicNames"]
