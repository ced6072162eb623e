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
