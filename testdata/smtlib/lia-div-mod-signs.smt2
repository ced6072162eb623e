; lia div mod signs
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const n Int)
(assert (= n (- 7)))
(assert (not (and (= (div n 2) (- 4)) (= (mod n 2) 1) (= (div n (- 2)) 4) (= (abs n) 7))))
(check-sat)
