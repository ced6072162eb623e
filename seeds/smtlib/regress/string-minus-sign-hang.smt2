; No number is written with a sign; the solver does not end.
; Old spelling: int.to.str is str.from_int today (cvc5 rejects the old name).
; Bad: z3 4.5.1 to 4.8.7 (hang, 20 s). Good: from 4.8.8 on.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-fun n () Int)
(assert (str.contains (int.to.str n) "-"))
(check-sat)
