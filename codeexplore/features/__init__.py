"""Features that hang on the core. Each package registers itself with a record `FEATURE`; see `types.features`.

Change it to add a feature; a package of somebody else can add one too. The field `accessor` of `FEATURE` names the
class behind ``ws.NAME``, and `types.features.BUILT_IN` lists the packages.
"""
