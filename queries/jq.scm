; jq. Variables have no types, and hold from behind their binding to the end of its pipe; the
; grammar lets that end before a comma, so what stands behind one is left alone.
(program) @function
(funcdef) @function
(funcdef (funcdefargs) @parameters)
(funcdefargs (variable) @definition)

(query (binding)) @scope
(query "reduce") @scope
(query "foreach") @scope

(binding) @declaration
(binding "as" . (variable) @definition)
(binding "?//" . (variable) @definition)
(query "as" . (variable) @definition)
(arraypatterns (variable) @definition)
(objectpattern (variable) @definition)
(objectpattern (objectkey (variable) @definition))

(variable) @use
; The names of labels.
(_ label: (variable) @fixed)
(_ break_statement: (variable) @fixed)
