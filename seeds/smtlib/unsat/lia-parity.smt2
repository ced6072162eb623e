; An even and an odd combination are never equal.
(set-logic QF_LIA)
(set-info :status unsat)
(declare-fun x () Int)
(declare-fun y () Int)
(declare-fun z () Int)
(assert (= (+ (* 4 x) (* 6 y)) (+ (* 2 z) 7)))
(assert (or (> x y) (<= z (- 3)) (and (<= x y) (> z (- 3)))))
(check-sat)
