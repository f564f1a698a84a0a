; Definitions. Of members that are only declared, pure virtual ones are symbols: there is no other definition.
(function_definition) @definition.function
(preproc_function_def) @definition.function
(preproc_def) @definition.constant
(struct_specifier body: (field_declaration_list)) @definition.struct
(union_specifier body: (field_declaration_list)) @definition.struct
(enum_specifier body: (enumerator_list)) @definition.enum
(enumerator) @definition.constant
(type_definition) @definition.type
(field_declaration declarator: (_) @definition.field)
(class_specifier body: (field_declaration_list)) @definition.class
(namespace_definition) @definition.module
(alias_declaration) @definition.type
(concept_definition) @definition.type
(field_declaration declarator: (function_declarator)) @definition.method
(field_declaration declarator: (pointer_declarator (function_declarator))) @definition.method
(field_declaration declarator: (reference_declarator (function_declarator))) @definition.method
(translation_unit (declaration declarator: [(init_declarator) (identifier) (array_declarator) (pointer_declarator) (function_declarator)] @definition.constant))
(translation_unit [(preproc_ifdef (declaration declarator: [(init_declarator) (identifier) (array_declarator) (pointer_declarator) (function_declarator)] @definition.constant)) (preproc_if (declaration declarator: [(init_declarator) (identifier) (array_declarator) (pointer_declarator) (function_declarator)] @definition.constant))])
(translation_unit (preproc_ifdef [(preproc_ifdef (declaration declarator: [(init_declarator) (identifier) (array_declarator) (pointer_declarator) (function_declarator)] @definition.constant)) (preproc_if (declaration declarator: [(init_declarator) (identifier) (array_declarator) (pointer_declarator) (function_declarator)] @definition.constant))]))
(namespace_definition (declaration_list (declaration declarator: [(init_declarator) (identifier) (array_declarator) (pointer_declarator) (function_declarator)] @definition.constant)))
(namespace_definition (declaration_list [(preproc_ifdef (declaration declarator: [(init_declarator) (identifier) (array_declarator) (pointer_declarator) (function_declarator)] @definition.constant)) (preproc_if (declaration declarator: [(init_declarator) (identifier) (array_declarator) (pointer_declarator) (function_declarator)] @definition.constant))]))
(template_declaration parameters: (_) . (requires_clause)? . (declaration declarator: (init_declarator declarator: (identifier) value: (_)) @definition.constant))

; Uses
(type_identifier) @reference.type
(base_class_clause (type_identifier) @_named)
(base_class_clause (qualified_identifier name: (type_identifier) @_named))
(call_expression) @reference.call
(new_expression) @reference.new
(compound_literal_expression) @reference.new
(base_class_clause) @base
(field_declaration) @binding.variable
(declaration) @binding.variable
(init_declarator) @binding.variable
(assignment_expression) @binding.assigned
(lambda_expression (_ parameters: (parameter_list (parameter_declaration) @binding.variable)))
(for_range_loop) @binding.element
(lambda_capture_initializer left: (identifier) @binding.local)
(field_initializer) @reference.initializer
(return_statement) @return
(preproc_include) @import
(using_declaration) @import
(namespace_alias_definition) @import

(type_parameter_declaration) @_parameter
(optional_type_parameter_declaration) @_parameter
(variadic_type_parameter_declaration) @_parameter
(attribute_specifier) @_attribute
(attribute_declaration) @_attribute
(ms_declspec_modifier) @_attribute

; Names read alone
(qualified_identifier) @reference.read
(reference_declarator (identifier) @_named)
(structured_binding_declarator (identifier) @_named)
(for_range_loop declarator: (identifier) @_named)
(namespace_definition name: (_) @_named)
(qualified_identifier name: (identifier) @_named)
(destructor_name (identifier) @_named)

(access_specifier) @_access

(comment) @comment

(namespace_definition !name body: (declaration_list) @_unnamed)

; What names code without running it
[(decltype) (sizeof_expression)] @_unevaluated
