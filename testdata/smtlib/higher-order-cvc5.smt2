; higher order cvc5
(set-logic HO_ALL)
(set-info :status unsat)
(declare-fun twice ((-> Int Int) Int) Int)
(declare-fun inc (Int) Int)
(assert (forall ((f (-> Int Int)) (x Int)) (= (twice f x) (f (f x)))))
(assert (= inc (lambda ((n Int)) (+ n 1))))
(assert (distinct (twice inc 5) 7))
(check-sat)
