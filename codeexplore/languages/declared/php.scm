; Definitions
(namespace_definition) @definition.module
(class_declaration) @definition.class
(anonymous_class) @definition.class
(interface_declaration) @definition.interface
(trait_declaration) @definition.trait
(enum_declaration) @definition.enum
(method_declaration) @definition.method
(function_definition) @definition.function
(const_declaration (const_element) @definition.constant)
(enum_case) @definition.constant
(property_declaration (property_element) @definition.field)
(property_promotion_parameter) @definition.field

; Uses
(named_type) @reference.type
(function_call_expression) @reference.call
(member_call_expression) @reference.call
(nullsafe_member_call_expression) @reference.call
(scoped_call_expression) @reference.call
(object_creation_expression) @reference.new
(array_creation_expression) @reference.callable
(return_statement (_)) @return
(property_element) @binding.variable
(property_promotion_parameter) @binding.variable
(assignment_expression left: (variable_name)) @binding.variable
(assignment_expression left: [(member_access_expression) (subscript_expression)]) @binding.variable
(catch_clause) @binding.variable
(foreach_statement) @binding.element
(arrow_function parameters: (formal_parameters (simple_parameter) @binding.variable))
(anonymous_function parameters: (formal_parameters (simple_parameter) @binding.variable))
(member_access_expression) @reference.read
(nullsafe_member_access_expression) @reference.read
(class_constant_access_expression) @reference.read
(scoped_property_access_expression) @reference.read
(name) @reference.bare
(member_access_expression name: (name) @_named)
(class_constant_access_expression (name) @_named)
(named_type (name) @_named)
(variable_name (name) @_named)
(argument name: (name) @_named)
(namespace_name (name) @_named)
(namespace_use_clause (name) @_named)
(namespace_use_clause (qualified_name (name) @_named))
(function_call_expression function: (name) @_named)
(function_call_expression function: (qualified_name (name) @_named))
(object_creation_expression (name) @_named)
(member_call_expression name: (name) @_named)
(scoped_call_expression (name) @_named)
(base_clause (name) @_named)
(base_clause) @base
(class_interface_clause) @base
(use_declaration) @base
(namespace_use_declaration) @import

(comment) @comment
