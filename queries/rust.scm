; Rust. Only variables whose type is written down and is copied when used.
(source_file) @scope
(function_item) @function
(block) @scope
(for_expression) @scope
(match_arm) @scope
(impl_item) @scope
(mod_item) @scope

(function_item parameters: (_) @parameters)

(let_declaration) @declaration
(parameter) @declaration
((let_declaration
   (mutable_specifier) pattern: (identifier) @definition type: (_) @type)
 (#any-of? @type "i8" "i16" "i32" "i64" "i128" "isize" "u8" "u16" "u32" "u64" "u128" "usize"
   "f32" "f64" "bool" "char"))
((parameter
   (mutable_specifier) pattern: (identifier) @definition type: (_) @type)
 (#any-of? @type "i8" "i16" "i32" "i64" "i128" "isize" "u8" "u16" "u32" "u64" "u128" "usize"
   "f32" "f64" "bool" "char"))
((let_declaration . pattern: (identifier) @definition.constant type: (_) @type value: (_))
 (#any-of? @type "i8" "i16" "i32" "i64" "i128" "isize" "u8" "u16" "u32" "u64" "u128" "usize"
   "f32" "f64" "bool" "char"))
((parameter . pattern: (identifier) @definition.constant type: (_) @type)
 (#any-of? @type "i8" "i16" "i32" "i64" "i128" "isize" "u8" "u16" "u32" "u64" "u128" "usize"
   "f32" "f64" "bool" "char"))

; Anything else that binds a name hides it.
(let_declaration pattern: (identifier) @definition.other)
(parameter pattern: (identifier) @definition.other)
(for_expression pattern: (identifier) @definition.other)
(match_pattern (identifier) @definition.other)
(tuple_pattern (identifier) @definition.other)
(tuple_struct_pattern (identifier) @definition.other)
(captured_pattern (identifier) @definition.other)
(ref_pattern (identifier) @definition.other)
(mut_pattern (identifier) @definition.other)
(slice_pattern (identifier) @definition.other)
(shorthand_field_identifier) @definition.other
(let_condition pattern: (identifier) @definition.other)
(const_item name: (identifier) @definition.other)
(static_item name: (identifier) @definition.other)
(function_item name: (identifier) @definition.function)

(identifier) @use
(closure_expression) @fixed
(token_tree) @fixed
(shorthand_field_initializer) @fixed
(scoped_identifier) @fixed
(array_type) @fixed
(const_item) @fixed
(static_item) @fixed
(attribute_item) @fixed
(match_pattern) @fixed

; Statements that strategy delete may take out, and what keeps them
; (docs/strategies/delete.md). The last one may be the value of its block.
(block (expression_statement) @statement)
(block (expression_statement) @kept .)
; No run shows what the compiler evaluates.
((function_item (function_modifiers) @_constant) @whole
 (#match? @_constant "const"))
(const_item) @whole
(static_item) @whole

; Types and qualifiers that strategy retype exchanges.
(_ type: (_) @type-hole)
(_ return_type: (_) @type-hole)
(type_arguments (_) @type-hole)
[(mutable_specifier) (visibility_modifier) (function_modifiers)] @qualifier-hole
