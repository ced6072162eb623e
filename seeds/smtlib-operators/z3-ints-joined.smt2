; z3's own integers.
(set-logic ALL)
(declare-const i Int)
(declare-const j Int)
(assert (= (rem (+ i j) 3) (mod j 3)))
(assert (distinct (div0 (+ i j) 0) (mod0 j 0) (rem0 (+ i j) 0)))
(assert (= (^ 2 3) (+ j 1)))
(check-sat)
