; x = "70" is a solution. The oldest solver says unsat, later ones do not end.
; Old spelling: str.to.int is str.to_int today (cvc5 rejects the old name).
; Bad: z3 4.5.1 (refutation-unsound), 4.8.5 to 4.8.7 (hang).
; Good: 4.8.0 (post1) and from 4.8.8 on.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-fun x () String)
(declare-fun n () Int)
(assert (= (str.to.int (str.substr x 0 n)) 7))
(assert (= (str.to.int x) 70))
(assert (= n 1))
(check-sat)
