; Definitions
(class_declaration) @definition.class
(record_declaration) @definition.class
(interface_declaration) @definition.interface
(annotation_type_declaration) @definition.interface
(enum_declaration) @definition.enum
(enum_constant) @definition.constant
(object_creation_expression (class_body)) @definition.class
(method_declaration) @definition.method
(annotation_type_element_declaration) @definition.method
(constructor_declaration) @definition.method
(compact_constructor_declaration) @definition.method
(static_initializer) @definition.method
(class_body (block) @definition.method)
(enum_body_declarations (block) @definition.method)
(lambda_expression) @definition.lambda
(field_declaration (variable_declarator) @definition.field)
(constant_declaration (variable_declarator) @definition.constant)
(record_declaration parameters: (formal_parameters [(formal_parameter) (spread_parameter)] @definition.field))

; Uses
(method_invocation) @reference.call
(object_creation_expression) @reference.new
(explicit_constructor_invocation) @reference.constructor
(method_reference) @reference.method
(field_access) @reference.read
(type_identifier) @reference.type
(scoped_type_identifier) @reference.type
(marker_annotation) @reference.decorator
(annotation) @reference.decorator

; Names read alone
(identifier) @reference.bare
(method_invocation object: (identifier) @_named)
(method_invocation name: (identifier) @_named)
(field_access (identifier) @_named)
(scoped_identifier (identifier) @_named)
(variable_declarator name: (identifier) @_named)
(formal_parameter name: (identifier) @_named)
(enhanced_for_statement name: (identifier) @_named)
(resource name: (identifier) @_named)
(catch_formal_parameter name: (identifier) @_named)
(lambda_expression parameters: (identifier) @_named)
(inferred_parameters (identifier) @_named)
(instanceof_expression name: (identifier) @_named)
(type_pattern (identifier) @_named)
(method_reference (identifier) @_named)
(marker_annotation name: (identifier) @_named)
(annotation name: (identifier) @_named)
(element_value_pair key: (identifier) @_named)
(import_declaration (identifier) @_named)
(labeled_statement (identifier) @_named)
(break_statement (identifier) @_named)
(continue_statement (identifier) @_named)

; Names and values
(local_variable_declaration) @binding.variable
(field_declaration) @binding.field
(constant_declaration) @binding.field
(assignment_expression) @binding.assigned
(enhanced_for_statement) @binding.element
(resource) @binding.resource
(catch_formal_parameter) @binding.exception
(instanceof_expression) @binding.pattern
(binary_expression left: (method_invocation) right: (class_literal)) @binding.compared
(binary_expression left: (class_literal) right: (method_invocation)) @binding.compared
(type_pattern) @binding.component
(record_pattern_component) @binding.component
(array_initializer) @binding.items
(return_statement) @return

; Modules
(import_declaration) @import

(line_comment) @comment
(block_comment) @comment
