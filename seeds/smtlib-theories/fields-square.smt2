; A root of 2 modulo 7, and none modulo 5.
(set-logic ALL)
(set-info :status unsat)
(declare-const x (_ FiniteField 7))
(declare-const y (_ FiniteField 5))
(assert (= (ff.mul x x) (as ff2 (_ FiniteField 7))))
(assert (= (ff.mul y y) (as ff2 (_ FiniteField 5))))
(check-sat)
