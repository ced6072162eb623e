; choice cvc5
(set-logic HO_ALL)
(set-info :status sat)
(declare-const x Int)
(assert (= x (choice ((y Int)) (and (> y 3) (< y 5)))))
(check-sat)
