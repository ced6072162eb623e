; let shadows
(set-logic QF_LIA)
(set-info :status sat)
(declare-const x Int)
(assert (let ((x 1) (y x)) (let ((x (+ x 1))) (not (= (+ x y) (let ((z 3)) (+ z y)))))))
(assert (! (= x x) :named |a name|))
(check-sat)
