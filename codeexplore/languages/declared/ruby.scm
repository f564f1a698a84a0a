; Definitions
(module) @definition.module
(class) @definition.class
(method) @definition.function
(singleton_method) @definition.function
[(program (assignment left: (constant)) @definition.constant)
 (body_statement (assignment left: (constant)) @definition.constant)]
(call method: (identifier) arguments: (argument_list (simple_symbol) @definition.field))
(call method: (identifier) arguments: (argument_list . (simple_symbol))) @definition.function
(call receiver: (constant) method: (identifier)) @definition.class
(call method: (identifier) block: (_)) @definition.lambda
(call method: (identifier) arguments: (argument_list (lambda) .)) @definition.lambda

(singleton_class) @_singleton

; Uses
(call) @reference.call
(identifier) @reference.bare
(constant) @reference.bare
(instance_variable) @reference.bare
(scope_resolution) @reference.read
(super) @reference.super
(yield) @reference.yield
(block_argument) @reference.yield
(binary) @reference.operator
(element_reference) @reference.element
(assignment left: [(identifier) (constant) (instance_variable)]) @binding.variable
(operator_assignment left: (instance_variable)) @binding.variable

(alias) @binding.alias
(return (argument_list . (_) .)) @return

; Identifiers that are no calls: names of what is defined or called, and of variables
(call method: [(identifier) (super) (constant)] @_named)
(call receiver: (constant) @_named)
(scope_resolution (constant) @_named)
(assignment left: (constant) @_named)
(superclass (constant) @_named)
(setter name: (identifier) @_named)
(alias (identifier) @_named)
(undef (identifier) @_named)
(method_parameters (identifier) @_variable)
(block_parameters (identifier) @_variable)
(lambda_parameters (identifier) @_variable)
(optional_parameter name: (identifier) @_variable)
(keyword_parameter name: (identifier) @_variable)
(splat_parameter name: (identifier) @_variable)
(hash_splat_parameter name: (identifier) @_variable)
(block_parameter name: (identifier) @_variable)
(destructured_parameter (identifier) @_variable)
(exception_variable (identifier) @_variable)
(assignment left: (identifier) @_variable)
(operator_assignment left: (identifier) @_variable)
(left_assignment_list (identifier) @_variable)
(rest_assignment (identifier) @_variable)
(destructured_left_assignment (identifier) @_variable)
(for pattern: (identifier) @_variable)
(array_pattern (identifier) @_variable)
(keyword_pattern value: (identifier) @_variable)
(in_clause pattern: (identifier) @_variable)
(superclass) @base

(comment) @comment

; What names code without running it
(unary "defined?") @_unevaluated
