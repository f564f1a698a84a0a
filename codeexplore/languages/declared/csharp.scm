; Definitions
(namespace_declaration) @definition.module
(class_declaration) @definition.class
(record_declaration) @definition.class
(struct_declaration) @definition.struct
(interface_declaration) @definition.interface
(enum_declaration) @definition.enum
(delegate_declaration) @definition.type
(method_declaration) @definition.method
(constructor_declaration) @definition.method
(destructor_declaration) @definition.method
(operator_declaration) @definition.method
(indexer_declaration) @definition.method
(local_function_statement) @definition.function
(property_declaration) @definition.field
(event_declaration) @definition.field
(field_declaration (variable_declaration (variable_declarator) @definition.field))
(event_field_declaration (variable_declaration (variable_declarator) @definition.field))
(enum_member_declaration) @definition.constant

; Uses
(invocation_expression) @reference.call
(object_creation_expression) @reference.new
(primary_constructor_base_type) @reference.new
(implicit_object_creation_expression) @reference.made
(constructor_initializer) @reference.initializer
(variable_declarator) @binding.variable
[(type_parameter) (type_parameter_constraints_clause)] @binding.type
(property_declaration) @binding.variable
(declaration_pattern) @binding.variable
(assignment_expression) @binding.assigned
(recursive_pattern name: (identifier)) @binding.variable
(declaration_expression) @binding.variable
(catch_declaration name: (identifier)) @binding.variable
(lambda_expression parameters: (parameter_list (parameter) @binding.variable))
(anonymous_method_expression parameters: (parameter_list (parameter) @binding.variable))
(implicit_parameter) @binding.local
(tuple_pattern name: (identifier) @binding.local)
(foreach_statement left: (identifier)) @binding.element
(from_clause) @binding.element
(let_clause . (identifier) @binding.local)
(join_clause . (identifier) @binding.local)
(join_into_clause (identifier) @binding.local)
(base_list) @base
(using_directive) @import

(comment) @comment

; What is called by reading it
(member_access_expression) @reference.read
(identifier) @reference.bare
(member_access_expression name: (identifier) @_named)
(argument name: (identifier) @_named)
(variable_declarator name: (identifier) @_named)
(declaration_pattern name: (identifier) @_named)
(recursive_pattern name: (identifier) @_named)
(declaration_expression name: (identifier) @_named)
(catch_declaration name: (identifier) @_named)
(parameter name: (identifier) @_named)
(foreach_statement left: (identifier) @_named)
(from_clause name: (identifier) @_named)
(labeled_statement . (identifier) @_named)
(goto_statement (identifier) @_named)
