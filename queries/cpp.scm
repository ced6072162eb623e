; What the skeleton of a C++ program is made of. The captures are explained in
; docs/strategies/skeleton.md.

; Scopes.
(translation_unit) @scope
(function_definition) @function
(catch_clause) @function
(lambda_expression) @closure
(namespace_definition) @namespace
(template_declaration) @scope
(field_declaration_list) @members
(for_range_loop) @scope
(if_statement) @scope
(while_statement) @scope
(switch_statement) @scope
(compound_statement) @scope
(for_statement) @scope
(parameter_list) @parameters

; What scopes hide of the variables around them: members of classes, what lambdas do not take.
(class_specifier name: (type_identifier) @class body: (_))
(struct_specifier name: (type_identifier) @class body: (_))
(union_specifier name: (type_identifier) @class body: (_))
(namespace_definition name: (namespace_identifier) @class)
(nested_namespace_specifier (namespace_identifier) @class)
(base_class_clause [(type_identifier) (template_type) (qualified_identifier)] @base)
(function_declarator declarator: (qualified_identifier) @outside)
(function_definition declarator: (qualified_identifier) @outside)
(lambda_capture_specifier) @captured
(lambda_capture_specifier (identifier) @taken)

; Declarations and the names in them.
(declaration) @declaration
(parameter_declaration) @declaration
(optional_parameter_declaration) @declaration
(declaration declarator: (identifier) @definition)
(parameter_declaration declarator: (identifier) @definition)
(init_declarator declarator: (identifier) @definition)
(pointer_declarator declarator: (identifier) @definition)
(array_declarator declarator: (identifier) @definition)
(attributed_declarator (identifier) @definition)
(reference_declarator (identifier) @definition)
(condition_clause (declaration) @declaration)

; Names that no hole takes: functions, constants, names of types.
(function_declarator declarator: (identifier) @definition.function)
(function_declarator declarator: (field_identifier) @definition.other)
(class_specifier name: (type_identifier) @definition.type body: (_))
(parenthesized_declarator (identifier) @definition.other)
(for_range_loop declarator: (identifier) @definition.other)
(for_range_loop declarator: (reference_declarator (identifier) @definition.other))
(structured_binding_declarator (identifier) @definition.other)
(template_parameter_list (parameter_declaration declarator: (identifier) @definition.other))
(template_parameter_list (parameter_declaration declarator: (_ (identifier) @definition.other)))
(template_parameter_list
  (variadic_parameter_declaration declarator: (_ (identifier) @definition.other)))
(optional_parameter_declaration declarator: (identifier) @definition)
(lambda_capture_initializer left: (identifier) @definition.other)
(field_declaration declarator: (field_identifier) @definition.other)
(field_declaration declarator: (_ (field_identifier) @definition.other))
(enumerator name: (identifier) @definition.other)
(type_definition declarator: (type_identifier) @definition.type)
(type_definition (pointer_declarator declarator: (type_identifier) @definition.type))
(type_definition (array_declarator declarator: (type_identifier) @definition.type))
(struct_specifier name: (type_identifier) @definition.type body: (_))
(union_specifier name: (type_identifier) @definition.type body: (_))
(enum_specifier name: (type_identifier) @definition.type body: (_))

; What is not part of a type.
(init_declarator value: (_) @initializer)
(optional_parameter_declaration default_value: (_) @initializer)
(class_specifier body: (_) @ignore)
(struct_specifier body: (_) @ignore)
(union_specifier body: (_) @ignore)
(enum_specifier body: (_) @ignore)

; Types that are the same as no other.
(placeholder_type_specifier) @unique
(decltype) @unique
(class_specifier !name) @unique
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
(offsetof_expression) @fixed
(gnu_asm_expression) @fixed
(attribute_specifier) @fixed
(template_argument_list) @fixed
((lambda_expression declarator: (abstract_function_declarator (type_qualifier) @_constant)) @fixed
 (#any-of? @_constant "constexpr" "consteval"))
(if_statement "constexpr" condition: (_) @fixed)
(requires_clause) @fixed
(requires_expression) @fixed
(trailing_return_type) @fixed
(alignas_qualifier) @fixed
(optional_parameter_declaration default_value: (_) @fixed)
(static_assert_declaration) @fixed
(decltype) @fixed
(noexcept) @fixed
(qualified_identifier) @fixed
((declaration
   (type_qualifier) @_constant
   declarator: (init_declarator value: (_) @fixed))
 (#any-of? @_constant "constexpr" "constinit"))
; What such a function is worth may be wanted where the program is compiled.
((function_definition (type_qualifier) @_constant) @fixed
 (#any-of? @_constant "constexpr" "consteval"))
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
   (continue_statement) (goto_statement) (compound_statement) (for_range_loop)
   (try_statement) (throw_statement)] @statement)
(case_statement
  [(expression_statement) (if_statement) (switch_statement) (do_statement)
   (while_statement) (for_statement) (return_statement) (break_statement)
   (continue_statement) (goto_statement) (compound_statement) (for_range_loop)
   (try_statement) (throw_statement)] @statement)
(labeled_statement
  [(expression_statement) (if_statement) (switch_statement) (do_statement)
   (while_statement) (for_statement) (return_statement) (break_statement)
   (continue_statement) (goto_statement) (compound_statement) (for_range_loop)
   (try_statement) (throw_statement)] @body)
(if_statement consequence:
  [(expression_statement) (if_statement) (switch_statement) (do_statement)
   (while_statement) (for_statement) (return_statement) (break_statement)
   (continue_statement) (goto_statement) (compound_statement) (for_range_loop)
   (try_statement) (throw_statement)] @body)
(else_clause
  [(expression_statement) (if_statement) (switch_statement) (do_statement)
   (while_statement) (for_statement) (return_statement) (break_statement)
   (continue_statement) (goto_statement) (compound_statement) (for_range_loop)
   (try_statement) (throw_statement)] @body)
(while_statement body:
  [(expression_statement) (if_statement) (switch_statement) (do_statement)
   (while_statement) (for_statement) (return_statement) (break_statement)
   (continue_statement) (goto_statement) (compound_statement) (for_range_loop)
   (try_statement) (throw_statement)] @body)
(do_statement body:
  [(expression_statement) (if_statement) (switch_statement) (do_statement)
   (while_statement) (for_statement) (return_statement) (break_statement)
   (continue_statement) (goto_statement) (compound_statement) (for_range_loop)
   (try_statement) (throw_statement)] @body)
(for_statement body:
  [(expression_statement) (if_statement) (switch_statement) (do_statement)
   (while_statement) (for_statement) (return_statement) (break_statement)
   (continue_statement) (goto_statement) (compound_statement) (for_range_loop)
   (try_statement) (throw_statement)] @body)
(for_range_loop body:
  [(expression_statement) (if_statement) (switch_statement) (do_statement)
   (while_statement) (for_statement) (return_statement) (break_statement)
   (continue_statement) (goto_statement) (compound_statement) (for_range_loop)
   (try_statement) (throw_statement)] @body)
; A function may have to end with it.
(function_definition body: (compound_statement (return_statement) @kept .))
(labeled_statement) @label
(case_statement) @case
(switch_statement) @switch
; The last statement of an expression is its value.
(parenthesized_expression (compound_statement) @whole)
; What they return follows from their statements.
(lambda_expression) @whole
(function_definition type: (placeholder_type_specifier)) @whole
; No run shows what the compiler evaluates.
((function_definition (type_qualifier) @_constant) @whole
 (#any-of? @_constant "constexpr" "consteval"))
; A statement that names such a class may make a variable of the whole program.
((template_declaration
   (class_specifier body: (field_declaration_list
     (field_declaration (storage_class_specifier) @_static)))) @program-kept
 (#eq? @_static "static"))
((template_declaration
   (struct_specifier body: (field_declaration_list
     (field_declaration (storage_class_specifier) @_static)))) @program-kept
 (#eq? @_static "static"))

; Types and qualifiers that strategy retype exchanges.
(_ type: [(primitive_type) (sized_type_specifier) (type_identifier) (template_type)
          (placeholder_type_specifier) (qualified_identifier) (decltype)] @type-hole)
(_ type: (struct_specifier !body) @type-hole)
(_ type: (class_specifier !body) @type-hole)
(_ type: (union_specifier !body) @type-hole)
(_ type: (enum_specifier !body) @type-hole)
(template_argument_list (type_descriptor) @type-hole)
(base_class_clause (type_identifier) @type-hole)
[(type_qualifier) (storage_class_specifier) (access_specifier)] @qualifier-hole
