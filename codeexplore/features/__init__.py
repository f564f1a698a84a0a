"""Features that hang on the core. Each package registers itself with a record `FEATURE`; see `types.features`.

Change it to add a feature; a package of somebody else can add one too.
"""
