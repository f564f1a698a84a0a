; Definitions
(class_definition) @definition.class
(function_definition) @definition.function
(lambda) @definition.lambda
(type_alias_statement) @definition.type
(module (assignment) @definition.constant @_always)
(module (if_statement (block (assignment) @definition.constant)))
(module (if_statement (_ (block (assignment) @definition.constant))))
(module (try_statement (block (assignment) @definition.constant)))
(module (try_statement (_ (block (assignment) @definition.constant))))
(class_definition body: (block (assignment) @definition.field @_always))
(decorated_definition) @_decorated

; Uses
(call) @reference.call
(attribute) @reference.read
(raise_statement . (identifier) @reference.raised)
(raise_statement . (attribute) @reference.raised)
(subscript) @implicit.get
(delete_statement (subscript) @implicit.delete)
(augmented_assignment) @implicit.augmented
(binary_operator) @implicit.operator
(comparison_operator) @implicit.comparison
(if_statement condition: (identifier) @implicit.truth)
(if_statement condition: (attribute) @implicit.truth)
(while_statement condition: (identifier) @implicit.truth)
(not_operator argument: (identifier) @implicit.truth)
(not_operator argument: (attribute) @implicit.truth)
(boolean_operator left: (identifier) @implicit.truth)
(boolean_operator left: (attribute) @implicit.truth)
(interpolation) @implicit.format
(yield) @implicit.delegation
(list (list_splat) @implicit.spread)
(tuple (list_splat) @implicit.spread)
(set (list_splat) @implicit.spread)
(type) @reference.type

; Names read alone
(identifier) @reference.bare
(call function: (identifier) @_named)
(attribute (identifier) @_named)
(keyword_argument name: (identifier) @_named)
(module (assignment left: (identifier) @_named))
(module (if_statement (block (assignment left: (identifier) @_named))))
(module (if_statement (_ (block (assignment left: (identifier) @_named)))))
(module (try_statement (block (assignment left: (identifier) @_named))))
(module (try_statement (_ (block (assignment left: (identifier) @_named)))))
(class_definition body: (block (assignment left: (identifier) @_named)))
(dotted_name (identifier) @_named)
(aliased_import alias: (identifier) @_named)
(global_statement (identifier) @_named)
(nonlocal_statement (identifier) @_named)
(type (identifier) @_named)
(parameters (identifier) @_named)
(lambda_parameters (identifier) @_named)
(default_parameter name: (identifier) @_named)
(typed_parameter (identifier) @_named)
(typed_default_parameter name: (identifier) @_named)

; Names and values
(assignment) @binding.variable
(named_expression) @binding.variable
(argument_list [(boolean_operator) (conditional_expression) (binary_operator)] @binding.either)
(keyword_argument value: [(boolean_operator) (conditional_expression) (binary_operator)] @binding.either)
(parenthesized_expression [(boolean_operator) (conditional_expression) (binary_operator)] @binding.either)
(for_statement right: (binary_operator) @binding.either)
(for_in_clause right: (binary_operator) @binding.either)
(function_definition body: (block (assignment) @_always))
(for_statement) @binding.element
(for_in_clause) @binding.element
(with_item) @binding.context
(list) @binding.items
(tuple) @binding.items
(expression_list) @binding.items
(set) @binding.items
(dictionary) @binding.items
(list_comprehension) @binding.items
(set_comprehension) @binding.items
(generator_expression) @binding.items
(dictionary_comprehension) @binding.items
(global_statement) @outer
(nonlocal_statement) @outer
(except_clause) @binding.exception
(case_clause) @binding.case
(return_statement) @return
(yield) @yield

; Modules
(import_statement) @import
(import_from_statement) @import.from

(comment) @comment
