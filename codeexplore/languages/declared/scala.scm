; Definitions
(package_object) @definition.module
(class_definition) @definition.class
(object_definition) @definition.class
(instance_expression (template_body)) @definition.class
((infix_expression operator: (identifier) @_with right: (call_expression arguments: (block))) @definition.class
  (#eq? @_with "with"))
((call_expression
  function: (generic_function function: (infix_expression operator: (identifier) @_with))
  arguments: (block)) @definition.class
  (#eq? @_with "with"))
(trait_definition) @definition.trait
(enum_definition) @definition.enum
(function_definition) @definition.function
(function_declaration) @definition.function
(type_definition) @definition.type
(given_definition) @definition.constant
(simple_enum_case) @definition.constant
(full_enum_case) @definition.constant
(template_body (val_definition pattern: (identifier)) @definition.field)
(template_body (val_definition pattern: (identifiers (identifier) @definition.field)))
(template_body (var_definition pattern: (identifier)) @definition.field)
(template_body (var_definition pattern: (identifiers (identifier) @definition.field)))
(template_body (val_declaration) @definition.field)
(template_body (var_declaration) @definition.field)
(compilation_unit (val_definition pattern: (identifier)) @definition.constant)
(compilation_unit (val_definition pattern: (identifiers (identifier) @definition.constant)))
(compilation_unit (var_definition pattern: (identifier)) @definition.constant)
(compilation_unit (var_definition pattern: (identifiers (identifier) @definition.constant)))
(class_definition class_parameters: (class_parameters (class_parameter) @definition.field))

; Uses
(type_identifier) @reference.type
(extends_clause (type_identifier) @_named)
(call_expression) @reference.call
(macro_body) @reference.call
(instance_expression) @reference.new
(val_definition pattern: (identifier)) @binding.variable
(var_definition pattern: (identifier)) @binding.variable
(val_declaration) @binding.variable
(var_declaration) @binding.variable
(typed_pattern pattern: (identifier)) @binding.variable
(given_definition) @binding.variable
(type_parameters [(identifier) (covariant_type_parameter) (contravariant_type_parameter)] @binding.type)
(enumerator . (identifier)) @binding.element
(case_clause pattern: (identifier) @binding.local)
(tuple_pattern (identifier) @binding.local)
(case_class_pattern pattern: (identifier) @binding.local)
(named_pattern (identifier) (identifier) @binding.local)
(infix_pattern [left: (identifier) right: (identifier)] @binding.local)
(capture_pattern name: (identifier) @binding.local)
(lambda_expression parameters: (identifier) @binding.local)
(binding name: (identifier) @binding.local)
(enumerator . (tuple_pattern)) @reference.generator
(enumerator . (case_class_pattern)) @reference.generator
(enumerator . (wildcard)) @reference.generator
(infix_expression) @reference.infix
(prefix_expression) @reference.prefix
(assignment_expression) @reference.assigned
(case_class_pattern) @reference.pattern
(extends_clause) @base
(instance_expression (template_body)) @base
((infix_expression operator: (identifier) @_with right: (call_expression arguments: (block))) @base
  (#eq? @_with "with"))
((call_expression
  function: (generic_function function: (infix_expression operator: (identifier) @_with))
  arguments: (block)) @base
  (#eq? @_with "with"))
(import_declaration) @import

(comment) @comment
(block_comment) @comment

; What is called by reading it
(field_expression) @reference.read
(identifier) @reference.bare
(field_expression field: (identifier) @_named)
(val_definition pattern: (identifier) @_named)
(var_definition pattern: (identifier) @_named)
(val_declaration name: (identifier) @_named)
(var_declaration name: (identifier) @_named)
(parameter name: (identifier) @_named)
(class_parameter name: (identifier) @_named)
(arguments (assignment_expression left: (identifier) @_named))
(binding name: (identifier) @_named)
(lambda_expression parameters: (identifier) @_named)
(enumerator . (identifier) @_named)
(typed_pattern pattern: (identifier) @_named)
(import_declaration (identifier) @_named)
(namespace_selectors (identifier) @_named)
