; Definitions
(class_definition) @definition.class
(function_definition) @definition.function
(lambda) @definition.lambda
(type_alias_statement) @definition.type
(module (assignment) @definition.constant)
(class_definition body: (block (assignment) @definition.field))

; Uses
(call) @reference.call
(attribute) @reference.read
(pair value: (identifier) @reference.read)
(list (identifier) @reference.read)
(tuple (identifier) @reference.read)
(set (identifier) @reference.read)
(subscript value: (identifier) @reference.read)
(type) @reference.type

; Names and values
(assignment) @binding.variable
(named_expression) @binding.variable
(for_statement) @binding.element
(for_in_clause) @binding.element
(with_item) @binding.context
(except_clause) @binding.exception
(return_statement) @return
(yield) @yield

; Modules
(import_statement) @import
(import_from_statement) @import.from

(comment) @comment
