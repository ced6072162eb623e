; lira rounding
(set-logic QF_LIRA)
(set-info :status unsat)
(declare-const x Real)
(declare-const n Int)
(assert (= n (to_int x)))
(assert (not (and (<= (to_real n) x) (< x (to_real (+ n 1))))))
(check-sat)
