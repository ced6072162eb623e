; Powers and functions that are no polynomials.
(set-logic ALL)
(declare-const x Real)
(declare-const y Real)
(assert (> (exp x) (sin y)))
(assert (< (cos x) (tan y)))
(assert (= x (* y y)))
(check-sat)
