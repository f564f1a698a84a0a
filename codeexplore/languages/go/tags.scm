; Definitions. Fields, constants and variables are captured by name: one declaration may name several.
(function_declaration) @definition.function
(method_declaration) @definition.method
(func_literal) @definition.lambda
(type_spec type: (struct_type)) @definition.struct
(type_spec type: (interface_type)) @definition.interface
(type_spec type: [
  (array_type) (channel_type) (function_type) (generic_type) (map_type) (parenthesized_type) (pointer_type)
  (qualified_type) (slice_type) (type_identifier)
]) @definition.type
(type_alias) @definition.type
(type_spec type: (interface_type (method_elem) @definition.method))
(type_spec type: (struct_type (field_declaration_list (field_declaration name: (field_identifier) @definition.field))))
(source_file (const_declaration (const_spec (identifier) @definition.constant)))
(source_file (var_declaration (var_spec name: (identifier) @definition.constant)))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @definition.constant))))

; Uses
(call_expression) @reference.call
(type_conversion_expression) @reference.call
(composite_literal) @reference.new
(type_identifier) @reference.type
(qualified_type) @reference.type
(selector_expression) @reference.read
(binary_expression operator: ["==" "!="]) @reference.compared

; Names read alone
(identifier) @reference.bare
(call_expression function: (identifier) @_named)
(selector_expression operand: (identifier) @_named)
(const_spec name: (identifier) @_named)
(var_spec name: (identifier) @_named)
(parameter_declaration name: (identifier) @_named)
(variadic_parameter_declaration name: (identifier) @_named)
(short_var_declaration left: (expression_list (identifier) @_named))
(range_clause left: (expression_list (identifier) @_named))
(receive_statement left: (expression_list (identifier) @_named))
(type_switch_statement alias: (expression_list (identifier) @_named))
(keyed_element key: (literal_element (identifier) @_named))

; Names and values
(const_declaration) @binding.variable
(var_declaration) @binding.variable
(short_var_declaration) @binding.assigned
(assignment_statement) @binding.assigned
(receive_statement left: (expression_list)) @binding.assigned
(range_clause left: (expression_list)) @binding.element
(type_switch_statement alias: (expression_list)) @binding.pattern
(return_statement (expression_list)) @return

(import_spec) @import

(comment) @comment
