; The text of a number has no sign and no leading zero.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-fun n () Int)
(declare-fun s () String)
(assert (= s (str.from_int n)))
(assert (<= (str.len s) 2))
(assert (or (= (str.at s 0) "-") (and (str.prefixof "0" s) (> n 0)) (and (>= n 0) (distinct n (str.to_int s)))))
(check-sat)
