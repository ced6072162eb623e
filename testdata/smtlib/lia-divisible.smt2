; lia divisible
(set-logic ALL)
(set-info :status sat)
(declare-const n Int)
(assert ((_ divisible 3) n))
(assert ((_ divisible 5) (+ n 1)))
(assert (< 10 n 40))
(check-sat)
