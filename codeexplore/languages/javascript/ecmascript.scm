; What JavaScript, TypeScript and TSX share.

; Definitions
(class_declaration) @definition.class
(class) @definition.class
(class_static_block) @definition.method
(function_declaration) @definition.function
(generator_function_declaration) @definition.function
(method_definition) @definition.method
(arrow_function) @definition.lambda
(function_expression) @definition.lambda
(generator_function) @definition.lambda
(program (lexical_declaration (variable_declarator) @definition.constant))
(program (variable_declaration (variable_declarator) @definition.constant))
(program (export_statement (lexical_declaration (variable_declarator) @definition.constant)))
(program (export_statement (variable_declaration (variable_declarator) @definition.constant)))
(program (export_statement value: (_) @definition.constant))
(program (export_statement (lexical_declaration (variable_declarator
  (object_pattern (shorthand_property_identifier_pattern) @definition.constant)))))
(program (export_statement (lexical_declaration (variable_declarator
  (object_pattern (pair_pattern value: (identifier) @definition.constant))))))
(program (export_statement (lexical_declaration (variable_declarator
  (array_pattern (identifier) @definition.constant)))))
(program (expression_statement (assignment_expression left: (member_expression)) @definition.constant))

; Uses
(call_expression) @reference.call
(new_expression) @reference.new
(member_expression) @reference.read
(decorator) @reference.decorator

; Names read alone
(identifier) @reference.bare
(shorthand_property_identifier) @reference.bare
(call_expression function: (identifier) @_named)
(new_expression constructor: (identifier) @_named)
(member_expression object: (identifier) @_named)
(variable_declarator name: (identifier) @_named)
(function_expression name: (identifier) @_named)
(arrow_function parameter: (identifier) @_named)
(catch_clause parameter: (identifier) @_named)
(for_in_statement left: (identifier) @_named)
(pair_pattern value: (identifier) @_named)
(array_pattern (identifier) @_named)
(import_specifier (identifier) @_named)
(import_clause (identifier) @_named)
(namespace_import (identifier) @_named)
(export_specifier (identifier) @_named)

; Names and values
(variable_declarator) @binding.variable
(assignment_expression) @binding.assigned
(augmented_assignment_expression operator: ["||=" "&&=" "??="]) @binding.assigned
(for_in_statement) @binding.element
(catch_clause) @binding.exception
(binary_expression operator: "instanceof") @binding.pattern
(call_expression arguments: (arguments . (identifier))) @binding.guard
(object) @binding.items
(array) @binding.items
(return_statement) @return
(yield_expression) @yield

; Modules
(import_statement) @import
(export_statement) @export

(comment) @comment
