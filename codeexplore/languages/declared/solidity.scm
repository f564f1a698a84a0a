; Definitions
(contract_declaration) @definition.class
(interface_declaration) @definition.interface
(library_declaration) @definition.class
(struct_declaration) @definition.struct
(enum_declaration) @definition.enum
(enum_value) @definition.constant
(event_definition) @definition.struct
(error_declaration) @definition.struct
(user_defined_type_definition) @definition.type
(function_definition) @definition.function
(modifier_definition) @definition.function
(constructor_definition) @definition.function
(fallback_receive_definition) @definition.function
(constant_variable_declaration) @definition.constant
(state_variable_declaration) @definition.field
(struct_member) @definition.field

; Uses
(call_expression) @reference.call
(emit_statement) @reference.call
(revert_statement error: (expression)) @reference.call
(modifier_invocation) @reference.call
(state_variable_declaration) @binding.variable
(struct_member) @binding.variable
(variable_declaration) @binding.variable
(inheritance_specifier) @base
(import_directive) @import

(comment) @comment
