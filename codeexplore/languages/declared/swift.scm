; Definitions
(class_declaration declaration_kind: ["class" "actor"]) @definition.class
(class_declaration declaration_kind: "struct") @definition.struct
(class_declaration declaration_kind: "enum") @definition.enum
(protocol_declaration) @definition.interface
(function_declaration) @definition.function
(protocol_function_declaration) @definition.method
(init_declaration) @definition.method
(deinit_declaration) @definition.method
(subscript_declaration) @definition.method
(macro_declaration) @definition.function
(typealias_declaration) @definition.type
(associatedtype_declaration) @definition.type
(enum_entry name: (simple_identifier) @definition.constant)
(class_body (property_declaration) @definition.field)
(enum_class_body (property_declaration) @definition.field)
(protocol_property_declaration) @definition.field
(source_file (property_declaration) @definition.constant)
(class_declaration declaration_kind: "extension") @_extension

; Uses
(user_type (type_identifier) @reference.type)
(inheritance_specifier (user_type (type_identifier) @_named))
(call_expression) @reference.call
(constructor_expression) @reference.call
(property_declaration) @binding.variable
(protocol_property_declaration) @binding.variable
(type_parameter) @binding.type
(for_statement item: (pattern . bound_identifier: (simple_identifier) .)) @binding.element
[(if_statement) (guard_statement) (while_statement)] @_condition
(pattern (value_binding_pattern) (simple_identifier) @binding.local)
(pattern . (simple_identifier) @binding.local .)
(lambda_parameter name: (simple_identifier) @binding.local)
(lambda_literal) @binding.implicit
(capture_list_item name: (simple_identifier) @binding.local)
(class_declaration declaration_kind: ["class" "actor" "struct" "enum"] (inheritance_specifier) @base)
(protocol_declaration (inheritance_specifier) @base)
(class_declaration declaration_kind: "extension" (inheritance_specifier) @base.extension)
(attribute) @reference.attribute
[(additive_expression) (multiplicative_expression) (bitwise_operation) (comparison_expression)
 (equality_expression) (infix_expression) (range_expression) (nil_coalescing_expression)
 (prefix_expression) (for_statement)] @reference.operator
(import_declaration) @import

(comment) @comment
(multiline_comment) @comment

; What is called by reading it
(navigation_expression) @reference.read
(simple_identifier) @reference.bare
(navigation_suffix (simple_identifier) @_named)
(value_argument_label (simple_identifier) @_named)
(parameter external_name: (simple_identifier) @_named)
(parameter name: (simple_identifier) @_named)
(enum_type_parameters (simple_identifier) @_named)
(tuple_type_item name: (simple_identifier) @_named)
(lambda_parameter (simple_identifier) @_named)
(pattern bound_identifier: (simple_identifier) @_named)
(capture_list_item name: (simple_identifier) @_named)
