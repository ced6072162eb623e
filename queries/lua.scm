; Lua. Variables have no types, and the file is a function.
(chunk) @function
(function_declaration) @function
(function_definition) @function
(block) @scope
(for_statement) @scope

(function_declaration parameters: (_) @parameters)
(function_definition parameters: (_) @parameters)

(variable_declaration) @declaration
(for_numeric_clause) @declaration
(for_generic_clause) @declaration
(variable_declaration (variable_list name: (identifier) @definition))
(variable_declaration (assignment_statement (variable_list name: (identifier) @definition)))
(variable_declaration
  (variable_list name: (identifier) @definition.constant . attribute: (attribute)))
(variable_declaration
  (assignment_statement
    (variable_list name: (identifier) @definition.constant . attribute: (attribute))))
(for_numeric_clause name: (identifier) @definition)
(for_generic_clause (variable_list name: (identifier) @definition))
(parameters name: (identifier) @definition)
(function_declaration name: (identifier) @definition.function)

(identifier) @use
(dot_index_expression field: (identifier) @fixed)
(method_index_expression method: (identifier) @fixed)
(field name: (identifier) @fixed)
(attribute) @fixed
(goto_statement) @fixed
(label_statement) @fixed
; A condition after `until` sees the variables of the block before it.
(repeat_statement condition: (_) @fixed)

; Statements that strategy delete may take out (docs/strategies/delete.md).
(chunk
  [(assignment_statement) (function_call) (do_statement) (while_statement)
   (repeat_statement) (if_statement) (for_statement) (return_statement)
   (break_statement) (goto_statement)] @statement)
(block
  [(assignment_statement) (function_call) (do_statement) (while_statement)
   (repeat_statement) (if_statement) (for_statement) (return_statement)
   (break_statement) (goto_statement)] @statement)

; Qualifiers that strategy retype exchanges.
(attribute) @qualifier-hole
