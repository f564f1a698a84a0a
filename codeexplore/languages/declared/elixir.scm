; Definitions are calls of macros
((call target: (identifier) @_keyword) @definition.module (#any-of? @_keyword "defmodule" "defimpl"))
((call target: (identifier) @_keyword) @definition.interface (#eq? @_keyword "defprotocol"))
((call target: (identifier) @_keyword) @definition.function
  (#any-of? @_keyword "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate"))
((call target: (identifier) @_keyword (arguments (list (atom) @definition.field)))
  (#any-of? @_keyword "defstruct" "defexception"))
((call target: (identifier) @_keyword (arguments (list (keywords (pair key: (keyword) @definition.field)))))
  (#any-of? @_keyword "defstruct" "defexception"))
((call target: (identifier) @_keyword (arguments (keywords (pair key: (keyword) @definition.field))))
  (#any-of? @_keyword "defstruct" "defexception"))
(do_block (unary_operator operator: "@" operand: (call target: (identifier) (arguments))) @definition.constant)
(do_block (unary_operator operator: "@" operand: (call (arguments (binary_operator)))) @definition.type)
(unary_operator operator: "@") @decorator

; Uses
(unary_operator operator: "@") @attribute
(call) @reference.call
(binary_operator operator: "|>" right: (identifier) @reference.call)

(comment) @comment
