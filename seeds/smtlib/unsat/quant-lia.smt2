; Between a number and its double there is no gap that all even numbers avoid.
(set-logic LIA)
(set-info :status unsat)
(declare-fun a () Int)
(assert (> a 2))
(assert (forall ((x Int)) (=> (< a (* 2 x) (* 2 a)) (= (+ x x) (+ a a a)))))
(check-sat)
