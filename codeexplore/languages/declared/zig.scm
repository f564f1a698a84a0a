; Definitions
(Decl (FnProto)) @definition.function
(Decl (VarDecl)) @definition.constant
(TestDecl) @definition.function
(ContainerField) @definition.field
(ErrorSetDecl (IDENTIFIER) @definition.constant)

; Uses
(SuffixExpr (FnCallArguments)) @reference.call
(SuffixExpr (FieldOrFnCall function_call: (IDENTIFIER))) @reference.call

(line_comment) @comment
(doc_comment) @comment
(container_doc_comment) @comment
