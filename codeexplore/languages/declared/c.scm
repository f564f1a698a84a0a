; Definitions. Variables are symbols outside functions only, also under the conditions of the preprocessor.
(function_definition) @definition.function
(preproc_function_def) @definition.function
(preproc_def) @definition.constant
(struct_specifier body: (field_declaration_list)) @definition.struct
(union_specifier body: (field_declaration_list)) @definition.struct
(enum_specifier body: (enumerator_list)) @definition.enum
(enumerator) @definition.constant
(type_definition) @definition.type
(field_declaration declarator: (_) @definition.field)
(translation_unit (declaration declarator: [(init_declarator) (identifier) (array_declarator) (pointer_declarator) (function_declarator)] @definition.constant))
(translation_unit [(preproc_ifdef (declaration declarator: [(init_declarator) (identifier) (array_declarator) (pointer_declarator) (function_declarator)] @definition.constant)) (preproc_if (declaration declarator: [(init_declarator) (identifier) (array_declarator) (pointer_declarator) (function_declarator)] @definition.constant))])
(translation_unit (preproc_ifdef [(preproc_ifdef (declaration declarator: [(init_declarator) (identifier) (array_declarator) (pointer_declarator) (function_declarator)] @definition.constant)) (preproc_if (declaration declarator: [(init_declarator) (identifier) (array_declarator) (pointer_declarator) (function_declarator)] @definition.constant))]))

; Uses
(type_identifier) @reference.type
(call_expression) @reference.call
(field_declaration) @binding.variable
(declaration) @binding.variable
(init_declarator) @binding.variable
(assignment_expression) @binding.assigned
(return_statement) @return
(preproc_include) @import

(attribute_specifier) @_attribute
(attribute_declaration) @_attribute
(ms_declspec_modifier) @_attribute

(comment) @comment

; What names code without running it
(sizeof_expression) @_unevaluated
