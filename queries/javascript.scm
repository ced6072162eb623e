; JavaScript. Variables have no types, and the file is a function.
(program) @function
(function_declaration) @function
(function_expression) @function
(generator_function) @function
(generator_function_declaration) @function
(arrow_function) @function
(method_definition) @function
(catch_clause) @function
(statement_block) @scope
(switch_body) @scope
(for_statement) @scope
(for_in_statement) @scope
(class_body) @scope

(formal_parameters) @parameters

(variable_declarator) @declaration
(lexical_declaration kind: "let" (variable_declarator name: (identifier) @definition))
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @definition.constant))
(variable_declaration (variable_declarator name: (identifier) @definition))
(formal_parameters (identifier) @definition)
(formal_parameters (assignment_pattern left: (identifier) @definition))
(formal_parameters (rest_pattern (identifier) @definition.other))
(arrow_function parameter: (identifier) @definition)
(catch_clause parameter: (identifier) @definition)
(for_in_statement kind: _ left: (identifier) @definition.other)
(shorthand_property_identifier_pattern) @definition.other
(array_pattern (identifier) @definition.other)
(pair_pattern value: (identifier) @definition.other)
(function_declaration name: (identifier) @definition.function)
(generator_function_declaration name: (identifier) @definition.function)
(function_expression name: (identifier) @definition.other)
(class_declaration name: (identifier) @definition.other)
(import_specifier (identifier) @definition.other)
(import_clause (identifier) @definition.other)

(identifier) @use
(export_statement (export_clause) @fixed)

; Statements that strategy delete may take out, and what keeps them
; (docs/strategies/delete.md).
(program
  [(expression_statement) (if_statement) (switch_statement) (for_statement)
   (for_in_statement) (while_statement) (do_statement) (try_statement)
   (throw_statement) (break_statement) (continue_statement) (return_statement)
   (statement_block) (labeled_statement)] @statement)
(statement_block
  [(expression_statement) (if_statement) (switch_statement) (for_statement)
   (for_in_statement) (while_statement) (do_statement) (try_statement)
   (throw_statement) (break_statement) (continue_statement) (return_statement)
   (statement_block) (labeled_statement)] @statement)
(switch_case
  [(expression_statement) (if_statement) (switch_statement) (for_statement)
   (for_in_statement) (while_statement) (do_statement) (try_statement)
   (throw_statement) (break_statement) (continue_statement) (return_statement)
   (statement_block) (labeled_statement)] @statement)
(switch_default
  [(expression_statement) (if_statement) (switch_statement) (for_statement)
   (for_in_statement) (while_statement) (do_statement) (try_statement)
   (throw_statement) (break_statement) (continue_statement) (return_statement)
   (statement_block) (labeled_statement)] @statement)
(if_statement consequence:
  [(expression_statement) (if_statement) (switch_statement) (for_statement)
   (for_in_statement) (while_statement) (do_statement) (try_statement)
   (throw_statement) (break_statement) (continue_statement) (return_statement)
   (statement_block) (labeled_statement)] @body)
(else_clause
  [(expression_statement) (if_statement) (switch_statement) (for_statement)
   (for_in_statement) (while_statement) (do_statement) (try_statement)
   (throw_statement) (break_statement) (continue_statement) (return_statement)
   (statement_block) (labeled_statement)] @body)
(for_statement body:
  [(expression_statement) (if_statement) (switch_statement) (for_statement)
   (for_in_statement) (while_statement) (do_statement) (try_statement)
   (throw_statement) (break_statement) (continue_statement) (return_statement)
   (statement_block) (labeled_statement)] @body)
(for_in_statement body:
  [(expression_statement) (if_statement) (switch_statement) (for_statement)
   (for_in_statement) (while_statement) (do_statement) (try_statement)
   (throw_statement) (break_statement) (continue_statement) (return_statement)
   (statement_block) (labeled_statement)] @body)
(while_statement body:
  [(expression_statement) (if_statement) (switch_statement) (for_statement)
   (for_in_statement) (while_statement) (do_statement) (try_statement)
   (throw_statement) (break_statement) (continue_statement) (return_statement)
   (statement_block) (labeled_statement)] @body)
(do_statement body:
  [(expression_statement) (if_statement) (switch_statement) (for_statement)
   (for_in_statement) (while_statement) (do_statement) (try_statement)
   (throw_statement) (break_statement) (continue_statement) (return_statement)
   (statement_block) (labeled_statement)] @body)
; Directives come first.
(expression_statement (string)) @whole
; They are also seen outside of their block.
(variable_declaration) @outlives
(function_declaration) @outlives
(generator_function_declaration) @outlives

; Qualifiers that strategy retype exchanges.
(lexical_declaration kind: _ @qualifier-hole)
(variable_declaration "var" @qualifier-hole)
