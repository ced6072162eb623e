; nia pythagoras
(set-logic QF_NIA)
(set-info :status sat)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert (< 0 a b c 20))
(assert (= (+ (* a a) (* b b)) (* c c)))
(check-sat)
