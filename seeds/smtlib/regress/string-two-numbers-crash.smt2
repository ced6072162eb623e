; The texts of two numbers make up a third: segmentation fault.
; Old spelling: int.to.str is str.from_int today (cvc5 rejects the old name).
; Bad: z3 4.5.1 (crash); 4.8.0 (post1) gives no answer in 3 s. Good: from 4.8.5 on.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-fun n () Int)
(declare-fun m () Int)
(assert (= (str.++ (int.to.str n) (int.to.str m)) "105"))
(assert (> m 50))
(check-sat)
