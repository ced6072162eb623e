; What z3 alone has of arrays.
(set-logic ALL)
(declare-const M (Array Int Int))
(declare-const N (Array Int Int))
(declare-const i Int)
(assert (= (default (store M i 3)) i))
(assert (distinct (array-ext (store M i 3) N) i))
(check-sat)
