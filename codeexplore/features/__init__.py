"""Features that hang on the core. Each package registers itself with a record `FEATURE`; see `types.features`."""
