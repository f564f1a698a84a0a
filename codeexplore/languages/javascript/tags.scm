; What JavaScript alone has: its grammar calls a class's fields and parameters differently from TypeScript's.
(field_definition) @definition.field @binding.field
(formal_parameters (identifier) @_named)
