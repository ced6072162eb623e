; A sum of squares is at least twice the product.
(set-logic QF_NRA)
(set-info :status unsat)
(declare-fun x () Real)
(declare-fun y () Real)
(declare-fun s () Real)
(assert (= s (+ (* x x) (* y y))))
(assert (< s (* 2.0 x y)))
(check-sat)
