; nia square is not two
(set-logic QF_NIA)
(set-info :status unsat)
(declare-const a Int)
(assert (= (* a a) 2))
(assert (< (- 5) a 5))
(check-sat)
