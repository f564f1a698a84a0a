; What JavaScript alone has: its grammar calls a class's fields differently from TypeScript's.
(field_definition) @definition.field @binding.field
