; What TypeScript and TSX add to ECMAScript.

; Definitions
(abstract_class_declaration) @definition.class
(interface_declaration) @definition.interface
(enum_declaration) @definition.enum
(enum_body name: (_) @definition.constant)
(enum_assignment) @definition.constant
(type_alias_declaration) @definition.type
(internal_module) @definition.module
(module) @definition.module
(function_signature) @definition.function
(abstract_method_signature) @definition.method
(class_body (method_signature) @definition.method)
(interface_body (method_signature) @definition.method)
(interface_body (property_signature) @definition.field @binding.field)
(type_alias_declaration (object_type (method_signature) @definition.method))
(type_alias_declaration (object_type (property_signature) @definition.field @binding.field))
(type_alias_declaration (intersection_type (object_type (method_signature) @definition.method)))
(type_alias_declaration (intersection_type (object_type (property_signature) @definition.field @binding.field)))
(public_field_definition) @definition.field @binding.field
(statement_block (export_statement (lexical_declaration (variable_declarator) @definition.constant)))
(internal_module (statement_block (lexical_declaration (variable_declarator) @definition.constant)))
(ambient_declaration (lexical_declaration (variable_declarator) @definition.constant))
(ambient_declaration (variable_declaration (variable_declarator) @definition.constant))

; Decorators of methods stand before them, as their siblings
(class_body (decorator) @decorator)

(interface_body (index_signature) @binding.index)
(class_body (index_signature) @binding.index)
(type_alias_declaration (object_type (index_signature) @binding.index))

; Uses
(type_identifier) @reference.type
(nested_type_identifier) @reference.type
(required_parameter pattern: (identifier) @_named)
(optional_parameter pattern: (identifier) @_named)

; Modules
(import_alias) @import.alias
