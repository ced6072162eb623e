; awk. Variables have no types. Those that are declared are the parameters of functions, among
; them the locals, which nobody passes; global variables are left alone.
(program) @function
(func_def) @function
(func_def (param_list) @parameters)
(param_list (identifier) @definition)
(func_def name: (identifier) @definition.function)

(identifier) @use
(func_call name: (identifier) @fixed)
; Arrays.
(array_ref . (identifier) @fixed)
(for_in_statement right: (identifier) @fixed)
(delete_statement (identifier) @fixed)
(binary_exp operator: "in" right: (identifier) @fixed)
