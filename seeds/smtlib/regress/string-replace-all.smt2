; x = "b" is a solution. The solver says unsat.
; Bad: z3 4.8.10 (refutation-unsound). 4.8.9: unknown, older ones do not know
; str.replace_all. Good: from 4.8.11 on.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-fun x () String)
(assert (= (str.replace_all "aaa" "a" x) "bbb"))
(check-sat)
