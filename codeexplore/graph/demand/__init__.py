"""Demand-driven program slices: the facts that decide a few references, without those of the rest of the repository.

`ProgramSlice` follows names backwards from the references in question. Its collectors follow bindings (`bound_values`),
names of modules (`module_names`) and members of types (`type_members`). `Family` gives it facts of files on demand, and
`FactsIndex` finds facts by name. In ``def f(): return g().run()``, the call of ``run`` depends on what binds ``g`` and
on members with the name "run":

>>> from codeexplore.graph.demand.facts_index import names_of
>>> list(names_of("g().run"))
[(False, 'g'), (True, 'run')]
"""
