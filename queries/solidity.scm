; Solidity. State variables are seen in the whole contract, and only they
; stand for each other: a pure function reads none.
(source_file) @scope
(contract_declaration) @scope
(interface_declaration) @scope
(library_declaration) @scope
(function_definition) @function
(constructor_definition) @function
(modifier_definition) @function
(fallback_receive_definition) @function
(catch_clause) @function
(function_body) @scope
(block_statement) @scope
(for_statement) @scope

(variable_declaration_statement) @declaration
(parameter) @declaration
(state_variable_declaration) @declaration
(variable_declaration name: (identifier) @definition) @type
(parameter name: (identifier) @definition) @type
(state_variable_declaration type: (_) @type name: (identifier) @definition.hoisted)
(state_variable_declaration
  type: (_) @type (immutable) name: (identifier) @definition.other)
((state_variable_declaration type: (_) @type name: (identifier) @definition.other) @_whole
 (#match? @_whole "\\s(constant|immutable)\\s"))
(constant_variable_declaration name: (identifier) @definition.other)
(function_definition name: (identifier) @definition.function)
(modifier_definition name: (identifier) @definition.function)
(variable_declaration_tuple (identifier) @definition.other)

(identifier) @use
(member_expression property: (identifier) @fixed)
(call_struct_argument name: (identifier) @fixed)
(struct_field_assignment name: (identifier) @fixed)
(user_defined_type) @fixed
(modifier_invocation (identifier) @fixed)
(event_definition) @fixed
(error_declaration) @fixed
(struct_declaration) @fixed
(enum_declaration) @fixed
(type_name) @fixed
(assembly_statement) @fixed
(emit_statement name: (_) @fixed)
(revert_statement error: (_) @fixed)

; Types and qualifiers that strategy retype exchanges.
(type_name) @type-hole
[(visibility) (state_mutability) (immutable) (virtual) (state_location)] @qualifier-hole
(parameter location: _ @qualifier-hole)
(variable_declaration location: _ @qualifier-hole)
