; Definitions
(function_definition) @definition.function
(program (variable_assignment) @definition.constant)
(program (declaration_command (variable_assignment) @definition.constant))

; Uses
(command name: (command_name (word))) @reference.call

(comment) @comment
