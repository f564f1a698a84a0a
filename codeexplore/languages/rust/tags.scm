; Definitions
(function_item) @definition.function
(function_signature_item) @definition.function
(macro_definition) @definition.function
(closure_expression) @definition.lambda
(struct_item) @definition.struct
(union_item) @definition.struct
(enum_item) @definition.enum
(trait_item) @definition.trait
(type_item) @definition.type
(const_item) @definition.constant
(static_item) @definition.constant
(enum_variant) @definition.constant
(mod_item body: (declaration_list)) @definition.module
(struct_item body: (field_declaration_list (field_declaration) @definition.field))
(union_item body: (field_declaration_list (field_declaration) @definition.field))
(attribute_item) @decorator

; Types told elsewhere
(impl_item) @base

; Uses
(call_expression) @reference.call
(macro_invocation) @reference.macro
(token_tree (identifier) @reference.token . (token_tree))
(token_tree (string_literal) @reference.format)
(token_tree (raw_string_literal) @reference.format)
(index_expression) @reference.operator
(binary_expression) @reference.operator
(compound_assignment_expr) @reference.operator
(unary_expression) @reference.operator
(struct_expression) @reference.new
(struct_pattern) @reference.fields
(type_identifier) @reference.type
(scoped_type_identifier) @reference.type
(field_expression) @reference.read
(scoped_identifier) @reference.read
(array_expression) @reference.items
(tuple_expression) @reference.items

; Names read alone
(identifier) @reference.bare
(call_expression function: (identifier) @_named)
(scoped_identifier (identifier) @_named)
(scoped_type_identifier path: (identifier) @_named)
(parameter pattern: (identifier) @_named)
(field_expression value: (identifier) @_named)
(macro_invocation macro: (identifier) @_named)
(use_declaration (identifier) @_named)
(use_list (identifier) @_named)
(use_as_clause (identifier) @_named)
(attribute (identifier) @_named)
(generic_function function: (identifier) @_named)
(use_wildcard (identifier) @_named)
(attribute (token_tree (identifier) @_named))
(attribute (token_tree (token_tree (identifier) @_named)))
(let_declaration pattern: (identifier) @_named)
(for_expression pattern: (identifier) @_named)
(closure_parameters (identifier) @_named)
(tuple_pattern (identifier) @_named)
(mut_pattern (identifier) @_named)
(ref_pattern (identifier) @_named)
(captured_pattern (identifier) @_named)
(tuple_struct_pattern (identifier) @_pattern)
(match_pattern (identifier) @_pattern)
(or_pattern (identifier) @_pattern)
(let_condition pattern: (identifier) @_pattern)
(field_pattern pattern: (identifier) @_pattern)
(slice_pattern (identifier) @_pattern)
(token_tree (identifier) @_named . (token_tree))

; Names and values
(let_declaration) @binding.let
(let_condition) @binding.let
(match_expression) @binding.pattern
(for_expression) @binding.element
(assignment_expression) @binding.assigned
(const_item) @binding.variable
(static_item) @binding.variable
(return_expression (_)) @return
(function_item body: (block (let_declaration) @_sure))
(closure_expression body: (block (let_declaration) @_sure))

; Modules
(use_declaration) @import
(extern_crate_declaration) @import.crate
(mod_item !body) @import.module

(line_comment) @comment
(block_comment) @comment
