; What the skeleton of a Scala program is made of. The captures are explained in
; docs/strategies/skeleton.md. Only variables whose type is written down and is one of
; the plain ones: other names may be types of an enclosing class.

; Scopes. A name is also seen in the rest of a class, whatever stands between.
(compilation_unit) @scope
(function_definition) @function
(lambda_expression) @function
(case_clause) @scope
(for_expression) @scope
(block) @scope
(indented_block) @scope
(class_definition) @scope
(trait_definition) @scope
(object_definition) @scope
(template_body) @scope
(refinement) @scope
(structural_type) @scope
(function_definition (parameters) @parameters)

; Variables, and what they are.
(val_definition) @declaration
(var_definition) @declaration
(parameter) @declaration
(class_parameter) @declaration
((val_definition pattern: (identifier) @definition.constant type: (_) @type)
 (#match? @type "^((scala\\.)?(Byte|Short|Char|Int|Long|Float|Double|Boolean|Any|AnyRef)|String|(Array|List|Seq|Set|Vector|Option)\\[(Byte|Short|Char|Int|Long|Float|Double|Boolean|Any|String)\\])$"))
((var_definition pattern: (identifier) @definition type: (_) @type)
 (#match? @type "^((scala\\.)?(Byte|Short|Char|Int|Long|Float|Double|Boolean|Any|AnyRef)|String|(Array|List|Seq|Set|Vector|Option)\\[(Byte|Short|Char|Int|Long|Float|Double|Boolean|Any|String)\\])$"))
((parameter name: (identifier) @definition.constant type: (_) @type)
 (#match? @type "^((scala\\.)?(Byte|Short|Char|Int|Long|Float|Double|Boolean|Any|AnyRef)|String|(Array|List|Seq|Set|Vector|Option)\\[(Byte|Short|Char|Int|Long|Float|Double|Boolean|Any|String)\\])$"))

; Anything else that binds a name hides it.
(val_definition pattern: (_) @_pattern @definition.other)
(var_definition pattern: (_) @_pattern @definition.other)
(val_definition pattern: (_ (identifier) @definition.other))
(var_definition pattern: (_ (identifier) @definition.other))
(val_declaration name: (identifier) @definition.other)
(var_declaration name: (identifier) @definition.other)
(identifiers (identifier) @definition.other)
(parameter name: (identifier) @definition.other)
(class_parameter name: (identifier) @definition.other)
(binding name: (identifier) @definition.other)
(lambda_expression parameters: (identifier) @definition.other)
(colon_argument lambda_start: (identifier) @definition.other)
(enumerator . (identifier) @definition.other)
(enumerator . (_ (identifier) @definition.other))
(case_clause pattern: (identifier) @definition.other)
(capture_pattern name: (identifier) @definition.other)
(typed_pattern pattern: (identifier) @definition.other)
(tuple_pattern (identifier) @definition.other)
(case_class_pattern pattern: (identifier) @definition.other)
(infix_pattern (identifier) @definition.other)
(self_type (identifier) @definition.other)
(object_definition name: (identifier) @definition.other)
(function_definition name: (identifier) @definition.function)
(function_declaration name: (identifier) @definition.function)
(namespace_selectors (identifier) @definition.other)
(as_renamed_identifier alias: (identifier) @definition.other)
(arrow_renamed_identifier alias: (identifier) @definition.other)
(import_declaration path: (identifier) @definition.other .)

; Uses, and names that are none.
(identifier) @use
(field_expression field: (identifier) @fixed)
(infix_expression operator: (identifier) @fixed)
(postfix_expression (_) (identifier) @fixed)
(arguments (assignment_expression left: (identifier) @fixed))
(interpolated_string_expression interpolator: (identifier) @fixed)
(case_clause pattern: (_) @fixed)
(enumerator . (_) @fixed)
(val_definition pattern: (_) @fixed)
(var_definition pattern: (_) @fixed)
(import_declaration) @fixed
(export_declaration) @fixed
(package_clause name: (_) @fixed)
(annotation) @fixed
(stable_type_identifier) @fixed
(stable_identifier) @fixed
(singleton_type) @fixed
(self_type) @fixed
(extends_clause) @fixed
(class_parameters) @fixed
(early_defs) @fixed
(quote_expression) @fixed
(splice_expression) @fixed
(macro_body) @fixed
(xml_expression) @fixed
; A default value is a method of its own.
(parameter default_value: (_) @fixed)
; A function that is not called becomes a value of it, which names no type.
(method_value) @fixed
; What a class inherits can be seen in it, and is not known here.
(class_definition extend: (_) body: (template_body) @fixed)
(trait_definition extend: (_) body: (template_body) @fixed)
(instance_expression (template_body) @fixed)
((object_definition extend: (extends_clause type: (_) @_parent) body: (template_body) @fixed)
 (#not-eq? @_parent "App"))

; Statements that strategy delete may take out, and what keeps them
; (docs/strategies/delete.md). An assignment is worth nothing wherever it stands.
(block
  [(assignment_expression) (call_expression) (infix_expression) (if_expression) (match_expression)
   (while_expression) (do_while_expression) (for_expression) (try_expression) (throw_expression)
   (return_expression) (block)] @statement)
(while_expression body:
  [(assignment_expression) (call_expression) (infix_expression) (if_expression) (match_expression)
   (while_expression) (do_while_expression) (for_expression) (try_expression) (throw_expression)
   (return_expression)] @body)
(if_expression consequence: (assignment_expression) @body)
(if_expression alternative: (assignment_expression) @body)
; The last one is the value of its block.
(block (_) @kept . [(comment) (block_comment)]* .)
; What they return follows from their statements.
(function_definition !return_type) @whole
(lambda_expression) @whole
(val_definition !type) @whole
(var_definition !type) @whole

; Types and qualifiers that strategy retype exchanges.
(_ type: [(type_identifier) (generic_type) (stable_type_identifier) (tuple_type) (function_type)
          (lazy_parameter_type) (repeated_parameter_type) (compound_type)] @type-hole)
(_ return_type: [(type_identifier) (generic_type) (stable_type_identifier) (tuple_type)
                 (function_type)] @type-hole)
(type_arguments (_) @type-hole)
(modifiers _ @qualifier-hole)
(val_definition "val" @qualifier-hole)
(var_definition "var" @qualifier-hole)
