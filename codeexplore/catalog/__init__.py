"""The symbols and chunks of a workspace by id, name and place."""

from codeexplore.catalog.catalog import Catalog
from codeexplore.catalog.names import EXTERNAL, STUBS, external_symbol, name_parts, shown_name

__all__ = ["EXTERNAL", "STUBS", "Catalog", "external_symbol", "name_parts", "shown_name"]
