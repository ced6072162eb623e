; Searching from a negative place gives -1, which is more than i for i = -2.
; The solver says unsat.
; Bad: z3 4.5.1 (refutation-unsound). Good: from 4.8.0 (post1) on.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-fun x () String)
(declare-fun i () Int)
(assert (< i (str.indexof x "" i)))
(check-sat)
