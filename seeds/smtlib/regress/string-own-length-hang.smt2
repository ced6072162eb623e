; A text of digits that says its own length, such as "003"; the solver does not end.
; Old spelling: str.to.int is str.to_int today (cvc5 rejects the old name).
; Bad: z3 4.5.1 to 4.8.7 (hang, 20 s). Good: from 4.8.8 on.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-fun x () String)
(assert (= (str.to.int x) (str.len x)))
(assert (> (str.len x) 2))
(check-sat)
