; recursion factorial
(set-logic ALL)
(set-info :status sat)
(define-fun-rec factorial ((n Int)) Int
  (ite (<= n 0) 1 (* n (factorial (- n 1)))))
(declare-const k Int)
(assert (= (factorial 4) k))
(check-sat)
