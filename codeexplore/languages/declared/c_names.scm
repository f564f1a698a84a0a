; Names read alone, of C and C++
(field_expression) @reference.read
(identifier) @reference.bare
(call_expression function: (identifier) @_named)
(preproc_def name: (identifier) @_named)
(preproc_function_def name: (identifier) @_named)
(preproc_params (identifier) @_named)
(function_declarator declarator: (identifier) @_named)
(enumerator name: (identifier) @_named)
(declaration declarator: (identifier) @_named)
(init_declarator declarator: (identifier) @_named)
(pointer_declarator declarator: (identifier) @_named)
(array_declarator declarator: (identifier) @_named)
(parameter_declaration declarator: (identifier) @_named)
(field_expression argument: (identifier) @_named)
