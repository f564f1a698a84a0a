"""Public names: finds symbols by names as users write them, through re-exports, aliases and inherited members.

Change it to understand another way to write a name.

Entry point: `PublicNames`, with `find` for a name and `offered` for completion. `lookup.Lookup` follows one name at a
time through imports and aliases. `lookup.Family` finds the modules of a language family.

Words used here: a *unit* is the number of a module or package in its family. A name is followed from *thing* to
*thing*: a module, a definition, a literal, or an instance of a definition (`lookup.Thing`).

Example: ``shop/__init__.py`` contains ``from shop.pool import Pool``. Then ``find("shop.Pool")`` returns the class
``shop.pool.Pool``, and ``find("shop.Pool.get")`` its method ``shop.pool.Pool.get``.
"""

from codeexplore.names.public_names import PublicNames

__all__ = ["PublicNames"]
