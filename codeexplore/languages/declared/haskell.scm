; Definitions. A signature and the equations below it are one symbol.
(declarations (signature) @definition.function)
(declarations (function) @definition.function)
(declarations (bind name: (_)) @definition.function)
(class_declarations (signature) @definition.function)
(class_declarations (function) @definition.function)
(class_declarations (bind name: (_)) @definition.function)
(instance_declarations (function) @definition.function)
(instance_declarations (bind name: (_)) @definition.function)
(class) @definition.trait
(data_type) @definition.type
(newtype) @definition.type
(type_synomym) @definition.type
(type_family) @definition.type
(data_constructor) @definition.constant
(newtype_constructor) @definition.constant
(gadt_constructor) @definition.constant
(field) @definition.field
(instance) @_extension

; Uses
(apply function: [(variable) (constructor) (qualified)]) @reference.call
(infix operator: (infix_id) @reference.call)
(infix left_operand: [(variable) (qualified)] @reference.read)
(infix right_operand: [(variable) (qualified)] @reference.read)
(instance) @base
(import) @import

(comment) @comment
(haddock) @comment
