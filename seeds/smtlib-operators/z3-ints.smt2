; z3's own integers.
(set-logic ALL)
(declare-const i Int)
(declare-const j Int)
(assert (= (rem i 3) (mod j 3)))
(assert (distinct (div0 i 0) (mod0 j 0) (rem0 i 0)))
(assert (= (^ 2 3) (+ j 1)))
(check-sat)
