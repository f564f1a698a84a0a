; Definitions
(module) @definition.module
(class) @definition.class
(method) @definition.function
(singleton_method) @definition.function
(program (assignment left: (constant)) @definition.constant)
(body_statement (assignment left: (constant)) @definition.constant)
((call
  method: (identifier) @_method
  arguments: (argument_list (simple_symbol) @definition.field))
  (#any-of? @_method "attr_reader" "attr_writer" "attr_accessor"))
((call method: (identifier) @_method arguments: (argument_list . (simple_symbol))) @definition.function
  (#any-of? @_method "define_method" "define_singleton_method"))

(singleton_class) @singleton

; Uses
(call) @reference.call
(superclass) @base

(comment) @comment
