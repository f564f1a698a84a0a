; Definitions
(class_declaration "class") @definition.class
(class_declaration "interface") @definition.interface
(object_declaration) @definition.class
(object_literal) @definition.class
(function_declaration) @definition.function
(secondary_constructor) @definition.method
(enum_entry) @definition.constant
(type_alias) @definition.type
(source_file (property_declaration) @definition.constant)
(class_body (property_declaration) @definition.field)
(enum_class_body (property_declaration) @definition.field)
(class_parameter) @definition.field

; Uses
(user_type (type_identifier) @reference.type)
(delegation_specifier [(user_type (type_identifier) @_named) (constructor_invocation (user_type (type_identifier) @_named))])
(call_expression) @reference.call
(property_declaration) @binding.variable
(type_parameter) @binding.type
(for_statement (variable_declaration)) @binding.element
(multi_variable_declaration (variable_declaration) @binding.local)
(lambda_parameters (variable_declaration) @binding.local)
(lambda_literal) @binding.implicit
(when_subject (variable_declaration) @binding.local)
(catch_block (simple_identifier) @binding.local)
(anonymous_function (function_value_parameters (parameter) @binding.local))
(check_expression) @binding.tested
(when_entry) @binding.case
(as_expression) @binding.cast
(call_expression (call_suffix (annotated_lambda))) @_block
[(additive_expression) (multiplicative_expression) (range_expression) (comparison_expression)
 (equality_expression) (check_expression) (range_test) (prefix_expression) (postfix_expression)
 (indexing_expression) (for_statement) (property_delegate)] @reference.operator
(infix_expression . (_) . (simple_identifier) . (_) .) @reference.infix
(function_body "=" (_)) @return
(assignment) @reference.assigned
(callable_reference) @reference.read
(callable_reference (type_identifier) @reference.bare "class")
(delegation_specifier) @base
(import_header) @import

(line_comment) @comment
(multiline_comment) @comment

; What is called by reading it
(navigation_expression) @reference.read
[(simple_identifier) (interpolated_identifier)] @reference.bare
(navigation_suffix (simple_identifier) @_named)
(variable_declaration (simple_identifier) @_named)
(parameter (simple_identifier) @_named)
(class_parameter . (simple_identifier) @_named)
(value_argument . (simple_identifier) @_named . (_))
(function_declaration (simple_identifier) @_named)
(infix_expression . (_) . (simple_identifier) @_named . (_) .)

; What names code without running it
[(callable_reference) (navigation_expression (callable_reference))] @_unevaluated
