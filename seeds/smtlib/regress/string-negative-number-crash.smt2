; Which number is written as the empty string? Segmentation fault.
; Old spelling: int.to.str is str.from_int today (cvc5 rejects the old name).
; Bad: z3 4.5.1 (crash). 4.8.0 (post1): unknown. Good: from 4.8.5 on.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-fun n () Int)
(assert (= (int.to.str n) ""))
(check-sat)
