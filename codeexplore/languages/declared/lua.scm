; Definitions
(function_declaration) @definition.function
(assignment_statement (variable_list name: (_)) (expression_list value: (function_definition))) @definition.function
(field name: (identifier) value: (function_definition)) @definition.function
(chunk (variable_declaration (assignment_statement) @definition.constant))
(chunk (assignment_statement) @definition.constant)

; Uses
(function_call) @reference.call

(comment) @comment
