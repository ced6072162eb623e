; What the skeleton of a C program is made of. The captures are explained in
; docs/strategies/skeleton.md.

; Scopes.
(translation_unit) @scope
(function_definition) @function
(compound_statement) @scope
(for_statement) @scope
(parameter_list) @parameters

; Declarations and the names in them.
(declaration) @declaration
(parameter_declaration) @declaration
(declaration declarator: (identifier) @definition)
(parameter_declaration declarator: (identifier) @definition)
(init_declarator declarator: (identifier) @definition)
(pointer_declarator declarator: (identifier) @definition)
(array_declarator declarator: (identifier) @definition)
(attributed_declarator (identifier) @definition)

; Names that no hole takes: functions, constants, names of types.
(function_declarator declarator: (identifier) @definition.function)
(parenthesized_declarator (identifier) @definition.other)
(parameter_list (identifier) @definition.other)
(enumerator name: (identifier) @definition.other)
(type_definition declarator: (type_identifier) @definition.type)
(type_definition (pointer_declarator declarator: (type_identifier) @definition.type))
(type_definition (array_declarator declarator: (type_identifier) @definition.type))
(struct_specifier name: (type_identifier) @definition.type body: (_))
(union_specifier name: (type_identifier) @definition.type body: (_))
(enum_specifier name: (type_identifier) @definition.type body: (_))

; What is not part of a type.
(init_declarator value: (_) @initializer)
(struct_specifier body: (_) @ignore)
(union_specifier body: (_) @ignore)
(enum_specifier body: (_) @ignore)

; Types that are the same as no other.
(struct_specifier !name) @unique
(union_specifier !name) @unique

; Uses. What the grammar takes for a type may be a variable in parentheses.
(identifier) @use
(sizeof_expression type: (type_descriptor type: (type_identifier) @use !declarator))
(cast_expression type: (type_descriptor type: (type_identifier) @use !declarator))

; Where constants are wanted.
(array_declarator size: (_) @fixed)
(abstract_array_declarator size: (_) @fixed)
(bitfield_clause) @fixed
(enumerator value: (_) @fixed)
(case_statement value: (_) @fixed)
(subscript_designator) @fixed
(subscript_range_designator) @fixed
(generic_expression) @fixed
(offsetof_expression) @fixed
(gnu_asm_expression) @fixed
(attribute_specifier) @fixed
((declaration
   (storage_class_specifier) @_static
   declarator: (init_declarator value: (_) @fixed))
 (#any-of? @_static "static" "extern"))
((call_expression
   function: (identifier) @_start
   arguments: (argument_list) @fixed)
 (#any-of? @_start "va_start" "__builtin_va_start" "__builtin_choose_expr"
   "__builtin_c23_va_start" "__builtin_apply_args" "__builtin_shufflevector"))

; Where a value of another type would not do.
(pointer_expression operator: "&" argument: (identifier) @exact)
(pointer_expression operator: "&" argument: (parenthesized_expression (identifier) @exact))
(sizeof_expression) @exact

; Statements that strategy delete may take out, and what keeps them
; (docs/strategies/delete.md).
(compound_statement
  [(expression_statement) (if_statement) (switch_statement) (do_statement)
   (while_statement) (for_statement) (return_statement) (break_statement)
   (continue_statement) (goto_statement) (compound_statement)] @statement)
(case_statement
  [(expression_statement) (if_statement) (switch_statement) (do_statement)
   (while_statement) (for_statement) (return_statement) (break_statement)
   (continue_statement) (goto_statement) (compound_statement)] @statement)
(labeled_statement
  [(expression_statement) (if_statement) (switch_statement) (do_statement)
   (while_statement) (for_statement) (return_statement) (break_statement)
   (continue_statement) (goto_statement) (compound_statement)] @body)
(if_statement consequence:
  [(expression_statement) (if_statement) (switch_statement) (do_statement)
   (while_statement) (for_statement) (return_statement) (break_statement)
   (continue_statement) (goto_statement) (compound_statement)] @body)
(else_clause
  [(expression_statement) (if_statement) (switch_statement) (do_statement)
   (while_statement) (for_statement) (return_statement) (break_statement)
   (continue_statement) (goto_statement) (compound_statement)] @body)
(while_statement body:
  [(expression_statement) (if_statement) (switch_statement) (do_statement)
   (while_statement) (for_statement) (return_statement) (break_statement)
   (continue_statement) (goto_statement) (compound_statement)] @body)
(do_statement body:
  [(expression_statement) (if_statement) (switch_statement) (do_statement)
   (while_statement) (for_statement) (return_statement) (break_statement)
   (continue_statement) (goto_statement) (compound_statement)] @body)
(for_statement body:
  [(expression_statement) (if_statement) (switch_statement) (do_statement)
   (while_statement) (for_statement) (return_statement) (break_statement)
   (continue_statement) (goto_statement) (compound_statement)] @body)
; A function may have to end with it.
(function_definition body: (compound_statement (return_statement) @kept .))
(labeled_statement) @label
(case_statement) @case
(switch_statement) @switch
; The last statement of an expression is its value.
(parenthesized_expression (compound_statement) @whole)

; Types and qualifiers that strategy retype exchanges.
(_ type: [(primitive_type) (sized_type_specifier) (type_identifier)] @type-hole)
(_ type: (struct_specifier !body) @type-hole)
(_ type: (union_specifier !body) @type-hole)
(_ type: (enum_specifier !body) @type-hole)
[(type_qualifier) (storage_class_specifier)] @qualifier-hole
