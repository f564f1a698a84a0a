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
(array_access array: (identifier) @reference.read)
(type_identifier) @reference.type
(scoped_type_identifier) @reference.type
(marker_annotation) @reference.decorator
(annotation) @reference.decorator

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
