; Markup in JavaScript and TSX: a component's element is a call of the component.
(jsx_opening_element) @reference.element
(jsx_self_closing_element) @reference.element
(jsx_closing_element) @reference.closing
(jsx_expression (identifier) @reference.read)
(jsx_opening_element name: (identifier) @_named)
(jsx_self_closing_element name: (identifier) @_named)
(jsx_closing_element name: (identifier) @_named)
